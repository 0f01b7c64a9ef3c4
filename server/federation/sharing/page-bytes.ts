import { createRowGroup, type GroupedCells, type GroupedRow } from '../../base/row-group.ts';
import { batchByBytes } from '../../base/batches.ts';
import { createYielder } from '../../base/yield.ts';
import type { Row } from '../../lists/definitions/model.ts';
import type { Entry } from '../../store/store.ts';

/** Partners accept 64 MiB an answer. */
export const PAGE_BYTES = 8 * 1024 * 1024;

export type WantedRow = Pick<Entry<Row>, 'key' | 'bytes' | 'value' | 'template' | 'texts'>;

/** A template's rows as sent: texts in columns, and their common part. */
export interface SentTemplate extends Pick<GroupedCells, 'createdAt' | 'updatedAt' | 'via'> {
  /** One of its rows; the others have other texts. */
  readonly row: Row;
  /** By column: the number of its text. */
  readonly places: readonly (number | undefined)[];
  /** Returns a row's id of origin, and that office's time of this version. */
  readonly originOf: (
    recordID: string,
    texts: readonly string[],
  ) => Pick<GroupedCells, 'originID' | 'originAt'>;
}

export interface RenderedRows {
  /** UTF-8, comma-separated. */
  readonly bytes: Buffer;
  readonly recordIDs: readonly string[];
}

export interface RenderedPage extends RenderedRows {
  /** Number of requested rows that it covers, from the first on. */
  readonly taken: number;
}

/** With facts about the rows, which needn't be read again. */
export interface ChangesPage extends RenderedPage {
  /** Its number of deletions. */
  readonly gone: number;
  /** It has rows from another office. */
  readonly ofOthers: boolean;
}

/** Returns what becomes JSON, in row order; undefined for rows hidden from this caller. */
export type Render<A extends object = object> = (
  rows: readonly WantedRow[],
) => Promise<readonly (A | undefined)[]>;

export interface Page<A extends object = object> {
  /** Adds rows while they fit; returns how many were handled. Omits rows without an answer. */
  addAll(rows: readonly WantedRow[], answers: readonly (A | undefined)[]): number;
  /** Returns the added rows' ids and bytes. */
  result(): RenderedRows;
}

const AT_ONCE = 250;

/**
 * Renders as many rows as fit on a page, at least one, and returns that with the numbers of rows taken and deleted
 * (`gone`), and whether any came from another office (`ofOthers`). Omits those for which `render` returns undefined.
 * Measures what is sent: stored sizes would disclose unshared columns.
 */
export async function renderPage<A extends object>(
  wanted: readonly WantedRow[],
  render: Render<A>,
  page: Page<A> = createPage(PAGE_BYTES),
): Promise<ChangesPage> {
  const pause = createYielder();
  let taken = 0;
  let gone = 0;
  let ofOthers = false;
  for (const batch of batchByBytes(wanted, AT_ONCE)) {
    const answers = await render(batch);
    const fitting = page.addAll(batch, answers);
    taken += fitting;
    for (const [at, entry] of batch.entries()) {
      if (at === fitting) break;
      const answer = answers[at];
      if (answer === undefined) continue;
      const row = 'places' in answer ? (answer as object as SentTemplate).row : entry.value;
      if (row.deletedAt !== undefined) gone++;
      const { received, former } = row.disclosed ?? row;
      ofOthers ||= (received ?? former) !== undefined;
    }
    if (fitting < batch.length) break;
    await pause();
  }
  return { ...page.result(), taken, gone, ofOthers };
}

const COMMA = 0x2c;
/** Initial bytes; grows on demand. */
const ROOM = 64 * 1024;
/** Longer texts are measured; others get three bytes a character. */
const LONG = 16 * 1024;

/**
 * Creates a page of JSON rows, joined by commas, of at most `most` bytes, which only a first row may exceed. `addAll`
 * returns how many rows were taken; those without an answer count but aren't sent.
 */
export function createPage(most: number): Page {
  const recordIDs: string[] = [];
  let bytes = Buffer.allocUnsafe(ROOM);
  let used = 0;

  /** Enlarges the buffer, at least to double, if it lacks room for so many more bytes. */
  function makeRoom(size: number): void {
    if (bytes.length - used >= size) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * bytes.length, used + size));
    bytes.copy(larger, 0, 0, used);
    bytes = larger;
  }

  /**
   * Appends a text, after a comma unless it is the first. Returns false if it doesn't fit; the first one always does.
   */
  function addText(text: string): boolean {
    const before = used;
    makeRoom(1 + (text.length < LONG ? 3 * text.length : Buffer.byteLength(text)));
    if (recordIDs.length > 0) bytes[used++] = COMMA;
    used += bytes.write(text, used);
    if (recordIDs.length === 0 || used <= most) return true;
    used = before;
    return false;
  }

  return {
    /** Adds rows until one doesn't fit; returns how many were taken, including those without an answer. */
    addAll(rows, answers) {
      for (const [at, { key }] of rows.entries()) {
        const answer = answers[at];
        if (answer === undefined) continue;
        if (!addText(JSON.stringify(answer))) return at;
        recordIDs.push(key);
      }
      return rows.length;
    },
    // A copy for the cache, as the buffer is larger.
    result: () => ({ bytes: Buffer.from(bytes.subarray(0, used)), recordIDs }),
  };
}

/**
 * Creates a page in the form of one row group with these columns, which limits its own size. `addAll` returns how many
 * rows were taken.
 */
export function createGroupPage(fields: readonly string[]): Page<GroupedRow | SentTemplate> {
  const group = createRowGroup(fields);
  const recordIDs: string[] = [];

  /** Adds a template's row with its own texts. Returns false if it doesn't fit. */
  function addStored(row: WantedRow, { createdAt, updatedAt, via, places, originOf }: SentTemplate): boolean {
    const texts = row.texts?.() ?? [];
    const { originID, originAt } = originOf(row.key, texts);
    const same = { recordID: row.key, createdAt, updatedAt, via, originID, originAt };
    return group.addCells(same, texts, places);
  }

  return {
    /** Adds rows until one doesn't fit; returns how many were taken, including those without an answer. */
    addAll(rows, answers) {
      for (let at = 0; at < rows.length; at++) {
        const [row, answer] = [rows[at], answers[at]];
        if (row === undefined || answer === undefined) continue;
        if (!('places' in answer ? addStored(row, answer) : group.add(answer))) return at;
        recordIDs.push(row.key);
      }
      return rows.length;
    },
    result: () => ({ bytes: Buffer.from(recordIDs.length === 0 ? '' : group.json()), recordIDs }),
  };
}
