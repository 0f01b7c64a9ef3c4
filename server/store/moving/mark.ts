import { z } from 'zod';
import { english, said, type Said } from '../../words/said.ts';
import { StoreError } from '../store.ts';

/** The mark at either end of a move, which a process that is to serve the office checks. */
export const moveMarkSchema = z.object({
  /** The move's id, equal at both ends. */
  id: z.string(),
  at: z.iso.datetime(),
  /** It is being copied here (`arriving`), no longer served from here (`left`), or served from here (`arrived`). */
  state: z.enum(['arriving', 'left', 'arrived']),
  /** Where the office was and where it goes, in words without a password. */
  from: z.string(),
  to: z.string(),
  /** The office's installation id. */
  office: z.string(),
  /** The office has left, and is known to have arrived. */
  isEnded: z.literal(true).exactOptional(),
});
export type MoveMark = z.infer<typeof moveMarkSchema>;

/** Returns where the office is, in words for the user; undefined if it may be served from here. */
function describeNewPlace(mark: MoveMark | undefined): Said | undefined {
  if (mark?.state === 'arriving') return said('store.arriving', { from: mark.from });
  if (mark?.state !== 'left') return undefined;
  return mark.isEnded ? said('store.left', { to: mark.to }) : said('store.leaving', { to: mark.to });
}

/** Returns in English why the office isn't served from here; empty if it may be. */
export function whyNotServed(mark: MoveMark): string {
  const words = describeNewPlace(mark);
  return words ? english(words) : '';
}

/** Throws StoreError `locked`, which says where the office is, unless it may be served from here. */
export function throwUnlessServedHere(mark: MoveMark | undefined): void {
  const words = describeNewPlace(mark);
  if (words) throw new StoreError('locked', words);
}
