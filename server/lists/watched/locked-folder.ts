import { shownFileName } from '../../base/file-names.ts';
import { existsSync, constants } from 'node:fs';
import { lstat, open, type FileHandle } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { Refusal } from '../../base/refusal.ts';
import { errorCode } from '../../store/files/disk-steps.ts';
import { said } from '../../words/said.ts';
import { isUnmoved, movedRefusal } from './file-locations.ts';

/** The folder of a place that was settled, while something is done in it. */
export interface LockedFolder {
  /** By which something in it is got at; it itself without a name. */
  way(name?: string): string;
  /**
   * A plain file of this name in it, by no link and waiting for no other end of a pipe.
   * @throws Refusal where something else has the name, or what was opened lies elsewhere
   */
  open(name: string, flags: number, mode?: number): Promise<FileHandle>;
  /** To be asked before something in it is replaced or removed. @throws Refusal where another took its place */
  stays(): Promise<void>;
}

type Work<R> = (folder: LockedFolder) => Promise<R>;

/** Who opens no more than the place of a folder need not be allowed to list it. Of Linux; Node has no name for it. */
const PLACE_ALONE = 0o10000000;
const AS_FOLDER = PLACE_ALONE | constants.O_DIRECTORY | constants.O_NOFOLLOW;
/** Whether what is open can be gone through as a folder of a path. */
const CAN_HOLD = process.platform === 'linux' && existsSync('/proc/self/fd');

/**
 * Does something in a folder whose place was settled, and in no other: whoever may write above it can lay a link in the
 * place of a folder at any moment, also between a look and the use of what was looked at.
 *
 * On Linux the folder is reached from the root, one at a time and through no link, and held: what is done in it is done
 * there, wherever paths lead meanwhile. Elsewhere it is compared before and after, which leaves moments.
 * @throws Refusal where a folder on the way became a link; what the disk says
 */
export const inLockedFolder: <R>(place: string, work: Work<R>) => Promise<R> = CAN_HOLD ? held : compared;

async function held<R>(place: string, work: Work<R>): Promise<R> {
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
      way,
      open: (name, flags, mode) => openPlain(way(name), flags, mode),
      stays: () => Promise.resolve(),
    });
  } finally {
    await folder.close();
  }
}

/** As {@link inLockedFolder}, of systems that hold no folder. */
export async function compared<R>(place: string, work: Work<R>): Promise<R> {
  const first = await markOf(place);
  const way = (name = ''): string => join(place, name);
  const stays = async (): Promise<void> => {
    if ((await markOf(place)) !== first) throw movedRefusal(place);
  };
  return work({
    way,
    stays,
    async open(name, flags, mode) {
      await stays();
      const file = await openPlain(way(name), flags, mode);
      try {
        await stays();
        // Both by what is open: systems tell other numbers of a path than of an open file.
        const again = await openPlain(way(name), constants.O_RDONLY);
        const isSame = await Promise.all([file, again].map((each) => each.stat({ bigint: true })))
          .then(([one, other]) => one?.ino === other?.ino && one?.dev === other?.dev)
          .finally(() => again.close());
        await stays();
        if (!isSame) throw movedRefusal(place);
        return file;
      } catch (error) {
        await file.close();
        throw error;
      }
    },
  });
}

/** By which a folder is known again. */
async function markOf(place: string): Promise<string> {
  if (!(await isUnmoved(place))) throw movedRefusal(place);
  const { dev, ino } = await lstat(place, { bigint: true });
  return `${String(dev)} ${String(ino)}`;
}

async function openPlain(path: string, flags: number, mode?: number): Promise<FileHandle> {
  const file = await open(path, flags | constants.O_NOFOLLOW | constants.O_NONBLOCK, mode);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw new Refusal('conflict', 'watched.no-file', said('watched.no-file', { file: shownFileName(path) }));
}
