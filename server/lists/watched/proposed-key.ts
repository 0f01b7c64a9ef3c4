import { createDistinctFinder } from '../csv/distinct.ts';
import { keyIn } from '../csv/key-index.ts';
import { matchColumns } from '../csv/targets.ts';
import { importKeyOf } from '../definitions/import-key.ts';
import type { Module } from '../definitions/model.ts';
import type { ForeignTable } from '../reading/read-in-worker.ts';
import type { Rows } from '../rows/rows.ts';
import type { FollowRequest } from './choose-reading.ts';

/**
 * Returns key columns that are unique in a file and a list, of the single-valued ones used last, otherwise of all such;
 * empty if there are none. Reads all rows. Throws `csv.match` for a wrong match.
 */
export async function proposeKey(
  module: Module,
  rows: Pick<Rows, 'scan'>,
  file: ForeignTable,
  { match = {} }: Pick<FollowRequest, 'match'>,
): Promise<FollowRequest['key']> {
  const taken = matchColumns(file.columns, module.fields, match).flatMap((field, at) =>
    field && !field.isMulti ? [{ at, kind: field.kind, name: field.name }] : [],
  );
  const last = taken.filter(({ name }) => importKeyOf(module).includes(name));
  /** Returns keys among these columns of the file, as names of list columns. */
  const keysAmong = async (columns: typeof taken): Promise<FollowRequest['key'][]> =>
    (await file.keys(columns.map(({ at, kind }) => ({ at, kind })))).map((key) =>
      key.flatMap((place) => columns[place]?.name ?? []),
    );
  return findDistinctKey(rows, [...(await keysAmong(last)), ...(await keysAmong(taken))]);
}

/** Returns the first key that no two rows share, ignoring rows without it; empty if there is none. */
async function findDistinctKey(
  rows: Pick<Rows, 'scan'>,
  keys: readonly FollowRequest['key'][],
): Promise<FollowRequest['key']> {
  if (keys.length === 0) return [];
  const distinct = createDistinctFinder();
  const filled = keys.map(() => 0);
  for await (const page of rows.scan())
    for (const { values } of page)
      keys.forEach((names, at) => {
        // Skips texts too long to compare before joining hundreds of pairs.
        if (!distinct.isPossible(at)) return;
        const text = keyIn(values, names);
        // Rows without a key can't be found and stay.
        if (text === undefined) return;
        filled[at] = (filled[at] ?? 0) + 1;
        distinct.recordCell(at, text);
      });
  /** Returns whether no two rows share the key at this position of `keys`. Rows without it don't count. */
  const canBeKey = (at: number): boolean => {
    const lines = filled[at] ?? 0;
    return distinct.isPossible(at) && (lines < 2 || distinct.isDistinct(at, lines));
  };
  return keys.find((_key, at) => canBeKey(at)) ?? [];
}
