import { setTimeout } from 'node:timers/promises';
import type { FootbridgeCalls } from '../../peer/dialects/footbridge.ts';
import type { Clock } from '../../base/clock.ts';
import { pauseAfter } from './backoff.ts';
import { delay } from '../../base/delay.ts';
import type { RunRequest } from './pending-work.ts';

/** Seconds between two signs of life of the partner; never longer than the usual interval. */
const BEAT_SECONDS = 25;
/** The same where another connection watches the route. Below the 60 s after which proxies cut what is silent. */
const WATCHED_BEAT_SECONDS = 50;
/** Seconds for which one question stays open where both sides hear of each other meanwhile; partners accept no more. */
const HOLD_SECONDS = 900;
/** A partner that answers at once again and again is asked no more often than this. */
const MIN_BETWEEN = 300;
/** The HTTP client frees a connection some turns of the event loop after the answer. */
const FREE_AGAIN_MS = 20;

/** A long poll that runs until it is stopped. */
export interface Poller {
  /** The last question was answered: changes are told as they happen. */
  readonly healthy: boolean;
  stop(): void;
}

/**
 * Keeps a question open at another Footbridge and tells of its answers, so that a change arrives within a
 * second and costs nothing while there is none. The first answer only fetches where the partner stands: what
 * changed before that is for the pull that it sets off.
 */
export function startPoller(deps: {
  readonly calls: Pick<FootbridgeCalls, 'wait'>;
  readonly clock: Clock;
  readonly random: () => number;
  /** Milliseconds within which the partner is to answer, whether there is news or not. */
  readonly interval: () => number;
  /** The random name of our present run. */
  readonly run: string;
  /** The partner asks us as well: each side notices by its own question when the other is gone. */
  readonly isAsked: () => boolean;
  /** Another connection to the partner, or to its relay, is pinged: this one need not notice first that the route is dead. */
  readonly isWatched: () => boolean;
  /** Told with every answer: whether another program calls as us as well. */
  readonly onTwice: (twice: boolean) => void;
  /** What is to be pulled. */
  readonly onPoke: (request: RunRequest) => void;
  /** The partner answered that there is no news since its last answer. */
  readonly onQuiet: () => void;
  /** The partner did not answer as it should, after it did or at the first question. */
  readonly onLost: () => void;
}): Poller {
  const { calls, clock, random, onPoke, onQuiet, onLost } = deps;
  const controller = new AbortController();
  const { signal } = controller;
  const isStopped = (): boolean => signal.aborted;
  let healthy = false;
  /** A proxy that holds back the beginning of an answer keeps its signs of life from us. */
  let comeThrough = true;
  void poll();

  function patience(): number {
    const beat = deps.isWatched() ? WATCHED_BEAT_SECONDS : BEAT_SECONDS;
    return Math.max(1, Math.min(beat, Math.floor(deps.interval() / 1000)));
  }

  async function poll(): Promise<void> {
    let cursor: string | undefined;
    let failures = 0;
    while (!isStopped()) {
      const asked = clock.monotonic();
      const timeout = cursor === undefined ? 0 : patience();
      const hold = comeThrough && timeout > 0 && deps.isAsked() ? HOLD_SECONDS : undefined;
      let beats = 0;
      try {
        const poke = await calls.wait({ since: cursor, timeout, hold, run: deps.run }, signal, () => {
          beats++;
          onQuiet();
        });
        healthy = true;
        deps.onTwice(poke.twice === true);
        if (cursor === undefined || poke.structure) onPoke({});
        else if (poke.modules.length > 0) onPoke({ rowsOnly: true, only: new Set(poke.modules) });
        else onQuiet();
        cursor = poke.cursor;
        failures = 0;
        await delay(clock, MIN_BETWEEN - (clock.monotonic() - asked), signal);
        // Asked before the connection is free, the question would open another one.
        await setTimeout(FREE_AGAIN_MS);
      } catch {
        if (isStopped()) return;
        if (hold !== undefined && beats === 0) comeThrough = false;
        // What changes from now on is not told: what comes next finds out where the partner stands.
        cursor = undefined;
        failures++;
        healthy = false;
        // Whatever it was, a pull meets it as well and tells the user.
        if (failures === 1) onLost();
        await delay(clock, pauseAfter(failures, random()), signal);
      }
    }
  }

  return {
    get healthy() {
      return healthy;
    },
    stop: () => controller.abort(),
  };
}
