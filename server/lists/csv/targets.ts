import type { FieldInput } from '../definitions/inputs.ts';
import { checkColumnCount } from '../definitions/fields.ts';
import type { Field, FieldOptions } from '../definitions/model.ts';
import type { FieldKind } from '../../base/vocabulary.ts';
import { createFieldNamer, MAX_TITLE } from '../definitions/names.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { plainName } from '../../base/plain-name.ts';
import { Refusal } from '../../base/refusal.ts';
import { splitValues } from './cells.ts';
import type { ColumnFacts } from '../reading/table-facts.ts';
import type { TableColumn } from './scan-lines.ts';
import type { TableSource } from './source.ts';
import { isSameUnit, PERCENT, toPercent } from '../../base/amount.ts';
import type { Amount } from '../sheets/workbook.ts';
import { ofColumn } from '../values/check-values.ts';
import { said, type Words } from '../../words/said.ts';
import { barePercent } from './columns.ts';

/**
 * Returns the stored texts of a cell, unchecked. Numbers with another meaning in the column go to `problems`.
 * @param amount how a sheet displays the number
 */
export type CellReader = (cell: string, amount: Amount | undefined, problems: Words[]) => readonly string[];

/** By header: the target column's name, or null to skip. */
export type Match = Readonly<Record<string, string | null>>;

type ChosenFormat = { readonly [name in 'precision' | 'unit']?: FieldOptions[name] | undefined };

/** Corrections of guessed columns of a new list, by header. */
export interface ChosenColumns {
  readonly kinds?: Readonly<Record<string, FieldKind>>;
  /** Display of a column's numbers. */
  readonly formats?: Readonly<Record<string, ChosenFormat>>;
  /** The id of the list that a Record column refers to. */
  readonly refersTo?: Readonly<Record<string, string>>;
}

/**
 * Returns the columns of a list created for a file: one per header that isn't skipped, by guess or as the user
 * chose. Throws `csv.refers-to` for a Record column without a list, and beyond a list's column limit.
 */
export function fieldsFor(
  columns: readonly ColumnFacts[],
  { kinds = {}, formats = {}, refersTo = {} }: ChosenColumns,
  match: Match,
): FieldInput[] {
  const wanted = columns.filter(({ header }) => ownMember(match, header) !== null);
  checkColumnCount(wanted.length);
  const names = namesFor(wanted.map(({ header }) => header));
  return wanted.map((column) => {
    const name = names.get(column.header) ?? '';
    const kind = ownMember(kinds, column.header);
    const label = column.header.slice(0, MAX_TITLE);
    const { kind: guessed, options } = column;
    const found = kind === undefined ? { kind: guessed, options } : chosenKind(column, kind, refersTo);
    const format = found.kind === 'Number' ? ownMember(formats, column.header) : undefined;
    return { name, label, ...found, ...(format ? { options: omitUndefined(format) } : {}) };
  });
}

/**
 * Returns a name for each header. `Nr` keeps its own, also behind `Nr.`, which gets another: headers are matched with
 * names first.
 */
function namesFor(headers: readonly string[]): ReadonlyMap<string, string> {
  const isName = (header: string): boolean => createFieldNamer([])(header) === header;
  const nameFrom = createFieldNamer([]);
  const inOrder = [...headers.filter(isName), ...headers.filter((header) => !isName(header))];
  return new Map(inOrder.map((header) => [header, nameFrom(header)]));
}

/**
 * Returns the kind that the user chose, with options that fit the file. Throws `csv.refers-to` for a Record column
 * without a list.
 */
function chosenKind(
  { header, only: readsAs, shown }: ColumnFacts,
  kind: FieldKind,
  refersTo: Readonly<Record<string, string>>,
): Pick<FieldInput, 'kind' | 'options'> {
  if (kind === 'Record') {
    const moduleID = ownMember(refersTo, header);
    if (moduleID !== undefined) return { kind, options: { moduleID } };
    throw new Refusal('impossible', 'csv.refers-to', said('import.which-refers', { column: header }));
  }
  const only = kind === 'DateTime' ? readsAs[0] : undefined;
  return {
    kind,
    options: { ...(only === undefined ? {} : { only }), ...(kind === 'Number' ? shown : {}) },
  };
}

/** Columns of a file that a refusal names, and characters of each. */
const [NAMED_COLUMNS, NAMED_CHARS] = [4, 60];

/** Creates the refusal `csv.no-match` of a file none of whose columns fits. It shows how the file was read. */
export function nothingFits(columns: readonly Pick<ColumnFacts, 'header'>[], list: string): Refusal {
  const shown = columns.slice(0, NAMED_COLUMNS).map(({ header }) => {
    const name = plainName(header);
    return name.length > NAMED_CHARS ? `${name.slice(0, NAMED_CHARS)}…` : name;
  });
  if (columns.length > NAMED_COLUMNS) shown.push('…');
  const words = said('import.nothing-fits', { list, columns: shown.join(' | ') });
  return new Refusal('impossible', 'csv.no-match', words);
}

