import { sha256 } from '../../base/hashes.ts';
import type { OfferedColumn } from '../model.ts';

/**
 * Returns a short digest of columns as a partner knows them. Requests for rows carry it, so that rows are only read
 * by the present definition. Two Footbridges must compute the same; labels don't count.
 */
export function definitionMark(fields: readonly OfferedColumn[]): string {
  const columns = fields.map(
    ({ name, kind, isMulti, mark }) => [name, kind, isMulti, ...(mark === undefined ? [] : [mark])] as const,
  );
  return sha256(JSON.stringify(columns.sort(([a], [b]) => (a < b ? -1 : 1)))).slice(0, 32);
}
