import type { Node } from '../../federation/model.ts';

/** A moment after the end, so that a call then meets an ended token and not one that is about to end. */
const AFTER = 1000;

/** No timer runs longer than this; whoever waits longer looks again. */
const LONGEST = 86_400_000;

/** Milliseconds until the token that we hold for a connected partner has ended, a day at most; undefined when it does not say. */
export function untilEnd(node: Pick<Node, 'status' | 'tokenExpiresAt'>, now: number): number | undefined {
  if (node.status !== 'paired' || node.tokenExpiresAt === undefined) return undefined;
  return Math.min(LONGEST, Math.max(0, Date.parse(node.tokenExpiresAt) + AFTER - now));
}

/**
 * Whether that token has ended by our clock. Where a call still gets through, our clock is wrong; where none
 * does, whatever the reason, the connection must not pass for one that only waits.
 */
export function hasEnded(node: Pick<Node, 'status' | 'tokenExpiresAt'>, now: number): boolean {
  return untilEnd(node, now) === 0;
}