/**
 * Returns each file column's target: as matched, otherwise by name, otherwise by label, exact matches before
 * case-insensitive ones. Undefined: none.
 * @throws Refusal `csv.match` if a match names no column, or if two file columns have the same target
 */
export function matchColumns(
  columns: readonly Pick<ColumnFacts, 'header'>[],
  fields: readonly Field[],
  match: Match,
): (Field | undefined)[] {
  const taken = new Set<Field>();
  const find = fieldFinder(fields);
  return columns.map(({ header }) => {
    const field = find(header, ownMember(match, header));
    if (field && taken.has(field)) {
      throw new Refusal('malformed', 'csv.match', said('import.filled-twice', { column: field.label }));
    }
    if (field) taken.add(field);
    return field;
  });
}

type FindField = (header: string, matched: string | null | undefined) => Field | undefined;

/**
 * Returns a search for a header's target column: as the user matched it, otherwise by name or label, first with
 * equal case. It throws `csv.match` if the user matched a header with an unknown column. Indexes are built once:
 * 2,000 columns may be matched with 500.
 */
function fieldFinder(fields: readonly Field[]): FindField {
  // Of two equal texts the first counts.
  const byText = (text: (field: Field) => string): ReadonlyMap<string, Field> =>
    new Map([...fields].reverse().map((field) => [text(field), field]));
  const byName = byText(({ name }) => name);
  // Headers that differ only in case have targets of their own.
  const byLabel = byText(({ label }) => label);
  const byLowerName = byText(({ name }) => name.toLowerCase());
  const byLowerLabel = byText(({ label }) => label.toLowerCase());
  return (header, matched) => {
    if (matched === null) return undefined;
    if (matched !== undefined) {
      const field = byName.get(matched);
      if (field) return field;
      throw new Refusal(
        'malformed',
        'csv.match',
        said('import.matched-with-none', { column: header, target: matched }),
      );
    }
    const wanted = header.toLowerCase();
    return (
      byName.get(header) ??
      byLabel.get(header) ??
      byLowerName.get(wanted) ??
      byLowerLabel.get(wanted) ??
      byLowerLabel.get(plainName(wanted).trim()) ??
      (header.length > MAX_TITLE ? byLabel.get(header.slice(0, MAX_TITLE)) : undefined)
    );
  };
}

/**
 * Creates a reader of a column's cells for a target column; see {@link CellReader}.
 * @param file `isMadeFor`: the list was created for it, so numbers mean what its creator chose
 */
export function cellReader(
  column: TableColumn,
  field: Field,
  {
    source,
    isMadeFor,
  }: { readonly source: Pick<TableSource, 'text' | 'sheets'>; readonly isMadeFor: boolean },
): CellReader {
  const written = column.guess.readerFor(field);
  const doubts = column.guess.doubtsFor(field, source.sheets === undefined);
  return (cell, amount, problems) => {
    const text = source.text(cell);
    const isBlank = cell.trim() === '';
    const texts = isBlank ? [] : field.isMulti ? splitValues(text) : [text];
    return texts.map((each) => {
      const problem = amount ? !isMadeFor && otherMeaning(each, amount, field, column) : doubts(each.trim());
      if (problem) problems.push(ofColumn(field, displayedNumber(each, amount), problem));
      return written(each.trim()) ?? each;
    });
  };
}

/**
 * Returns why a sheet's number would mean something else in the column, such as another unit; undefined if it
 * doesn't.
 */
function otherMeaning(
  number: string,
  { unit, beside }: Amount,
  { kind, options: { unit: shown } }: Field,
  { amount: column }: TableColumn,
): Words | undefined {
  if (kind !== 'Number') return undefined;
  const sign = unit ?? beside;
  if (unit === PERCENT) return shown === PERCENT ? undefined : said('value.percent');
  if (shown === PERCENT) return sign === undefined ? barePercent(number) : otherUnit(shown);
  if (shown === undefined)
    return unit !== undefined && column?.isOfSeveralCurrencies === true
      ? said('value.two-numbers')
      : undefined;
  return sign === undefined || (unit !== undefined && isSameUnit(unit, shown)) ? undefined : otherUnit(shown);
}

const otherUnit = (unit: string): Words => said('value.other-unit', { unit });

/** Returns a number with its unit, approximately as the workbook displays it, for messages. */
const displayedNumber = (number: string, amount: Amount | undefined): string =>
  [amount?.unit === PERCENT ? toPercent(number) : number, amount?.unit ?? amount?.beside]
    .filter((part) => part !== undefined)
    .join(' ');

/** Returns a record's own member, undefined if it has none: a header may be called `constructor`. */
function ownMember<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
