import type { ArrivedRow, ListColumn } from '../../../server/contract/app/lists.ts';
import { displayValues, type References, type Wording } from '../lists/grid/values.ts';

export type Did = ArrivedRow['did'];

/** A new or removed row, or a changed cell. */
export interface ArrivedLine {
  readonly key: string;
  readonly recordID: string;
  readonly did: Did;
  /** First filled value; empty on further lines. */
  readonly row: string;
  /** Further values of a new row, to tell it apart. */
  readonly more: string;
  readonly cell?: {
    readonly column: string;
    readonly was: string;
    readonly now: string;
    readonly own: boolean;
  };
}

const MAX_PARALLEL = 3;

/**
 * Returns a line for each changed cell, the row's name at its first one; removed columns are left out. A row without
 * such cells gets one line with its name and, if new, three further values. All values are as displayed.
 */
export function arrivedLines(
  rows: readonly ArrivedRow[],
  columns: readonly ListColumn[],
  wording: Wording,
  references?: References,
): readonly ArrivedLine[] {
  const empty = wording.t('home.empty-value');
  return rows.flatMap(({ recordID, did, values, columns: cells }): ArrivedLine[] => {
    const texts = columns
      .map((column) => displayValues(column, values[column.name] ?? [], wording, references))
      .filter((text) => text !== '');
    const [name = wording.t('reference.unnamed'), ...others] = texts;
    const shown = cells.flatMap((cell) => {
      const column = columns.find((each) => each.name === cell.name);
      return column ? [{ cell, column }] : [];
    });
    const lines = shown.map(({ cell, column }, at): ArrivedLine => {
      const written = (stored: readonly string[]): string =>
        displayValues(column, stored, wording, references) || empty;
      const change = { column: column.label || column.name, was: written(cell.was), now: written(cell.now) };
      const row = at === 0 ? name : '';
      return {
        key: `${recordID} ${cell.name}`,
        recordID,
        did,
        row,
        more: '',
        cell: { ...change, own: cell.own },
      };
    });
    if (lines.length > 0) return lines;
    const more = did === 'new' ? others.slice(0, MAX_PARALLEL).join(', ') : '';
    return [{ key: recordID, recordID, did, row: name, more }];
  });
}
