import { PERCENT } from '../../base/amount.ts';
import { said, type Words } from '../../words/said.ts';
import type { Field } from '../definitions/model.ts';
import type { ColumnFacts, TableFacts } from '../reading/table-facts.ts';

/** The target of a file's column. */
export interface TakenBy {
  readonly column: ColumnFacts;
  readonly field: Pick<Field, 'kind' | 'options'>;
}

/**
 * Returns the notes on numbers that are imported differently than written: mixed units in one column, units that
 * are dropped, bare numbers in percent columns (texts only), and numbers that may be versions. Empty if there are none.
 */
function amountNotes(all: readonly TakenBy[], { sheets }: Pick<TableFacts['source'], 'sheets'>): Words[] {
  const named = (columns: readonly TakenBy[], sign?: (of: TakenBy) => string | undefined): string =>
    columns.map((of) => `${of.column.header}${sign ? ` (${sign(of) ?? ''})` : ''}`).join(', ');
  const mixed = all.filter(({ column, field }) => column.amount?.isMixed === true && !displaysUnit(field));
  const without = all.filter((of) => droppedUnit(of) !== undefined);
  // In sheets they stay out, as the program could display percent.
  const percent = sheets ? [] : all.filter(lacksPercentSigns);
  const versions = all.filter(({ column }) => column.mayBeVersions);
  const numbers = versions.filter(({ field }) => field.kind === 'Number');
  const texts = versions.filter(({ field }) => field.kind !== 'Number');
  const notes: readonly (Words | false)[] = [
    mixed.length > 0 && said('import.mixed', { columns: named(mixed) }),
    without.length > 0 && said('import.without-signs', { columns: named(without, droppedUnit) }),
    percent.length > 0 && said('import.as-percent', { columns: named(percent) }),
    texts.length > 0 && said('import.versions-as-texts', { columns: named(texts) }),
    numbers.length > 0 && said('import.versions-as-numbers', { columns: named(numbers) }),
  ];
  return notes.filter((note) => note !== false);
}

/**
 * Returns the notes that the user reads before an import: up to ten lines with undecodable characters (texts only),
 * formulas without results, last lines that may be no rows, then {@link amountNotes}.
 */
export const fileNotes = (
  all: readonly TakenBy[],
  {
    source,
    unreadable,
    doubtful,
    uncalculated,
  }: Pick<TableFacts, 'source' | 'unreadable' | 'doubtful' | 'uncalculated'>,
): Words[] => [
  ...(unreadable.length > 0 && !source.sheets
    ? [said('import.unreadable', { encoding: source.encoding, lines: inShort(unreadable) })]
    : []),
  ...(uncalculated > 0 ? [said('import.uncalculated', { n: uncalculated })] : []),
  ...(doubtful.length > 0 ? [said('import.last-lines', { lines: quoteLines(doubtful) })] : []),
  ...amountNotes(all, source),
];

const quoteLines = (lines: TableFacts['doubtful']): string =>
  lines.map(({ line, text }) => `${line} (${boundedText(text)})`).join(', ');
const MAX_QUOTED_CHARS = 60;
const boundedText = (text: string): string =>
  text.length > MAX_QUOTED_CHARS ? `${text.slice(0, MAX_QUOTED_CHARS)}…` : text;

const SHOWN_LINES = 10;
const inShort = (lines: readonly number[]): string =>
  `${lines.slice(0, SHOWN_LINES).join(', ')}${lines.length > SHOWN_LINES ? ', …' : ''}`;

/**
 * Returns whether the target column displays a unit of its own. Numbers of mixed units are rejected singly there,
 * so they need no note.
 */
const displaysUnit = ({ kind, options }: TakenBy['field']): boolean =>
  kind === 'Number' && options.unit !== undefined;

/**
 * Returns the unit or text beside all numbers of a column that the import drops; undefined if the target keeps it,
 * or if units are mixed.
 */
function droppedUnit({ column, field }: TakenBy): string | undefined {
  if (column.amount?.isMixed === true) return undefined;
  const { unit } = column.shown;
  const isKept = displaysUnit(field) || (field.kind !== 'Number' && column.amount === undefined);
  return isKept ? undefined : (unit ?? column.amount?.beside);
}

/** Returns whether the target column displays percent and the file's numbers have no percent sign. */
const lacksPercentSigns = ({ column, field }: TakenBy): boolean =>
  field.kind === 'Number' && field.options.unit === PERCENT && column.isBareNumbers;
