import { shownFileName } from '../../base/file-names.ts';
import { existsSync, constants } from 'node:fs';
import { lstat, open, type FileHandle } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { Refusal } from '../../base/refusal.ts';
import { errorCode } from '../../store/files/disk-steps.ts';
import { said } from '../../words/said.ts';
import { isUnmoved, movedRefusal } from './file-locations.ts';

export interface LockedFolder {
  /** Default: the folder itself. */
  pathTo(name?: string): string;
  /** Opens regular files only, without following links or blocking on a pipe; otherwise throws a refusal. */
  open(name: string, flags: number, mode?: number): Promise<FileHandle>;
  /** Throws a refusal if the folder was replaced. Call it before replacing or removing an entry. */
  assertUnmoved(): Promise<void>;
}

type Work<R> = (folder: LockedFolder) => Promise<R>;

/** Linux's `O_PATH`, unnamed in Node, needs no right to list the folder. */
const PLACE_ALONE = 0o10000000;
const AS_FOLDER = PLACE_ALONE | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Open folders are usable as paths. */
const CAN_HOLD = process.platform === 'linux' && existsSync('/proc/self/fd');

/**
 * Runs a task in this resolved folder only, though others may replace a folder by a link at any moment. Linux holds it
 * open; elsewhere it is compared before and after each step, which leaves short gaps.
 * @throws Refusal if a folder of the path became a link; disk errors
 */
export const inLockedFolder: <R>(place: string, work: Work<R>) => Promise<R> = CAN_HOLD
  ? inOpenFolder
  : inComparedFolder;

/**
 * Calls `work` with an open folder, which nobody can replace by a link (Linux only). Throws a refusal if a folder of
 * the path became a link.
 */
async function inOpenFolder<R>(place: string, work: Work<R>): Promise<R> {
  let folder = await open('/', AS_FOLDER);
  const way = (name = ''): string => `/proc/self/fd/${String(folder.fd)}/${name}`;
  try {
    for (const name of place.split(sep).filter((part) => part !== '')) {
      const inner = await open(way(name), AS_FOLDER).catch(async (error: unknown) => {
        throw errorCode(error) === 'ENOTDIR' && !(await isUnmoved(place)) ? movedRefusal(place) : error;
      });
      await folder.close();
      folder = inner;
    }
    return await work({
      pathTo: way,
      open: (name, flags, mode) => openPlain(way(name), flags, mode),
      assertUnmoved: () => Promise.resolve(),
    });
  } finally {
    await folder.close();
  }
}

/**
 * Calls `work` with a folder whose `open` compares it by device and inode before and after, and throws a refusal if it
 * was replaced. Before other steps `work` itself calls `assertUnmoved`.
 */
export async function inComparedFolder<R>(place: string, work: Work<R>): Promise<R> {
  const first = await readIdentity(place);
  const way = (name = ''): string => join(place, name);
  /** Throws a refusal if the folder was replaced. */
  const assertUnmoved = async (): Promise<void> => {
    if ((await readIdentity(place)) !== first) throw movedRefusal(place);
  };
  return work({
    pathTo: way,
    assertUnmoved,
    /**
     * Opens a regular file of this folder, as its inode shows, without following links or blocking on a pipe. Throws a
     * Refusal otherwise, also if the folder was moved.
     */
    async open(name, flags, mode) {
      await assertUnmoved();
      const file = await openPlain(way(name), flags, mode);
      try {
        await assertUnmoved();
        // Both from open files: some systems report others for paths.
        const again = await openPlain(way(name), constants.O_RDONLY);
        const isSame = await Promise.all([file, again].map((each) => each.stat({ bigint: true })))
          .then(([one, other]) => one?.ino === other?.ino && one?.dev === other?.dev)
          .finally(() => again.close());
        await assertUnmoved();
        if (!isSame) throw movedRefusal(place);
        return file;
      } catch (error) {
        await file.close();
        throw error;
      }
    },
  });
}

/** Returns device and inode. Throws a refusal if the path contains a link. */
async function readIdentity(place: string): Promise<string> {
  if (!(await isUnmoved(place))) throw movedRefusal(place);
  const { dev, ino } = await lstat(place, { bigint: true });
  return `${String(dev)} ${String(ino)}`;
}

/** Opens a regular file without following a link or blocking on a pipe. Throws `watched.no-file` for anything else. */
async function openPlain(path: string, flags: number, mode?: number): Promise<FileHandle> {
  const file = await open(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, mode);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new Refusal('conflict', 'watched.no-file', said('watched.no-file', { file: shownFileName(path) }));
}
