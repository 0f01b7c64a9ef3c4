import type { FederationContext } from './context.ts';
import type { Node } from './model.ts';
import { tokenExpiry } from './node-tokens.ts';

/** What is kept of a token that a partner gave us: sealed, and when it ends, if it says so. */
export async function heldTokenOf(
  { secrets }: Pick<FederationContext, 'secrets'>,
  token: string,
): Promise<{ sealedToken: string } & Pick<Node, 'tokenExpiresAt'>> {
  const tokenExpiresAt = tokenExpiry(token);
  return {
    sealedToken: await secrets.seal(token),
    ...(tokenExpiresAt === undefined ? {} : { tokenExpiresAt }),
  };
}
