import type { Node } from '../model.ts';

const LONGEST_WARNING = 7 * 86_400_000;
/** The warning where it is not known when the token was given. */
const SHORTEST_WARNING = 30 * 60_000;

/**
 * Milliseconds until a connection that cannot renew itself ends, once that is worth saying: at a fifth of its life,
 * at most seven days before. Undefined until then, and where it renews itself or has no end.
 */
export function endsSoonIn(
  {
    status,
    footbridge,
    tokenSince,
    tokenExpiresAt,
  }: Pick<Node, 'status' | 'footbridge' | 'tokenSince' | 'tokenExpiresAt'>,
  now: number,
): number | undefined {
  if (status !== 'paired' || footbridge || tokenExpiresAt === undefined) return undefined;
  const end = Date.parse(tokenExpiresAt);
  const warning =
    tokenSince === undefined
      ? SHORTEST_WARNING
      : Math.min(LONGEST_WARNING, Math.max(0, end - Date.parse(tokenSince)) / 5);
  return end - now > warning ? undefined : end - now;
}
