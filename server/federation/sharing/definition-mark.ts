import { sha256 } from '../../base/hashes.ts';
import type { OfferedColumn } from '../model.ts';

/**
 * Returns a digest (32 hexadecimal digits) of columns as a partner knows them: names, kinds, several values or one, and
 * marks, in any order, without labels. Both Footbridges must compute the same.
 */
export function definitionMark(fields: readonly OfferedColumn[]): string {
  const columns = fields.map(
    ({ name, kind, isMulti, mark }) => [name, kind, isMulti, ...(mark === undefined ? [] : [mark])] as const,
  );
  return sha256(JSON.stringify(columns.sort(([a], [b]) => (a < b ? -1 : 1)))).slice(0, 32);
}
