import type { Node } from '../model.ts';
import { TOKEN_LIFE_MS } from './node-tokens.ts';

const MAX_WARNING_MS = 7 * 86_400_000;
/** For tokens of unknown age. */
const MIN_WARNING_MS = 30 * 60_000;

/**
 * Returns when our token for a partner expires, in milliseconds since the epoch; undefined if never (or, for other
 * software, if it had expired at receipt). A Footbridge's lasts its full lifetime from its receipt here, as its clock
 * may be behind.
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
 * Returns the ms (negative once over) until an unrenewable connection ends, within its last fifth, at most seven days;
 * else undefined.
 */
export function msUntilWarnedEnd(
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
