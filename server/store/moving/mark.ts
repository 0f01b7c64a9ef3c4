import { z } from 'zod';
import { english, said, type Said } from '../../words/said.ts';
import { StoreError } from '../store.ts';

/** At both ends of a move; checked before serving an office. */
export const moveMarkSchema = z.object({
  /** Equal at both ends. */
  id: z.string(),
  at: z.iso.datetime(),
  /** Being copied here (`arriving`), no longer served here (`left`), or served here (`arrived`). */
  state: z.enum(['arriving', 'left', 'arrived']),
  /** In words without a password. */
  from: z.string(),
  to: z.string(),
  /** Its installation id. */
  office: z.string(),
  /** The office is known to have arrived elsewhere. */
  isEnded: z.literal(true).exactOptional(),
});
export type MoveMark = z.infer<typeof moveMarkSchema>;

/** Says where the office is; undefined if it may be served here. */
function describeNewPlace(mark: MoveMark | undefined): Said | undefined {
  if (mark?.state === 'arriving') return said('store.arriving', { from: mark.from });
  if (mark?.state !== 'left') return undefined;
  return mark.isEnded ? said('store.left', { to: mark.to }) : said('store.leaving', { to: mark.to });
}

/** Returns in English why the office isn't served here; empty if it may be. */
export function whyNotServed(mark: MoveMark): string {
  const words = describeNewPlace(mark);
  return words ? english(words) : '';
}

/** Throws StoreError `locked`, saying where the office is, unless it may be served here. */
export function throwUnlessServedHere(mark: MoveMark | undefined): void {
  const words = describeNewPlace(mark);
  if (words) throw new StoreError('locked', words);
}
