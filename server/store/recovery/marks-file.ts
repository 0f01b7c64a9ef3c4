import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import type { Disk } from '../files/disk.ts';
import { listIfThere } from '../files/disk-steps.ts';
import { checkedLine, FORMAT_VERSION, newerVersionError, peekVersion, readControl } from '../files/format.ts';
import { wholeLines } from '../files/lines.ts';
import { markSchema, type Mark } from './mark.ts';
import { notedSchema, type Noted } from './withdrawals/reach.ts';
import { writeAnew } from '../files/write-anew.ts';

/** Beside the partitions, in the store's folder. */
export const MARKS_FILE = 'marks.json';

const headerSchema = z.object({
  footbridge: z.literal('marks'),
  version: z.int(),
  round: z.int().nonnegative(),
});
const entrySchema = markSchema.extend({ partition: z.string() });
const withdrawnSchema = z.object({ withdrawn: notedSchema });
const NEWLINE = 0x0a;

/** What the file says: one line a mark, a later one in place of an earlier one of the same partition. */
export interface MarksFound {
  /** `damaged`: there is a file, but nothing in it can be used. */
  readonly state: 'sound' | 'none' | 'damaged';
  /** See `Marks.round`; 0 when there is none. */
  readonly round: number;
  readonly marks: ReadonlyMap<string, Mark>;
  /** How far it is noted what was taken back; undefined where that never was. */
  readonly withdrawn: Noted | undefined;
}

/** Where the file goes on. */
export interface MarksEnd {
  readonly size: number;
  readonly crc: number;
}

/**
 * Reads the file up to the first line that is not whole: what stands behind was not on the disk yet when the
 * power went, and every line before promises something for itself. Throws StoreError `newer-version`.
 */
export async function readMarks(disk: Disk, folder: string): Promise<MarksFound> {
  const marks = new Map<string, Mark>();
  let withdrawn: Noted | undefined;
  if (!(await listIfThere(disk, folder)).includes(MARKS_FILE))
    return { state: 'none', round: 0, marks, withdrawn };
  let round: number | undefined;
  let crc = 0;
  const take = (line: Buffer): boolean => {
    if (round === undefined && (peekVersion(line) ?? 0) > FORMAT_VERSION) throw newerVersionError();
    const control = readControl(line, crc);
    if (!control) return false;
    crc = control.crc;
    if (round === undefined) {
      round = headerSchema.safeParse(control.body).data?.round;
      return round !== undefined;
    }
    const reach = withdrawnSchema.safeParse(control.body).data?.withdrawn;
    if (reach) {
      withdrawn = reach;
      return true;
    }
    const entry = entrySchema.safeParse(control.body).data;
    if (entry) marks.set(entry.partition, markSchema.parse(entry));
    return entry !== undefined;
  };
  const file = await disk.open(join(folder, MARKS_FILE), 'read');
  try {
    reading: for await (const { bytes } of wholeLines(file, await file.size())) {
      for (let start = 0, end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
        if (!take(bytes.subarray(start, end))) break reading;
        start = end + 1;
      }
    }
  } finally {
    await file.close();
  }
  return { state: round === undefined ? 'damaged' : 'sound', round: round ?? 0, marks, withdrawn };
}

/** Writes the file anew; it is the new one, on the disk, or the one before. */
export async function writeMarks(
  { disk, clock, folder }: { disk: Disk; clock: Clock; folder: string },
  round: number,
  marks: ReadonlyMap<string, Mark>,
  withdrawn: Noted | undefined,
): Promise<MarksEnd> {
  const header = checkedLine({ footbridge: 'marks', version: FORMAT_VERSION, round }, 0);
  const { lines, crc } = markLines(marks, withdrawn, header.crc);
  const all = Buffer.concat([header.line, ...lines]);
  await writeAnew({ disk, clock }, join(folder, MARKS_FILE), all);
  return { size: all.length, crc };
}

/** The lines for some marks, behind a file with this checksum. */
export function markLines(
  marks: Iterable<readonly [string, Mark]>,
  withdrawn: Noted | undefined,
  crcBefore: number,
): { lines: Buffer[]; crc: number } {
  let crc = crcBefore;
  const lines: Buffer[] = [];
  const entries = [...marks].map(([partition, mark]) => ({ partition, ...mark }));
  for (const entry of [...(withdrawn ? [{ withdrawn }] : []), ...entries]) {
    const made = checkedLine(entry, crc);
    crc = made.crc;
    lines.push(made.line);
  }
  return { lines, crc };
}
