import type { Logger } from 'pino';
import type { Clock } from '../../base/clock.ts';

/**
 * Remembers which partners asked for rows and do not read them, until they have read the answer to the same question.
 * Nothing of it is kept on disk: whoever still does not read is soon noticed again.
 */
export interface SlowReaders {
  /** Nothing of the answer to this question has left for a while, though its reader is there. */
  stalled(nodeID: string, question: string): void;
  /** The answer goes on, or has left whole. */
  resumed(nodeID: string, question: string): void;
  /** Since when answers stand: milliseconds since the epoch by our clock. */
  since(nodeID: string): number | undefined;
}

/** Questions of one partner that are remembered: it can write one path in any number of ways. */
const MAX_QUESTIONS = 100;

export function createSlowReaders(deps: {
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** It is another now whether the partner reads. */
  readonly onChange: (nodeID: string) => void;
}): SlowReaders {
  const standing = new Map<string, Map<string, number>>();
  return {
    stalled(nodeID, question) {
      deps.log.warn({ nodeID, question }, 'a partner asks for rows but does not read them');
      const questions = standing.get(nodeID) ?? new Map<string, number>();
      standing.set(nodeID, questions);
      if (!questions.has(question) && questions.size < MAX_QUESTIONS)
        questions.set(question, deps.clock.now());
      if (questions.size === 1) deps.onChange(nodeID);
    },
    resumed(nodeID, question) {
      const questions = standing.get(nodeID);
      if (questions?.delete(question) !== true || questions.size > 0) return;
      standing.delete(nodeID);
      deps.log.info({ nodeID }, 'a partner reads its rows again');
      deps.onChange(nodeID);
    },
    since(nodeID) {
      const times = standing.get(nodeID)?.values();
      return times && Math.min(...times);
    },
  };
}
