import { sha256 } from '../../base/hashes.ts';
import type { OfferedColumn } from '../model.ts';

/**
 * A short text for columns as a partner knows them: sent along with a question for rows, so that nobody reads rows
 * by another definition than they leave under. Two Footbridges must come to the same; labels do not count.
 */
export function definitionMark(fields: readonly OfferedColumn[]): string {
  const columns = fields.map(
    ({ name, kind, isMulti, mark }) => [name, kind, isMulti, ...(mark === undefined ? [] : [mark])] as const,
  );
  return sha256(JSON.stringify(columns.sort(([a], [b]) => (a < b ? -1 : 1)))).slice(0, 32);
}
