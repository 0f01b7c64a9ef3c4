import type { Row } from '../../lists/definitions/model.ts';
import type { Entry } from '../../store/store.ts';
import type { ExposedList } from './exposed-list.ts';

/**
 * Whether rows that leave may hold texts that somebody else than this office wrote, or titles of rows that its references
 * name. They must not be compressed together with ours: whoever sends rows and sees the length of what we send on can tell
 * by it whether a value that they guessed is there (SECURITY.md: Somebody on the line). By the rows that leave alone, of
 * which the partner is told where they came from: who else brings rows is nothing that the way of sending may say.
 * @param recordIDs those that leave
 * @param rows these, and others that were asked for
 */
export function isOfSeveralHands(
  { exposure, leaving }: ExposedList,
  recordIDs: readonly string[],
  rows: readonly Entry<Row>[],
): boolean {
  if (exposure.condition !== undefined || leaving.namesRows) return true;
  const going = new Set(recordIDs);
  return rows.some(({ key, value }) => going.has(key) && (value.received ?? value.former) !== undefined);
}
