import { join } from 'node:path';
import { lookOver, type Look } from './look-over.ts';
import { MARKS_FILE, type MarksFound } from './marks-file.ts';
import { Marks } from './marks.ts';
import type { Surroundings } from '../files/place.ts';
import { UNKNOWN_REACH } from './withdrawals/reach.ts';
import { said } from '../../words/said.ts';

/** Findings about the partitions at the start, without loading any. */
export interface LookedOver {
  readonly marks: Marks;
  /**
   * Partitions that must be loaded now: something is missing, or they may be ahead of their mark, which only
   * loading can tell if one was not closed properly.
   */
  readonly pressing: readonly string[];
}

/** Checked in parallel: most of the time is spent waiting for the disk. */
const AT_ONCE = 8;

/**
 * Checks all partitions against their marks, and the marks against the partitions, to detect marks that went
 * back. A partition without a mark is accepted as it is. One ahead of its mark gets a new mark now: until its
 * next write, which may be long, an older copy of it would fit otherwise.
 */
export async function lookOverAll(
  place: Surroundings,
  names: readonly string[],
  noted: MarksFound,
): Promise<LookedOver> {
  const looks = await lookAtEach(place, names, noted);
  const round = [...looks.values()].reduce((newest, look) => Math.max(newest, look.round), noted.round);
  if (round > noted.round) tellOfNotes(place, noted);
  // If the partition with the revocation log is among the newest, older marks mean nothing.
  const system = looks.get('system');
  const isNewest = system?.sound === true && system.round >= round;
  const withdrawn = round > noted.round && !isNewest ? UNKNOWN_REACH : noted.withdrawn;
  const marks = new Marks(place, { round, marks: noted.marks, withdrawn });
  const pressing: string[] = [];
  for (const [name, { end, sound, isAhead }] of looks) {
    if (!sound) pressing.push(name);
    else if (end && (isAhead || !noted.marks.has(name))) marks.reached(name, end);
    else if (isAhead) pressing.push(name);
  }
  return { marks, pressing: pressing.sort() };
}

async function lookAtEach(
  { disk, folder }: Surroundings,
  names: readonly string[],
  { marks }: MarksFound,
): Promise<ReadonlyMap<string, Look>> {
  const looks = new Map<string, Look>();
  const waiting = names.values();
  const work = async (): Promise<void> => {
    for (const name of waiting)
      looks.set(name, await lookOver(disk, join(folder, name), name, marks.get(name)));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return looks;
}

function tellOfNotes({ notice, folder }: Surroundings, { state }: MarksFound): void {
  const file = join(folder, MARKS_FILE);
  if (state === 'sound') {
    notice('mixed-ages', file, said('store.older-files'));
  } else {
    notice('mixed-ages', file, said('store.progress-missing'));
  }
}
