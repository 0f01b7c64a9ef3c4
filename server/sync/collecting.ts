import type { Node } from '../federation/model.ts';
import type { Clock } from '../store/clock.ts';
import { rest } from './rest.ts';
import type { OpenPartner, SyncFederation } from './ports.ts';

/** Asking again and again what became of a handshake that we began. */
export interface Collecting {
  stop(): Promise<void>;
}

const FIRST_PAUSE = 2_000;
const LONGEST_PAUSE = 30_000;

/** Whether this partner is one whose yes we wait for, and who tells it when asked. */
export function isToCollect(node: Node): boolean {
  return (
    node.status === 'pair_requested' &&
    node.role === 'invitee' &&
    node.footbridge &&
    node.deletedAt === undefined
  );
}

/**
 * As node B of a handshake between Footbridges, asks node A for the result, since A may not be able to call us
 * (design §6). Ends when the pair is complete, by whichever way, or was turned down.
 */
export function startCollecting(
  nodeID: string,
  deps: {
    readonly federation: Pick<SyncFederation, 'nodes'>;
    readonly openPartner: OpenPartner;
    readonly clock: Clock;
  },
): Collecting {
  const { federation, openPartner, clock } = deps;
  const controller = new AbortController();
  const { signal } = controller;
  const done = collect();

  async function collect(): Promise<void> {
    for (let pause = FIRST_PAUSE; !signal.aborted; pause = Math.min(pause * 1.5, LONGEST_PAUSE)) {
      const isOver = await ask().catch(() => false);
      if (isOver) return;
      await rest(clock, pause, signal);
    }
  }

  /** @returns whether there is nothing more to ask */
  async function ask(): Promise<boolean> {
    const node = await federation.nodes.get(nodeID);
    if (!isToCollect(node)) return true;
    const { sharedNodeID, proof } = await federation.nodes.collectProof(nodeID);
    const peer = openPartner(node, undefined);
    try {
      const answer = await peer.footbridge?.collect(sharedNodeID, proof, signal);
      if (answer?.state === 'ready') await federation.nodes.complete(node, answer.token, { fetched: true });
      if (answer?.state === 'ended') {
        await federation.nodes.markEnded(nodeID, `${node.name} did not confirm. Ask for a new invite.`);
      }
      return answer !== undefined && answer.state !== 'waiting';
    } finally {
      await peer.close();
    }
  }

  return {
    async stop() {
      controller.abort();
      await done;
    },
  };
}
