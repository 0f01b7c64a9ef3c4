import { join } from 'node:path';
import type { FolderPlace } from './disk.ts';
import { asStoreError, removeIfThere, writeAll } from './disk-steps.ts';
import { UNFINISHED } from '../engine/generations.ts';
import type { StoreError, Unwritable } from '../store.ts';

/** Remembers whether the disk takes what is to be saved. */
export interface Writability {
  /** Since when, and why, it does not; undefined while it does. */
  now(): Unwritable | undefined;
  /** Something could not be written. What is not the disk's doing counts for nothing. */
  failed(error: StoreError): void;
  /** Something was written. */
  worked(): void;
  /** Ends the trying, and waits for a try that is under way. */
  close(): Promise<void>;
}

/** Nobody may have anything to save when there is room again: so it is tried. */
const TRIED_EVERY = 5_000;
/** As much as a usual change takes with what belongs to it; a full disk may have room for a few bytes. */
const TRIED_WITH = Buffer.alloc(64 * 1024, '\n');

/** @param onChange told when the disk begins to refuse, and when it takes things again */
export function createWritability({ disk, clock, folder }: FolderPlace, onChange: () => void): Writability {
  let refuses: Unwritable | undefined;
  let cancel: (() => void) | undefined;
  let trying: Promise<void> | undefined;
  let closed = false;

  const worked = (): void => {
    cancel?.();
    cancel = undefined;
    if (!refuses) return;
    refuses = undefined;
    onChange();
  };
  const failed = ({ code }: StoreError): void => {
    if (closed || (code !== 'full' && code !== 'io' && code !== 'permission')) return;
    const isNews = refuses?.code !== code;
    refuses = { at: refuses?.at ?? new Date(clock.now()).toISOString(), code };
    cancel ??= clock.after(TRIED_EVERY, () => {
      cancel = undefined;
      trying = tryIt({ disk, folder })
        .then(worked, (error: unknown) => failed(asStoreError(error)))
        .finally(() => (trying = undefined));
    });
    if (isNews) onChange();
  };
  return {
    now: () => refuses,
    failed,
    worked,
    async close() {
      closed = true;
      cancel?.();
      await trying;
    },
  };
}

/** Writes a file of no meaning and removes it again. */
async function tryIt({ disk, folder }: Pick<FolderPlace, 'disk' | 'folder'>): Promise<void> {
  const path = join(folder, `room${UNFINISHED}`);
  try {
    const file = await disk.open(path, 'create');
    try {
      await writeAll(file, [TRIED_WITH], 0);
      await file.sync();
    } finally {
      await file.close();
    }
  } finally {
    await removeIfThere(disk, path);
  }
}
