import type { Node } from '../model.ts';
import { TOKEN_LIFE_MS } from './node-tokens.ts';

const MAX_WARNING_MS = 7 * 86_400_000;
/** The warning time if the token's age is unknown. */
const MIN_WARNING_MS = 30 * 60_000;

/**
 * Returns when our token for a partner expires: a Footbridge's after its full lifetime here, as its clock may
 * be behind. Undefined without a valid expiry.
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

/** Returns the milliseconds until a connection without renewal ends, in its last fifth and seven days. */
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
