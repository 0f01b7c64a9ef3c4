import { omitUndefined } from '../../base/omit-undefined.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Doubt } from '../../base/vocabulary.ts';
import { said } from '../../words/said.ts';
import { findKeyFields } from '../csv/lines.ts';
import { matchColumns, unmatchedRefusal, type Match } from '../csv/targets.ts';
import type { ForeignTable } from '../reading/read-in-worker.ts';
import type { Module } from '../definitions/model.ts';
import { describePositions, type WatchedFile } from './apply-file.ts';

/** By present column names. */
export interface FollowRequest {
  readonly path: string;
  readonly key: readonly string[];
  readonly match?: Match;
  readonly reading?: WatchedFile['reading'];
}

/**
 * Fixes all guesses about the file, so that later contents are read alike. Throws `csv.no-match` if no column fits,
 * `watched.key` without key columns, `csv.key` for unusable ones.
 * @param file as read by the request
 * @param userID who follows it
 */
export async function chooseReading(
  module: Module,
  file: ForeignTable,
  wish: FollowRequest,
  userID: string,
): Promise<WatchedFile> {
  const { path, match = {}, reading = {} } = wish;
  const fields = matchColumns(file.columns, module.fields, match);
  if (fields.every((field) => !field)) throw unmatchedRefusal(file.columns, module.name);
  const key = findKeyFields(wish.key, module, fields, file.columns);
  if (key.length === 0) throw new Refusal('malformed', 'watched.key', said('watched.no-key'));
  const targets = fields.flatMap((field, at) => (field ? [{ at, field }] : []));
  return {
    moduleID: module.moduleID,
    path,
    keyFieldIDs: key.map(({ fieldID }) => fieldID),
    match: Object.fromEntries(
      file.columns.flatMap(({ header }, at): [string, string | null][] => {
        const field = fields[at];
        // A column without target is matched once the list has one, unless skipped.
        return field ? [[header, field.fieldID]] : match[header] === null ? [[header, null]] : [];
      }),
    ),
    ...describePositions(file),
    reading: {
      readsTextMarks: true,
      ...reading,
      ...(await file.formats({ targets })),
      ...asChosenOptions(file.doubts),
    },
    by: userID,
  };
}

/** Returns reading options that confirm the guesses in doubt. */
export function asChosenOptions(doubts: readonly Doubt[]): WatchedFile['reading'] {
  const chosen = new Map(doubts.map(({ kind, chosen: value }) => [kind, value]));
  const heading = chosen.get('heading');
  const decimal = chosen.get('numbers');
  const sums = chosen.get('sums');
  return omitUndefined({
    delimiter: chosen.get('delimiter'),
    encoding: chosen.get('encoding'),
    headerLine: heading === undefined ? undefined : Number(heading),
    decimal: decimal === ',' || decimal === '.' ? decimal : undefined,
    sums: sums === 'in' || sums === 'out' ? sums : undefined,
  });
}
