import { constants } from 'node:fs';
import {
  chmod,
  mkdir,
  open,
  readdir,
  rename,
  rmdir,
  stat,
  statfs,
  unlink,
  type FileHandle,
} from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Clock } from '../../base/clock.ts';

/** An open file. All positions and sizes are in bytes. */
export interface DiskFile {
  /** Bytes read; 0 at the end of the file. */
  read(into: Buffer, position: number): Promise<number>;
  /** Writes the pieces one behind the other. Bytes written, which may be fewer than given. */
  write(pieces: readonly Buffer[], position: number): Promise<number>;
  /** Resolves when everything written is on the disk itself (fdatasync). */
  sync(): Promise<void>;
  truncate(size: number): Promise<void>;
  size(): Promise<number>;
  close(): Promise<void>;
}

/** A disk, and the clock by which steps on it wait. */
export interface DiskPlace {
  readonly disk: Disk;
  readonly clock: Clock;
}

/** A folder on it: that of a store, or of a partition. */
export interface FolderPlace extends DiskPlace {
  readonly folder: string;
}

/**
 * The few calls through which the store touches the disk, so that a test can make the N-th of them fail.
 * Errors are Node's own, with their `code`.
 */
export interface Disk {
  /** `read`: an existing file; `change`: the same, to write in; `create`: a new or emptied file (0600). */
  open(path: string, mode: 'read' | 'change' | 'create'): Promise<DiskFile>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Names in a folder, in no particular order. */
  list(folder: string): Promise<string[]>;
  /** Makes a folder (0700) and the ones above it; others lose their access to an existing one. */
  makeFolder(folder: string): Promise<void>;
  /** Removes an empty folder. */
  removeFolder(folder: string): Promise<void>;
  /** Makes renames, new and removed files in this folder durable. */
  syncFolder(folder: string): Promise<void>;
  /** Bytes that this user can still write on the disk that holds `folder`. */
  free(folder: string): Promise<number>;
}

const FLAGS = {
  read: constants.O_RDONLY,
  change: constants.O_RDWR,
  create: constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC,
};

/** The computer's own disk. */
export const systemDisk: Disk = {
  open: async (path, mode) => wrap(await open(path, FLAGS[mode], 0o600)),
  rename,
  remove: unlink,
  list: (folder) => readdir(folder),
  async makeFolder(folder) {
    await makeEach(folder);
    await makePrivate(folder);
  },
  removeFolder: rmdir,
  async syncFolder(folder) {
    // Windows has no way to flush a folder; NTFS journals its renames itself.
    if (process.platform === 'win32') return;
    const handle = await open(folder, constants.O_RDONLY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  async free(folder) {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  },
};

/** Takes the access of others away, and gives its owner none: a folder that is read-only is so for a reason. */
async function makePrivate(folder: string): Promise<void> {
  const { mode } = await stat(folder);
  if ((mode & 0o077) !== 0 && (mode & 0o200) !== 0) await chmod(folder, mode & 0o7700);
}

/** One by one: Node's own way of making several at once never returns where no file can be made, as in /proc. */
async function makeEach(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeEach(dirname(folder));
    await mkdir(folder, { mode: 0o700 });
  }
}

function wrap(handle: FileHandle): DiskFile {
  return {
    read: async (into, position) => (await handle.read(into, 0, into.length, position)).bytesRead,
    write: async (pieces, position) => (await handle.writev(pieces, position)).bytesWritten,
    sync: () => handle.datasync(),
    truncate: (size) => handle.truncate(size),
    size: async () => (await handle.stat()).size,
    close: () => handle.close(),
  };
}
