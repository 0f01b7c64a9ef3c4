import type { Node } from '../model.ts';
import { TOKEN_LIFE_MS } from './node-tokens.ts';

const MAX_WARNING_MS = 7 * 86_400_000;
/** The warning time if the token's age is unknown. */
const MIN_WARNING_MS = 30 * 60_000;

/**
 * Returns when our token for a partner expires by our clock, in milliseconds since the epoch. The partner's clock,
 * which set the expiry, may be far behind: a Footbridge's token is valid for its full lifetime from when we got it.
 * Undefined without an expiry, or if it had passed when we got it, which only shows a wrong clock.
 */
export function tokenEnd({
  footbridge,
  tokenSince,
  tokenExpiresAt,
}: Pick<Node, 'footbridge' | 'tokenSince' | 'tokenExpiresAt'>): number | undefined {
  if (tokenExpiresAt === undefined) return undefined;
  const named = Date.parse(tokenExpiresAt);
  if (tokenSince === undefined) return named;
  const since = Date.parse(tokenSince);
  if (footbridge) return Math.max(named, since + TOKEN_LIFE_MS);
  return named > since ? named : undefined;
}

/**
 * Returns the milliseconds until a connection ends that can't renew itself, as soon as they are less than a fifth
 * of its lifetime and at most seven days. Undefined before that, for a Footbridge, and without an end.
 */
export function warningPeriod(
  node: Pick<Node, 'status' | 'footbridge' | 'tokenSince' | 'tokenExpiresAt'>,
  now: number,
): number | undefined {
  const { status, footbridge, tokenSince } = node;
  const end = tokenEnd(node);
  if (status !== 'paired' || footbridge || end === undefined) return undefined;
  const warning =
    tokenSince === undefined
      ? MIN_WARNING_MS
      : Math.min(MAX_WARNING_MS, Math.max(0, end - Date.parse(tokenSince)) / 5);
  return end - now > warning ? undefined : end - now;
}
