import type { z } from 'zod';
import { PERCENT } from '../base/amount.ts';
import { plainName } from '../base/plain-name.ts';
import type { importPreview } from '../contract/app/import.ts';

type Preview = Pick<z.infer<typeof importPreview>, 'columns' | 'hidden' | 'workbook' | 'headerLine'>;

/**
 * What comes in otherwise than it stands in a workbook, or not at all: a line each, for whoever does not see the preview.
 * @param isNew the list is made for it; as what the columns of another one show their numbers is theirs to say
 */
export function notesOn({ columns, hidden, workbook, headerLine }: Preview, isNew: boolean): string[] {
  if (!workbook) return [];
  const { mergedRows, mergedColumns, leftOut } = workbook;
  const names = (all: readonly string[]): string => all.map(plainName).join(', ');
  const shown = (isPercent: boolean): string[] =>
    columns
      .filter(({ unit }) => unit !== undefined && (unit === PERCENT) === isPercent)
      .map(({ name }) => name);
  const [percent, money] = [shown(true), shown(false)];
  const others = leftOut.filter((what) => what !== 'links');
  const notes: readonly (string | false)[] = [
    headerLine > 1 && `The names of the columns are taken from line ${headerLine}.`,
    hidden.lines > 0 && `Hidden rows that go in as well: ${hidden.lines}.`,
    hidden.columns.length > 0 && `Hidden columns that go in as well: ${names(hidden.columns)}.`,
    mergedRows > 0 && `Cells merged over several lines, taken for each of these lines: ${mergedRows}.`,
    mergedColumns > 0 && `Cells merged over several columns, taken into the first: ${mergedColumns}.`,
    isNew && percent.length > 0 && `Shown as percent: ${names(percent)}. 12 % is kept as 0.12.`,
    isNew && money.length > 0 && `Shown with a currency: ${names(money)}.`,
    leftOut.includes('links') && 'This workbook links to other files. The values that it last had are taken.',
    others.length > 0 && `Also in this workbook, and not taken: ${others.join(', ')}.`,
  ];
  return notes.filter((note) => note !== false);
}
