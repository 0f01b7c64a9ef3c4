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

/**
 * Ends connections and pairings. Received rows stay or are removed, as chosen; rows that other partners send
 * too continue from those.
 */
export class Disconnects {
  readonly #context: FederationContext;
  readonly #handover: RowHandover;

  constructor(context: FederationContext, handover: RowHandover) {
    this.#context = context;
    this.#handover = handover;
  }

  /**
   * Declines a request to pair, or gives a pairing up, and tells a partner that waits for our answer, in the
   * background. An existing connection stays; a record that never had one is removed.
   */
  async decline(n: string, by: string): Promise<void> {
    const before = await findNode(this.#context.system, n);
    if (before.status !== 'paired' && (before.pairing?.was ?? 'pending') === 'pending') {
      await this.#endConnection(n, by, true);
      return;
    }
    await changeNode(this.#context, before.nodeID, (current, tx) =>
      abandonPairing(this.#context.tokens, tx, current),
    );
    void this.#sendDecline(before);
  }

  /**
   * Ends the connection as our user asked and returns the record: revokes tokens, withdraws invites and
   * shares in one transaction, then tells the partner in the background. Keeps received rows by default; if
   * removing fails, the next start repeats it.
   */
  revoke(
    n: string,
    by: string,
    options?: Farewell & { readonly received?: 'keep' | 'remove' },
  ): Promise<Node> {
    return this.#endConnection(n, by, false, options);
  }

  /**
   * Ends the connection like {@link revoke}, deletes the partner's offers and mappings and marks its record
   * as deleted.
   */
  async remove(
    n: string,
    by: string,
    options?: { readonly removeRequest?: boolean; readonly received?: 'keep' | 'remove' },
  ): Promise<void> {
    await this.#endConnection(n, by, true, options);
  }

  /**
   * Sets the partner to `unpaired` because it seems to reject our token: its rows continue from other
   * partners. Keeps the token for {@link reconnect}. @param reason shown to the user
   */
  async markEnded(nodeID: string, reason: Words): Promise<Node> {
    return this.#recordEnd(nodeID, (current) => ({
      ...omit(current, 'endedByTime'),
      status: 'unpaired',
      problem: reason,
    }));
  }

  /**
   * Sets the partner to `unpaired` because its token expired by our clock. Unlike {@link markEnded}, marks it
   * so that it can go on if the clock was wrong.
   */
  async markEndedByTime(nodeID: string): Promise<Node> {
    return this.#recordEnd(nodeID, (current) => ({
      ...current,
      status: 'unpaired',
      problem: said('connection.time-up'),
      endedByTime: true,
    }));
  }

  /**
   * Returns whether {@link reconnect} is possible: the connection ended, and its token is still there and not
   * expired.
   */
  canReconnect(node: Node): boolean {
    const { status, sealedToken, deletedAt } = node;
    if (status !== 'unpaired' || sealedToken === undefined || deletedAt !== undefined) return false;
    return (tokenEnd(node) ?? Infinity) > this.#context.clock.now();
  }

  /**
   * Sets an ended connection to `paired` again with the token that it had. Changes nothing unless {@link
   * canReconnect}.
   */
  reconnect(nodeID: string): Promise<Node> {
    return changeNode(this.#context, nodeID, (current) =>
      this.canReconnect(current) ? { ...omit(current, 'problem', 'endedByTime'), status: 'paired' } : current,
    );
  }

  /**
   * Records that the partner ended the connection: revokes its tokens, forgets ours and stores why. Its rows
   * continue from other partners, else stay, even if it asks us to delete them: our user decides.
   */
  async endedByPartner(
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
   * Stores that the verification words were compared and by whom; if they differ, ends the connection and
   * tells the partner (docs/pairing.md: What is kept, and what it opens). Throws `words.others` (conflict) if
   * `words` aren't those of a present connection.
   */
  async wordsCompared(
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

  /** Revokes the partner's tokens, withdraws its unused invites and ends its shares. */
  async #withdrawAll(tx: Tx, nodeID: string, by: string): Promise<void> {
    const now = nowOf(this.#context);
    await this.#context.tokens.revoke(tx, nodeID);
    for (const { key, value } of await tx.find(INVITES, 'node', nodeID)) {
      if (value.usedAt === undefined && value.withdrawnAt === undefined)
        tx.put(INVITES, key, { ...value, withdrawnAt: now });
    }
    await closeShares(tx, nodeID, { by, now });
  }

  /**
   * Ends the connection as {@link revoke} describes. @param removed also deletes its offers and marks the
   * record as deleted @param received what becomes of its rows
   */
  async #endConnection(
    n: string,
    by: string,
    removed: boolean,
    {
      removeRequest = false,
      wordsDiffer = false,
      received,
    }: Farewell & { readonly received?: 'keep' | 'remove' } = {},
  ): Promise<Node> {
    const before = await findNode(this.#context.system, n);
    const moduleIDs = await this.#handover.lists();
    const after = await changeNode(this.#context, before.nodeID, async (current, tx) => {
      this.#handover.schedule(tx, current.nodeID, moduleIDs, received);
      await this.#withdrawAll(tx, current.nodeID, by);
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
   * Changes the record as `ending` returns, for a connection that our user didn't end, and lets its rows
   * continue from other partners.
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

/** Deletes the partner's offers and all mappings of them, including those of binned lists. */
async function forgetOffers(tx: Tx, nodeID: string): Promise<void> {
  for (const table of [MAPPINGS, BINNED_MAPPINGS])
    for (const { key } of await tx.find(table, 'node', nodeID)) tx.delete(table, key);
  for (const { key } of await tx.find(SHARED_MODULES, 'node', nodeID)) tx.delete(SHARED_MODULES, key);
}

/** Returns the record as `unpaired`, without the connection's token, words, invite and pairing. */
const withoutConnection = (node: Node): Node => ({
  ...omit(
    node,
    ...(['sealedToken', 'sealedBefore', 'tokenExpiresAt', 'words', 'wordsCompared'] as const),
    ...(['invite', 'problem', 'pairing', 'endedByTime'] as const),
  ),
  status: 'unpaired',
});
