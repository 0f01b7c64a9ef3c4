import type { Logger } from 'pino';
import type { Clock } from '../../base/clock.ts';

/** Remembers, in memory, partners that don't read requested rows. */
export interface SlowReaders {
  /** Notes and logs that a partner doesn't read an answer; calls `onChange` at its first. */
  recordStalled(nodeID: string, question: string): void;
  /** Notes that a stalled answer resumed or ended. */
  recordResumed(nodeID: string, question: string): void;
  stalledSince(nodeID: string): number | undefined;
}

/** Per partner: spellings of a path are countless. */
const MAX_QUESTIONS = 100;

/**
 * Creates the record. A partner counts as a slow reader while any answer to it is stalled; start and end are logged.
 */
export function createSlowReaders(deps: {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** A partner starts or stops being one. */
  readonly onChange: (nodeID: string) => void;
}): SlowReaders {
  const standing = new Map<string, Map<string, number>>();
  return {
    /**
     * Logs a stalled answer, and records it up to a limit for each partner. Calls `onChange` while it is the only one.
     */
    recordStalled(nodeID, question) {
      deps.log.warn({ nodeID, question }, 'a partner asks for rows but does not read them');
      const questions = standing.get(nodeID) ?? new Map<string, number>();
      standing.set(nodeID, questions);
      if (!questions.has(question) && questions.size < MAX_QUESTIONS)
        questions.set(question, deps.clock.now());
      if (questions.size === 1) deps.onChange(nodeID);
    },
    /** Ends a stalled answer; the last logs that and calls `onChange`. */
    recordResumed(nodeID, question) {
      const questions = standing.get(nodeID);
      if (questions?.delete(question) !== true || questions.size > 0) return;
      standing.delete(nodeID);
      deps.log.info({ nodeID }, 'a partner reads its rows again');
      deps.onChange(nodeID);
    },
    /** Returns when its first stalled answer stalled, in milliseconds since the epoch; undefined without one. */
    stalledSince(nodeID) {
      const times = standing.get(nodeID)?.values();
      return times && Math.min(...times);
    },
  };
}
