import { join } from 'node:path';
import { lookOver, type Look } from './look-over.ts';
import { MARKS_FILE, type MarksFound } from './marks-file.ts';
import { Marks } from './marks.ts';
import type { Surroundings } from '../files/place.ts';
import { UNKNOWN_REACH } from './withdrawals/reach.ts';
import { said } from '../../words/said.ts';

/** What was found in the partitions at the start, without loading any. */
export interface LookedOver {
  readonly marks: Marks;
  /**
   * Names of partitions that cannot wait until they are used: something is missing in them, or they may be further than
   * was noted, which only loading can tell of one that was not closed.
   */
  readonly pressing: readonly string[];
}

/** So many are looked at side by side: most of the time goes by waiting for the disk. */
const AT_ONCE = 8;

/**
 * Looks over all partitions, against what was noted of them; and the notes against the partitions, so that it is
 * told when they went back. A partition that nothing was noted of is from now on taken as it is; one that is further is
 * noted as it is now, for it may be long until something is written in it again, and until then an older copy of it
 * would fit.
 */
export async function lookOverAll(
  place: Surroundings,
  names: readonly string[],
  noted: MarksFound,
): Promise<LookedOver> {
  const looks = await lookAtEach(place, names, noted);
  const round = [...looks.values()].reduce((newest, look) => Math.max(newest, look.round), noted.round);
  if (round > noted.round) tellOfNotes(place, noted);
  // Where the part that knows what was taken back is one of the newest itself, that these notes are older means nothing.
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
