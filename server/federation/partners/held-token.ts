import { nowOf, type FederationContext } from '../context.ts';
import type { Node } from '../model.ts';
import { tokenExpiry } from './node-tokens.ts';

/** What is kept of a token that a partner gave us: sealed, since when, and when it ends, if it says so. */
export async function heldTokenOf(
  context: Pick<FederationContext, 'secrets' | 'clock'>,
  token: string,
): Promise<{ sealedToken: string } & Pick<Node, 'tokenSince' | 'tokenExpiresAt'>> {
  const tokenExpiresAt = tokenExpiry(token);
  return {
    sealedToken: await context.secrets.seal(token),
    tokenSince: nowOf(context),
    ...(tokenExpiresAt === undefined ? {} : { tokenExpiresAt }),
  };
}
