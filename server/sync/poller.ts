import type { FootbridgeCalls } from '../peer/footbridge.ts';
import type { Clock } from '../store/clock.ts';
import { pauseAfter } from './backoff.ts';
import { rest } from './rest.ts';
import type { RunRequest } from './run-request.ts';

/** Seconds that the partner may hold an answer back. */
const PATIENCE = 50;
/** A partner that answers at once again and again is asked no more often than this. */
const LEAST_BETWEEN = 300;

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
  /** What is to be pulled. */
  readonly onPoke: (request: RunRequest) => void;
}): Poller {
  const { calls, clock, random, onPoke } = deps;
  const controller = new AbortController();
  const { signal } = controller;
  let healthy = false;
  void poll();

  async function poll(): Promise<void> {
    let cursor: string | undefined;
    let failures = 0;
    while (!signal.aborted) {
      const asked = clock.monotonic();
      try {
        const poke = await calls.wait(cursor, cursor === undefined ? 0 : PATIENCE, signal);
        if (cursor === undefined || poke.structure) onPoke({});
        else if (poke.modules.length > 0) onPoke({ rowsOnly: true, only: new Set(poke.modules) });
        cursor = poke.cursor;
        healthy = true;
        failures = 0;
        await rest(clock, LEAST_BETWEEN - (clock.monotonic() - asked), signal);
      } catch {
        // Whatever it was, the pulls meet it as well and tell the user.
        healthy = false;
        failures++;
        await rest(clock, pauseAfter(failures, random()), signal);
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
