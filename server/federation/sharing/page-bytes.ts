import type { Row } from '../../lists/definitions/model.ts';
import type { Rows } from '../../lists/rows/rows.ts';

/** Bytes of one page as it leaves: far below the 64 MiB that a partner takes in one answer. */
export const PAGE_BYTES = 8 * 1024 * 1024;

/** Bytes of rows, as they are stored, that are read and written out at a time. Where they end cannot be seen outside. */
const STRETCH_BYTES = 4 * 1024 * 1024;

/** A row that is wanted, and the room that it takes where it is stored. */
export interface WantedRow {
  readonly key: string;
  readonly bytes: number;
}

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

/** What becomes JSON, in the order of the rows; undefined: the row is not for who asks. */
export type Render = (rows: readonly Row[]) => Promise<readonly (object | undefined)[]>;

/**
 * As many of the wanted rows as fit on a page, and one in any case. What counts is how large they are as they leave: by
 * how large they are here, the end of a page would tell of columns that do not.
 */
export async function renderPage(
  rows: Pick<Rows, 'getMany'>,
  wanted: readonly WantedRow[],
  render: Render,
): Promise<RenderedPage> {
  const page = createPage();
  let taken = 0;
  while (taken < wanted.length) {
    const stretch = wanted.slice(taken, taken + stretchFrom(wanted, taken));
    const answers = await answersTo(rows, stretch, render);
    const fitting = page.addAll(answers);
    taken += fitting;
    if (fitting < stretch.length) break;
  }
  return { ...page.result(), taken };
}

/** How many of them are read at once, beginning with this one. */
function stretchFrom(wanted: readonly WantedRow[], first: number): number {
  let [size, end] = [0, first];
  while (end < wanted.length && (end === first || size + (wanted[end]?.bytes ?? 0) <= STRETCH_BYTES))
    size += wanted[end++]?.bytes ?? 0;
  return end - first;
}

interface Answer {
  readonly recordID: string;
  /** Absent: it is not there any more, or not for who asks. */
  readonly answer: object | undefined;
}

async function answersTo(
  rows: Pick<Rows, 'getMany'>,
  wanted: readonly WantedRow[],
  render: Render,
): Promise<Answer[]> {
  const found = await rows.getMany(wanted.map(({ key }) => key));
  const answers = (await render(found.filter((row) => row !== undefined))).values();
  return wanted.map(({ key: recordID }, at) => ({
    recordID,
    answer: found[at] === undefined ? undefined : answers.next().value,
  }));
}

/** A page that is filled. */
function createPage(): { addAll(answers: readonly Answer[]): number; result(): RenderedRows } {
  const parts: Buffer[] = [];
  const recordIDs: string[] = [];
  let size = 0;

  /** Whether it was added: as JSON, these rows. */
  function add(bytes: Buffer, ids: readonly string[]): boolean {
    const comma = parts.length > 0 ? 1 : 0;
    const isOne = parts.length === 0 && ids.length === 1;
    if (!isOne && size + comma + bytes.length > PAGE_BYTES) return false;
    if (comma) parts.push(COMMA);
    parts.push(bytes);
    size += comma + bytes.length;
    for (const id of ids) recordIDs.push(id);
    return true;
  }

  return {
    /** How many of them fit. In one go where all do, which costs much less. */
    addAll(answers) {
      const shown = answers.filter(({ answer }) => answer !== undefined);
      if (shown.length === 0) return answers.length;
      const all = Buffer.from(JSON.stringify(shown.map(({ answer }) => answer)).slice(1, -1));
      const ids = shown.map(({ recordID }) => recordID);
      if (add(all, ids)) return answers.length;
      const over = answers.findIndex(
        ({ recordID, answer }) => answer && !add(Buffer.from(JSON.stringify(answer)), [recordID]),
      );
      return over < 0 ? answers.length : over;
    },
    result: () => ({ bytes: parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts), recordIDs }),
  };
}

const COMMA = Buffer.from(',');
