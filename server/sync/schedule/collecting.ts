import type { Node } from '../../federation/model.ts';
import { withLink } from '../../federation/partners/pairing-state.ts';
import { PartnerEndedError, RequestRefusedError } from '../../peer/guard/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { said } from '../../words/said.ts';
import { delay } from '../../base/delay.ts';
import type { OpenPartner, SyncFederation } from '../ports.ts';

/** Asking again and again what became of a handshake that we began. */
export interface Collecting {
  stop(): Promise<void>;
}

const FIRST_PAUSE = 2_000;
const LONGEST_PAUSE = 30_000;

/** So many times in a row that it does not know of a pairing: the partner has forgotten it, and its yes never comes. */
const MAX_REFUSALS = 5;

/** So many times the partner says that the pairing is over, before we go by that. */
const MAX_ENDINGS = 2;

/** Whether this partner is one whose yes we wait for, and who tells it when asked. */
export function isToCollect({ pairing, deletedAt }: Node): boolean {
  return (
    pairing?.as === 'invitee' &&
    pairing.askedAt !== undefined &&
    pairing.link.footbridge &&
    deletedAt === undefined
  );
}

/**
 * As node B of a handshake between Footbridges, asks node A for the result, since A may not be able to call us
 * (docs/pairing.md: Transitions). Ends when the pair is complete, by whichever way, or was turned down.
 */
export function startCollecting(
  nodeID: string,
  deps: {
    readonly federation: Pick<SyncFederation, 'nodes' | 'handshakes'>;
    readonly openPartner: OpenPartner;
    readonly clock: Clock;
  },
): Collecting {
  const { federation, openPartner, clock } = deps;
  const controller = new AbortController();
  const { signal } = controller;
  const done = collect();

  async function collect(): Promise<void> {
    let refusals = 0;
    let endings = 0;
    for (let pause = FIRST_PAUSE; !signal.aborted; pause = Math.min(pause * 1.5, LONGEST_PAUSE)) {
      try {
        let state = await ask();
        refusals = 0;
        // A no is on its way by itself, and says so; what is left after a while is told in words that fit the rest too.
        if (state === 'ended' && ++endings >= MAX_ENDINGS) state = await turnedDown();
        if (state === 'done') return;
      } catch (error) {
        refusals = isUnknownThere(error) ? refusals + 1 : 0;
        if (refusals >= MAX_REFUSALS && (await turnedDown().catch(() => 'waiting')) === 'done') return;
      }
      await delay(clock, pause, signal);
    }
  }

  /** @returns `done`: there is nothing more to ask */
  async function ask(): Promise<'waiting' | 'ended' | 'done'> {
    const node = await federation.nodes.get(nodeID);
    if (!isToCollect(node) || !node.pairing) return 'done';
    const { sharedNodeID, proof } = await federation.handshakes.collectProof(nodeID);
    const peer = openPartner(withLink(node, node.pairing.link), undefined);
    try {
      const answer = await peer.footbridge?.collect(sharedNodeID, proof, signal);
      if (answer?.state === 'ready') await federation.handshakes.collected(nodeID, answer);
      return answer?.state === 'ready' ? 'done' : (answer?.state ?? 'waiting');
    } finally {
      await peer.close();
    }
  }

  async function turnedDown(): Promise<'done'> {
    await federation.handshakes.turnedDown(nodeID, NOT_WAITING);
    return 'done';
  }

  return {
    async stop() {
      controller.abort();
      await done;
    },
  };
}

/** The partner answered, and does not know of this pairing: its data went back to an earlier time, or it is another one. */
function isUnknownThere(error: unknown): boolean {
  return error instanceof PartnerEndedError || (error instanceof RequestRefusedError && error.status === 404);
}

const NOT_WAITING = said('pairing.not-waiting');
