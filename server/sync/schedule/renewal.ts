import type { Node } from '../../federation/model.ts';
import { tokenExpiry } from '../../federation/partners/node-tokens.ts';
import { PartnerEndedError, PartnerError, TokenRejectedError } from '../../peer/guard/errors.ts';
import type { Peer } from '../../peer/peer.ts';
import type { Connection } from './connection.ts';

/** Milliseconds left at the renewal of a Footbridge's token (90 days). */
const RENEW_BEFORE = 30 * 86_400_000;

/**
 * Runs `work` with a connection, after renewing a token that expires soon. If the partner rejects the token, renews it
 * by the earlier one and runs `work` again. `time` is the earlier of both offices' clocks in milliseconds, if known.
 * Other errors pass through.
 */
export async function withValidToken<R>(
  connection: Connection,
  node: Node,
  time: number | undefined,
  work: (peer: Peer) => Promise<R>,
): Promise<{ readonly peer: Peer; readonly result: R }> {
  /** Opens the connection by this record, and runs `work` with it. */
  const callWith = async (record: Node): Promise<{ readonly peer: Peer; readonly result: R }> => {
    const peer = await connection.openFor(record);
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
 * Renews a token that expires soon, and returns the new record; the same record after most failures, or if the new
 * token would end no later. Throws PartnerEndedError, or TokenRejectedError for an invalid token.
 */
async function renewIfDue(node: Node, connection: Connection, time: number | undefined): Promise<Node> {
  if (!node.footbridge || node.tokenExpiresAt === undefined || time === undefined) return node;
  if (Date.parse(node.tokenExpiresAt) - time > RENEW_BEFORE) return node;
  const { footbridge } = await connection.openFor(node);
  if (!footbridge) return node;
  try {
    const token = await footbridge.renewToken();
    // The partner's clock was far behind: the one we hold lasts longer.
    const end = tokenExpiry(token);
    if (end !== undefined && Date.parse(end) <= Date.parse(node.tokenExpiresAt)) return node;
    return await connection.storeRenewed(node, token, 'current');
  } catch (error) {
    if (error instanceof PartnerEndedError || error instanceof TokenRejectedError) throw error;
    return node;
  }
}

/**
 * Renews the token by the earlier one: a partner whose data went back knows only that. Returns undefined without one,
 * or if the partner rejects it too.
 */
async function renewByEarlier(node: Node, connection: Connection): Promise<Node | undefined> {
  const peer = node.footbridge ? await connection.openWithEarlierToken(node) : undefined;
  try {
    const token = await peer?.footbridge?.renewToken();
    return token === undefined ? undefined : await connection.storeRenewed(node, token, 'earlier');
  } catch (error) {
    if (error instanceof PartnerError) return undefined;
    throw error;
  } finally {
    await peer?.close();
  }
}
