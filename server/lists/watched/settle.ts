import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import { CELL_FORMATS } from '../csv/cell-formats.ts';
import { keyFields } from '../csv/lines.ts';
import type { TableFile } from '../csv/read.ts';
import { findTargets, type Match } from '../csv/targets.ts';
import type { Field, Module } from '../definitions/model.ts';
import type { WatchedFile } from './take-in.ts';

/** A file that a list shall be kept as in, as its user says it: columns by their names of now. */
export interface Wish {
  readonly path: string;
  /** Names of the list's columns, or headers of the file's, that tell lines apart together. */
  readonly key: readonly string[];
  readonly match?: Match;
  readonly reading?: WatchedFile['reading'];
}

/**
 * Settles what is guessed from the file as it is now, so that it is read in the same way when other things stand in it: a
 * day that could be two, once no other day of the column tells which.
 * @param file as it was read by the wish
 * @throws Refusal when the file cannot be used, or no column tells its lines apart
 */
export function settle(module: Module, file: TableFile, wish: Wish, by: string): WatchedFile {
  const { path, match = {}, reading = {} } = wish;
  const targets = findTargets(file.columns, module.fields, match, file);
  if (targets.every((target) => !target))
    throw new Refusal('impossible', 'csv.no-match', said('import.nothing-fits', { list: module.name }));
  const key = keyFields(wish.key, module, targets, file.columns);
  if (key.length === 0) throw new Refusal('malformed', 'watched.key', said('watched.no-key'));
  const fields = targets.map((target) => target?.field);
  return {
    moduleID: module.moduleID,
    path,
    keyFieldIDs: key.map(({ fieldID }) => fieldID),
    match: Object.fromEntries(
      file.columns.flatMap(({ header }, at): [string, string | null][] => {
        const field = fields[at];
        // One that nothing takes yet is found once the list has a column for it, unless it shall be left out.
        return field ? [[header, field.fieldID]] : match[header] === null ? [[header, null]] : [];
      }),
    ),
    reading: { ...reading, ...settledFormats(file, fields) },
    by,
  };
}

function settledFormats(
  { columns, source }: TableFile,
  fields: readonly (Field | undefined)[],
): Pick<WatchedFile['reading'], 'delimiter' | 'decimal' | 'dateOrder'> {
  const formats = columns.map(({ guess }, at) => {
    const field = fields[at];
    const format = field && guess.formatFor(field.kind, field.options.only);
    // Plain digits tell nothing of how decimals are written.
    return format === CELL_FORMATS[0] || format?.dateOrder === 'YMD' ? undefined : format;
  });
  const decimal = theOne(formats.map((format) => format?.decimal));
  const dateOrder = theOne(formats.map((format) => format?.dateOrder));
  return {
    ...(source.delimiter === '' ? {} : { delimiter: source.delimiter }),
    ...(decimal ? { decimal } : {}),
    ...(dateOrder ? { dateOrder } : {}),
  };
}

/** What all say that say anything. */
function theOne<T>(all: readonly (T | undefined)[]): T | undefined {
  const [first, ...others] = new Set(all.filter((each) => each !== undefined));
  return others.length === 0 ? first : undefined;
}
