import { z } from 'zod';
import { english, said, type Said } from '../../words/said.ts';
import { StoreError } from '../store.ts';

/** The mark at either end of a move. A process that is to serve the office checks it. */
export const moveMarkSchema = z.object({
  /** The move's id, equal at both ends. */
  id: z.string(),
  at: z.iso.datetime(),
  /** `arriving`: being copied here. `left`: no longer served from here. `arrived`: served from here. */
  state: z.enum(['arriving', 'left', 'arrived']),
  /** Where the office was and where it goes, in words without a password. */
  from: z.string(),
  to: z.string(),
  /** The number of the office (`installation.ts`). */
  office: z.string(),
  /** It has left, and is known to have arrived. */
  isEnded: z.literal(true).exactOptional(),
});
export type MoveMark = z.infer<typeof moveMarkSchema>;

/** Returns where the office is, in words for the user; undefined if it may be served from here. */
function elsewhere(mark: MoveMark | undefined): Said | undefined {
  if (mark?.state === 'arriving') return said('store.arriving', { from: mark.from });
  if (mark?.state !== 'left') return undefined;
  return mark.isEnded ? said('store.left', { to: mark.to }) : said('store.leaving', { to: mark.to });
}

/** Returns in English why the office isn't served from here; empty if it may be. */
export function whyNotServed(mark: MoveMark): string {
  const words = elsewhere(mark);
  return words ? english(words) : '';
}

/** Throws StoreError `locked`, which says where the office is, unless it may be served from here. */
export function checkServedHere(mark: MoveMark | undefined): void {
  const words = elsewhere(mark);
  if (words) throw new StoreError('locked', words);
}
