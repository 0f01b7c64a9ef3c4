import type { Link, Node } from '../../federation/model.ts';
import { withLink } from '../../federation/partners/pairing-state.ts';
import { TokenRejectedError } from '../../peer/guard/errors.ts';
import type { Clock } from '../../base/clock.ts';
import { said } from '../../words/said.ts';
import { delay } from '../../base/delay.ts';
import type { OpenPartner, SyncFederation } from '../ports.ts';

export interface Collecting {
  /** Resolves once a running request has ended. */
  stop(): Promise<void>;
}

const FIRST_PAUSE = 2_000;
const LONGEST_PAUSE = 30_000;

/** Consecutive "unknown pairing" answers that mean it is forgotten. */
const MAX_REFUSALS = 5;

/** Consecutive "pairing is over" answers that prove it. */
const MIN_ENDED_ANSWERS = 2;

/** Returns whether we wait for a Footbridge to approve our pairing request: it may be unable to call us. */
export function needsCollecting({ pairing, deletedAt }: Node): boolean {
  return (
    pairing?.as === 'invitee' &&
    pairing.askedAt !== undefined &&
    pairing.link.footbridge &&
    deletedAt === undefined
  );
}

/**
 * Polls in the background, ever more rarely, for the result of our pairing request. Completes the pairing, or fails it
 * once the inviter repeatedly says that it ended or is unknown (docs/pairing.md: Transitions).
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
  const done = pollUntilResult();

  /**
   * Polls, ever more rarely, until there is a result or it is stopped. Fails the pairing if it is repeatedly over or
   * unknown.
   */
  async function pollUntilResult(): Promise<void> {
    let refusals = 0;
    let endedAnswers = 0;
    for (let pause = FIRST_PAUSE; !signal.aborted; pause = Math.min(pause * 1.5, LONGEST_PAUSE)) {
      try {
        let state = await askOnce();
        refusals = state === 'unknown' ? refusals + 1 : 0;
        endedAnswers = state === 'ended' ? endedAnswers + 1 : 0;
        // A rejection with words may arrive first.
        if (endedAnswers >= MIN_ENDED_ANSWERS) state = await failPairing();
        if (refusals >= MAX_REFUSALS) state = await failPairing();
        if (state === 'done') return;
      } catch {
        refusals = endedAnswers = 0;
      }
      await delay(clock, pause, signal);
    }
  }

  /**
   * Asks the inviter once, and completes the pairing if it is ready. Returns `ended` or `unknown` if the inviter says
   * so, `done` if nothing more is to ask. Throws other errors.
   */
  async function askOnce(): Promise<'waiting' | 'ended' | 'unknown' | 'done'> {
    const node = await federation.nodes.get(nodeID);
    if (!needsCollecting(node) || !node.pairing) return 'done';
    const { sharedNodeID, proof, invite } = await federation.handshakes.collectProof(nodeID);
    const { link } = node.pairing;
    const peer = openPartner(withLink(node, link), undefined);
    try {
      // Without a pin, another program may answer at the inviter's address by now.
      if (invite !== undefined && !(await peer.isIssuer(invite))) return 'waiting';
      const answer = await peer.footbridge?.collectPairing(sharedNodeID, proof, signal);
      if (answer?.state === 'ready') await federation.handshakes.completeCollected(nodeID, answer);
      return answer?.state === 'ready' ? 'done' : (answer?.state ?? 'waiting');
    } catch (error) {
      if (isUnknownThere(error, link)) return 'unknown';
      throw error;
    } finally {
      await peer.close();
    }
  }

  /** Records that the partner no longer waits for us. */
  async function failPairing(): Promise<'done'> {
    await federation.handshakes.recordDeclined(nodeID, NOT_WAITING);
    return 'done';
  }

  return {
    /** Stops polling; resolves once a running request has ended. */
    async stop() {
      controller.abort();
      await done;
    },
  };
}

/** Returns whether the inviter doesn't know the pairing. Without a pin, something else may answer in its place. */
const isUnknownThere = (error: unknown, { certificate }: Link): boolean =>
  error instanceof TokenRejectedError && error.code === PAIRING_UNKNOWN && certificate !== undefined;

const PAIRING_UNKNOWN = 'pairing.proof';

const NOT_WAITING = said('pairing.not-waiting');
