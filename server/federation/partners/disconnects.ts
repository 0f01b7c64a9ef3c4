import { isDerivedFromKey } from '../../base/installation-key.ts';
import { omit } from '../../base/omit.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Tx } from '../../store/store.ts';
import { changeNode, findNode, nowOf, type FederationContext } from '../context.ts';
import type { Asked, Compared, Farewell, Node } from '../model.ts';
import {
  findCrossedConnection,
  findEndedRecords,
  findRequestWay,
  isConnected,
  isEnded,
  isInUse,
  withDetailsOf,
} from './crossed-requests.ts';
import {
  abandonPairing,
  beginPairing,
  identityOf,
  outOfOrder,
  wasConnected,
  withdrawAll,
  withoutConnection,
} from './pairing-state.ts';
import type { RowHandover } from './row-handover.ts';
import { tokenEnd } from './token-life.ts';
import { firstModuleIDOf } from '../offers/known-offers.ts';
import { BINNED_MAPPINGS, FORMER_MAPPINGS, MAPPINGS, NODES, SHARED_MODULES } from '../tables.ts';
import { said, type Words } from '../../words/said.ts';

/** Who compared the words, and with whom. */
export type Who = Pick<Compared, 'name' | 'spokeTo'>;

/** Ends connections and pairings. Rows with other sources continue. */
export class Disconnects {
  readonly #context: FederationContext;
  readonly #handover: RowHandover;

  constructor(context: FederationContext, handover: RowHandover) {
    this.#context = context;
    this.#handover = handover;
  }

