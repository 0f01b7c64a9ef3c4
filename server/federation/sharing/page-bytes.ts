import { createRowGroup, type GroupedRow } from '../../base/row-group.ts';
import { batchByBytes } from '../../base/batches.ts';
import { createYielder } from '../../base/yield.ts';
import type { Row } from '../../lists/definitions/model.ts';
import type { Entry } from '../../store/store.ts';

/** Bytes of one page as it leaves: far below the 64 MiB that a partner takes in one answer. */
export const PAGE_BYTES = 8 * 1024 * 1024;

/** A row that is wanted, and the room that it takes where it is stored. */
export type WantedRow = Pick<Entry<Row>, 'key' | 'bytes' | 'value'>;

/** Rows as they go out. */
export interface RenderedRows {
  /** UTF-8, joined by commas. */
  readonly bytes: Buffer;
  /** The rows that are in it, in its order. */
  readonly recordIDs: readonly string[];
}

/** The rows of one page. */
export interface RenderedPage extends RenderedRows {
  /** How many of the wanted rows it deals with, from the first one on; the others did not fit. */
  readonly taken: number;
}

/** The same, with what has to be known of its rows however often it leaves: they are not read for it again. */
export interface ChangesPage extends RenderedPage {
  /** How many of its rows are told as gone. */
  readonly gone: number;
  /** Whether one of them came from somebody else. */
  readonly ofOthers: boolean;
}

/** What becomes JSON, in the order of the rows; undefined: the row is not for who asks. */
export type Render<A extends object = object> = (rows: readonly Row[]) => Promise<readonly (A | undefined)[]>;

/** A page that is filled. */
export interface Page<A extends object = object> {
  /**
   * Returns how many of the rows fit. No more is written out, as a row that names others leaves much larger than it is
   * stored. @param answers undefined for a row that is not for who asks
   */
  addAll(rows: readonly WantedRow[], answers: readonly (A | undefined)[]): number;
  result(): RenderedRows;
}

/**
 * As many of the wanted rows as fit into so many bytes, and one in any case. What counts is how large they are as they
 * leave: by how large they are here, the end of a page would tell of columns that do not.
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
  for (const stretch of batchByBytes(wanted)) {
    const answers = await render(stretch.map(({ value }) => value));
    const fitting = page.addAll(stretch, answers);
    taken += fitting;
    for (const [at, { value }] of stretch.entries()) {
      if (at === fitting) break;
      if (answers[at] === undefined) continue;
      if (value.deletedAt !== undefined) gone++;
      const { received, former } = value.disclosed ?? value;
      ofOthers ||= (received ?? former) !== undefined;
    }
    if (fitting < stretch.length) break;
    await pause();
  }
  return { ...page.result(), taken, gone, ofOthers };
}

const COMMA = 0x2c;
/** A page's first room; it grows as it has to. */
const ROOM = 64 * 1024;
/** From so many letters on, their bytes are counted: else room for three of each is made sure of. */
const LONG = 16 * 1024;

/** A page of rows as JSON, joined by commas, of so many bytes or of one row. */
export function createPage(most: number): Page {
  const recordIDs: string[] = [];
  let bytes = Buffer.allocUnsafe(ROOM);
  let used = 0;

  function makeRoom(size: number): void {
    if (bytes.length - used >= size) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * bytes.length, used + size));
    bytes.copy(larger, 0, 0, used);
    bytes = larger;
  }

  /** False where there is no place for it any more; there is for the first one. */
  function add(text: string): boolean {
    const before = used;
    makeRoom(1 + (text.length < LONG ? 3 * text.length : Buffer.byteLength(text)));
    if (recordIDs.length > 0) bytes[used++] = COMMA;
    used += bytes.write(text, used);
    if (recordIDs.length === 0 || used <= most) return true;
    used = before;
    return false;
  }

  return {
    addAll(rows, answers) {
      for (const [at, { key }] of rows.entries()) {
        const answer = answers[at];
        if (answer === undefined) continue;
        if (!add(JSON.stringify(answer))) return at;
        recordIDs.push(key);
      }
      return rows.length;
    },
    // A copy: pages are kept, and this one has more room than it takes.
    result: () => ({ bytes: Buffer.from(bytes.subarray(0, used)), recordIDs }),
  };
}

/** A page that is one row group with these columns. Ends with the first row that does not fit into it. */
export function createGroupPage(fields: readonly string[]): Page<GroupedRow> {
  const group = createRowGroup(fields);
  const recordIDs: string[] = [];
  return {
    addAll(rows, answers) {
      for (const [at, { key }] of rows.entries()) {
        const answer = answers[at];
        if (answer === undefined) continue;
        if (!group.add(answer)) return at;
        recordIDs.push(key);
      }
      return rows.length;
    },
    result: () => ({ bytes: Buffer.from(recordIDs.length === 0 ? '' : group.json()), recordIDs }),
  };
}
