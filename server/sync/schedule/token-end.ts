import type { Node } from '../../federation/model.ts';
import { tokenEnd } from '../../federation/partners/token-life.ts';

/** What is known about a token that we hold. */
type Held = Pick<Node, 'status' | 'footbridge' | 'tokenSince' | 'tokenExpiresAt'>;

/** A moment after expiry, so that a call then meets an expired token. */
const AFTER = 1000;

/** Maximum of one timer; longer waits check again. */
const MAX_TIMER_MS = 86_400_000;

/**
 * Returns the milliseconds until our token for a connected partner has expired, at most a day; undefined without an
 * expiry or connection.
 */
export function untilEnd(node: Held, now: number): number | undefined {
  const end = tokenEnd(node);
  if (node.status !== 'paired' || end === undefined) return undefined;
  return Math.min(MAX_TIMER_MS, Math.max(0, end + AFTER - now));
}

/**
 * Returns whether our token for a connected partner has expired by our clock. If a call still succeeds, our clock
 * is wrong; if none does, the connection must not look like one that only waits.
 */
export function hasEnded(node: Held, now: number): boolean {
  return untilEnd(node, now) === 0;
}
