import type { ExposedList } from './exposed-list.ts';
import type { ChangesPage } from './page-bytes.ts';

/**
 * Whether rows that leave may hold texts that somebody else than this office wrote, or titles of rows that its references
 * name. They must not be compressed together with ours: whoever sends rows and sees the length of what we send on can tell
 * by it whether a value that they guessed is there (SECURITY.md: An attacker on the network path). By the rows that leave alone, of
 * which the partner is told where they came from: who else brings rows is nothing that the way of sending may say.
 */
export function mixesForeignText(
  { exposure, outgoing }: ExposedList,
  { ofOthers }: Pick<ChangesPage, 'ofOthers'>,
): boolean {
  return exposure.condition !== undefined || outgoing.namesRows || ofOthers;
}
