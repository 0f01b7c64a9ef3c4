import { setTimeout } from 'node:timers/promises';
import type { FootbridgeCalls } from '../../peer/dialects/footbridge.ts';
import type { Clock } from '../../base/clock.ts';
import { retryDelayMs } from './backoff.ts';
import { delay } from '../../base/delay.ts';
import type { RunRequest } from './pending-work.ts';

/** The partner's heartbeat in seconds, unless the usual interval is shorter. */
const BEAT_SECONDS = 25;
/** If another connection watches the route: below the 60 s after which proxies close silent ones. */
const WATCHED_BEAT_SECONDS = 50;
/** Seconds per long poll if both sides poll; partners accept no more. */
const HOLD_SECONDS = 900;
/** Milliseconds between polls answered at once. */
const MIN_BETWEEN = 300;
/** The HTTP client frees a connection some ticks after the answer. */
const FREE_AGAIN_MS = 20;

export interface Poller {
  /** The last poll was answered. */
  readonly healthy: boolean;
  /** Stops for good, and aborts the request. */
  stop(): void;
}

/**
 * Starts long polling until stopped. The first answer only gives the partner's position, so it causes a full pull.
 * Failures cause backoff, the first of several also `onLost`.
 */
export function startPoller(deps: {
  readonly calls: Pick<FootbridgeCalls, 'waitForChanges'>;
  readonly clock: Clock;
  readonly random: () => number;
  /** Milliseconds within which the partner must answer. */
  readonly interval: () => number;
  /** Random name of our run. */
  readonly run: string;
  /** The partner polls us too: each side notices when the other is gone. */
  readonly isAsked: () => boolean;
  /** Another connection shows whether the partner is reachable. */
  readonly isWatched: () => boolean;
  /** Receives with each answer whether another program calls as us. */
  readonly onTwice: (twice: boolean) => void;
  readonly onPoke: (request: RunRequest) => void;
  /** Nothing changed since the last answer. */
  readonly onQuiet: () => void;
  /** The partner stopped answering, or never did. */
  readonly onLost: () => void;
}): Poller {
  const { calls, clock, random, onPoke, onQuiet, onLost } = deps;
  const controller = new AbortController();
  const { signal } = controller;
  const isStopped = (): boolean => signal.aborted;
  let healthy = false;
  /** False behind a proxy that buffers answers, and so hides heartbeats. */
  let comeThrough = true;
  void pollUntilStopped();

  /**
   * Returns seconds for a poll: longer while another connection watches the route, and never above the pull interval.
   */
  function pollTimeoutSeconds(): number {
    const beat = deps.isWatched() ? WATCHED_BEAT_SECONDS : BEAT_SECONDS;
    return Math.max(1, Math.min(beat, Math.floor(deps.interval() / 1000)));
  }

  /**
   * Polls until stopped and passes announced changes to `onPoke`, with backoff after failures (the first calls
   * `onLost`); never rejects.
   */
  async function pollUntilStopped(): Promise<void> {
    let cursor: string | undefined;
    let failures = 0;
    while (!isStopped()) {
      const asked = clock.monotonic();
      const timeout = cursor === undefined ? 0 : pollTimeoutSeconds();
      const hold = comeThrough && timeout > 0 && deps.isAsked() ? HOLD_SECONDS : undefined;
      let beats = 0;
      try {
        const poke = await calls.waitForChanges(
          { since: cursor, timeout, hold, run: deps.run },
          signal,
          () => {
            beats++;
            onQuiet();
          },
        );
        healthy = true;
        deps.onTwice(poke.twice === true);
        if (cursor === undefined || poke.structure) onPoke({});
        else if (poke.modules.length > 0) onPoke({ rowsOnly: true, only: new Set(poke.modules) });
        else onQuiet();
        cursor = poke.cursor;
        failures = 0;
        await delay(clock, MIN_BETWEEN - (clock.monotonic() - asked), signal);
        // Earlier, the poll would open another connection.
        await setTimeout(FREE_AGAIN_MS);
      } catch {
        if (isStopped()) return;
        if (hold !== undefined && beats === 0) comeThrough = false;
        // Changes since were missed: the next answer gives only the position.
        cursor = undefined;
        failures++;
        healthy = false;
        // A pull meets and reports the same error.
        if (failures === 1) onLost();
        await delay(clock, retryDelayMs(failures, random()), signal);
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
