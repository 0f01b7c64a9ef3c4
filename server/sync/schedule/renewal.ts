import type { Node } from '../../federation/model.ts';
import { tokenExpiry } from '../../federation/partners/node-tokens.ts';
import { PartnerEndedError, PartnerError, TokenRejectedError } from '../../peer/guard/errors.ts';
import type { Peer } from '../../peer/peer.ts';
import type { Connection } from './connection.ts';

/** Tokens of Footbridges live 90 days; with this much left they are renewed. */
const RENEW_BEFORE = 30 * 86_400_000;

/**
 * Does something at a partner by a token that is good there: a new one where the one that we hold ends before long, or
 * where the partner does not know that one any more, as its data went back.
 * @param time the earlier of what time it is by the partner's clock, by which tokens end, and by ours, in milliseconds since
 * the epoch; undefined while the partner has told none
 * @throws PartnerError
 */
export async function byGoodToken<R>(
  connection: Connection,
  node: Node,
  time: number | undefined,
  work: (peer: Peer) => Promise<R>,
): Promise<{ readonly peer: Peer; readonly result: R }> {
  const by = async (record: Node): Promise<{ readonly peer: Peer; readonly result: R }> => {
    const peer = await connection.to(record);
    return { peer, result: await work(peer) };
  };
  let held = node;
  try {
    held = await renewIfDue(node, connection, time);
    return await by(held);
  } catch (error) {
    if (!(error instanceof TokenRejectedError)) throw error;
    const renewed = await renewByEarlier(held, connection);
    if (!renewed) throw error;
    return by(renewed);
  }
}

/**
 * Gets a new token before the one we hold ends, where the partner is a Footbridge. The old one stays good until
 * the new one is used, so a lost answer does no harm (A8). A failure is left for the next time: the token is
 * still good for weeks.
 * @param time by a clock that is far ahead a new one would be got with each pull
 * @returns the partner's record as it is then
 * @throws PartnerEndedError, TokenRejectedError when the token is not good any more
 */
async function renewIfDue(node: Node, connection: Connection, time: number | undefined): Promise<Node> {
  if (!node.footbridge || node.tokenExpiresAt === undefined || time === undefined) return node;
  if (Date.parse(node.tokenExpiresAt) - time > RENEW_BEFORE) return node;
  const { footbridge } = await connection.to(node);
  if (!footbridge) return node;
  try {
    const token = await footbridge.renewToken();
    // By a clock far behind, it expired before the one we hold: keep that, and ask again with it.
    const end = tokenExpiry(token);
    if (end !== undefined && Date.parse(end) <= Date.parse(node.tokenExpiresAt)) return node;
    return await connection.renewed(node, token, 'current');
  } catch (error) {
    if (error instanceof PartnerEndedError || error instanceof TokenRejectedError) throw error;
    return node;
  }
}

/**
 * If the partner's data went back to before it issued our token, it doesn't know that one. It knows the
 * earlier one, and renews with it.
 * @returns the partner's record afterwards; undefined if it rejects that one too
 */
async function renewByEarlier(node: Node, connection: Connection): Promise<Node | undefined> {
  const peer = node.footbridge ? await connection.byEarlierToken(node) : undefined;
  try {
    const token = await peer?.footbridge?.renewToken();
    return token === undefined ? undefined : await connection.renewed(node, token, 'earlier');
  } catch (error) {
    if (error instanceof PartnerError) return undefined;
    throw error;
  } finally {
    await peer?.close();
  }
}
