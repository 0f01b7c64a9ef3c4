import { english, type Words } from '../../../server/words/said.ts';

/** The same with its reason as English text. */
export const told = <T extends { readonly reason: Words }>(
  what: T,
): Omit<T, 'reason'> & { reason: string } => ({
  ...what,
  reason: english(what.reason),
});
