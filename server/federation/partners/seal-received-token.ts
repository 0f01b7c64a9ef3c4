import { nowOf, type FederationContext } from '../context.ts';
import type { Node } from '../model.ts';
import { tokenExpiry } from './node-tokens.ts';

/**
 * Encrypts a token that a partner gave us. Returns the members of its record: the encrypted token, since when, and
 * until when if it says so.
 */
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
