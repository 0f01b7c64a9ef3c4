import type { SeenRows } from '../../lists/rows/audiences.ts';
import type { Clock } from '../../base/clock.ts';
import { createPause } from '../../base/yield.ts';
import {
  renderPage,
  type Render,
  type RenderedPage,
  type RenderedRows,
  type WantedRow,
} from './page-bytes.ts';

/** How rows become JSON text for one kind of answer. Two of one `key` must give the same text for a row. */
export interface Rendering {
  readonly key: string;
  readonly render: Render;
}

/**
 * Rows as JSON, kept while they stay as they are: most requests of a feed ask for what did not change, and
 * sending kept bytes costs a fraction of reading rows and writing them out again.
 */
export interface RowTexts {
  /**
   * The rows as they are now, in the order of the ids; those that are not there are left out. Rows are kept one by one
   * as well, for feeds whose pages hold the same rows in another division when one is added; that costs the memory that
   * their texts take.
   */
  joined(rows: SeenRows, recordIDs: readonly string[], rendering: Rendering): Promise<RenderedRows>;
  /** As many of them, as they are now, as fit on one page. Whole pages are kept, and nothing else. */
  page(rows: SeenRows, wanted: readonly WantedRow[], rendering: Rendering): Promise<RenderedPage>;
}

/** What is kept of one list in one rendering. */
interface Kept {
  /** Texts and pages are true as of this change. */
  seq: number;
  size: number;
  readonly texts: Map<string, string | null>;
  /** Whole pages, by their ids. */
  readonly pages: Map<string, RenderedPage>;
}

/** Bytes and characters of all that is kept. */
const MOST = 24 * 1024 * 1024;
const MOST_PAGES = 32;
const IDLE_MS = 5 * 60_000;
/** With more changes than this, reading anew is cheaper. */
const MOST_CHANGES = 5000;
/** Rows that are read and written out in one go: an answer may be a whole list. */
const AT_ONCE = 500;

export function createRowTexts(clock: Clock): RowTexts {
  const kept = new Map<string, Kept>();
  let cancelSweep = (): void => undefined;

  function sweepLater(): void {
    cancelSweep();
    cancelSweep = clock.after(IDLE_MS, () => kept.clear());
  }

  /** What is kept under this key, without what changed since. */
  async function current(rows: SeenRows, key: string): Promise<Kept> {
    const seq = await rows.lastSeq();
    const known = kept.get(key);
    if (known && known.seq !== seq) {
      const changes = await rows.changesSince({ afterSeq: known.seq }, MOST_CHANGES);
      if (changes.length >= MOST_CHANGES) kept.delete(key);
      dropPages(known);
      for (const { key: recordID } of changes) dropText(known, recordID);
      known.seq = Math.max(seq, changes.at(-1)?.seq ?? 0);
    }
    const entry = kept.get(key) ?? { seq, size: 0, texts: new Map(), pages: new Map() };
    kept.delete(key);
    kept.set(key, entry);
    return entry;
  }

  /** Gives up what was not asked for the longest; of what is left, pages first, then the oldest texts. */
  function bound(): void {
    let size = [...kept.values()].reduce((sum, entry) => sum + entry.size, 0);
    for (const [key, entry] of kept) {
      if (size <= MOST || kept.size === 1) break;
      size -= entry.size;
      kept.delete(key);
    }
    const [last] = kept.values();
    if (!last || last.size <= MOST) return;
    dropPages(last);
    for (const recordID of last.texts.keys()) {
      if (last.size <= MOST) return;
      dropText(last, recordID);
    }
  }

  /** Not where a change came while the rows were read: it is not known to be in them. */
  async function keep(
    rows: SeenRows,
    { entry, asOf }: { readonly entry: Kept; readonly asOf: number },
    page: { readonly key: string; readonly rendered: RenderedPage },
    texts: ReadonlyMap<string, string | null>,
  ): Promise<void> {
    if (entry.seq !== asOf || (await rows.lastSeq()) !== asOf || entry.seq !== asOf) return;
    for (const [recordID, text] of texts) {
      if (!entry.texts.has(recordID)) entry.size += text?.length ?? 0;
      entry.texts.set(recordID, text);
    }
    if (entry.pages.size >= MOST_PAGES) dropPages(entry);
    if (!entry.pages.has(page.key)) entry.size += page.rendered.bytes.length + page.key.length;
    entry.pages.set(page.key, page.rendered);
    bound();
  }

  return {
    async joined(rows, recordIDs, { key, render }) {
      sweepLater();
      const entry = await current(rows, `${rows.moduleID} ${key}`);
      const pageKey = recordIDs.join();
      const page = entry.pages.get(pageKey);
      if (page) return page;
      const asOf = entry.seq;
      // Those that are kept may be dropped while the others are read.
      const texts = new Map<string, string | null>();
      for (const recordID of recordIDs) {
        const text = entry.texts.get(recordID);
        if (text !== undefined) texts.set(recordID, text);
      }
      const missing = recordIDs.filter((recordID) => !texts.has(recordID));
      const fresh = new Map<string, string | null>();
      const pause = createPause();
      for (let at = 0; at < missing.length; at += AT_ONCE) {
        const found = await rows.getMany(missing.slice(at, at + AT_ONCE));
        const there = found.filter((row) => row !== undefined);
        const answers = await render(there);
        for (const [place, { recordID }] of there.entries()) {
          const text = textOf(answers[place]);
          fresh.set(recordID, text);
          texts.set(recordID, text);
        }
        await pause();
      }
      const rendered = { ...(await oneByOne(recordIDs, texts)), taken: recordIDs.length };
      if (rendered.bytes.length > MOST) return rendered;
      await keep(rows, { entry, asOf }, { key: pageKey, rendered }, fresh);
      return rendered;
    },

    async page(rows, wanted, { key, render }) {
      sweepLater();
      const entry = await current(rows, `${rows.moduleID} ${key}`);
      const pageKey = wanted.map(({ key: recordID }) => recordID).join();
      const page = entry.pages.get(pageKey);
      if (page) return page;
      const asOf = entry.seq;
      const rendered = await renderPage(rows, wanted, render);
      await keep(rows, { entry, asOf }, { key: pageKey, rendered }, NO_TEXTS);
      return rendered;
    },
  };
}

const NO_TEXTS: ReadonlyMap<string, string | null> = new Map();

const textOf = (answer: object | undefined): string | null =>
  answer === undefined ? null : JSON.stringify(answer);

/** A page of rows whose texts are known; null stands for a row that is left out. */
async function oneByOne(
  recordIDs: readonly string[],
  texts: ReadonlyMap<string, string | null>,
): Promise<RenderedRows> {
  const shown = recordIDs.filter((recordID) => texts.get(recordID) != null);
  const parts: Buffer[] = [];
  const pause = createPause();
  for (let at = 0; at < shown.length; at += AT_ONCE) {
    const stretch = shown.slice(at, at + AT_ONCE).map((recordID) => texts.get(recordID));
    parts.push(Buffer.from(`${at === 0 ? '' : ','}${stretch.join()}`));
    await pause();
  }
  return { bytes: Buffer.concat(parts), recordIDs: shown };
}

function dropText(entry: Kept, recordID: string): void {
  entry.size -= entry.texts.get(recordID)?.length ?? 0;
  entry.texts.delete(recordID);
}

function dropPages(entry: Kept): void {
  for (const [key, page] of entry.pages) entry.size -= key.length + page.bytes.length;
  entry.pages.clear();
}
