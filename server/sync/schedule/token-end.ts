import type { Node } from '../../federation/model.ts';
import { tokenEnd } from '../../federation/partners/token-life.ts';

type Held = Pick<Node, 'status' | 'footbridge' | 'tokenSince' | 'tokenExpiresAt'>;

/** Milliseconds after which an expired token is surely refused. */
const AFTER = 1000;

const MAX_TIMER_MS = 86_400_000;

/** Returns the ms, at most a day, until our token for a paired partner has expired; undefined if never. */
export function msUntilTokenExpiry(node: Held, now: number): number | undefined {
  const end = tokenEnd(node);
  if (node.status !== 'paired' || end === undefined) return undefined;
  return Math.min(MAX_TIMER_MS, Math.max(0, end + AFTER - now));
}

/** Returns whether our token for a paired partner has expired by this time. */
export function hasTokenExpired(node: Held, now: number): boolean {
  return msUntilTokenExpiry(node, now) === 0;
}
