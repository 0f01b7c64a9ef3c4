import { join } from 'node:path';
import { lookOver, type Look } from './look-over.ts';
import type { Mark } from './mark.ts';
import { MARKS_FILE, type MarksFound } from './marks-file.ts';
import { createMarks, type Marks } from './marks.ts';
import type { Surroundings } from '../files/place.ts';
import { UNKNOWN_REACH } from './withdrawals/reach.ts';
import { said } from '../../words/said.ts';

/** What was found in the partitions at the start, without loading any. */
export interface LookedOver {
  readonly marks: Marks;
  /** Names of partitions of which something is missing. */
  readonly unsound: readonly string[];
}

/** So many are looked at side by side: most of the time goes by waiting for the disk. */
const AT_ONCE = 8;

/**
 * Looks over all partitions, against what was noted of them; and the notes against the partitions, so that it is
 * told when they went back. A partition that nothing was noted of is from now on taken as it is.
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
  const marks = new Map<string, Mark>();
  for (const [name, { end, sound }] of looks) {
    const mark = noted.marks.get(name) ?? (sound ? end : undefined);
    if (mark) marks.set(name, mark);
  }
  return {
    marks: createMarks(place, { round, marks, withdrawn }),
    unsound: names.filter((name) => looks.get(name)?.sound === false),
  };
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
