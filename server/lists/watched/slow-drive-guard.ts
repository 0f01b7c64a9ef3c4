import { shownFileName } from '../../base/file-names.ts';
import { dirname } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { said, type Words } from '../../words/said.ts';

/** Limits how long file operations wait: a disconnected network drive may not respond for hours. */
export interface SlowDriveGuard {
  /**
   * Returns the result of a task, or why it waits: its drive doesn't respond, or hasn't responded since an
   * earlier task. @param work reports progress through its argument if it takes long
   */
  of<R>(
    path: string,
    work: (patience: StepTimeout) => Promise<R>,
    ends: AbortSignal,
  ): Promise<R | { readonly waits: Words }>;
  /** Records the drive of a file, so that all files of a slow drive wait together. */
  isOn(path: string, drive: number): void;
}

/** Lets a task report progress. */
export interface StepTimeout {
  /** The drive responded and the task continues: the time limit starts again. */
  readonly goesOn: () => void;
  /** The drive responded and isn't used until {@link StepTimeout.goesOn}, while the task prepares data. */
  readonly rests: () => void;
}

/** More than a sleeping disk needs to wake up. */
const TIMEOUT_MS = 15_000;
/** Every pending file operation occupies one of the four I/O threads of Node.js. */
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
