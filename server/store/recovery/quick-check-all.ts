import { join } from 'node:path';
import { checkPartition, type CheckResult } from './quick-check.ts';
import { MARKS_FILE, type ReadMarks } from './high-water-marks-file.ts';
import { HighWaterMarks } from './high-water-marks.ts';
import type { Surroundings } from '../files/store-location.ts';
import { UNKNOWN_POSITION } from './withdrawals/log-position.ts';
import { said } from '../../words/said.ts';

export interface CheckedPartitions {
  readonly marks: HighWaterMarks;
  /** To load now: incomplete, or perhaps ahead of their mark. */
  readonly pressing: readonly string[];
}

/** The checks mostly wait for the disk. */
const CONCURRENT_CHECKS = 8;

/**
 * Checks all partitions against their high-water marks and advances marks that closed ones are ahead of. Older marks: a
 * notice, and the revocation position is unknown unless `system` is newest. `pressing` may lack changes or their mark:
 * load them at once. Throws StoreError `newer-version`.
 */
export async function checkAllPartitions(
  place: Surroundings,
  names: readonly string[],
  noted: ReadMarks,
): Promise<CheckedPartitions> {
  const results = await checkEach(place, names, noted);
  const round = [...results.values()].reduce((newest, result) => Math.max(newest, result.round), noted.round);
  if (round > noted.round) reportOlderMarks(place, noted);
  // With the revocation log's partition among the newest, older marks mean nothing.
  const system = results.get('system');
  const isNewest = system?.sound === true && system.round >= round;
  const withdrawn = round > noted.round && !isNewest ? UNKNOWN_POSITION : noted.withdrawn;
  const marks = new HighWaterMarks(place, { round, marks: noted.marks, withdrawn });
  const pressing: string[] = [];
  for (const [name, { end, sound, isAhead }] of results) {
    if (!sound) pressing.push(name);
    else if (end && (isAhead || !noted.marks.has(name))) marks.advance(name, end);
    else if (isAhead) pressing.push(name);
  }
  return { marks, pressing: pressing.sort() };
}

/** Checks partitions, some at once; returns the results by name. */
async function checkEach(
  { disk, folder }: Surroundings,
  names: readonly string[],
  { marks }: ReadMarks,
): Promise<ReadonlyMap<string, CheckResult>> {
  const results = new Map<string, CheckResult>();
  const waiting = names.values();
  /** Checks partitions one after another until none is left. */
  const checkRemaining = async (): Promise<void> => {
    for (const name of waiting)
      results.set(name, await checkPartition(disk, join(folder, name), name, marks.get(name)));
  };
  await Promise.all(Array.from({ length: CONCURRENT_CHECKS }, checkRemaining));
  return results;
}

/** Adds a notice that files are older than others or, if the marks are unreadable, that these are missing. */
function reportOlderMarks({ notice, folder }: Surroundings, { state }: ReadMarks): void {
  const file = join(folder, MARKS_FILE);
  if (state === 'sound') {
    notice('mixed-ages', file, said('store.older-files'));
  } else {
    notice('mixed-ages', file, said('store.progress-missing'));
  }
}
