import { nowOf, type FederationContext } from '../context.ts';
import type { Node } from '../model.ts';
import { tokenExpiry } from './node-tokens.ts';

/** Encrypts a partner's token, with time of receipt and expiry, as its record stores it. */
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
