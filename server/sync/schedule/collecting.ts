import type { Node } from '../../federation/model.ts';
import { withLink } from '../../federation/partners/pairing-state.ts';
import { PartnerEndedError, RequestRefusedError } from '../../peer/guard/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { said } from '../../words/said.ts';
import { delay } from '../../base/delay.ts';
import type { OpenPartner, SyncFederation } from '../ports.ts';

export interface Collecting {
  stop(): Promise<void>;
}

const FIRST_PAUSE = 2_000;
const LONGEST_PAUSE = 30_000;

/** Consecutive answers "unknown pairing" after which the partner has forgotten it. */
const MAX_REFUSALS = 5;

/** Consecutive answers "pairing is over" after which it counts as such. */
const MIN_ENDED_ANSWERS = 2;

/** Returns whether a Footbridge has our request to pair, so that we must poll it for its approval. */
export function isToCollect({ pairing, deletedAt }: Node): boolean {
  return (
    pairing?.as === 'invitee' &&
    pairing.askedAt !== undefined &&
    pairing.link.footbridge &&
    deletedAt === undefined
  );
}

/**
 * Polls node A, as node B, for the result of a handshake, and completes or fails the pairing: A may not be able to
 * call us (docs/pairing.md: Transitions).
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

  /** Asks at growing intervals until there is a result; fails the pairing if A repeatedly says it is over. */
  async function collect(): Promise<void> {
    let refusals = 0;
    let endedAnswers = 0;
    for (let pause = FIRST_PAUSE; !signal.aborted; pause = Math.min(pause * 1.5, LONGEST_PAUSE)) {
      try {
        let state = await ask();
        refusals = 0;
        // A rejection with its own words may arrive first.
        if (state === 'ended' && ++endedAnswers >= MIN_ENDED_ANSWERS) state = await turnedDown();
        if (state === 'done') return;
      } catch (error) {
        refusals = isUnknownThere(error) ? refusals + 1 : 0;
        if (refusals >= MAX_REFUSALS && (await turnedDown().catch(() => 'waiting')) === 'done') return;
      }
      await delay(clock, pause, signal);
    }
  }

  /** Asks once, and completes the pairing if approved. Returns `done` if there is nothing more to ask. */
  async function ask(): Promise<'waiting' | 'ended' | 'done'> {
    const node = await federation.nodes.get(nodeID);
    if (!isToCollect(node) || !node.pairing) return 'done';
    const { sharedNodeID, proof } = await federation.handshakes.collectProof(nodeID);
    const peer = openPartner(withLink(node, node.pairing.link), undefined);
    try {
      const answer = await peer.footbridge?.collectPairing(sharedNodeID, proof, signal);
      if (answer?.state === 'ready') await federation.handshakes.completeCollected(nodeID, answer);
      return answer?.state === 'ready' ? 'done' : (answer?.state ?? 'waiting');
    } finally {
      await peer.close();
    }
  }

  /** Fails the pairing. */
  async function turnedDown(): Promise<'done'> {
    await federation.handshakes.recordDeclined(nodeID, NOT_WAITING);
    return 'done';
  }

  return {
    /** Stops polling; resolves once the last request has ended. */
    async stop() {
      controller.abort();
      await done;
    },
  };
}

/** Returns whether the partner answered that it doesn't know this pairing. */
function isUnknownThere(error: unknown): boolean {
  return error instanceof PartnerEndedError || (error instanceof RequestRefusedError && error.status === 404);
}

const NOT_WAITING = said('pairing.not-waiting');
