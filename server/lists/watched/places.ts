import { realpath } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { errorCode } from '../../store/files/disk-steps.ts';
import type { Words } from '../../words/said.ts';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';

/** Where a path leads: one spelling for each place, without links, also where nothing is there yet. */
export async function realPlace(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' || dirname(path) === path) throw error;
    return join(await realPlace(dirname(path)), basename(path));
  }
}

/** Whether a place is this folder, or in it. */
export function isWithin(folder: string, place: string): boolean {
  const way = relative(folder, place);
  return !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/** Why a place that was settled is not used now: a folder on the way to it became a link to somewhere else. */
export async function leadsElsewhere(place: string): Promise<Words | undefined> {
  const now = await realPlace(place).catch(() => place);
  return now === place ? undefined : said('watched.elsewhere', { file: basename(place) });
}

/** What a user gave as the path of a file; in quotes, as systems copy it. @throws Refusal where it is no whole one */
export function wholePath(given: string): string {
  const path = given.trim().replace(/^"(.+)"$/, '$1');
  if (isAbsolute(path)) return path;
  throw new Refusal('malformed', 'watched.path', said('watched.path'));
}
