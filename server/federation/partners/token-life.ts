import type { Node } from '../model.ts';
import { TOKEN_LIFE_MS } from './node-tokens.ts';

const LONGEST_WARNING = 7 * 86_400_000;
/** The warning where it is not known when the token was given. */
const SHORTEST_WARNING = 30 * 60_000;

/**
 * When a token that we hold has ended by our clock, in milliseconds since the epoch. It names its end by its partner's clock,
 * and that may be far behind ours: a Footbridge's is good for as long from when we got it. Undefined where it says no end,
 * or one that was over when it was given, which says more of the clocks than of the token.
 */
export function endOfToken({
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
 * Milliseconds until a connection that cannot renew itself ends, once that is worth saying: at a fifth of its life,
 * at most seven days before. Undefined until then, and where it renews itself or has no end.
 */
export function endsSoonIn(
  node: Pick<Node, 'status' | 'footbridge' | 'tokenSince' | 'tokenExpiresAt'>,
  now: number,
): number | undefined {
  const { status, footbridge, tokenSince } = node;
  const end = endOfToken(node);
  if (status !== 'paired' || footbridge || end === undefined) return undefined;
  const warning =
    tokenSince === undefined
      ? SHORTEST_WARNING
      : Math.min(LONGEST_WARNING, Math.max(0, end - Date.parse(tokenSince)) / 5);
  return end - now > warning ? undefined : end - now;
}
