import { join } from 'node:path';
import type { FolderPlace } from './disk.ts';
import { asStoreError, removeIfExists, writeAll } from './disk-steps.ts';
import { UNFINISHED } from '../engine/generations.ts';
import type { StoreError, Unwritable } from '../store.ts';

/** Follows whether the disk accepts writes. */
export interface DiskHealth {
  /** Since when and why it refuses; undefined while it doesn't. */
  now(): Unwritable | undefined;
  /** Records a failed write; ignores errors that aren't the disk's. */
  failed(error: StoreError): void;
  /** Records a write that worked. */
  recovered(): void;
  /** Stops probing; waits for a running probe. */
  close(): Promise<void>;
}

/** Nobody may have anything to save once there is room again. */
const PROBE_INTERVAL_MS = 5_000;
/** About the size of a usual change; a full disk may have room for a few bytes. */
const TRIED_WITH = Buffer.alloc(64 * 1024, '\n');

/**
 * Creates the record of whether the disk refuses writes. While it does, writes a test file every 5 seconds. @param
 * onChange called when refusals start, stop or have another reason
 */
export function createDiskHealth({ disk, clock, folder }: FolderPlace, onChange: () => void): DiskHealth {
  let refuses: Unwritable | undefined;
  let cancel: (() => void) | undefined;
  let trying: Promise<void> | undefined;
  let closed = false;

  /** Records a write that worked; cancels the probe, and calls `onChange` if the disk refused before. */
  const recovered = (): void => {
    cancel?.();
    cancel = undefined;
    if (!refuses) return;
    refuses = undefined;
    onChange();
  };
  /** Records a failed write of code `full`, `io` or `permission`, and schedules a probe. */
  const failed = ({ code }: StoreError): void => {
    if (closed || (code !== 'full' && code !== 'io' && code !== 'permission')) return;
    const isNews = refuses?.code !== code;
    refuses = { at: refuses?.at ?? new Date(clock.now()).toISOString(), code };
    cancel ??= clock.after(PROBE_INTERVAL_MS, () => {
      cancel = undefined;
      trying = probe({ disk, folder })
        .then(recovered, (error: unknown) => failed(asStoreError(error)))
        .finally(() => (trying = undefined));
    });
    if (isNews) onChange();
  };
  return {
    now: () => refuses,
    failed,
    recovered,
    /** Stops probing; resolves once a running probe has ended. */
    async close() {
      closed = true;
      cancel?.();
      await trying;
    },
  };
}

/** Writes 64 KiB to a file in the folder, fsynced, and removes it. Rejects with the disk's error. */
async function probe({ disk, folder }: Pick<FolderPlace, 'disk' | 'folder'>): Promise<void> {
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
    await removeIfExists(disk, path);
  }
}
