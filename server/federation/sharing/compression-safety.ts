import type { ExposedList } from './exposed-list.ts';
import type { ChangesPage } from './page-bytes.ts';

/**
 * CRIME/BREACH guard: returns whether outgoing rows may hold text that somebody else wrote, or titles of
 * referenced rows. These must not be compressed together with our text: whoever sends rows and sees the
 * length of our answers could test guessed values (SECURITY.md: An attacker on the network path). Depends
 * only on the outgoing rows, whose sources the partner knows: the encoding must not disclose who else brings
 * rows.
 */
export function mixesForeignText(
  { exposure, outgoing }: ExposedList,
  { ofOthers }: Pick<ChangesPage, 'ofOthers'>,
): boolean {
  return exposure.condition !== undefined || outgoing.namesRows || ofOthers;
}
