import type { ArrivedRow, ListColumn } from '../../../server/contract/app/lists.ts';
import { displayAll, type References, type Wording } from '../lists/grid/values.ts';

/** Which of the rows that arrived: those that a count speaks of. */
export type Did = ArrivedRow['did'];

/** One line of what arrived: a row that is new or gone, or one cell that changed. */
export interface ArrivedLine {
  readonly key: string;
  readonly recordID: string;
  readonly did: Did;
  /** What the row is called; empty on the lines behind its first. */
  readonly row: string;
  /** What else stands in a new row, so that it can be told from others. */
  readonly more: string;
  readonly cell?: {
    readonly column: string;
    readonly was: string;
    readonly now: string;
    readonly own: boolean;
  };
}

const MAX_PARALLEL = 3;

/** What arrived, line by line, as people read it. */
export function linesOf(
  rows: readonly ArrivedRow[],
  columns: readonly ListColumn[],
  wording: Wording,
  references?: References,
): readonly ArrivedLine[] {
  const empty = wording.t('home.empty-value');
  return rows.flatMap(({ recordID, did, values, columns: cells }): ArrivedLine[] => {
    const texts = columns
      .map((column) => displayAll(column, values[column.name] ?? [], wording, references))
      .filter((text) => text !== '');
    const [name = wording.t('reference.unnamed'), ...others] = texts;
    const lines = cells.flatMap((cell, at): ArrivedLine[] => {
      const column = columns.find((each) => each.name === cell.name);
      if (!column) return [];
      const written = (stored: readonly string[]): string =>
        displayAll(column, stored, wording, references) || empty;
      const told = { column: column.label || column.name, was: written(cell.was), now: written(cell.now) };
      const row = at === 0 ? name : '';
      return [
        { key: `${recordID} ${cell.name}`, recordID, did, row, more: '', cell: { ...told, own: cell.own } },
      ];
    });
    if (lines.length > 0) return lines;
    const more = did === 'new' ? others.slice(0, MAX_PARALLEL).join(', ') : '';
    return [{ key: recordID, recordID, did, row: name, more }];
  });
}
