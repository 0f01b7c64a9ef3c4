import { omit } from '../../base/omit.ts';
import type { Tx } from '../../store/store.ts';
import { changeNode, findNode, nowOf, type FederationContext } from '../context.ts';
import type { Farewell, Node } from '../model.ts';
import { closeShares, givenUp, withLink } from './pairing-state.ts';
import type { Partings } from './partings.ts';
import { endOfToken } from './token-life.ts';
import { INVITES, MAPPINGS, SHARED_MODULES } from '../tables.ts';
import { said, type Words } from '../../words/said.ts';

/**
 * Ways in which a connection ends, or does not begin. What was received stays with the lists, for them to keep or remove;
 * rows that others bring too go on as those bring them.
 */
export interface Endings {
  /**
   * Our user says no to a request to pair, or gives a pairing up: a connection that there was stays as it is; a record
   * that has stood for nothing else goes.
   */
  decline(n: string, by: string): Promise<void>;
  /**
   * Our user ends it: tokens, invites and shares are void from the next request on; the partner is told.
   * @param options.received what is to become of its rows with {@link release}; where that does not come about, the next
   * start sees to it
   */
  revoke(
    n: string,
    by: string,
    options?: Farewell & { readonly received?: 'keep' | 'remove' },
  ): Promise<Node>;
  /**
   * As {@link revoke}, and the partner's record goes too, with what it offered.
   * @param options as of {@link revoke}
   */
  remove(
    n: string,
    by: string,
    options?: { readonly removeRequest?: boolean; readonly received?: 'keep' | 'remove' },
  ): Promise<void>;
  /** See {@link Partings.release}. */
  release: Partings['release'];
  /** See {@link Partings.leave}. */
  leave: Partings['leave'];
  /** See {@link Partings.catchUp}. */
  catchUp: Partings['catchUp'];
  /**
   * The partner's token for us ended, as far as we can tell: pulls stop and feeds are closed until it is tried again
   * or both pair again. The token is kept for that. `reason` is shown.
   */
  markEnded(nodeID: string, reason: Words): Promise<Node>;
  /** As {@link markEnded}, as its time is up by our clock; where that clock was wrong it can go on once it is right. */
  markEndedByTime(nodeID: string): Promise<Node>;
  /** Whether a connection that ended can be tried again: there is still a token for it, and its time is not up. */
  mayGoOn(node: Node): boolean;
  /** Our user wants a connection that seemed to have ended tried again with the token it had. */
  goOn(nodeID: string): Promise<Node>;
  /** The partner ended it, may say why, and may ask us to remove its rows. */
  endedByPartner(nodeID: string, farewell?: Farewell): Promise<Node>;
}

