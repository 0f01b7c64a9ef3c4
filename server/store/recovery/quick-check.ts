import { join } from 'node:path';
import type { Disk } from '../files/disk.ts';
import { parseControl, parseJson, type Control, type Header } from '../files/format.ts';
import { readHeaderOf } from '../files/reader.ts';
import { journalName, listGenerations, snapshotName } from '../engine/generations.ts';
import { isAtMark, type HighWaterMark } from './high-water-mark.ts';

export interface CheckResult {
  /** Files continue each other; the last reaches the mark. */
  readonly sound: boolean;
  /** The last write's epoch; 0 if unknown. */
  readonly round: number;
  /** Mark at proper closing, if any. */
  readonly end: HighWaterMark | undefined;
  /** Ahead of its mark, or (not closed) possibly. */
  readonly isAhead: boolean;
}

/**
 * Checks first and last lines of a partition's newest files: a quick search for losses at every start. `sound`: they
 * follow on each other, are closed or marked as open, and reach the mark. Throws StoreError `newer-version`.
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
      isAhead = open ? isAheadOfMark(number, size, mark) : (ended ?? 0) > (mark?.last ?? 0);
    } else {
      sound &&= whole;
    }
    round = Math.max(round, closing?.round ?? header?.round ?? 0);
    last = ended ?? last;
  }
  return { sound: sound && (await reachesMark(disk, folder, base, chain, last, mark)), round, end, isAhead };
}

/** Returns whether the journal goes on behind the mark; true without a mark. */
function isAheadOfMark(journal: number, size: number, mark: HighWaterMark | undefined): boolean {
  return mark === undefined || journal > mark.journal || size > mark.bytes;
}

/**
 * Returns whether the files contain all that the mark counts. `base` is the newest snapshot's number, `chain` the
 * following journals' numbers, `last` their last change.
 */
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

interface HeaderAndTrailer {
  readonly size: number;
  readonly header: Header | undefined;
  /** Last line, checksum unverified; undefined if incomplete or the header. */
  readonly control: Control | undefined;
  /** Undefined: incomplete last line. */
  readonly crc: number | undefined;
}

const MAX_LINE_BYTES = 512;
const NEWLINE = 0x0a;

/**
 * Returns a file's header and last line, undefined where invalid; computes no checksum. Throws StoreError
 * `newer-version`.
 */
async function readHeaderAndTrailer(disk: Disk, path: string): Promise<HeaderAndTrailer> {
  const file = await disk.open(path, 'read');
  try {
    const header = await readHeaderOf(file);
    const size = await file.size();
    const start = Math.max(0, size - MAX_LINE_BYTES);
    const tail = Buffer.alloc(size - start);
    const got = await file.read(tail, start);
    const nothing = { size, header, control: undefined, crc: undefined };
    if (got < tail.length || tail.at(-1) !== NEWLINE) return nothing;
    const from = tail.subarray(0, -1).lastIndexOf(NEWLINE) + 1;
    const body = parseJson(tail.toString('utf8', from, size - start - 1));
    if (typeof body !== 'object' || body === null || !('crc' in body) || typeof body.crc !== 'string')
      return nothing;
    const control = parseControl(body);
    if (start + from > 0 && !control) return nothing;
    return { size, header, control, crc: Number.parseInt(body.crc, 16) };
  } finally {
    await file.close();
  }
}
