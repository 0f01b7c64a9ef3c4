import { isSameUnit, PERCENT } from '../../base/amount.ts';
import { YEARS_AHEAD } from '../../base/full-year.ts';
import { isOfUnknowns } from './columns.ts';
import { said, type Words } from '../../words/said.ts';
import { sayDroppedTimes } from '../values/times.ts';
import type { Field } from '../definitions/model.ts';
import type { ColumnFacts, TableFacts } from '../reading/table-facts.ts';

export interface MappedColumn {
  readonly column: ColumnFacts;
  readonly field: Pick<Field, 'kind' | 'options'>;
}

/**
 * Returns notes on values that are, or may be, stored unlike written: mixed or dropped units, codes as numbers, dropped
 * and repeated times, unknown values, percent signs, versions, codes like days, days in doubt, and years of two digits.
 */
function createAmountNotes(
  all: readonly MappedColumn[],
  { sheets }: Pick<TableFacts['source'], 'sheets'>,
): Words[] {
  /** Joins the columns' headers, each with its sign in brackets. */
  const joinHeaders = (
    columns: readonly MappedColumn[],
    sign?: (of: MappedColumn) => string | undefined,
  ): string => columns.map((of) => `${of.column.header}${sign ? ` (${sign(of) ?? ''})` : ''}`).join(', ');
  const mixed = all.filter(({ column, field }) => column.amount?.isMixed === true && !displaysUnit(field));
  const losingUnits = all.filter((of) => findDroppedUnit(of) !== undefined);
  // A workbook's program could display percent without a sign in the cell.
  const lackingSigns = sheets ? [] : all.filter(lacksPercentSigns);
  const underUnits = all.filter(lacksUnitBelow);
  const versions = all.filter(({ column }) => column.mayBeVersions);
  const numbers = versions.filter(({ field }) => field.kind === 'Number');
  const texts = versions.filter(({ field }) => field.kind !== 'Number');
  const codes = all.filter(({ column, field }) => column.dayDoubt === 'likely' && field.kind === 'String');
  const rewritten = all.filter(
    ({ column, field }) => column.rewritten !== undefined && field.kind === 'Number',
  );
  const dates = all.filter(({ field }) => field.kind === 'DateTime');
  const timed = dates.filter(dropsTimes);
  const repeated = dates.filter(isOfRepeatedTimes);
  const short = dates.filter(({ column }) => column.readShortDay !== undefined);
  const openOrders = all.filter(
    ({ column, field }) => column.isDayOrderInDoubt && column.kind === 'String' && field.kind === 'String',
  );
  const to = new Date().getFullYear() + YEARS_AHEAD;
  const unknown = all.filter(({ column, field }) => column.unknown !== undefined && isOfUnknowns(field.kind));
  const days = dates.filter(({ column }) => column.dayDoubt);
  const notes: readonly (Words | false)[] = [
    mixed.length > 0 && said('import.mixed', { columns: joinHeaders(mixed) }),
    losingUnits.length > 0 &&
      said('import.without-signs', { columns: joinHeaders(losingUnits, findDroppedUnit) }),
    underUnits.length > 0 &&
      said('import.under-units', { columns: joinHeaders(underUnits, ({ column }) => column.unitBelow) }),
    rewritten.length > 0 &&
      said('import.rewritten', { columns: joinHeaders(rewritten, ({ column }) => column.rewritten) }),
    timed.length > 0 && sayDroppedTimes(joinHeaders(timed, ({ column }) => column.timed)),
    repeated.length > 0 &&
      said('import.times-repeated', { columns: joinHeaders(repeated, ({ column }) => column.repeated) }),
    unknown.length > 0 &&
      said('import.unknown-blank', { columns: joinHeaders(unknown, ({ column }) => column.unknown) }),
    lackingSigns.length > 0 && said('import.as-percent', { columns: joinHeaders(lackingSigns) }),
    texts.length > 0 && said('import.versions-as-texts', { columns: joinHeaders(texts) }),
    numbers.length > 0 && said('import.versions-as-numbers', { columns: joinHeaders(numbers) }),
    codes.length > 0 && said('import.codes-as-texts', { columns: joinHeaders(codes, firstSample) }),
    days.length > 0 && said('import.codes-as-dates', { columns: joinHeaders(days, firstSample) }),
    short.length > 0 &&
      said('import.short-years', {
        from: String(to - 99),
        to: String(to),
        columns: joinHeaders(
          short,
          ({ column: { shortDay = '', readShortDay = '' } }) => `${shortDay} = ${readShortDay}`,
        ),
      }),
    openOrders.length > 0 &&
      said('import.dates-as-texts', {
        columns: joinHeaders(openOrders, (of) => of.column.shortDay ?? firstSample(of)),
      }),
  ];
  return notes.filter((note) => note !== false);
}

