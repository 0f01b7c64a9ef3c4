import { ownMember } from '../../base/own-member.ts';
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
import { isTypedText, type TableColumn } from './scan-lines.ts';
import type { TableSource } from './source.ts';
import { isSameUnit, PERCENT, toPercent } from '../../base/amount.ts';
import type { Amount } from '../sheets/workbook.ts';
import { namingColumn } from '../values/check-values.ts';
import { said, type Words } from '../../words/said.ts';
import { askBarePercent, isOfUnknowns, UNKNOWN, type ColumnGuess } from './columns.ts';

/**
 * Returns stored texts, unchecked. Numbers with another meaning in the column go to `problems`.
 * @param shown a sheet's number format, or that it is digits as text
 */
export type CellReader = (
  cell: string,
  shown: { readonly amount: Amount | undefined; readonly isDigits: boolean },
  problems: Words[],
) => readonly string[];

/** Null skips a column. */
export type Match = Readonly<Record<string, string | null>>;

type ChosenFormat = { readonly [name in 'precision' | 'unit']?: FieldOptions[name] | undefined };

export interface ChosenColumns {
  readonly kinds?: Readonly<Record<string, FieldKind>>;
  readonly formats?: Readonly<Record<string, ChosenFormat>>;
  readonly refersTo?: Readonly<Record<string, string>>;
}

/**
 * Creates columns for a file's list: one per header that isn't skipped, by guess or as chosen. Throws `csv.refers-to`
 * for a Record column without a list, `list.columns` for more than 500 columns.
 */
export function createFieldsFor(
  columns: readonly ColumnFacts[],
  { kinds = {}, formats = {}, refersTo = {} }: ChosenColumns,
  match: Match,
): FieldInput[] {
  const wanted = columns.filter(({ header }) => ownMember(match, header) !== null);
  checkColumnCount(wanted.length);
  const names = chooseNames(wanted.map(({ header }) => header));
  return wanted.map((column) => {
    const name = names.get(column.header) ?? '';
    const kind = ownMember(kinds, column.header);
    const label = column.header.slice(0, MAX_TITLE);
    const { kind: guessed, options } = column;
    const found = kind === undefined ? { kind: guessed, options } : useChosenKind(column, kind, refersTo);
    const format = found.kind === 'Number' ? ownMember(formats, column.header) : undefined;
    return { name, label, ...found, ...(format ? { options: omitUndefined(format) } : {}) };
  });
}

/** Returns names by header. `Nr` keeps its own name, even behind `Nr.`, as names match headers first. */
function chooseNames(headers: readonly string[]): ReadonlyMap<string, string> {
  const isName = (header: string): boolean => createFieldNamer([])(header) === header;
  const nameFrom = createFieldNamer([]);
  const inOrder = [...headers.filter(isName), ...headers.filter((header) => !isName(header))];
  return new Map(inOrder.map((header) => [header, nameFrom(header)]));
}

