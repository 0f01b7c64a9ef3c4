import { shownFileName } from '../../base/file-names.ts';
import { dirname } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { said, type Words } from '../../words/said.ts';

/** A disconnected network drive may hang for hours. */
export interface SlowDriveGuard {
  runTimed<R>(
    path: string,
    work: (timeout: StepTimeout) => Promise<R>,
    ends: AbortSignal,
  ): Promise<R | { readonly waits: Words }>;
  /** Records a folder's drive: files of a slow drive wait together. */
  recordDrive(path: string, drive: number): void;
}

export interface StepTimeout {
  /** Restarts the time limit after a response. */
  readonly restart: () => void;
  /** Stops the time limit until `restart`: the drive responded and is idle. */
  readonly pause: () => void;
}

/** Enough for a sleeping disk. */
const TIMEOUT_MS = 15_000;
/** A hanging operation occupies one of Node's four I/O threads. */
const MAX_HANGING = 2;

/** Limits the use of slow drives: waits up to 15 seconds for each step, and starts nothing while two drives hang. */
export function createSlowDriveGuard(clock: Pick<Clock, 'after'>): SlowDriveGuard {
  const drives = new Map<string, number>();
  const hanging = new Set<string | number>();
  return {
    /** Records the drive of a file's folder, as all files of a slow drive wait together. */
    recordDrive(path, drive) {
      drives.set(dirname(path), drive);
    },
    /**
     * Runs a task and returns its result; throws its error. Otherwise says why it waits: its drive doesn't respond, or
     * didn't since an earlier task, two other drives hang, or `ends` aborts meanwhile. A started task runs on.
     */
    async runTimed(path, work, ends) {
      const drive = drives.get(dirname(path)) ?? dirname(path);
      const file = shownFileName(path);
      const unanswered = { waits: said('watched.no-answer', { file }) };
      if (hanging.has(drive)) return unanswered;
      if (hanging.size >= MAX_HANGING) return { waits: said('watched.none-asked', { file }) };
      return new Promise((resolve, reject) => {
        const giveUp = (): void => resolve(unanswered);
        /** Starts a timer, when it ends the drive counts as hanging; returns its cancellation. */
        const startTimer = (): (() => void) =>
          clock.after(TIMEOUT_MS, () => {
            hanging.add(drive);
            giveUp();
          });
        let cancel = startTimer();
        ends.addEventListener('abort', giveUp, { once: true });
        /** Cancels the timer, and takes the drive for responding. */
        const pauseTimer = (): void => {
          cancel();
          hanging.delete(drive);
        };
        /** Begins the time limit again, and takes the drive for responding. */
        const restartTimer = (): void => {
          pauseTimer();
          cancel = startTimer();
        };
        work({ restart: restartTimer, pause: pauseTimer })
          .then(resolve, reject)
          .finally(() => {
            pauseTimer();
            ends.removeEventListener('abort', giveUp);
          });
      });
    },
  };
}
