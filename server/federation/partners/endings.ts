import { omit } from '../../base/omit.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Tx } from '../../store/store.ts';
import { changeNode, findNode, nowOf, type FederationContext } from '../context.ts';
import type { Compared, Farewell, Node } from '../model.ts';
import { closeShares, givenUp, withLink } from './pairing-state.ts';
import type { Partings } from './partings.ts';
import { endOfToken } from './token-life.ts';
import { BINNED_MAPPINGS, INVITES, MAPPINGS, SHARED_MODULES } from '../tables.ts';
import { said, type Words } from '../../words/said.ts';

/** Who spoke to whom, where our user said so. */
export type Who = Pick<Compared, 'name' | 'spokeTo'>;

/**
 * Ways in which a connection ends, or does not begin. What was received stays with the lists, for them to keep or remove;
 * rows that others bring too go on as those bring them.
 */
export class Endings {
  readonly #context: FederationContext;
  readonly #partings: Partings;

  constructor(context: FederationContext, partings: Partings) {
    this.#context = context;
    this.#partings = partings;
  }

  /**
   * Our user says no to a request to pair, or gives a pairing up: a connection that there was stays as it is; a record
   * that has stood for nothing else goes.
   */
  async decline(n: string, by: string): Promise<void> {
    const before = await findNode(this.#context.system, n);
    if (before.status !== 'paired' && (before.pairing?.was ?? 'pending') === 'pending') {
      await this.#end(n, by, true);
      return;
    }
    await changeNode(this.#context, before.nodeID, (current, tx) =>
      givenUp(this.#context.tokens, tx, current),
    );
    void this.#turnDown(before);
  }

  /**
   * Our user ends it: tokens, invites and shares are void from the next request on; the partner is told.
   * @param options.received what is to become of its rows with {@link release}; where that does not come about, the next
   * start sees to it
   */
  revoke(
    n: string,
    by: string,
    options?: Farewell & { readonly received?: 'keep' | 'remove' },
  ): Promise<Node> {
    return this.#end(n, by, false, options);
  }

  /**
   * As {@link revoke}, and the partner's record goes too, with what it offered.
   * @param options as of {@link revoke}
   */
  async remove(
    n: string,
    by: string,
    options?: { readonly removeRequest?: boolean; readonly received?: 'keep' | 'remove' },
  ): Promise<void> {
    await this.#end(n, by, true, options);
  }

  /**
   * The partner's token for us ended, as far as we can tell: pulls stop and feeds are closed until it is tried again
   * or both pair again. The token is kept for that. `reason` is shown.
   */
  async markEnded(nodeID: string, reason: Words): Promise<Node> {
    return this.#parted(nodeID, (current) => ({
      ...omit(current, 'endedByTime'),
      status: 'unpaired',
      problem: reason,
    }));
  }

  /** As {@link markEnded}, as its time is up by our clock; where that clock was wrong it can go on once it is right. */
  async markEndedByTime(nodeID: string): Promise<Node> {
    return this.#parted(nodeID, (current) => ({
      ...current,
      status: 'unpaired',
      problem: said('connection.time-up'),
      endedByTime: true,
    }));
  }

  /** Whether a connection that ended can be tried again: there is still a token for it, and its time is not up. */
  mayGoOn(node: Node): boolean {
    const { status, sealedToken, deletedAt } = node;
    if (status !== 'unpaired' || sealedToken === undefined || deletedAt !== undefined) return false;
    return (endOfToken(node) ?? Infinity) > this.#context.clock.now();
  }

  /** Our user wants a connection that seemed to have ended tried again with the token it had. */
  goOn(nodeID: string): Promise<Node> {
    return changeNode(this.#context, nodeID, (current) =>
      this.mayGoOn(current) ? { ...omit(current, 'problem', 'endedByTime'), status: 'paired' } : current,
    );
  }

  /** The partner ended it, may say why, and may ask us to remove its rows. */
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
   * Notes that the verification words are the same on both sides, and who says so (docs/pairing.md: What is kept, and
   * what it opens); or ends the connection at once, since somebody may sit in between, and tells the partner so. `words`
   * are those that were compared. @throws Refusal `conflict` when they are not the words of the connection any more
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

  async #withdrawAll(tx: Tx, nodeID: string, by: string): Promise<void> {
    const now = nowOf(this.#context);
    await this.#context.tokens.revoke(tx, nodeID);
    for (const { key, value } of await tx.find(INVITES, 'node', nodeID)) {
      if (value.usedAt === undefined && value.withdrawnAt === undefined)
        tx.put(INVITES, key, { ...value, withdrawnAt: now });
    }
    await closeShares(tx, nodeID, { by, now });
  }

  /** Ends it here first: what the partner hears or does not hear changes nothing. */
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
    const moduleIDs = await this.#partings.lists();
    const after = await changeNode(this.#context, before.nodeID, async (current, tx) => {
      this.#partings.owe(tx, current.nodeID, moduleIDs, received);
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
    await this.#partings.leave(before.nodeID, received ?? 'keep');
    return after;
  }

  /** Ends it as somebody else said; its rows go on as others bring them. */
  async #parted(nodeID: string, ending: (current: Node, tx: Tx) => Node | Promise<Node>): Promise<Node> {
    const moduleIDs = await this.#partings.lists();
    const after = await changeNode(this.#context, nodeID, (current, tx) => {
      this.#partings.owe(tx, nodeID, moduleIDs);
      return ending(current, tx);
    });
    await this.#partings.leave(nodeID);
    return after;
  }

  /** Tells somebody who asked to pair, and waits for our answer, that it is no. */
  async #turnDown(before: Node): Promise<void> {
    const { pairing } = before;
    if (pairing?.as === 'inviter')
      await this.#sayGoodbye(withLink(before, pairing.link), pairing.sealedToken, {});
  }

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

const ended = (node: Node): Node => ({
  ...omit(
    node,
    ...(['sealedToken', 'sealedBefore', 'tokenExpiresAt', 'words', 'wordsCompared'] as const),
    ...(['invite', 'problem', 'pairing', 'endedByTime'] as const),
  ),
  status: 'unpaired',
});
