import type { Node } from '../../federation/model.ts';
import { tokenEnd } from '../../federation/partners/token-life.ts';

/** What is known about a token that we hold. */
type Held = Pick<Node, 'status' | 'footbridge' | 'tokenSince' | 'tokenExpiresAt'>;

/** A moment after expiry, so that a call meets an expired token. */
const AFTER = 1000;

/** Longest timer. */
const MAX_TIMER_MS = 86_400_000;

/** Returns the milliseconds, at most a day, until our token for a paired partner has expired, if it ends. */
export function untilEnd(node: Held, now: number): number | undefined {
  const end = tokenEnd(node);
  if (node.status !== 'paired' || end === undefined) return undefined;
  return Math.min(MAX_TIMER_MS, Math.max(0, end + AFTER - now));
}

/** Returns whether our token for a paired partner has expired by our clock. */
export function hasEnded(node: Held, now: number): boolean {
  return untilEnd(node, now) === 0;
}
