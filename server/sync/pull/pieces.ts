import type { PageRows, RecordsPiece } from '../../peer/remote.ts';

/** The pieces of a page, each with word of whether it is the last; a page without a row is one empty piece. */
export async function* piecesOf(
  rows: PageRows,
): AsyncGenerator<{ readonly piece: RecordsPiece; readonly isLast: boolean }> {
  let held: RecordsPiece | undefined;
  for await (const piece of rows) {
    if (held) yield { piece: held, isLast: false };
    held = piece;
  }
  yield { piece: held ?? { records: [], bad: [] }, isLast: true };
}
