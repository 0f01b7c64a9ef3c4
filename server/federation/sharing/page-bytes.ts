import { inStretches } from '../../base/stretches.ts';
import { createPause } from '../../base/yield.ts';
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

/** What becomes JSON, in the order of the rows; undefined: the row is not for who asks. */
export type Render = (rows: readonly Row[]) => Promise<readonly (object | undefined)[]>;

/**
 * As many of the wanted rows as fit into so many bytes, and one in any case. What counts is how large they are as they
 * leave: by how large they are here, the end of a page would tell of columns that do not.
 */
export async function renderPage(
  wanted: readonly WantedRow[],
  render: Render,
  most = PAGE_BYTES,
): Promise<RenderedPage> {
  const page = createPage(most);
  const pause = createPause();
  let taken = 0;
  for (const stretch of inStretches(wanted)) {
    const answers = await render(stretch.map(({ value }) => value));
    const fitting = page.addAll(stretch.map(({ key }, at) => ({ recordID: key, answer: answers[at] })));
    taken += fitting;
    if (fitting < stretch.length) break;
    await pause();
  }
  return { ...page.result(), taken };
}

interface Answer {
  readonly recordID: string;
  /** Absent: it is not for who asks. */
  readonly answer: object | undefined;
}

/** A page that is filled. */
function createPage(most: number): { addAll(answers: readonly Answer[]): number; result(): RenderedRows } {
  const parts: Buffer[] = [];
  const recordIDs: string[] = [];
  let size = 0;

  return {
    /** How many of them fit. No more is written out, as a row that names others leaves much larger than it is stored. */
    addAll(answers) {
      const texts: string[] = [];
      const over = answers.findIndex(({ recordID, answer }) => {
        if (answer === undefined) return false;
        const text = JSON.stringify(answer);
        const bytes = Buffer.byteLength(text) + (recordIDs.length > 0 ? 1 : 0);
        if (recordIDs.length > 0 && size + bytes > most) return true;
        size += bytes;
        texts.push(text);
        recordIDs.push(recordID);
        return false;
      });
      if (texts.length > 0) parts.push(Buffer.from(`${parts.length > 0 ? ',' : ''}${texts.join()}`));
      return over < 0 ? answers.length : over;
    },
    result: () => ({ bytes: parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts), recordIDs }),
  };
}
