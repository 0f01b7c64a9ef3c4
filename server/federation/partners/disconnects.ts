import { omit } from '../../base/omit.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Tx } from '../../store/store.ts';
import { changeNode, findNode, nowOf, type FederationContext } from '../context.ts';
import type { Compared, Farewell, Node } from '../model.ts';
import { closeShares, abandoned, withLink } from './pairing-state.ts';
import type { RowHandover } from './row-handover.ts';
import { tokenEnd } from './token-life.ts';
import { BINNED_MAPPINGS, INVITES, MAPPINGS, SHARED_MODULES } from '../tables.ts';
import { said, type Words } from '../../words/said.ts';

/** Who spoke to whom, as our user said. */
export type Who = Pick<Compared, 'name' | 'spokeTo'>;

/**
 * Ends connections, or refuses them. Received rows stay in the lists, to be kept or removed; rows that other
 * partners bring too continue from those.
 */
export class Disconnects {
  readonly #context: FederationContext;
  readonly #handover: RowHandover;

  constructor(context: FederationContext, handover: RowHandover) {
    this.#context = context;
    this.#handover = handover;
  }

  /**
   * Declines a request to pair, or gives a pairing up: an existing connection stays; a record used for
   * nothing else is removed.
   */
  async decline(n: string, by: string): Promise<void> {
    const before = await findNode(this.#context.system, n);
    if (before.status !== 'paired' && (before.pairing?.was ?? 'pending') === 'pending') {
      await this.#end(n, by, true);
      return;
    }
    await changeNode(this.#context, before.nodeID, (current, tx) =>
      abandoned(this.#context.tokens, tx, current),
    );
    void this.#turnDown(before);
  }

  /**
   * Our user ends the connection: tokens, invites and shares are void from the next request on; the partner
   * is told. @param options.received what {@link release} will do with its rows; if that fails, the next
   * start does it
   */
  revoke(
    n: string,
    by: string,
    options?: Farewell & { readonly received?: 'keep' | 'remove' },
  ): Promise<Node> {
    return this.#end(n, by, false, options);
  }

  /** Like {@link revoke}, and removes the partner's record with its offers. @param options as of {@link revoke} */
  async remove(
    n: string,
    by: string,
    options?: { readonly removeRequest?: boolean; readonly received?: 'keep' | 'remove' },
  ): Promise<void> {
    await this.#end(n, by, true, options);
  }

  /**
   * Notes that the partner's token for us ended, as far as known: pulls stop and feeds close until it is
   * retried or both pair again. The token is kept for that. `reason` is shown.
   */
  async markEnded(nodeID: string, reason: Words): Promise<Node> {
    return this.#parted(nodeID, (current) => ({
      ...omit(current, 'endedByTime'),
      status: 'unpaired',
      problem: reason,
    }));
  }

  /** Like {@link markEnded}, for a token that expired by our clock; it can go on if that clock was wrong. */
  async markEndedByTime(nodeID: string): Promise<Node> {
    return this.#parted(nodeID, (current) => ({
      ...current,
      status: 'unpaired',
      problem: said('connection.time-up'),
      endedByTime: true,
    }));
  }

  /** Returns whether an ended connection can be retried: its token is still there and not expired. */
  canReconnect(node: Node): boolean {
    const { status, sealedToken, deletedAt } = node;
    if (status !== 'unpaired' || sealedToken === undefined || deletedAt !== undefined) return false;
    return (tokenEnd(node) ?? Infinity) > this.#context.clock.now();
  }

  /** Retries an ended connection with the token it had, as our user asked. */
  reconnect(nodeID: string): Promise<Node> {
    return changeNode(this.#context, nodeID, (current) =>
      this.canReconnect(current) ? { ...omit(current, 'problem', 'endedByTime'), status: 'paired' } : current,
    );
  }

  /** Records that the partner ended the connection; it may say why, or ask us to delete its rows. */
  async endedByPartner(
    nodeID: string,
    { removeRequest = false, wordsDiffer = false }: Farewell = {},
  ): Promise<Node> {
    return this.#parted(nodeID, async (current, tx) => {
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
   * Notes that the verification words are equal, and who says so (docs/pairing.md: What is kept, and what it
   * opens); or ends the connection at once, since somebody may be in between, and tells the partner. `words`
   * are those that were compared. @throws Refusal `conflict` if they are no longer the connection's words
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

  /** Revokes the partner's tokens, withdraws its open invites and ends its shares. */
  async #withdrawAll(tx: Tx, nodeID: string, by: string): Promise<void> {
    const now = nowOf(this.#context);
    await this.#context.tokens.revoke(tx, nodeID);
    for (const { key, value } of await tx.find(INVITES, 'node', nodeID)) {
      if (value.usedAt === undefined && value.withdrawnAt === undefined)
        tx.put(INVITES, key, { ...value, withdrawnAt: now });
    }
    await closeShares(tx, nodeID, { by, now });
  }

  /** Ends the connection here, then tells the partner without waiting for it. */
  async #end(
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
        ...ended(current),
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
    void this.#turnDown(before);
    await this.#handover.removeSource(before.nodeID, received ?? 'keep');
    return after;
  }

  /** Stores the end of a connection that our user didn't end; its rows continue from other partners. */
  async #parted(nodeID: string, ending: (current: Node, tx: Tx) => Node | Promise<Node>): Promise<Node> {
    const moduleIDs = await this.#handover.lists();
    const after = await changeNode(this.#context, nodeID, (current, tx) => {
      this.#handover.schedule(tx, nodeID, moduleIDs);
      return ending(current, tx);
    });
    await this.#handover.removeSource(nodeID);
    return after;
  }

  /** Tells a side that asked to pair, and waits, that it is declined. */
  async #turnDown(before: Node): Promise<void> {
    const { pairing } = before;
    if (pairing?.as === 'inviter')
      await this.#sayGoodbye(withLink(before, pairing.link), pairing.sealedToken, {});
  }

  /** Tells the partner that the connection ended. Never rejects. */
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

async function forgetOffers(tx: Tx, nodeID: string): Promise<void> {
  for (const table of [MAPPINGS, BINNED_MAPPINGS])
    for (const { key } of await tx.find(table, 'node', nodeID)) tx.delete(table, key);
  for (const { key } of await tx.find(SHARED_MODULES, 'node', nodeID)) tx.delete(SHARED_MODULES, key);
}

/** Returns the record without the connection's token, words, invite and pairing. */
const ended = (node: Node): Node => ({
  ...omit(
    node,
    ...(['sealedToken', 'sealedBefore', 'tokenExpiresAt', 'words', 'wordsCompared'] as const),
    ...(['invite', 'problem', 'pairing', 'endedByTime'] as const),
  ),
  status: 'unpaired',
});
