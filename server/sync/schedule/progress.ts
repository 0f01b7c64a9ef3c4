import type { Clock } from '../../base/clock.ts';

export interface Progress {
  readonly nodeID: string;
  readonly moduleID: string;
  readonly listName: string;
  readonly done: number;
  readonly total?: number;
  readonly rowsPerSecond: number;
}

export interface ProgressMeter {
  readonly current: Progress | undefined;
  recordPage(list: { moduleID: string; name: string }, done: number, total: number | undefined): void;
  /** Reports the last progress, if any, and ends. */
  end(): void;
}

const REPORT_INTERVAL_MS = 250;

/**
 * Measures one partner's pulls, list by list; calls `onProgress` at most four times a second, and at the end of each
 * list.
 */
export function createProgressMeter(
  nodeID: string,
  clock: Pick<Clock, 'monotonic'>,
  onProgress: (progress: Progress) => void,
): ProgressMeter {
  let current: Progress | undefined;
  let began = 0;
  let reportedAt = 0;
  return {
    get current() {
      return current;
    },
    /** Records the rows of a list so far, and reports if due. Another list starts a new measurement. */
    recordPage({ moduleID, name }, done, total) {
      const now = clock.monotonic();
      if (current?.moduleID !== moduleID) {
        began = now;
        reportedAt = now - REPORT_INTERVAL_MS;
      }
      const seconds = Math.max(now - began, 1) / 1000;
      current = {
        nodeID,
        moduleID,
        listName: name,
        done,
        ...(total === undefined ? {} : { total: Math.max(total, done) }),
        rowsPerSecond: now === began ? 0 : Math.round(done / seconds),
      };
      if (now - reportedAt < REPORT_INTERVAL_MS) return;
      reportedAt = now;
      onProgress(current);
    },
    /** Reports the last progress, if any, and ends the measurement. */
    end() {
      if (current) onProgress(current);
      current = undefined;
    },
  };
}
