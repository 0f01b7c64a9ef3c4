import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import type { Disk } from '../files/disk.ts';
import { listIfExists } from '../files/disk-steps.ts';
import { checkedLine, FORMAT_VERSION, newerVersionError, peekVersion, readControl } from '../files/format.ts';
import { readLineBlocks } from '../files/lines.ts';
import { markSchema, type HighWaterMark } from './high-water-mark.ts';
import { notedSchema, type Noted } from './withdrawals/log-position.ts';
import { writeFileAtomic } from '../files/atomic-write.ts';

export const MARKS_FILE = 'marks.json';

const headerSchema = z.object({
  footbridge: z.literal('marks'),
  version: z.int(),
  round: z.int().nonnegative(),
});
const entrySchema = markSchema.extend({ partition: z.string() });
const withdrawnSchema = z.object({ withdrawn: notedSchema });
const NEWLINE = 0x0a;

/** A line per mark; a partition's last counts. */
export interface ReadMarks {
  /** `damaged`: exists but unusable. */
  readonly state: 'sound' | 'none' | 'damaged';
  /** Epoch, {@link HighWaterMarks.epoch}; 0 without one. */
  readonly round: number;
  readonly marks: ReadonlyMap<string, HighWaterMark>;
  /** In the revocation log, if noted. */
  readonly withdrawn: Noted | undefined;
}

export interface MarksEnd {
  readonly size: number;
  readonly crc: number;
}

/**
 * Reads the partitions' high-water marks, up to the file's first damaged or incomplete line. The state is `none`
 * without a file, `damaged` without a valid header. Throws StoreError `newer-version`.
 */
export async function readMarks(disk: Disk, folder: string): Promise<ReadMarks> {
  const marks = new Map<string, HighWaterMark>();
  let withdrawn: Noted | undefined;
  if (!(await listIfExists(disk, folder)).includes(MARKS_FILE))
    return { state: 'none', round: 0, marks, withdrawn };
  let round: number | undefined;
  let crc = 0;
  /**
   * Reads the header, a partition's mark or the log's position; returns false for a damaged line. Throws for a newer
   * format version.
   */
  const readLine = (line: Buffer): boolean => {
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
    reading: for await (const { bytes } of readLineBlocks(file, await file.size())) {
      for (let start = 0, end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
        if (!readLine(bytes.subarray(start, end))) break reading;
        start = end + 1;
      }
    }
  } finally {
    await file.close();
  }
  return { state: round === undefined ? 'damaged' : 'sound', round: round ?? 0, marks, withdrawn };
}

/**
 * Replaces the file atomically by these marks and `withdrawn`, the revocation log's position. Returns where further
 * lines are appended.
 */
export async function writeMarks(
  { disk, clock, folder }: { disk: Disk; clock: Clock; folder: string },
  round: number,
  marks: ReadonlyMap<string, HighWaterMark>,
  withdrawn: Noted | undefined,
): Promise<MarksEnd> {
  const header = checkedLine({ footbridge: 'marks', version: FORMAT_VERSION, round }, 0);
  const { lines, crc } = formatMarks(marks, withdrawn, header.crc);
  const all = Buffer.concat([header.line, ...lines]);
  await writeFileAtomic({ disk, clock }, join(folder, MARKS_FILE), all);
  return { size: all.length, crc };
}

/** Returns these marks' lines and the checksum for what follows; `crcBefore` covers what precedes. */
export function formatMarks(
  marks: Iterable<readonly [string, HighWaterMark]>,
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
