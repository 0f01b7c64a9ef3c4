import { PERCENT } from '../../base/amount.ts';
import { said, type Words } from '../../words/said.ts';
import type { Field } from '../definitions/model.ts';
import type { ColumnFacts, TableFacts } from '../reading/table-facts.ts';

/** A file's column with its target. */
export interface MappedColumn {
  readonly column: ColumnFacts;
  readonly field: Pick<Field, 'kind' | 'options'>;
}

/**
 * Returns the notes on numbers that are imported differently than written: mixed units in one column, units that
 * are dropped, bare numbers in percent columns (texts only), and numbers that may be versions. Empty if there are none.
 */
function createAmountNotes(
  all: readonly MappedColumn[],
  { sheets }: Pick<TableFacts['source'], 'sheets'>,
): Words[] {
  const joinHeaders = (
    columns: readonly MappedColumn[],
    sign?: (of: MappedColumn) => string | undefined,
  ): string => columns.map((of) => `${of.column.header}${sign ? ` (${sign(of) ?? ''})` : ''}`).join(', ');
  const mixed = all.filter(({ column, field }) => column.amount?.isMixed === true && !displaysUnit(field));
  const losingUnits = all.filter((of) => findDroppedUnit(of) !== undefined);
  // In sheets they stay out, as the program could display percent.
  const lackingSigns = sheets ? [] : all.filter(lacksPercentSigns);
  const versions = all.filter(({ column }) => column.mayBeVersions);
  const numbers = versions.filter(({ field }) => field.kind === 'Number');
  const texts = versions.filter(({ field }) => field.kind !== 'Number');
  const notes: readonly (Words | false)[] = [
    mixed.length > 0 && said('import.mixed', { columns: joinHeaders(mixed) }),
    losingUnits.length > 0 &&
      said('import.without-signs', { columns: joinHeaders(losingUnits, findDroppedUnit) }),
    lackingSigns.length > 0 && said('import.as-percent', { columns: joinHeaders(lackingSigns) }),
    texts.length > 0 && said('import.versions-as-texts', { columns: joinHeaders(texts) }),
    numbers.length > 0 && said('import.versions-as-numbers', { columns: joinHeaders(numbers) }),
  ];
  return notes.filter((note) => note !== false);
}

/**
 * Returns the notes that the user reads before an import: up to ten lines with undecodable characters (texts only),
 * formulas without results, missing quotation marks, headings of further tables, last lines that may be no rows, then
 * {@link createAmountNotes}.
 */
export const createFileNotes = (
  all: readonly MappedColumn[],
  {
    source,
    unreadable,
    doubtful,
    otherHeadings,
    unclosed,
    uncalculated,
  }: Pick<TableFacts, 'source' | 'unreadable' | 'doubtful' | 'otherHeadings' | 'unclosed' | 'uncalculated'>,
): Words[] => [
  ...(unreadable.length > 0 && !source.sheets
    ? [said('import.unreadable', { encoding: source.encoding, lines: joinLineNumbers(unreadable) })]
    : []),
  ...(uncalculated > 0 ? [said('import.uncalculated', { n: uncalculated })] : []),
  ...(unclosed.length > 0 ? [said('import.unclosed', { lines: joinLineNumbers(unclosed) })] : []),
  ...(otherHeadings.length > 0 ? [said('import.other-tables', { lines: quoteLines(otherHeadings) })] : []),
  ...(doubtful.length > 0 ? [said('import.last-lines', { lines: quoteLines(doubtful) })] : []),
  ...createAmountNotes(all, source),
];

const quoteLines = (lines: TableFacts['doubtful']): string =>
  lines.map(({ line, text }) => `${line} (${truncateText(text)})`).join(', ');
const MAX_QUOTED_CHARS = 60;
const truncateText = (text: string): string =>
  text.length > MAX_QUOTED_CHARS ? `${text.slice(0, MAX_QUOTED_CHARS)}…` : text;

const SHOWN_LINES = 10;
const joinLineNumbers = (lines: readonly number[]): string =>
  `${lines.slice(0, SHOWN_LINES).join(', ')}${lines.length > SHOWN_LINES ? ', …' : ''}`;

/**
 * Returns whether the target column displays a unit of its own. Numbers of mixed units are rejected singly there,
 * so they need no note.
 */
const displaysUnit = ({ kind, options }: MappedColumn['field']): boolean =>
  kind === 'Number' && options.unit !== undefined;

/**
 * Returns the unit, or other text beside all numbers of a column, that the import drops. Undefined if there is none, if
 * the target displays a unit or keeps the texts as they are, or if units are mixed.
 */
function findDroppedUnit({ column, field }: MappedColumn): string | undefined {
  if (column.amount?.isMixed === true) return undefined;
  const { unit } = column.shown;
  const isKept = displaysUnit(field) || (field.kind !== 'Number' && column.amount === undefined);
  return isKept ? undefined : (unit ?? column.amount?.beside);
}

/** Returns whether the target column displays percent and the file's numbers have no percent sign. */
const lacksPercentSigns = ({ column, field }: MappedColumn): boolean =>
  field.kind === 'Number' && field.options.unit === PERCENT && column.isBareNumbers;
