import { z } from 'zod';
import { english, said, type Said } from '../../words/said.ts';
import { StoreError } from '../store.ts';

/** What stands at either end of a move, from its first step on. Whoever is to serve an office looks for it. */
export const moveMarkSchema = z.object({
  /** Of this move, at both ends. */
  id: z.string(),
  at: z.iso.datetime(),
  /**
   * `arriving`: all of it is being brought here, and nobody serves it from here yet. `left`: nobody serves it from here
   * any more. `arrived`: it is served from here.
   */
  state: z.enum(['arriving', 'left', 'arrived']),
  /** Where the office was and where it is to be, in words without a password. */
  from: z.string(),
  to: z.string(),
  /** The number of the office (`installation.ts`). */
  office: z.string(),
  /** Of one that left: it is known to have arrived. */
  isEnded: z.literal(true).exactOptional(),
});
export type MoveMark = z.infer<typeof moveMarkSchema>;

/** Where the office is, in words; undefined where it may be served from here. */
function elsewhere(mark: MoveMark | undefined): Said | undefined {
  if (mark?.state === 'arriving') return said('store.arriving', { from: mark.from });
  if (mark?.state !== 'left') return undefined;
  return mark.isEnded ? said('store.left', { to: mark.to }) : said('store.leaving', { to: mark.to });
}

/** The same in English; empty where it may. */
export function whyNotServed(mark: MoveMark): string {
  const words = elsewhere(mark);
  return words ? english(words) : '';
}

/** @throws StoreError `locked`, in words that say where the office is, where it is not to be served from here */
export function checkServedHere(mark: MoveMark | undefined): void {
  const words = elsewhere(mark);
  if (words) throw new StoreError('locked', words);
}
