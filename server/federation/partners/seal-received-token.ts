import { nowOf, type FederationContext } from '../context.ts';
import type { Node } from '../model.ts';
import { tokenExpiry } from './node-tokens.ts';

/** Returns a token received from a partner as its record stores it: encrypted, with time of receipt and expiry. */
export async function sealReceivedToken(
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
