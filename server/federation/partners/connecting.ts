import { z } from 'zod';
import type { FederationContext } from '../context.ts';
import type { AcceptOptions, Invites } from './invites.ts';
import type { Node } from '../model.ts';
import type { PairingSteps } from './pairing.ts';
import { abandonPairing } from './pairing-state.ts';
import { NODES } from '../tables.ts';

export interface Connecting {
  /**
   * Accepts a pasted invite and asks its office to pair, once. On failure, deletes a new record, unless the
   * office may have heard of us. `by`: user id.
   * @throws as {@link Invites.accept}, {@link PairingSteps.pair}
   */
  connect(uri: string, options: AcceptOptions, by: string): Promise<Node>;
}

/**
 * Creates the service that pairs by a pasted invite in one step. A record made for a pairing that fails is deleted
 * again, unless the partner may have it.
 */
export function createConnecting(
  context: FederationContext,
  invites: Pick<Invites, 'inspect' | 'accept'>,
  pairing: Pick<PairingSteps, 'pair'>,
): Connecting {
  /**
   * Deletes a record that has no token, with its pairing's tokens, if the pairing failed, or is pending and the office
   * `hasNotHeard` of us. Announces it in any case.
   */
  async function deleteFailedPairing(nodeID: string, hasNotHeard: boolean): Promise<void> {
    await context.system.transaction(async (tx) => {
      const node = await tx.get(NODES, nodeID);
      const isOver = node?.status === 'failed' || (node?.status === 'pending' && hasNotHeard);
      if (!node || !isOver || node.sealedToken !== undefined) return;
      await abandonPairing(context.tokens, tx, node);
      tx.delete(NODES, nodeID);
    });
    context.notifyChanged({ kind: 'node', nodeID });
  }

  return {
    /**
     * Stores the invite and sends our request, unless that was sent before. If it fails, deletes a record made for it,
     * unless the partner may have it, and throws.
     */
    async connect(uri, options, by) {
      const { alreadyKnown } = await invites.inspect(uri);
      const accepted = await invites.accept(uri, options, by);
      const { nodeID, pairing: begun } = accepted;
      // They have the request already.
      if (begun?.as === 'invitee' && begun.askedAt !== undefined) return accepted;
      try {
        return await pairing.pair(nodeID);
      } catch (error) {
        if (alreadyKnown === undefined && options.nodeID === undefined)
          await deleteFailedPairing(nodeID, wasNotReached(error));
        throw error;
      }
    },
  };
}

/** Fail before any connection: the partner hasn't heard of us. */
const notReached = z.object({
  cause: z.union([
    z.object({ name: z.literal('AddressRefused') }),
    z.object({
      name: z.literal('PartnerUnreachable'),
      why: z.enum(['name', 'refused', 'certificate']),
    }),
  ]),
});

const wasNotReached = (error: unknown): boolean => notReached.safeParse(error).success;
