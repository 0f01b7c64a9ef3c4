import { shownFileName } from '../../base/file-names.ts';
import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { errorCode } from '../../store/files/disk-steps.ts';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';

/** Where a path leads: one spelling for each place, without links, also where nothing is there yet. */
export async function resolveLocation(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    return join(await resolveLocation(dirname(path)), basename(path));
  }
}

/** One spelling of a path for all in large and small letters: on many drives they are the same file. */
const folded = (path: string): string => path.normalize('NFC').toLowerCase();

/** Whether both may be the same file, on this drive or another. */
export const isSameLocation = (one: string, other: string): boolean => folded(one) === folded(other);

/** Whether a place is this folder, or in it, or may be. */
export function isWithin(folder: string, place: string): boolean {
  const way = relative(folded(folder), folded(place));
  return !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/** Whether a place that was settled has no link on the way to it now. */
export const isUnmoved = async (place: string): Promise<boolean> =>
  (await resolveLocation(place).catch(() => place)) === place;

/** A place that was settled is not used now: it, or a folder on the way to it, became a link to somewhere else. */
export const movedRefusal = (place: string): Refusal =>
  new Refusal('conflict', MOVED, said('watched.elsewhere', { file: shownFileName(place) }));

export const MOVED = 'watched.elsewhere';

/**
 * The place that a user chose by this path, in quotes as systems copy it or without.
 * @throws Refusal where it is no whole path, cannot be gone, or holds what nobody sees
 */
export async function chosenLocation(given: string): Promise<string> {
  const path = given.trim().replace(/^"(.+)"$/, '$1');
  if (!isAbsolute(path)) throw new Refusal('malformed', 'watched.path', said('watched.path'));
  checkSeen(path);
  const place = await resolveLocation(path).catch((error: unknown) => {
    const [file, isLong] = [shownFileName(path), errorCode(error) === 'ENAMETOOLONG'];
    const words = isLong ? said('watched.too-long') : said('watched.no-way', { file });
    throw new Refusal('impossible', 'watched.way', words, { cause: error });
  });
  checkSeen(place);
  return place;
}

/** Commands to a terminal, ends of lines, and what turns the direction of writing around: one name looks like another. */
const MISLEADING = /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u;

function checkSeen(path: string): void {
  if (MISLEADING.test(path)) throw new Refusal('malformed', 'watched.unseen', said('watched.unseen'));
}
