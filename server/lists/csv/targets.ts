import type { FieldInput } from '../definitions/inputs.ts';
import type { Field, FieldOptions } from '../definitions/model.ts';
import type { FieldKind } from '../../base/vocabulary.ts';
import { fieldNameFrom } from '../definitions/names.ts';
import { given } from '../../base/given.ts';
import { plainName } from '../../base/plain-name.ts';
import { Refusal } from '../../base/refusal.ts';
import { splitValues } from './cells.ts';
import { guessedKind, shownIn, type TableColumn } from './read.ts';
import type { TableSource } from './source.ts';
import { said } from '../../words/said.ts';

/** Which column of the list takes which of the file. */
export interface Target {
  readonly field: Field;
  /** The stored texts that a cell stands for; not checked yet. */
  read(cell: string): readonly string[];
}

/** By header: the name of the list's column that takes it, or null to leave it out. */
export type Match = Readonly<Record<string, string | null>>;

type ChosenFormat = { readonly [name in 'precision' | 'unit']?: FieldOptions[name] | undefined };

/** What the columns of a new list are, by header, where the guess is wrong. */
export interface ChosenColumns {
  readonly kinds?: Readonly<Record<string, FieldKind>>;
  /** As what the numbers of a column are shown. */
  readonly formats?: Readonly<Record<string, ChosenFormat>>;
  /** The id of the list that a column of kind Record refers to. */
  readonly refersTo?: Readonly<Record<string, string>>;
}

/**
 * The columns of a list made for a file: one for each of its headers that is not left out.
 * @throws Refusal `impossible` for one of kind Record without a list
 */
export function fieldsFor(
  columns: readonly TableColumn[],
  { kinds = {}, formats = {}, refersTo = {} }: ChosenColumns,
  match: Match,
): FieldInput[] {
  const taken: string[] = [];
  const wanted = columns.filter(({ header }) => own(match, header) !== null);
  return wanted.map((column) => {
    const name = fieldNameFrom(column.header, taken);
    taken.push(name);
    const kind = own(kinds, column.header);
    const label = column.header.slice(0, 255);
    const found = kind === undefined ? guessedKind(column) : chosenKind(column, kind, refersTo);
    const format = found.kind === 'Number' ? own(formats, column.header) : undefined;
    return { name, label, ...found, ...(format ? { options: given(format) } : {}) };
  });
}

function chosenKind(
  column: TableColumn,
  kind: FieldKind,
  refersTo: Readonly<Record<string, string>>,
): Pick<FieldInput, 'kind' | 'options'> {
  const { guess, header } = column;
  if (kind === 'Record') {
    const moduleID = own(refersTo, header);
    if (moduleID !== undefined) return { kind, options: { moduleID } };
    throw new Refusal('impossible', 'csv.refers-to', said('import.which-refers', { column: header }));
  }
  const only = (['date', 'time'] as const).find((part) => kind === 'DateTime' && guess.fits(kind, part));
  return {
    kind,
    options: { ...(only === undefined ? {} : { only }), ...(kind === 'Number' ? shownIn(column) : {}) },
  };
}

/**
 * Finds the list's column for each of the file's: as matched, else by name, else by label, case aside where none is
 * written just so.
 * Undefined where there is none. `source` is the file's. @throws Refusal `malformed` when a match names no column, or one twice
 */
export function findTargets(
  columns: readonly TableColumn[],
  fields: readonly Field[],
  match: Match,
  source: Pick<TableSource, 'text'>,
): (Target | undefined)[] {
  const taken = new Set<Field>();
  const found = columns.map(({ header }) => {
    const field = findField(header, fields, own(match, header));
    if (field && taken.has(field)) {
      throw new Refusal('malformed', 'csv.match', said('import.filled-twice', { column: field.label }));
    }
    if (field) taken.add(field);
    return field;
  });
  return columns.map((column, at) => {
    const field = found[at];
    return field && { field, read: reader(column, field, source) };
  });
}

function findField(
  header: string,
  fields: readonly Field[],
  matched: string | null | undefined,
): Field | undefined {
  if (matched === null) return undefined;
  if (matched !== undefined) {
    const field = fields.find(({ name }) => name === matched);
    if (field) return field;
    throw new Refusal(
      'malformed',
      'csv.match',
      said('import.matched-with-none', { column: header, target: matched }),
    );
  }
  const wanted = header.toLowerCase();
  const asLabel = plainName(wanted).trim();
  return (
    fields.find(({ name }) => name === header) ??
    // Of two headings that differ in their letters' case alone, each has its own.
    fields.find(({ label }) => label === header) ??
    fields.find(({ name }) => name.toLowerCase() === wanted) ??
    fields.find(({ label }) => label.toLowerCase() === wanted) ??
    fields.find(({ label }) => label.toLowerCase() === asLabel)
  );
}

function reader(column: TableColumn, field: Field, source: Pick<TableSource, 'text'>): Target['read'] {
  const written = column.guess.readerFor(field);
  const read = (text: string): string => written(text.trim()) ?? text;
  if (field.isMulti) return (cell) => splitValues(source.text(cell)).map(read);
  return (cell) => (cell === '' ? [] : [read(source.text(cell))]);
}

function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
