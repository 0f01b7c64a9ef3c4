import { join } from 'node:path';
import type { FolderPlace } from './disk.ts';
import { asStoreError, removeIfExists, writeAll } from './disk-steps.ts';
import { UNFINISHED } from '../engine/generations.ts';
import type { StoreError, Unwritable } from '../store.ts';

export interface DiskHealth {
  /** Returns since when and why writes are refused, if so. */
  now(): Unwritable | undefined;
  /** Records a failure and schedules a probe; ignores codes other than `full`, `io` and `permission`. */
  recordFailure(error: StoreError): void;
  /** Cancels the probe. Ends any refusal, then calling `onChange`. */
  recordSuccess(): void;
  /** Ends probing, after a running probe. */
  close(): Promise<void>;
}

const PROBE_INTERVAL_MS = 5_000;
/** A full disk may fit a few bytes. */
const PROBE_BYTES = Buffer.alloc(64 * 1024, '\n');

/**
 * Records whether the disk refuses writes; while it does, writes a test file every 5 seconds. Calls `onChange` when
 * refusals start, stop or change their reason.
 */
export function createDiskHealth({ disk, clock, folder }: FolderPlace, onChange: () => void): DiskHealth {
  let refuses: Unwritable | undefined;
  let cancel: (() => void) | undefined;
  let probing: Promise<void> | undefined;
  let closed = false;

  /** Cancels the probe. Ends a refusal, if there is one, and then calls `onChange`. */
  const recordSuccess = (): void => {
    cancel?.();
    cancel = undefined;
    if (!refuses) return;
    refuses = undefined;
    onChange();
  };
  /**
   * Records a refusal by a full, failing or read-only disk, and probes it later; calls `onChange` if the reason is new.
   * Ignores other errors.
   */
  const recordFailure = ({ code }: StoreError): void => {
    if (closed || (code !== 'full' && code !== 'io' && code !== 'permission')) return;
    const isNews = refuses?.code !== code;
    refuses = { at: refuses?.at ?? new Date(clock.now()).toISOString(), code };
    cancel ??= clock.after(PROBE_INTERVAL_MS, () => {
      cancel = undefined;
      probing = probeDisk({ disk, folder })
        .then(recordSuccess, (error: unknown) => recordFailure(asStoreError(error)))
        .finally(() => (probing = undefined));
    });
    if (isNews) onChange();
  };
  return {
    now: () => refuses,
    recordFailure,
    recordSuccess,
    /** Ends the probing, after a running probe; later refusals aren't recorded. */
    async close() {
      closed = true;
      cancel?.();
      await probing;
    },
  };
}

/** Writes 64 KiB to a file, fsyncs and removes it. Rejects with the disk's error. */
async function probeDisk({ disk, folder }: Pick<FolderPlace, 'disk' | 'folder'>): Promise<void> {
  const path = join(folder, `room${UNFINISHED}`);
  try {
    const file = await disk.open(path, 'create');
    try {
      await writeAll(file, [PROBE_BYTES], 0);
      await file.sync();
    } finally {
      await file.close();
    }
  } finally {
    await removeIfExists(disk, path);
  }
}