/** Returns the chosen kind with the options that the file shows. Throws `csv.refers-to` for a Record without a list. */
function useChosenKind(
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

const [NAMED_COLUMNS, NAMED_CHARS] = [4, 60];

/**
 * Creates the refusal `csv.no-match` with the first four headers, cut to 60 characters, to show how the file was read.
 */
export function unmatchedRefusal(columns: readonly Pick<ColumnFacts, 'header'>[], list: string): Refusal {
  const shown = columns.slice(0, NAMED_COLUMNS).map(({ header }) => {
    const name = plainName(header);
    return name.length > NAMED_CHARS ? `${name.slice(0, NAMED_CHARS)}…` : name;
  });
  if (columns.length > NAMED_COLUMNS) shown.push('…');
  const words = said('import.nothing-fits', { list, columns: shown.join(' | ') });
  return new Refusal('impossible', 'csv.no-match', words);
}

/**
 * Returns each file column's target, undefined without one: as matched, otherwise by label or name, exact matches
 * first. Labels go before names, as a column that was renamed keeps its name, which a new column may have as its label.
 * @throws Refusal `csv.match` if a match names no column, or if two file columns have the same target
 */
export function matchColumns(
  columns: readonly Pick<ColumnFacts, 'header'>[],
  fields: readonly Field[],
  match: Match,
): (Field | undefined)[] {
  const taken = new Set<Field>();
  const find = createFieldFinder(fields);
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
 * Returns a finder of a header's column: as the user matched (null: none), otherwise by label or name, first with equal
 * case, then by plain text or cut to a label's length. It throws `csv.match` if the user matched an unknown column.
 * Indexes are built once for all headers.
 */
function createFieldFinder(fields: readonly Field[]): FindField {
  const byText = (text: (field: Field) => string): ReadonlyMap<string, Field> =>
    new Map([...fields].reverse().map((field) => [text(field), field]));
  const byName = byText(({ name }) => name);
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
      byLabel.get(header) ??
      byName.get(header) ??
      byLowerLabel.get(wanted) ??
      byLowerName.get(wanted) ??
      byLowerLabel.get(plainName(wanted).trim()) ??
      (header.length > MAX_TITLE ? byLabel.get(header.slice(0, MAX_TITLE)) : undefined)
    );
  };
}

/**
 * Returns a reader of a column's cells for a target column. It returns texts as stored, parts that it can't read
 * unchanged, none for blanks and unknown words, and adds doubts to `problems`.
 * @param isMadeFor the list was created for the file, so numbers mean what its creator chose
 */
export function createCellReader(
  column: TableColumn,
  field: Field,
  {
    source,
    isMadeFor,
  }: { readonly source: Pick<TableSource, 'text' | 'sheets'>; readonly isMadeFor: boolean },
): CellReader {
  /** Returns how a guess reads cells for the target, and doubts them. */
  const readingBy = (
    guess: ColumnGuess,
  ): {
    read: ReturnType<ColumnGuess['readerFor']>;
    doubt: ReturnType<ColumnGuess['doubtsFor']>;
  } => ({
    read: guess.readerFor(field),
    doubt: guess.doubtsFor(field, source.sheets === undefined),
  });
  const plain = readingBy(column.guess);
  const typed = column.texts && readingBy(column.texts);
  return (cell, { amount, isDigits }, problems) => {
    const text = source.text(cell);
    const { read, doubt } = typed && isTypedText(text, isDigits) ? typed : plain;
    const isBlank = cell.trim() === '' || (isOfUnknowns(field.kind) && UNKNOWN.test(text.trim()));
    const texts = isBlank ? [] : field.isMulti ? splitValues(text) : [text];
    return texts.map((each) => {
      const problem = amount
        ? !isMadeFor && findOtherMeaning(each, amount, field, column)
        : doubt(each.trim());
      if (problem) problems.push(namingColumn(field, displayedNumber(each, amount), problem));
      return read(each.trim()) ?? each;
    });
  };
}

/** Returns why a sheet's number may mean something else in the column, as with another unit; otherwise undefined. */
function findOtherMeaning(
  number: string,
  { unit, beside }: Amount,
  { kind, options: { unit: shown } }: Field,
  { amount: column }: TableColumn,
): Words | undefined {
  if (kind !== 'Number') return undefined;
  const sign = unit ?? beside;
  if (unit === PERCENT) return shown === PERCENT ? undefined : said('value.percent');
  if (shown === PERCENT) return sign === undefined ? askBarePercent(number) : otherUnit(shown);
  if (shown === undefined)
    return unit !== undefined && column?.isOfSeveralCurrencies === true
      ? said('value.two-numbers')
      : undefined;
  return sign === undefined || (unit !== undefined && isSameUnit(unit, shown)) ? undefined : otherUnit(shown);
}

const otherUnit = (unit: string): Words => said('value.other-unit', { unit });

/** Returns the number with its unit, a percentage as the sheet displays it. */
const displayedNumber = (number: string, amount: Amount | undefined): string =>
  [amount?.unit === PERCENT ? toPercent(number) : number, amount?.unit ?? amount?.beside]
    .filter((part) => part !== undefined)
    .join(' ');
