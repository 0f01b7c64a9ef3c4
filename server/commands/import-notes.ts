import type { z } from 'zod';
import { PERCENT } from '../base/amount.ts';
import { plainName } from '../base/plain-name.ts';
import type { importPreview } from '../contract/app/import.ts';

type Preview = Pick<
  z.infer<typeof importPreview>,
  'columns' | 'hidden' | 'workbook' | 'headerLine' | 'start' | 'doubts'
>;
type Doubts = z.infer<typeof importPreview>['doubts'];

/**
 * Returns lines to print on a preview: doubtful guesses, lines above the heading, and what of a workbook is imported
 * otherwise or not at all.
 * @param isNew the list is made for the file, and shows numbers as it does
 */
export function notesOn(preview: Preview, isNew: boolean): string[] {
  return [...aboveHeadingNotes(preview), ...doubtNotes(preview.doubts), ...workbookNotes(preview, isNew)];
}

/** Returns a line that names what is left out above the heading; [] if nothing is. */
function aboveHeadingNotes({ headerLine, start }: Preview): string[] {
  const above = start.filter(({ line }) => line < headerLine);
  if (above.length === 0) return [];
  const lines = above.map(({ line, text }) => `line ${line} (${plainName(text)})`).join(', ');
  return [
    `The names of the columns are taken from line ${headerLine}. Left out above it: ${lines}. Change it with --heading-line.`,
  ];
}

/** Returns a line for each doubtful guess, with the option that changes it. */
export function doubtNotes(doubts: Doubts): string[] {
  return doubts.map((doubt) => {
    const { kind, chosen, alternatives } = doubt;
    const [other = ''] = alternatives;
    switch (kind) {
      case 'delimiter':
        return `Columns are split at ${delimiterName(chosen)}, but ${alternatives.map(delimiterName).join(' or ')} fits too. Change it with --delimiter ${delimiterOption(other)}.`;
      case 'heading':
        return headingNote(chosen, other);
      case 'encoding':
        return `Letters are read as ${chosen}${doubt.example === undefined ? '' : ` (“${plainName(doubt.example)}”)`}, but ${alternatives.join(' or ')} fits too. Change it with --encoding ${other}.`;
      case 'numbers':
        return `Numbers${doubt.example === undefined ? '' : ` such as “${plainName(doubt.example)}”`} are read with “${chosen}” before the decimals, but “${other}” fits too. Change it with --numbers ${other === ',' ? 'comma' : 'point'}.`;
      case 'sums':
        return `Lines such as “${plainName(doubt.example ?? '')}” look like totals or footers. Follow the file again: with --without-sums they are left out, without it they are rows.`;
    }
  });
}

/** Returns a line that `other` may be the heading instead of `chosen`; '0': none is. */
function headingNote(chosen: string, other: string): string {
  if (chosen === '0')
    return `The first row is taken as data, as it looks like the rows below it. If it is the heading, say --heading-line ${other}.`;
  return other === '0'
    ? `Line ${chosen} is taken as the heading, but it may be data. If so, say --no-heading.`
    : `Line ${chosen} is taken as the heading, but line ${other} may be it. If so, say --heading-line ${other}.`;
}

const NAMES: Readonly<Record<string, string>> = {
  '\t': 'tabs',
  ' ': 'spaces',
  '\n': 'no delimiter (one column)',
};
const delimiterName = (delimiter: string): string => NAMES[delimiter] ?? `“${plainName(delimiter)}”`;

/** Names of delimiters that are hard to type. */
export const TYPED_DELIMITERS: Readonly<Record<string, string>> = { tab: '\t', none: '\n' };
const delimiterOption = (delimiter: string): string =>
  Object.entries(TYPED_DELIMITERS).find(([, each]) => each === delimiter)?.[0] ?? `"${plainName(delimiter)}"`;

/**
 * Returns a line for each thing a workbook has beside plain values (other sheets, hidden columns, merged cells, units,
 * links), units only for a new list; [] for a text file.
 */
function workbookNotes({ columns, hidden, workbook }: Preview, isNew: boolean): string[] {
  if (!workbook) return [];
  const { mergedRows, mergedColumns, leftOut, otherSheets } = workbook;
  const names = (all: readonly string[]): string => all.map(plainName).join(', ');
  /** Returns the names of columns shown as percent, or else with another unit. */
  const namesWithUnit = (isPercent: boolean): string[] =>
    columns
      .filter(({ unit }) => unit !== undefined && (unit === PERCENT) === isPercent)
      .map(({ name }) => name);
  const [percent, money] = [namesWithUnit(true), namesWithUnit(false)];
  const others = leftOut.filter((what) => what !== 'links');
  const notes: readonly (string | false)[] = [
    otherSheets.length > 0 &&
      `Other sheets with rows, not taken: ${names(otherSheets)}. Choose one with --sheet.`,
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
