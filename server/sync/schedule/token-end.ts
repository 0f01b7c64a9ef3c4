import type { Node } from '../../federation/model.ts';
import { tokenEnd } from '../../federation/partners/token-life.ts';

/** What is known of a token that we hold. */
type Held = Pick<Node, 'status' | 'footbridge' | 'tokenSince' | 'tokenExpiresAt'>;

/** A moment after the end, so that a call then meets an ended token and not one that is about to end. */
const AFTER = 1000;

/** No timer runs longer than this; whoever waits longer looks again. */
const MAX_TIMER_MS = 86_400_000;

/** Milliseconds until the token that we hold for a connected partner has ended, a day at most; undefined when it does not say. */
export function untilEnd(node: Held, now: number): number | undefined {
  const end = tokenEnd(node);
  if (node.status !== 'paired' || end === undefined) return undefined;
  return Math.min(MAX_TIMER_MS, Math.max(0, end + AFTER - now));
}

/**
 * Whether that token has ended by our clock. Where a call still gets through, our clock is wrong; where none
 * does, whatever the reason, the connection must not pass for one that only waits.
 */
export function hasEnded(node: Held, now: number): boolean {
  return untilEnd(node, now) === 0;
}
