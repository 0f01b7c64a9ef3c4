import { join } from 'node:path';
import type { Disk } from '../files/disk.ts';
import { readHeaderAndTrailer } from '../files/header-and-trailer.ts';
import { journalName, listGenerations, snapshotName } from '../engine/generations.ts';
import { isAtMark, type HighWaterMark } from './high-water-mark.ts';

/** What the first and last lines of a partition's files say. */
export interface CheckResult {
  /** Each file continues the previous one, and the last reaches the mark. */
  readonly sound: boolean;
  /** The last round in which it was written; 0 if unknown. */
  readonly round: number;
  /** Where it was properly closed; undefined if it wasn't. */
  readonly end: HighWaterMark | undefined;
  /** It is ahead of its mark or, if not closed, may be. */
  readonly isAhead: boolean;
}

/**
 * Checks the first and last lines of the newest files, so that losses are known at the start. Throws
 * StoreError `newer-version`.
 */
export async function checkPartition(
  disk: Disk,
  folder: string,
  partition: string,
  mark: HighWaterMark | undefined,
): Promise<CheckResult> {
  const { snapshots, journals, open } = await listGenerations(disk, folder);
  const base = snapshots.at(-1) ?? 0;
  const chain = journals.filter((number) => number >= Math.max(base, 1));
  let round = 0;
  let sound = chain.length > 0;
  let last = 0;
  let end: HighWaterMark | undefined;
  let isAhead = false;
  if (base > 0) {
    const { header, control } = await readHeaderAndTrailer(disk, join(folder, snapshotName(base)));
    sound &&= header?.footbridge === 'snapshot' && header.partition === partition;
    sound &&= control !== undefined && 'end' in control;
    last = header?.after ?? 0;
  }
  for (const number of chain) {
    const { header, control, size, crc } = await readHeaderAndTrailer(
      disk,
      join(folder, journalName(number)),
    );
    sound &&= header?.footbridge === 'journal' && header.partition === partition && header.after === last;
    const closing = control && 'ops' in control ? control : undefined;
    const ended = control === undefined ? header?.after : closing?.last;
    const whole = crc !== undefined && ended !== undefined;
    if (number === chain.at(-1)) {
      sound &&= open || closing?.closed === true;
      end = whole && !open ? { journal: number, bytes: size, crc, last: ended } : undefined;
      isAhead = open ? isLonger(number, size, mark) : (ended ?? 0) > (mark?.last ?? 0);
    } else {
      sound &&= whole;
    }
    round = Math.max(round, closing?.round ?? header?.round ?? 0);
    last = ended ?? last;
  }
  return { sound: sound && (await reachesMark(disk, folder, base, chain, last, mark)), round, end, isAhead };
}

/** Returns whether the journal goes on after the mark. */
function isLonger(journal: number, size: number, mark: HighWaterMark | undefined): boolean {
  return mark === undefined || journal > mark.journal || size > mark.bytes;
}

/** Returns whether the files reach the mark: the journal has its bytes, or a later snapshot its change. */
async function reachesMark(
  disk: Disk,
  folder: string,
  base: number,
  chain: readonly number[],
  last: number,
  mark: HighWaterMark | undefined,
): Promise<boolean> {
  if (!mark) return true;
  if (chain.includes(mark.journal)) return isAtMark(disk, join(folder, journalName(mark.journal)), mark);
  return base > mark.journal && last >= mark.last;
}