  /**
   * Declines a partner's request, or gives ours up, and tells the partner in the background. Removes a record that was
   * never connected; an existing or ended connection stays.
   */
  async declinePairing(ourOrSharedID: string, by: string): Promise<void> {
    const before = await findNode(this.#context.system, ourOrSharedID);
    if (!wasConnected({ was: before.pairing?.was ?? before.status })) {
      await this.#endConnection(ourOrSharedID, by, true);
      return;
    }
    let declined = before;
    await changeNode(this.#context, before.nodeID, (current, tx) => {
      // Its approval may have connected it, or the partner given it up.
      declined = current;
      return abandonPairing(this.#context.tokens, tx, current);
    });
    void this.#sendDecline(declined);
  }

  /**
   * Ends the connection: revokes tokens, withdraws invites and shares, then tells the partner in the background. The
   * partner's rows stay, or with `received: 'remove'` are deleted; if that fails, the next start repeats it.
   */
  revoke(
    ourOrSharedID: string,
    by: string,
    options?: Farewell & { readonly received?: 'keep' | 'remove' },
  ): Promise<Node> {
    return this.#endConnection(ourOrSharedID, by, false, options);
  }

  /**
   * Ends the connection like {@link revoke}, and deletes offers, mappings and, restorably, the record. `removeRequest`
   * asks the partner to remove our rows; `received` says whether its rows here stay or go.
   */
  async remove(
    ourOrSharedID: string,
    by: string,
    options?: { readonly removeRequest?: boolean; readonly received?: 'keep' | 'remove' },
  ): Promise<void> {
    await this.#endConnection(ourOrSharedID, by, true, options);
  }

  /**
   * Removes one of two connections with the same office, which both users approved at once: the one by the greater
   * installation id's invite, so that both offices choose the same. Keeps both if it is in use, the one not given is
   * paused, or one to be asked doesn't answer.
   * @param nodeID our id of the one that just answered
   * @param answers asks the partner with this id now, as it may have lost its data since an earlier answer, or just
   * begun to share
   */
  async endSecondConnection(nodeID: string, answers: (nodeID: string) => Promise<boolean>): Promise<void> {
    const node = await findNode(this.#context.system, nodeID);
    const other = isConnected(node) && (await findCrossedConnection(this.#context, node));
    // A call would end our user's pause.
    if (!other || other.paused !== undefined || !(await answers(other.nodeID))) return;
    const isOwnSmaller = this.#context.office.installation < (node.installation ?? '');
    const isKept = (node.role === 'inviter') === isOwnSmaller;
    const [kept, second] = isKept ? [node, other] : [other, node];
    /** Returns whether the second record is in use, or gone. */
    const isUsed = (): Promise<boolean> =>
      this.#context.system.transaction(async (tx) => {
        const current = await tx.get(NODES, second.nodeID);
        return current === undefined || isInUse(tx, current);
      });
    if (await isUsed()) return;
    if (second === node && (!(await answers(node.nodeID)) || (await isUsed()))) return;
    await this.#endConnection(second.nodeID, '0', true, { replacedBy: kept.nodeID });
  }

  /**
   * Removes, in turn, this newly connected record's former ones, except those whose rows our user still removes. Their
   * details move here, their rows become ours (recognised when sent again), their shares end.
   */
  async removeEndedRecords(nodeID: string): Promise<void> {
    const node = await findNode(this.#context.system, nodeID);
    for (const ended of await findEndedRecords(this.#context, node)) {
      if (await this.#handover.isRemovalPending(ended)) continue;
      await this.#endConnection(ended, '0', true, { received: 'keep', replacedBy: nodeID });
      await this.#handover.releaseRows(ended, 'keep');
    }
  }

  /**
   * Sets the partner `unpaired`, as it seems to reject our token, and removes it as a source: rows continue from
   * others. {@link reconnect} sets it `paired` again.
   */
  async markEnded(nodeID: string, reason: Words): Promise<Node> {
    return this.#recordEnd(nodeID, (current) => asEnded(omit(current, 'endedByTime'), reason));
  }

  /**
   * Sets the partner `unpaired` as its token expired by our clock, and removes it as a source: rows continue from
   * others. Tokens stay, as our clock may be wrong.
   */
  async markEndedByTime(nodeID: string): Promise<Node> {
    return this.#recordEnd(nodeID, (current) => ({
      ...asEnded(current, said('connection.time-up')),
      endedByTime: true,
    }));
  }

  /**
   * Returns whether an ended connection can go on, as its token is there and not expired; false for a connected or
   * removed partner. A pairing in progress must end first, unless only time ended the connection.
   */
  canReconnect(node: Node): boolean {
    const { status, sealedToken, deletedAt, pairing, endedByTime } = node;
    const hasEnded = status === 'unpaired' || (endedByTime === true && pairing?.was === 'unpaired');
    if (!hasEnded || sealedToken === undefined || deletedAt !== undefined) return false;
    return (tokenEnd(node) ?? Infinity) > this.#context.clock.now();
  }

  /** Pairs an ended connection again with its token; changes nothing unless {@link canReconnect}. */
  reconnect(nodeID: string): Promise<Node> {
    return changeNode(this.#context, nodeID, (current) => {
      if (!this.canReconnect(current)) return current;
      const { pairing, ...known } = omit(current, 'problem', 'endedByTime');
      return { ...known, status: 'paired', ...(pairing ? { pairing: { ...pairing, was: 'paired' } } : {}) };
    });
  }

  /**
   * Records that the partner ended the connection: revokes its tokens and forgets ours. Its rows stay, even if it asks
   * us to delete them: our user decides. Removes an unused second connection's record.
   * @param isNow as it ends, which gives up that record's own request; an end heard of later may be older
   */
  async recordEndedByPartner(
    nodeID: string,
    { removeRequest = false, wordsDiffer = false }: Farewell = {},
    isNow = false,
  ): Promise<Node> {
    const before = await findNode(this.#context.system, nodeID);
    const other = await findCrossedConnection(this.#context, before);
    return this.#recordEnd(nodeID, async (stored, tx, others) => {
      const isGivenUp = isNow && isOfConnection(stored);
      const current = isGivenUp ? await abandonPairing(this.#context.tokens, tx, stored) : stored;
      await this.#context.tokens.revokeConnection(tx, nodeID);
      const isPlainEnd = !removeRequest && !wordsDiffer && current.pairing === undefined;
      // The other may have ended meanwhile.
      const kept = other && (await tx.get(NODES, other.nodeID));
      if (kept && isConnected(kept) && isPlainEnd && !(await isInUse(tx, current))) {
        keepDetails(tx, kept, current, others);
        return { ...withoutConnection(current), deletedAt: nowOf(this.#context), replacedBy: kept.nodeID };
      }
      const left = omit(
        current,
        ...(['sealedToken', 'sealedBefore', 'tokenExpiresAt', 'endedByTime'] as const),
      );
      return {
        ...asEnded(left, said(wordsDiffer ? 'connection.words-differed-there' : 'connection.they-ended')),
        ...(removeRequest ? { removeRequestedAt: nowOf(this.#context) } : {}),
      };
    });
  }

  /**
   * If the verification words are the `same`, stores that our user compared them; else ends the connection and tells
   * the partner (docs/pairing.md: What is kept, and what it opens). Throws `words.others` (conflict) if `words` aren't
   * the connection's present ones.
   * @param by the user's id
   */
  async applyWordsComparison(
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
   * Ends the connection like {@link revoke}, and tells the partner in the background. Only with `replacedBy` throws
   * `conflict`: if it is in use, or the replacement isn't connected any more.
   * @param removed also deletes offers, mappings and record
   */
  async #endConnection(
    ourOrSharedID: string,
    by: string,
    removed: boolean,
    {
      removeRequest = false,
      wordsDiffer = false,
      received,
      replacedBy,
    }: Farewell & { readonly received?: 'keep' | 'remove'; readonly replacedBy?: string } = {},
  ): Promise<Node> {
    const before = await findNode(this.#context.system, ourOrSharedID);
    const moduleIDs = await this.#handover.lists();
    const after = await changeNode(this.#context, before.nodeID, async (current, tx, others) => {
      if (replacedBy !== undefined) {
        const kept = await tx.get(NODES, replacedBy);
        const isSecond = isConnected(current) && !(await isInUse(tx, current));
        if (!kept || !isConnected(kept) || !(isSecond || isEnded(current))) throw outOfOrder(current);
        keepDetails(tx, kept, current, others);
      }
      this.#handover.schedule(tx, current.nodeID, moduleIDs, received);
      await withdrawAll(this.#context.tokens, tx, current.nodeID, { by, now: nowOf(this.#context) });
      if (removed) await forgetOffers(tx, current, received !== 'remove');
      return {
        ...withoutConnection(current),
        updatedBy: by,
        ...(wordsDiffer
          ? { problem: said('connection.words-differed'), wordsDifferedAt: nowOf(this.#context) }
          : {}),
        ...(removeRequest ? { asksRemovalAt: nowOf(this.#context) } : {}),
        ...(removed ? { deletedAt: nowOf(this.#context) } : {}),
        ...(replacedBy === undefined ? {} : { replacedBy }),
      };
    });
    if (before.sealedToken !== undefined)
      void this.#sayGoodbye(before, before.sealedToken, { removeRequest, wordsDiffer });
    void this.#sendDecline(before);
    await this.#handover.removeSource(before.nodeID, received ?? 'keep');
    return after;
  }

  /**
   * Stores the record that `ending` returns, and then removes the partner as a source: rows continue from others. The
   * next start repeats that if it fails.
   */
  async #recordEnd(
    nodeID: string,
    ending: (current: Node, tx: Tx, others: string[]) => Node | Promise<Node>,
  ): Promise<Node> {
    const moduleIDs = await this.#handover.lists();
    const after = await changeNode(this.#context, nodeID, (current, tx, others) => {
      this.#handover.schedule(tx, nodeID, moduleIDs);
      return ending(current, tx, others);
    });
    await this.#handover.removeSource(nodeID);
    return after;
  }

  /**
   * Tells a partner that used our invite and waits for approval that it is declined; a no-op for others. Failures are
   * only logged.
   */
  async #sendDecline(before: Node): Promise<void> {
    const { pairing } = before;
    if (pairing?.as === 'inviter') await this.#sayGoodbye(before, pairing.sealedToken, {}, pairing);
  }

  /** Tells the partner that its connection, or requested pairing, ended. Failures are only logged. */
  async #sayGoodbye(node: Node, sealedToken: string, farewell: Farewell, asked?: Asked): Promise<void> {
    try {
      const way = asked ? await findRequestWay(this.#context, node, asked) : node;
      await this.#context.calls.goodbye(way, {
        heldToken: await this.#context.secrets.open(sealedToken),
        isDecline: asked !== undefined,
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

/** Returns whether a request came from the very record of the partner that the connection is with. */
function isOfConnection({ sharedNodeID, pairing, ...node }: Node): boolean {
  if (pairing?.as !== 'inviter' || pairing.link.sharedNodeID !== sharedNodeID) return false;
  return identityOf(pairing.link) === identityOf(node);
}

/** Returns the record as ended. A pairing in progress continues, as on an ended connection. */
function asEnded(node: Node, problem: Words): Node {
  const { pairing, ...known } = node;
  const ended: Node = { ...known, status: 'unpaired', problem };
  return pairing ? { ...beginPairing(ended, { ...pairing, was: 'unpaired' }), problem } : ended;
}

/**
 * Adds the removed record's contact details to the one that stays.
 * @param others gets the latter's id
 */
function keepDetails(tx: Tx, kept: Node, removed: Node, others: string[]): void {
  tx.put(NODES, kept.nodeID, withDetailsOf(kept, removed));
  others.push(kept.nodeID);
}

/**
 * Deletes the partner's offers and mappings, also of binned lists. If the rows are `kept`, mappings of key-proven
 * installations become former ones: the same office may share the same lists again.
 */
async function forgetOffers(tx: Tx, { nodeID }: Node, kept: boolean): Promise<void> {
  for (const table of [MAPPINGS, BINNED_MAPPINGS])
    for (const { key, value } of await tx.find(table, 'node', nodeID)) {
      tx.delete(table, key);
      const offer = await tx.get(SHARED_MODULES, value.federationModuleID);
      const { installation = '' } = offer ?? {};
      if (!kept || !offer || !isDerivedFromKey(installation)) continue;
      const externalFirstModuleID = firstModuleIDOf(offer);
      tx.put(FORMER_MAPPINGS, key, { ...value, installation, externalFirstModuleID });
    }
  for (const { key } of await tx.find(SHARED_MODULES, 'node', nodeID)) tx.delete(SHARED_MODULES, key);
}
