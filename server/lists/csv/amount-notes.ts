import { PERCENT } from '../../base/amount.ts';
import { said, type Words } from '../../words/said.ts';
import type { Field } from '../definitions/model.ts';
import type { ColumnFacts, TableFacts } from '../reading/table-facts.ts';

/** What takes a column of a file. */
export interface TakenBy {
  readonly column: ColumnFacts;
  readonly field: Pick<Field, 'kind' | 'options'>;
}

/** Which numbers of a file go in otherwise than they stand there, so that nobody has to find out later. */
function amountNotes(all: readonly TakenBy[], { sheets }: Pick<TableFacts['source'], 'sheets'>): Words[] {
  const named = (columns: readonly TakenBy[], sign?: (of: TakenBy) => string | undefined): string =>
    columns.map((of) => `${of.column.header}${sign ? ` (${sign(of) ?? ''})` : ''}`).join(', ');
  const mixed = all.filter(({ column, field }) => column.amount?.isMixed === true && !hasSign(field));
  const without = all.filter((of) => signThatIsLost(of) !== undefined);
  // Of a sheet, whose program could show percent, they stay out.
  const percent = sheets ? [] : all.filter(countsPercent);
  const notes: readonly (Words | false)[] = [
    mixed.length > 0 && said('import.mixed', { columns: named(mixed) }),
    without.length > 0 && said('import.without-signs', { columns: named(without, signThatIsLost) }),
    percent.length > 0 && said('import.as-percent', { columns: named(percent) }),
  ];
  return notes.filter((note) => note !== false);
}

/** Returns what is to be said of a file before it goes in: letters that are lost, and what {@link amountNotes} tells. */
export const fileNotes = (
  all: readonly TakenBy[],
  { source, unreadable }: Pick<TableFacts, 'source' | 'unreadable'>,
): Words[] => [
  ...(unreadable.length > 0 && !source.sheets
    ? [said('import.unreadable', { encoding: source.encoding, lines: inShort(unreadable) })]
    : []),
  ...amountNotes(all, source),
];

const SHOWN_LINES = 10;
const inShort = (lines: readonly number[]): string =>
  `${lines.slice(0, SHOWN_LINES).join(', ')}${lines.length > SHOWN_LINES ? ', …' : ''}`;

/** What would mean another number beside the column's own sign does not go in. */
const hasSign = ({ kind, options }: TakenBy['field']): boolean =>
  kind === 'Number' && options.unit !== undefined;

/** What stands beside all numbers of the column, and does not come in. */
function signThatIsLost({ column, field }: TakenBy): string | undefined {
  if (column.amount?.isMixed === true) return undefined;
  const { unit } = column.shown;
  const isKept = hasSign(field) || (field.kind !== 'Number' && column.amount === undefined);
  return isKept ? undefined : (unit ?? column.amount?.beside);
}

/** Numbers without a sign, as in a text, that the column of the list shows as percent. */
const countsPercent = ({ column, field }: TakenBy): boolean =>
  field.kind === 'Number' && field.options.unit === PERCENT && column.isBareNumbers;
