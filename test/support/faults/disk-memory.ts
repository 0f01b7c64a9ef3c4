import type { Disk, DiskFile } from '../../../server/store/files/disk.ts';

/** A disk of files in memory, of which a test keeps what was on it at any moment. There are no folders. */
export interface MemoryDisk extends Disk {
  /** The whole of each file by its path. */
  files(): ReadonlyMap<string, Buffer>;
}

/** @param onDurable told when a file that has its name for good has got something new; whoever waits for that waits for this */
export function memoryDisk(
  from: ReadonlyMap<string, Buffer>,
  onDurable: () => Promise<void> = () => Promise.resolve(),
): MemoryDisk {
  const files = new Map(from);
  const missing = (path: string): Error => Object.assign(new Error(`ENOENT: ${path}`), { code: 'ENOENT' });
  const unused = (): Promise<never> => Promise.reject(new Error('A disk in memory has no folders.'));
  const bytes = (path: string): Buffer => {
    const found = files.get(path);
    if (!found) throw missing(path);
    return found;
  };

  function opened(path: string, isFresh: boolean): DiskFile {
    return {
      read: (into, position) => Promise.resolve(bytes(path).copy(into, 0, position)),
      write(pieces, position) {
        const written = Buffer.concat(pieces);
        const before = bytes(path);
        const after = Buffer.alloc(Math.max(before.length, position + written.length));
        before.copy(after);
        written.copy(after, position);
        files.set(path, after);
        return Promise.resolve(written.length);
      },
      sync: () => (isFresh ? Promise.resolve() : onDurable()),
      truncate(size) {
        files.set(path, Buffer.from(bytes(path).subarray(0, size)));
        return Promise.resolve();
      },
      size: () => Promise.resolve(bytes(path).length),
      close: () => Promise.resolve(),
    };
  }

  return {
    files: () => new Map(files),
    open(path, mode) {
      if (mode === 'create') files.set(path, Buffer.alloc(0));
      return files.has(path)
        ? Promise.resolve(opened(path, mode === 'create'))
        : Promise.reject(missing(path));
    },
    rename(from_, to) {
      files.set(to, bytes(from_));
      files.delete(from_);
      return onDurable();
    },
    remove(path) {
      files.delete(path);
      return Promise.resolve();
    },
    list: unused,
    makeFolder: unused,
    removeFolder: unused,
    syncFolder: () => Promise.resolve(),
    free: () => Promise.resolve(Infinity),
  };
}
