import type { VisibleRows } from '../../lists/rows/row-filter-index.ts';
import type { Clock } from '../../base/clock.ts';
import { batchByBytes } from '../../base/batches.ts';
import { createYielder } from '../../base/yield.ts';
import type { Row } from '../../lists/definitions/model.ts';
import type { Entry } from '../../store/store.ts';
import {
  renderPage,
  PAGE_BYTES,
  type ChangesPage,
  type Page,
  type Render,
  type RenderedPage,
  type WantedRow,
} from './page-bytes.ts';

/** Encodes rows for one kind of answer. Equal `key`s must give equal texts. */
export interface Rendering<A extends object = object> {
  readonly key: string;
  readonly render: Render<A>;
  /** For pages that aren't comma-separated rows. */
  readonly page?: Page<A>;
}

/** The cache entry of one list in one encoding. */
interface Kept {
  /** Valid as of this change. */
  seq: number;
  size: number;
  readonly texts: Map<string, string | null>;
  /** Pages by ids: joined from texts, and others. */
  readonly joined: Map<string, RenderedPage>;
  readonly pages: Map<string, ChangesPage>;
}

/** In bytes and characters. */
const MAX_CACHE_BYTES = 24 * 1024 * 1024;
const MAX_PAGES = 32;
const IDLE_MS = 5 * 60_000;
/** Beyond, reading again is cheaper. */
const MAX_CHANGES = 5000;
const AT_ONCE = 500;

/** Caches rows as JSON, as most requested rows are unchanged. */
export class RowTexts {
  readonly #deps: Clock;
  readonly #kept = new Map<string, Kept>();
  #cancelSweep = (): void => undefined;

  constructor(deps: Clock) {
    this.#deps = deps;
  }

  /**
   * Returns the first rows as sent, about a page, from the cache where possible. Caches them only if all fit and none
   * changed meanwhile.
   */
  async firstRows(
    rows: VisibleRows,
    recordIDs: readonly string[],
    { key, render }: Rendering,
  ): Promise<RenderedPage> {
    this.#clearWhenIdle();
    const entry = await this.#entryFor(rows, `${rows.moduleID} ${key}`);
    const pageKey = recordIDs.join();
    const page = entry.joined.get(pageKey);
    if (page) return page;
    const asOf = entry.seq;
    // Copies, as reading others may evict cached ones.
    const texts = new Map<string, string | null>();
    for (const recordID of recordIDs) {
      const text = entry.texts.get(recordID);
      if (text !== undefined) texts.set(recordID, text);
    }
    const missing = await rows.entries(recordIDs.filter((recordID) => !texts.has(recordID)));
    const unread = new Map(missing.flatMap((row) => (row ? [[row.key, row] as const] : [])));
    const rendered = await renderFirst(recordIDs, { texts, unread, render });
    if (rendered.taken === recordIDs.length && (await this.#isUnchanged(rows, entry, asOf))) {
      cacheTexts(entry, texts);
      this.#cachePage(entry, entry.joined, pageKey, rendered);
    }
    return rendered;
  }

  /** Returns as many rows as fit on one page, from the cache if no row changed since. */
  async page<A extends object>(
    rows: VisibleRows,
    wanted: readonly WantedRow[],
    { key, render, page: into }: Rendering<A>,
  ): Promise<ChangesPage> {
    this.#clearWhenIdle();
    const entry = await this.#entryFor(rows, `${rows.moduleID} ${key}`);
    const pageKey = wanted.map(({ key: recordID }) => recordID).join();
    const page = entry.pages.get(pageKey);
    if (page) return page;
    const asOf = entry.seq;
    const rendered = await renderPage(wanted, render, into);
    if (await this.#isUnchanged(rows, entry, asOf)) this.#cachePage(entry, entry.pages, pageKey, rendered);
    return rendered;
  }

  /** Restarts the time without use after which the cache is cleared. */
  #clearWhenIdle(): void {
    this.#cancelSweep();
    this.#cancelSweep = this.#deps.after(IDLE_MS, () => this.#kept.clear());
  }

  /**
   * Returns a key's cache entry without rows that changed since; an empty one if it is missing or too many did. Marks
   * it as used last.
   */
  async #entryFor(rows: VisibleRows, key: string): Promise<Kept> {
    const seq = await rows.lastSeq();
    const known = this.#kept.get(key);
    if (known && known.seq !== seq) {
      const changes = await rows.changesSince({ afterSeq: known.seq }, MAX_CHANGES);
      if (changes.length >= MAX_CHANGES) this.#kept.delete(key);
      dropPages(known);
      for (const { key: recordID } of changes) dropText(known, recordID);
      known.seq = Math.max(seq, changes.at(-1)?.seq ?? 0);
    }
    const entry = this.#kept.get(key) ?? {
      seq,
      size: 0,
      texts: new Map(),
      joined: new Map(),
      pages: new Map(),
    };
    this.#kept.delete(key);
    this.#kept.set(key, entry);
    return entry;
  }

  /**
   * Evicts least recently used entries; of a single one its pages, then old texts. The last used entry itself stays.
   */
  #evictBeyondLimit(): void {
    let size = [...this.#kept.values()].reduce((sum, entry) => sum + entry.size, 0);
    for (const [key, entry] of this.#kept) {
      if (size <= MAX_CACHE_BYTES || this.#kept.size === 1) break;
      size -= entry.size;
      this.#kept.delete(key);
    }
    const [last] = this.#kept.values();
    if (!last || last.size <= MAX_CACHE_BYTES) return;
    dropPages(last);
    for (const recordID of last.texts.keys()) {
      if (last.size <= MAX_CACHE_BYTES) return;
      dropText(last, recordID);
    }
  }

  /** Returns whether neither list nor entry changed since `asOf`: else what was read may miss a change. */
  async #isUnchanged(rows: VisibleRows, entry: Kept, asOf: number): Promise<boolean> {
    return entry.seq === asOf && (await rows.lastSeq()) === asOf && entry.seq === asOf;
  }

  /**
   * Caches a page in `pages`, after dropping all pages of the entry if there are too many, and evicts beyond the limit.
   */
  #cachePage<P extends RenderedPage>(entry: Kept, pages: Map<string, P>, key: string, page: P): void {
    if (pages.size >= MAX_PAGES) dropPages(entry);
    if (!pages.has(key)) entry.size += page.bytes.length + key.length;
    pages.set(key, page);
    this.#evictBeyondLimit();
  }
}

