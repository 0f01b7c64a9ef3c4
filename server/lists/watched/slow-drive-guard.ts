import { shownFileName } from '../../base/file-names.ts';
import { dirname } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { said, type Words } from '../../words/said.ts';

/**
 * Asks drives of files, and waits for none for ever: a drive of a network that is gone may answer nothing for hours, not
 * even that it is gone.
 */
export interface SlowDriveGuard {
  /**
   * What comes of the work; or why nothing does now, where its drive does not answer, or did not before and has not since.
   * @param work is told how to say that the drive answers, for what takes long
   */
  of<R>(
    path: string,
    work: (patience: StepTimeout) => Promise<R>,
    ends: AbortSignal,
  ): Promise<R | { readonly waits: Words }>;
  /** On which drive a file was found, so that all of a drive's files are known to wait when one of them does. */
  isOn(path: string, drive: number): void;
}

/** What work says of itself while it lasts. */
export interface StepTimeout {
  /** The drive answered, and is asked for more. */
  readonly goesOn: () => void;
  /** The drive answered, and is asked for nothing until it {@link StepTimeout.goesOn goes on}: what is to be written is being made. */
  readonly rests: () => void;
}

/** A disk that was asleep takes less. */
const TIMEOUT_MS = 15_000;
/** Whatever waits for a drive takes one of the four threads by which this program reads and writes anything. */
const MAX_HANGING = 2;

export function createSlowDriveGuard(clock: Pick<Clock, 'after'>): SlowDriveGuard {
  const drives = new Map<string, number>();
  const hanging = new Set<string | number>();
  return {
    isOn(path, drive) {
      drives.set(dirname(path), drive);
    },
    async of(path, work, ends) {
      const drive = drives.get(dirname(path)) ?? dirname(path);
      const file = shownFileName(path);
      const unanswered = { waits: said('watched.no-answer', { file }) };
      if (hanging.has(drive)) return unanswered;
      if (hanging.size >= MAX_HANGING) return { waits: said('watched.none-asked', { file }) };
      return new Promise((resolve, reject) => {
        const giveUp = (): void => resolve(unanswered);
        const wait = (): (() => void) =>
          clock.after(TIMEOUT_MS, () => {
            hanging.add(drive);
            giveUp();
          });
        let cancel = wait();
        ends.addEventListener('abort', giveUp, { once: true });
        const rests = (): void => {
          cancel();
          hanging.delete(drive);
        };
        const goesOn = (): void => {
          rests();
          cancel = wait();
        };
        work({ goesOn, rests })
          .then(resolve, reject)
          .finally(() => {
            rests();
            ends.removeEventListener('abort', giveUp);
          });
      });
    },
  };
}
