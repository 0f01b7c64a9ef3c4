import { omit } from '../../base/omit.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Tx } from '../../store/store.ts';
import { changeNode, findNode, nowOf, type FederationContext } from '../context.ts';
import type { Compared, Farewell, Node } from '../model.ts';
import { closeShares, abandonPairing, withLink } from './pairing-state.ts';
import type { RowHandover } from './row-handover.ts';
import { tokenEnd } from './token-life.ts';
import { BINNED_MAPPINGS, INVITES, MAPPINGS, SHARED_MODULES } from '../tables.ts';
import { said, type Words } from '../../words/said.ts';

/** Who of us compared the words, and with whom. */
export type Who = Pick<Compared, 'name' | 'spokeTo'>;

/** Ends connections and pairings. Rows that other partners send too continue from those. */
export class Disconnects {
  readonly #context: FederationContext;
  readonly #handover: RowHandover;

  constructor(context: FederationContext, handover: RowHandover) {
    this.#context = context;
    this.#handover = handover;
  }

  /**
   * Declines a partner's request, or gives our own up, and tells the partner. An existing connection stays; a record
   * without one is removed.
   */
  async decline(ourOrSharedID: string, by: string): Promise<void> {
    const before = await findNode(this.#context.system, ourOrSharedID);
    if (before.status !== 'paired' && (before.pairing?.was ?? 'pending') === 'pending') {
      await this.#endConnection(ourOrSharedID, by, true);
      return;
    }
    await changeNode(this.#context, before.nodeID, (current, tx) =>
      abandonPairing(this.#context.tokens, tx, current),
    );
    void this.#sendDecline(before);
  }

  /**
   * Ends the connection: revokes tokens, withdraws invites and shares, then tells the partner in the
   * background. If removing its rows fails, the next start repeats it.
   */
  revoke(
    ourOrSharedID: string,
    by: string,
    options?: Farewell & { readonly received?: 'keep' | 'remove' },
  ): Promise<Node> {
    return this.#endConnection(ourOrSharedID, by, false, options);
  }

  /** Ends the connection like {@link revoke}, and removes the partner's offers, mappings and record. */
  async remove(
    ourOrSharedID: string,
    by: string,
    options?: { readonly removeRequest?: boolean; readonly received?: 'keep' | 'remove' },
  ): Promise<void> {
    await this.#endConnection(ourOrSharedID, by, true, options);
  }

  /**
   * Sets a partner to `unpaired` because it seems to reject our token; {@link reconnect} undoes that. @param reason
   * is shown to our user
   */
  async markEnded(nodeID: string, reason: Words): Promise<Node> {
    return this.#recordEnd(nodeID, (current) => ({
      ...omit(current, 'endedByTime'),
      status: 'unpaired',
      problem: reason,
    }));
  }

  /**
   * Sets a partner to `unpaired` because its token expired by our clock. Its tokens stay, so that it can go on if the
   * clock was wrong.
   */
  async markEndedByTime(nodeID: string): Promise<Node> {
    return this.#recordEnd(nodeID, (current) => ({
      ...current,
      status: 'unpaired',
      problem: said('connection.time-up'),
      endedByTime: true,
    }));
  }

  /** Returns whether {@link reconnect} is possible: our token is still there and not expired. */
  canReconnect(node: Node): boolean {
    const { status, sealedToken, deletedAt } = node;
    if (status !== 'unpaired' || sealedToken === undefined || deletedAt !== undefined) return false;
    return (tokenEnd(node) ?? Infinity) > this.#context.clock.now();
  }

  /** Sets an ended connection to `paired` again with its token, if {@link canReconnect}. */
  reconnect(nodeID: string): Promise<Node> {
    return changeNode(this.#context, nodeID, (current) =>
      this.canReconnect(current) ? { ...omit(current, 'problem', 'endedByTime'), status: 'paired' } : current,
    );
  }

  /**
   * Records that the partner ended the connection and why: revokes its tokens and forgets ours. Its rows
   * stay, even if it asks us to delete them: our user decides.
   */
  async recordEndedByPartner(
    nodeID: string,
    { removeRequest = false, wordsDiffer = false }: Farewell = {},
  ): Promise<Node> {
    return this.#recordEnd(nodeID, async (current, tx) => {
      await this.#context.tokens.revoke(tx, nodeID);
      const left = omit(
        current,
        ...(['sealedToken', 'sealedBefore', 'tokenExpiresAt', 'pairing', 'endedByTime'] as const),
      );
      return {
        ...left,
        status: 'unpaired',
        problem: said(wordsDiffer ? 'connection.words-differed-there' : 'connection.they-ended'),
        ...(removeRequest ? { removeRequestedAt: nowOf(this.#context) } : {}),
      };
    });
  }

  /**
   * Stores that our user compared the verification words; if they differ, ends the connection (docs/pairing.md: What
   * is kept, and what it opens). Throws `words.others` (conflict) if `words` aren't the connection's present ones.
   * @param by the user's id
   */
  async recordWordsCompared(
    nodeID: string,
    words: string,
    same: boolean,
    by: string,
    who: Who = {},
  ): Promise<Node> {
    const noted = await changeNode(this.#context, nodeID, (node) => {
      if (node.status !== 'paired' || node.words !== words)
        throw new Refusal('conflict', 'words.others', said('pairing.other-words'));
      return same ? { ...node, wordsCompared: { by, at: nowOf(this.#context), ...who } } : node;
    });
    return same ? noted : this.revoke(nodeID, by, { wordsDiffer: true });
  }

  /**
   * Ends the connection as {@link revoke} says. @param removed also deletes the partner's offers, mappings and record
   */
  async #endConnection(
    ourOrSharedID: string,
    by: string,
    removed: boolean,
    {
      removeRequest = false,
      wordsDiffer = false,
      received,
    }: Farewell & { readonly received?: 'keep' | 'remove' } = {},
  ): Promise<Node> {
    const before = await findNode(this.#context.system, ourOrSharedID);
    const moduleIDs = await this.#handover.lists();
    const after = await changeNode(this.#context, before.nodeID, async (current, tx) => {
      this.#handover.schedule(tx, current.nodeID, moduleIDs, received);
      await withdrawAll(this.#context, tx, current.nodeID, by);
      if (removed) await forgetOffers(tx, current.nodeID);
      return {
        ...withoutConnection(current),
        updatedBy: by,
        ...(wordsDiffer
          ? { problem: said('connection.words-differed'), wordsDifferedAt: nowOf(this.#context) }
          : {}),
        ...(removeRequest ? { asksRemovalAt: nowOf(this.#context) } : {}),
        ...(removed ? { deletedAt: nowOf(this.#context) } : {}),
      };
    });
    if (before.sealedToken !== undefined)
      void this.#sayGoodbye(before, before.sealedToken, { removeRequest, wordsDiffer });
    void this.#sendDecline(before);
    await this.#handover.removeSource(before.nodeID, received ?? 'keep');
    return after;
  }

  /**
   * Stores the record that `ending` returns, and removes the partner as a source of rows, so that they continue from
   * other partners.
   */
  async #recordEnd(nodeID: string, ending: (current: Node, tx: Tx) => Node | Promise<Node>): Promise<Node> {
    const moduleIDs = await this.#handover.lists();
    const after = await changeNode(this.#context, nodeID, (current, tx) => {
      this.#handover.schedule(tx, nodeID, moduleIDs);
      return ending(current, tx);
    });
    await this.#handover.removeSource(nodeID);
    return after;
  }

  /** Tells a partner that used our invite and waits for approval that it is declined; does nothing for others. */
  async #sendDecline(before: Node): Promise<void> {
    const { pairing } = before;
    if (pairing?.as === 'inviter')
      await this.#sayGoodbye(withLink(before, pairing.link), pairing.sealedToken, {});
  }

  /** Tells the partner that the connection ended. Logs a failure and never rejects. */
  async #sayGoodbye(node: Node, sealedToken: string, farewell: Farewell): Promise<void> {
    try {
      await this.#context.calls.goodbye(node, {
        heldToken: await this.#context.secrets.open(sealedToken),
        ...farewell,
      });
    } catch (error) {
      this.#context.log.info(
        { err: error, nodeID: node.nodeID },
        'the partner could not be told that the connection ended',
      );
    }
  }
}

/**
 * Revokes the partner's tokens, withdraws its unused invites and ends its shares, as part of a transaction. @param by
 * the user's id
 */
export async function withdrawAll(
  context: Pick<FederationContext, 'clock' | 'tokens'>,
  tx: Tx,
  nodeID: string,
  by: string,
): Promise<void> {
  const now = nowOf(context);
  await context.tokens.revoke(tx, nodeID);
  for (const { key, value } of await tx.find(INVITES, 'node', nodeID)) {
    if (value.usedAt === undefined && value.withdrawnAt === undefined)
      tx.put(INVITES, key, { ...value, withdrawnAt: now });
  }
  await closeShares(tx, nodeID, { by, now });
}

/** Deletes the partner's offers and all mappings of them, including those of binned lists. */
async function forgetOffers(tx: Tx, nodeID: string): Promise<void> {
  for (const table of [MAPPINGS, BINNED_MAPPINGS])
    for (const { key } of await tx.find(table, 'node', nodeID)) tx.delete(table, key);
  for (const { key } of await tx.find(SHARED_MODULES, 'node', nodeID)) tx.delete(SHARED_MODULES, key);
}

/** Returns the partner's record as `unpaired`, without the connection's token, words, invite and pairing. */
export const withoutConnection = (node: Node): Node => ({
  ...omit(
    node,
    ...(['sealedToken', 'sealedBefore', 'tokenExpiresAt', 'words', 'wordsCompared'] as const),
    ...(['invite', 'problem', 'pairing', 'endedByTime'] as const),
  ),
  status: 'unpaired',
});