const textOf = (answer: object | undefined): string | null =>
  answer === undefined ? null : JSON.stringify(answer);

/**
 * Renders rows until a page is full, which the last may exceed, and returns that. Adds new texts to the known `texts`
 * by id; null omits a row.
 */
async function renderFirst(
  recordIDs: readonly string[],
  known: {
    readonly texts: Map<string, string | null>;
    readonly unread: ReadonlyMap<string, Entry<Row>>;
    readonly render: Render;
  },
): Promise<RenderedPage> {
  const { texts, unread, render } = known;
  const parts: Buffer[] = [];
  const shown: string[] = [];
  let [size, taken] = [0, 0];
  const pause = createYielder();
  const wanted = recordIDs.map((recordID) => ({
    recordID,
    bytes: texts.get(recordID)?.length ?? unread.get(recordID)?.bytes ?? 0,
  }));
  for (const batch of batchByBytes(wanted, AT_ONCE)) {
    const there = batch.flatMap(({ recordID }) => unread.get(recordID) ?? []);
    const answers = await render(there);
    const answered = new Map(there.map(({ key }, at) => [key, answers[at]]));
    const part: string[] = [];
    for (const { recordID } of batch) {
      if (size >= PAGE_BYTES) break;
      const text = texts.get(recordID) ?? textOf(answered.get(recordID));
      texts.set(recordID, text);
      taken++;
      if (text === null) continue;
      size += text.length + 1;
      part.push(text);
      shown.push(recordID);
    }
    if (part.length > 0) parts.push(Buffer.from(`${parts.length > 0 ? ',' : ''}${part.join()}`));
    if (size >= PAGE_BYTES) break;
    await pause();
  }
  return { bytes: Buffer.concat(parts), recordIDs: shown, taken };
}

/** Adds or replaces texts; counts the size, in characters, only of new rows. */
function cacheTexts(entry: Kept, texts: ReadonlyMap<string, string | null>): void {
  for (const [recordID, text] of texts) {
    if (!entry.texts.has(recordID)) entry.size += text?.length ?? 0;
    entry.texts.set(recordID, text);
  }
}

/** Drops a row's text and its size; a no-op without one. */
function dropText(entry: Kept, recordID: string): void {
  entry.size -= entry.texts.get(recordID)?.length ?? 0;
  entry.texts.delete(recordID);
}

/** Drops all pages of an entry and their sizes. */
function dropPages(entry: Kept): void {
  for (const pages of [entry.joined, entry.pages]) {
    for (const [key, page] of pages) entry.size -= key.length + page.bytes.length;
    pages.clear();
  }
}
