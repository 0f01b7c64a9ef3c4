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

/** In bytes. */
export interface DiskFile {
  /** Returns the bytes read; 0 at the end. */
  read(into: Buffer, position: number): Promise<number>;
  /** Writes pieces in order; returns the bytes written, perhaps fewer. */
  write(pieces: readonly Buffer[], position: number): Promise<number>;
  /** Makes everything written durable (fdatasync). */
  sync(): Promise<void>;
  truncate(size: number): Promise<void>;
  size(): Promise<number>;
  close(): Promise<void>;
}

export interface DiskPlace {
  readonly disk: Disk;
  readonly clock: Clock;
}

export interface FolderPlace extends DiskPlace {
  readonly folder: string;
}

/** The store's only disk calls: tests can fail the N-th one. Errors are Node's own. */
export interface Disk {
  /** Opens a file for reading (`read`), changing (`change`), or emptied or new (`create`, 0600). */
  open(path: string, mode: 'read' | 'change' | 'create'): Promise<DiskFile>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Returns a folder's names, unordered. */
  list(folder: string): Promise<string[]>;
  /** Makes a folder (0700) and its parents; removes others' access. */
  makeFolder(folder: string): Promise<void>;
  removeFolder(folder: string): Promise<void>;
  /** Makes renames, new and removed files durable. */
  syncFolder(folder: string): Promise<void>;
  /** Returns the bytes this user can still write there. */
  free(folder: string): Promise<number>;
}

const FLAGS = {
  read: constants.O_RDONLY,
  change: constants.O_RDWR,
  create: constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC,
};

export const systemDisk: Disk = {
  open: async (path, mode) => asDiskFile(await open(path, FLAGS[mode], 0o600)),
  rename,
  remove: unlink,
  list: (folder) => readdir(folder),
  /** Makes a folder (0700) with its parents; removes others' access to an existing one. */
  async makeFolder(folder) {
    await makeFolders(folder);
    await makePrivate(folder);
  },
  removeFolder: rmdir,
  /** Flushes a folder, so that renames in it last; does nothing on Windows, which can't. */
  async syncFolder(folder) {
    // Windows can't flush folders; NTFS journals renames.
    if (process.platform === 'win32') return;
    const handle = await open(folder, constants.O_RDONLY);
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  },
  /** Returns the bytes this user can still write on the disk of `folder`. */
  async free(folder) {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  },
};

/** Removes others' access to a folder, unless its owner can't write it. */
async function makePrivate(folder: string): Promise<void> {
  const { mode } = await stat(folder);
  if ((mode & 0o077) !== 0 && (mode & 0o200) !== 0) await chmod(folder, mode & 0o7700);
}

/** Creates a folder and its parents (0700). Node's recursive mkdir never returns in /proc. */
async function makeFolders(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(folder)).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
    await makeFolders(dirname(folder));
    await mkdir(folder, { mode: 0o700 });
  }
}

/** Wraps a file handle; `sync` needn't flush times. */
function asDiskFile(handle: FileHandle): DiskFile {
  return {
    read: async (into, position) => (await handle.read(into, 0, into.length, position)).bytesRead,
    write: async (pieces, position) => (await handle.writev(pieces, position)).bytesWritten,
    sync: () => handle.datasync(),
    truncate: (size) => handle.truncate(size),
    size: async () => (await handle.stat()).size,
    close: () => handle.close(),
  };
}