export function createEndings(context: FederationContext, partings: Partings): Endings {
  const { secrets, tokens, calls, log } = context;

  function mayGoOn(node: Node): boolean {
    const { status, sealedToken, deletedAt } = node;
    if (status !== 'unpaired' || sealedToken === undefined || deletedAt !== undefined) return false;
    return (endOfToken(node) ?? Infinity) > context.clock.now();
  }

  async function withdrawAll(tx: Tx, nodeID: string, by: string): Promise<void> {
    const now = nowOf(context);
    await tokens.revoke(tx, nodeID);
    for (const { key, value } of await tx.find(INVITES, 'node', nodeID)) {
      if (value.usedAt === undefined && value.withdrawnAt === undefined)
        tx.put(INVITES, key, { ...value, withdrawnAt: now });
    }
    await closeShares(tx, nodeID, by, now);
  }

  async function forgetOffers(tx: Tx, nodeID: string): Promise<void> {
    for (const { key } of await tx.find(MAPPINGS, 'node', nodeID)) tx.delete(MAPPINGS, key);
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

  /** Ends it here first: what the partner hears or does not hear changes nothing. */
  async function end(
    n: string,
    by: string,
    removed: boolean,
    {
      removeRequest = false,
      wordsDiffer = false,
      received,
    }: Farewell & { readonly received?: 'keep' | 'remove' } = {},
  ): Promise<Node> {
    const before = await findNode(context.system, n);
    const moduleIDs = await partings.lists();
    const after = await changeNode(context, before.nodeID, async (current, tx) => {
      partings.owe(tx, current.nodeID, moduleIDs, received);

      await withdrawAll(tx, current.nodeID, by);
      if (removed) await forgetOffers(tx, current.nodeID);
      return {
        ...ended(current),
        updatedBy: by,
        ...(wordsDiffer
          ? { problem: said('connection.words-differed'), wordsDifferedAt: nowOf(context) }
          : {}),
        ...(removeRequest ? { asksRemovalAt: nowOf(context) } : {}),
        ...(removed ? { deletedAt: nowOf(context) } : {}),
      };
    });
    if (before.sealedToken !== undefined)
      void sayGoodbye(before, before.sealedToken, { removeRequest, wordsDiffer });
    void turnDown(before);
    await partings.leave(before.nodeID, received ?? 'keep');
    return after;
  }

  /** Ends it as somebody else said; its rows go on as others bring them. */
  async function parted(
    nodeID: string,
    ending: (current: Node, tx: Tx) => Node | Promise<Node>,
  ): Promise<Node> {
    const moduleIDs = await partings.lists();
    const after = await changeNode(context, nodeID, (current, tx) => {
      partings.owe(tx, nodeID, moduleIDs);
      return ending(current, tx);
    });
    await partings.leave(nodeID);
    return after;
  }

  /** Tells somebody who asked to pair, and waits for our answer, that it is no. */
  async function turnDown(before: Node): Promise<void> {
    const { pairing } = before;
    if (pairing?.as === 'inviter') await sayGoodbye(withLink(before, pairing.link), pairing.sealedToken, {});
  }

  async function sayGoodbye(node: Node, sealedToken: string, farewell: Farewell): Promise<void> {
    try {
      await calls.goodbye(node, { heldToken: await secrets.open(sealedToken), ...farewell });
    } catch (error) {
      log.info(
        { err: error, nodeID: node.nodeID },
        'the partner could not be told that the connection ended',
      );
    }
  }

  return {
    async decline(n, by) {
      const before = await findNode(context.system, n);
      if (before.status !== 'paired' && (before.pairing?.was ?? 'pending') === 'pending') {
        await end(n, by, true);
        return;
      }
      await changeNode(context, before.nodeID, (current, tx) => givenUp(tokens, tx, current));
      void turnDown(before);
    },
    revoke: (n, by, options) => end(n, by, false, options),
    remove: async (n, by, options) => {
      await end(n, by, true, options);
    },
    leave: (...about) => partings.leave(...about),
    catchUp: () => partings.catchUp(),
    release: (...about) => partings.release(...about),
    async markEnded(nodeID, reason) {
      return parted(nodeID, (current) => ({
        ...omit(current, 'endedByTime'),
        status: 'unpaired',
        problem: reason,
      }));
    },
    async markEndedByTime(nodeID) {
      return parted(nodeID, (current) => ({
        ...current,
        status: 'unpaired',
        problem: said('connection.time-up'),
        endedByTime: true,
      }));
    },
    mayGoOn,
    goOn: (nodeID) =>
      changeNode(context, nodeID, (current) =>
        mayGoOn(current) ? { ...omit(current, 'problem', 'endedByTime'), status: 'paired' } : current,
      ),
    async endedByPartner(nodeID, { removeRequest = false, wordsDiffer = false } = {}) {
      return parted(nodeID, async (current, tx) => {
        await tokens.revoke(tx, nodeID);
        const left = omit(
          current,
          ...(['sealedToken', 'sealedBefore', 'tokenExpiresAt', 'pairing', 'endedByTime'] as const),
        );
        return {
          ...left,
          status: 'unpaired',
          problem: said(wordsDiffer ? 'connection.words-differed-there' : 'connection.they-ended'),
          ...(removeRequest ? { removeRequestedAt: nowOf(context) } : {}),
        };
      });
    },
  };
}
