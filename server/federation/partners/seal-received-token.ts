import { nowOf, type FederationContext } from '../context.ts';
import type { Node } from '../model.ts';
import { tokenExpiry } from './node-tokens.ts';

/** Returns a received token for a partner's record: encrypted, with the present time and its expiry. */
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