/**
 * Returns notes before an import: what may be misread or is left out (at most ten line numbers each), then values
 * stored unlike written.
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
    linked,
    above,
    beside,
    hasRowNames,
    columns,
  }: Pick<
    TableFacts,
    | 'source'
    | 'unreadable'
    | 'doubtful'
    | 'otherHeadings'
    | 'unclosed'
    | 'uncalculated'
    | 'linked'
    | 'above'
    | 'beside'
    | 'hasRowNames'
    | 'columns'
  >,
): Words[] => {
  const sameNames = findSameNames(all, columns);
  return [
    ...(unreadable.length > 0 && !source.sheets
      ? [said('import.unreadable', { encoding: source.encoding, lines: joinLineNumbers(unreadable) })]
      : []),
    ...(uncalculated > 0 ? [said('import.uncalculated', { n: uncalculated })] : []),
    ...(unclosed.length > 0 ? [said('import.unclosed', { lines: joinLineNumbers(unclosed) })] : []),
    ...(linked > 0 ? [said('import.linked', { n: linked })] : []),
    ...(above.length > 0
      ? [said('import.tables-above', { lines: above.map(({ from, to }) => `${from}–${to}`).join(', ') })]
      : []),
    ...(beside.length > 0 ? [said('import.tables-beside', { columns: beside.join(', ') })] : []),
    ...(hasRowNames ? [said('import.row-names', { column: columns[0]?.header ?? '' })] : []),
    ...(sameNames.length > 0 ? [said('import.same-names', { columns: sameNames.join(', ') })] : []),
    ...(otherHeadings.length > 0 ? [said('import.other-tables', { lines: quoteLines(otherHeadings) })] : []),
    ...(doubtful.length > 0 ? [said('import.last-lines', { lines: quoteLines(doubtful) })] : []),
    ...createAmountNotes(all, source),
  ];
};

/** Returns the names of taken columns that a column which is left out has as well. */
function findSameNames(all: readonly MappedColumn[], columns: TableFacts['columns']): readonly string[] {
  const taken = new Set(all.map(({ column }) => column.header));
  const others = columns.filter(({ header }) => !taken.has(header)).map(({ repeats }) => repeats);
  return [...taken].filter((header) => others.includes(header));
}

const quoteLines = (lines: TableFacts['doubtful']): string =>
  lines.map(({ line, text }) => `${line} (${truncateText(text)})`).join(', ');
const MAX_QUOTED_CHARS = 60;
const truncateText = (text: string): string =>
  text.length > MAX_QUOTED_CHARS ? `${text.slice(0, MAX_QUOTED_CHARS)}…` : text;

const SHOWN_LINES = 10;
const joinLineNumbers = (lines: readonly number[]): string =>
  `${lines.slice(0, SHOWN_LINES).join(', ')}${lines.length > SHOWN_LINES ? ', …' : ''}`;

/** Returns whether the target displays a unit. It rejects numbers of other units singly, so they need no note. */
const displaysUnit = ({ kind, options }: MappedColumn['field']): boolean =>
  kind === 'Number' && options.unit !== undefined;

/**
 * Returns the unit, or other text beside numbers, that the column won't display; undefined if none, or units are mixed.
 */
function findDroppedUnit({ column, field }: MappedColumn): string | undefined {
  if (column.amount?.isMixed === true) return undefined;
  const { unit } = column.shown;
  const isKept = displaysUnit(field) || (field.kind !== 'Number' && column.amount === undefined);
  return isKept ? undefined : (unit ?? column.amount?.beside);
}

/** Returns whether the line of units says what the column's numbers mean, and the column doesn't display it. */
const lacksUnitBelow = ({ column: { unitBelow = '' }, field: { kind, options } }: MappedColumn): boolean =>
  /[^\s–—-]/.test(unitBelow) &&
  kind === 'Number' &&
  (options.unit === undefined || !isSameUnit(unitBelow, options.unit));

const firstSample = ({ column }: MappedColumn): string | undefined => column.samples[0];

const lacksPercentSigns = ({ column, field }: MappedColumn): boolean =>
  field.kind === 'Number' && field.options.unit === PERCENT && column.isBareNumbers;

const dropsTimes = ({ column, field }: MappedColumn): boolean =>
  column.timed !== undefined && field.options.only === 'date';

const isOfRepeatedTimes = ({ column, field }: MappedColumn): boolean =>
  column.repeated !== undefined && field.options.only === undefined;
