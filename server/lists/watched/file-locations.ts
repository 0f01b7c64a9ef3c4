import { shownFileName } from '../../base/file-names.ts';
import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { errorCode } from '../../store/files/disk-steps.ts';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';

/**
 * Returns the path with links resolved; parts that don't exist stay as written. Throws errors of the disk but ENOENT.
 */
export async function resolveLocation(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    return join(await resolveLocation(dirname(path)), basename(path));
  }
}

const folded = (path: string): string => path.normalize('NFC').toLowerCase();

/** Returns whether both may be the same file, on any file system. */
export const isSameLocation = (one: string, other: string): boolean => folded(one) === folded(other);

/** Returns whether the path is in the folder, or the folder itself; ignores case and Unicode form. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folded(folder), folded(path));
  return !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/** Returns whether the resolved path contains no link by now; true if it can't be resolved. */
export const isUnmoved = async (place: string): Promise<boolean> =>
  (await resolveLocation(place).catch(() => place)) === place;

export const movedRefusal = (place: string): Refusal =>
  new Refusal('conflict', MOVED, said('watched.elsewhere', { file: shownFileName(place) }));

export const MOVED = 'watched.elsewhere';

/**
 * Resolves what a user entered, with or without quotes. Throws `watched.path` if it isn't absolute, `watched.way` if it
 * can't be resolved, `watched.unseen` for invisible characters.
 */
export async function resolveChosenLocation(given: string): Promise<string> {
  const path = given.trim().replace(/^"(.+)"$/, '$1');
  if (!isAbsolute(path)) throw new Refusal('malformed', 'watched.path', said('watched.path'));
  checkVisible(path);
  const place = await resolveLocation(path).catch((error: unknown) => {
    const [file, isLong] = [shownFileName(path), errorCode(error) === 'ENAMETOOLONG'];
    const words = isLong ? said('watched.too-long') : said('watched.no-way', { file });
    throw new Refusal('impossible', 'watched.way', words, { cause: error });
  });
  checkVisible(place);
  return place;
}

/** Control characters, line separators and direction marks disguise a name. */
const MISLEADING = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u;

/** Throws `watched.unseen` if the path has invisible or misleading characters. */
function checkVisible(path: string): void {
  if (MISLEADING.test(path)) throw new Refusal('malformed', 'watched.unseen', said('watched.unseen'));
}
