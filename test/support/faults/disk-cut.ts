import { systemDisk, type Disk, type DiskFile } from '../../../server/store/files/disk.ts';

/** Half of the bytes: what a write leaves that does not get through. */
export function firstHalf(pieces: readonly Buffer[]): Buffer[] {
  const data = Buffer.concat(pieces);
  return [data.subarray(0, data.length >> 1)];
}

/** A disk that a power cut parts from the process: after it nothing gets through any more. */
export interface CuttableDisk extends Disk {
  /** The cut comes with the `calls`-th call from now; a write in that moment gets half through. */
  cutAfter(calls: number): void;
  readonly isCut: boolean;
  /** Calls that are under way. */
  readonly busy: number;
}

export function cuttableDisk(inner: Disk = systemDisk): CuttableDisk {
  let left = Infinity;
  let busy = 0;

  async function call<R>(work: () => Promise<R>, half?: () => Promise<unknown>): Promise<R> {
    left--;
    busy++;
    try {
      return await workOrCut(work, half);
    } finally {
      busy--;
    }
  }
  async function workOrCut<R>(work: () => Promise<R>, half?: () => Promise<unknown>): Promise<R> {
    if (left > 0) return work();
    if (left === 0) await half?.();
    throw Object.assign(new Error('EIO: the power is off'), { code: 'EIO' });
  }
  const wrap = (file: DiskFile): DiskFile => ({
    read: (into, position) => call(() => file.read(into, position)),
    write: (pieces, position) =>
      call(
        () => file.write(pieces, position),
        () => file.write(firstHalf(pieces), position),
      ),
    sync: () => call(() => file.sync()),
    truncate: (size) => call(() => file.truncate(size)),
    size: () => call(() => file.size()),
    close: () => file.close(),
  });
  return {
    cutAfter: (calls) => (left = calls),
    get isCut() {
      return left <= 0;
    },
    get busy() {
      return busy;
    },
    open: (path, mode) => call(async () => wrap(await inner.open(path, mode))),
    rename: (from, to) => call(() => inner.rename(from, to)),
    remove: (path) => call(() => inner.remove(path)),
    list: (folder) => call(() => inner.list(folder)),
    makeFolder: (folder) => call(() => inner.makeFolder(folder)),
    removeFolder: (folder) => call(() => inner.removeFolder(folder)),
    syncFolder: (folder) => call(() => inner.syncFolder(folder)),
    free: (folder) => inner.free(folder),
  };
}
