import type { Node } from '../../federation/model.ts';
import { tokenExpiry } from '../../federation/partners/node-tokens.ts';
import { PartnerEnded, TokenRefused } from '../../peer/guard/errors.ts';
import type { Connection } from './connection.ts';
import type { SyncFederation } from '../ports.ts';

/** Tokens of Footbridges live 90 days; with this much left they are renewed. */
const RENEW_BEFORE = 30 * 86_400_000;

/**
 * Gets a new token before the one we hold ends, where the partner is a Footbridge. The old one stays good until
 * the new one is used, so a lost answer does no harm (A8). A failure is left for the next time: the token is
 * still good for weeks.
 * @returns the partner's record as it is then
 * @throws PartnerEnded, TokenRefused when the token is not good any more
 */
export async function renewIfDue(
  federation: Pick<SyncFederation, 'tokens'>,
  node: Node,
  connection: Connection,
  clock: { now(): number },
): Promise<Node> {
  if (!node.footbridge || node.tokenExpiresAt === undefined) return node;
  if (Date.parse(node.tokenExpiresAt) - clock.now() > RENEW_BEFORE) return node;
  const { footbridge } = await connection.to(node);
  if (!footbridge) return node;
  try {
    const token = await footbridge.renewToken();
    // By a clock that is far behind it has ended before the one we hold: that one is kept, and asked again with.
    const end = tokenExpiry(token);
    if (end !== undefined && Date.parse(end) <= Date.parse(node.tokenExpiresAt)) return node;
    return await federation.tokens.renewed(node, token);
  } catch (error) {
    if (error instanceof PartnerEnded || error instanceof TokenRefused) throw error;
    return node;
  }
}
