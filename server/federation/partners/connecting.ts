import { z } from 'zod';
import type { FederationContext } from '../context.ts';
import type { AcceptOptions, Invites } from './invites.ts';
import type { Node } from '../model.ts';
import type { PairingSteps } from './pairing.ts';
import { abandonPairing } from './pairing-state.ts';
import { NODES } from '../tables.ts';

export interface Connecting {
  /** Accepts an invite and asks its office. @throws as {@link Invites.accept}, {@link PairingSteps.pair} */
  connect(uri: string, options: AcceptOptions, by: string): Promise<Node>;
}

/** Creates the service that accepts an invite and pairs in one step. */
export function createConnecting(
  context: FederationContext,
  invites: Pick<Invites, 'check' | 'accept'>,
  pairing: Pick<PairingSteps, 'pair'>,
): Connecting {
  /**
   * Deletes a partner's record if it has no token and its pairing failed or, with `hasNotHeard`, is pending: then the
   * office never heard of us.
   */
  async function deleteUnlessHeardOf(nodeID: string, hasNotHeard: boolean): Promise<void> {
    await context.system.transaction(async (tx) => {
      const node = await tx.get(NODES, nodeID);
      const isOver = node?.status === 'failed' || (node?.status === 'pending' && hasNotHeard);
      if (!node || !isOver || node.sealedToken !== undefined) return;
      await abandonPairing(context.tokens, tx, node);
      tx.delete(NODES, nodeID);
    });
    context.changed({ kind: 'node', nodeID });
  }

  return {
    /**
     * Accepts a pasted invite and asks its office to pair, unless it was asked already. Returns the partner's record.
     * If asking fails, a record made for this is deleted, unless the office may have heard of us. Throws as
     * {@link Invites.accept} and {@link PairingSteps.pair} do. @param by the user's id
     */
    async connect(uri, options, by) {
      const { alreadyKnown } = await invites.check(uri);
      const accepted = await invites.accept(uri, options, by);
      const { nodeID, pairing: begun } = accepted;
      // They have the request already and decide.
      if (begun?.as === 'invitee' && begun.askedAt !== undefined) return accepted;
      try {
        return await pairing.pair(nodeID);
      } catch (error) {
        if (alreadyKnown === undefined && options.nodeID === undefined)
          await deleteUnlessHeardOf(nodeID, wasNotReached(error));
        throw error;
      }
    },
  };
}

/** Failures before any connection: the partner can't have heard of us. */
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
