import { omitUndefined } from '../../base/omit-undefined.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Doubt } from '../../base/vocabulary.ts';
import { said } from '../../words/said.ts';
import { keyFields } from '../csv/lines.ts';
import { matchColumns, type Match } from '../csv/targets.ts';
import type { ForeignTable } from '../reading/read-in-worker.ts';
import type { Module } from '../definitions/model.ts';
import type { WatchedFile } from './apply-file.ts';

/** A file that a list shall be kept as in, as its user says it: columns by their names of now. */
export interface FollowRequest {
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
export async function chooseReading(
  module: Module,
  file: ForeignTable,
  wish: FollowRequest,
  by: string,
): Promise<WatchedFile> {
  const { path, match = {}, reading = {} } = wish;
  const fields = matchColumns(file.columns, module.fields, match);
  if (fields.every((field) => !field))
    throw new Refusal('impossible', 'csv.no-match', said('import.nothing-fits', { list: module.name }));
  const key = keyFields(wish.key, module, fields, file.columns);
  if (key.length === 0) throw new Refusal('malformed', 'watched.key', said('watched.no-key'));
  const targets = fields.flatMap((field, at) => (field ? [{ at, field }] : []));
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
    reading: { ...reading, ...(await file.formats({ targets })), ...asChosenOptions(file.doubts) },
    by,
  };
}

/** Returns the options that keep these guesses: the user has seen them, so that no later reading asks again. */
export function asChosenOptions(doubts: readonly Doubt[]): WatchedFile['reading'] {
  const chosen = new Map(doubts.map(({ kind, chosen: value }) => [kind, value]));
  const heading = chosen.get('heading');
  const decimal = chosen.get('numbers');
  return omitUndefined({
    delimiter: chosen.get('delimiter'),
    encoding: chosen.get('encoding'),
    headerLine: heading === undefined ? undefined : Number(heading),
    decimal: decimal === ',' || decimal === '.' ? decimal : undefined,
  });
}
