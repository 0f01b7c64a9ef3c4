import type { Logger } from 'pino';
import type { Clock } from '../../base/clock.ts';

/** Remembers, in memory, partners that request rows and don't read the answer. */
export interface SlowReaders {
  stalled(nodeID: string, question: string): void;
  /** The stalled answer is read again, or over. */
  resumed(nodeID: string, question: string): void;
  since(nodeID: string): number | undefined;
}

/** Bound per partner, as a path can be spelled in many ways. */
const MAX_QUESTIONS = 100;

/** Creates the record of slow readers. A partner counts as one while any answer to it is stalled. */
export function createSlowReaders(deps: {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** Called when a partner starts or stops being a slow reader. */
  readonly onChange: (nodeID: string) => void;
}): SlowReaders {
  const standing = new Map<string, Map<string, number>>();
  return {
    /** Records that an answer is stalled, up to {@link MAX_QUESTIONS} a partner; `onChange` for its first. */
    stalled(nodeID, question) {
      deps.log.warn({ nodeID, question }, 'a partner asks for rows but does not read them');
      const questions = standing.get(nodeID) ?? new Map<string, number>();
      standing.set(nodeID, questions);
      if (!questions.has(question) && questions.size < MAX_QUESTIONS)
        questions.set(question, deps.clock.now());
      if (questions.size === 1) deps.onChange(nodeID);
    },
    /** Removes a stalled answer; logs it and calls `onChange` if it was the partner's last one. */
    resumed(nodeID, question) {
      const questions = standing.get(nodeID);
      if (questions?.delete(question) !== true || questions.size > 0) return;
      standing.delete(nodeID);
      deps.log.info({ nodeID }, 'a partner reads its rows again');
      deps.onChange(nodeID);
    },
    /** Returns when the partner's first stalled answer stalled, in milliseconds since the epoch. */
    since(nodeID) {
      const times = standing.get(nodeID)?.values();
      return times && Math.min(...times);
    },
  };
}
