import type { Node } from '../../federation/model.ts';
import { tokenExpiry } from '../../federation/partners/node-tokens.ts';
import { PartnerEndedError, PartnerError, TokenRejectedError } from '../../peer/guard/errors.ts';
import type { Peer } from '../../peer/peer.ts';
import type { Connection } from './connection.ts';

/** Tokens of Footbridges are valid for 90 days and renewed with this much left. */
const RENEW_BEFORE = 30 * 86_400_000;

/**
 * Runs `work` with a connection to a partner. Renews the token first if it expires soon, or with the earlier token
 * if the partner no longer knows the present one as its data went back. Throws PartnerError. @param time the
 * earlier of the partner's clock and ours, in milliseconds since the epoch; undefined if the partner's is unknown
 */
export async function withValidToken<R>(
  connection: Connection,
  node: Node,
  time: number | undefined,
  work: (peer: Peer) => Promise<R>,
): Promise<{ readonly peer: Peer; readonly result: R }> {
  /** Runs `work` with the connection of this record. */
  const callWith = async (record: Node): Promise<{ readonly peer: Peer; readonly result: R }> => {
    const peer = await connection.to(record);
    return { peer, result: await work(peer) };
  };
  let held = node;
  try {
    held = await renewIfDue(node, connection, time);
    return await callWith(held);
  } catch (error) {
    if (!(error instanceof TokenRejectedError)) throw error;
    const renewed = await renewByEarlier(held, connection);
    if (!renewed) throw error;
    return callWith(renewed);
  }
}

/**
 * Renews a Footbridge's token if less than 30 days are left, and stores it. Returns the partner's record. The old
 * token stays valid until the new one is used, so a lost answer does no harm (A8); a failure is retried later.
 * Throws PartnerEndedError, or TokenRejectedError for an invalid token. @param time as for {@link withValidToken}
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
 * Renews the token with the earlier one, as a partner whose data went back doesn't know the present one, and stores
 * it. Returns the partner's record; undefined if there is no earlier token or it is rejected too.
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
