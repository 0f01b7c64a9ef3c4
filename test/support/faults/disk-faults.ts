import { systemDisk, type Disk, type DiskFile } from '../../../server/store/files/disk.ts';
import { firstHalf } from './disk-cut.ts';

/** What goes wrong: an error of this code, or fewer bytes written than asked and an error afterwards. */
export type Fault = 'EIO' | 'ENOSPC' | 'EPERM' | 'EBUSY' | 'EDQUOT' | 'short write';

/** A real disk on which chosen calls fail. */
export interface FaultyDisk extends Disk {
  /** Calls made so far, of any kind. */
  calls(): number;
  /** What the last call was, to name it in a message. */
  lastFailed(): string;
  /** From now on every call that would take room fails with ENOSPC, until called with false. */
  full(on: boolean): void;
  /** The next `times` calls of this kind fail. */
  failNext(kind: string, code: Fault, times: number): void;
}

/** Fails the `at`-th call (from 1) with `fault`. */
export function faultyDisk(at = Infinity, fault: Fault = 'EIO', inner: Disk = systemDisk): FaultyDisk {
  let calls = 0;
  let next: { kind: string; code: Fault; times: number } | undefined;
  let isFull = false;
  let lastFailed = 'none';

  const error = (code: string, what: string): Error => {
    lastFailed = what;
    return Object.assign(new Error(`${code}: made up by the test, ${what}`), { code });
  };
  const call = async <R>(what: string, work: () => Promise<R>, shorten?: () => Promise<R>): Promise<R> => {
    calls++;
    if (next?.kind === what && next.times > 0) {
      next.times--;
      throw error(next.code, what);
    }
    if (calls === at) {
      if (fault !== 'short write') throw error(fault, what);
      if (!shorten) throw error('ENOSPC', what);
      // The rest of a short write finds no room either.
      next = { kind: 'write', code: 'ENOSPC', times: 1 };
      return shorten();
    }
    if (isFull && ['write', 'open create', 'makeFolder'].includes(what)) throw error('ENOSPC', what);
    return work();
  };
  const wrap = (file: DiskFile): DiskFile => ({
    read: (into, position) => call('read', () => file.read(into, position)),
    write: (pieces, position) =>
      call(
        'write',
        () => file.write(pieces, position),
        () => file.write(firstHalf(pieces), position),
      ),
    sync: () => call('sync', () => file.sync()),
    truncate: (size) => call('truncate', () => file.truncate(size)),
    size: () => call('size', () => file.size()),
    async close() {
      await file.close();
      await call('close', () => Promise.resolve());
    },
  });
  return {
    calls: () => calls,
    lastFailed: () => lastFailed,
    full: (on) => (isFull = on),
    failNext: (kind, code, times) => (next = { kind, code, times }),
    open: (path, mode) => call(`open ${mode}`, async () => wrap(await inner.open(path, mode))),
    rename: (from, to) => call('rename', () => inner.rename(from, to)),
    remove: (path) => call('remove', () => inner.remove(path)),
    list: (folder) => call('list', () => inner.list(folder)),
    makeFolder: (folder) => call('makeFolder', () => inner.makeFolder(folder)),
    removeFolder: (folder) => call('removeFolder', () => inner.removeFolder(folder)),
    syncFolder: (folder) => call('syncFolder', () => inner.syncFolder(folder)),
    free: (folder) => inner.free(folder),
  };
}
