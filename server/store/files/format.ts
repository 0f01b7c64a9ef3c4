import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { StoreError } from '../store.ts';
import { said } from '../../words/said.ts';

/**
 * Files are JSON Lines of two kinds:
 *
 * - operations, arrays: `[seq,"table","key",value]` puts, `[seq,"table","key"]` deletes,
 * `[seq,"+table","key",…]` puts several entries (`template-line.ts`);
 * - control lines, objects: header, end of a group of operations, end of file.
 *
 * A control line ends in `,"crc":"xxxxxxxx"}`, the CRC-32 of all bytes before those 19. So everything before a valid
 * one is unchanged; what follows the last doesn't count.
 */

/** Version of file format and data model; see `migrations.ts`. */
export const FORMAT_VERSION = 4;

export const PARTITION_NAME = /^[A-Za-z0-9_-]{1,100}$/;

const CRC_TAIL = 18;

/** The marks' epoch when written. */
const round = z.int().positive().optional();

export const headerSchema = z.object({
  footbridge: z.enum(['journal', 'snapshot', 'backup']),
  version: z.int().nonnegative(),
  /** Empty in a backup of several partitions. */
  partition: z.string(),
  /** The change before a journal, a snapshot's last one, or an automatic backup's number (else 0). */
  after: z.int().nonnegative(),
  round,
});
export type Header = z.infer<typeof headerSchema>;

const controlSchema = z.union([
  /** Ends a journal's transaction or a snapshot's batch. */
  z.object({
    ops: z.int().nonnegative(),
    last: z.int().nonnegative(),
    /** Bytes of this file certainly on disk at that time. */
    durable: z.int().nonnegative(),
    /** Closed properly here. */
    closed: z.literal(true).optional(),
    round,
  }),
  /** Starts a backup's partition. The name becomes a folder's, and backups may come from anywhere. */
  z.object({ partition: z.string().regex(PARTITION_NAME), last: z.int().nonnegative() }),
  /** Ends a snapshot or backup; without it incomplete. */
  z.object({ end: z.literal(true), entries: z.int().nonnegative() }),
]);
export type Control = z.infer<typeof controlSchema>;

export const crcText = (crc: number): string => crc.toString(16).padStart(8, '0');

/** Returns a header or control line of a store file, with its checksum. */
export function controlLine(body: Header | Control, crcBefore: number): { line: Buffer; crc: number } {
  return checkedLine(body, crcBefore);
}

/** Returns a JSON line ending with the checksum of everything up to it, and that checksum. */
export function checkedLine(body: object, crcBefore: number): { line: Buffer; crc: number } {
  const open = Buffer.from(JSON.stringify(body).slice(0, -1));
  const own = crc32(open, crcBefore);
  const line = Buffer.concat([open, Buffer.from(`,"crc":"${crcText(own)}"}\n`)]);
  return { line, crc: own };
}

/**
 * Returns a control line's object and the next checksum; undefined if its own, which covers everything before
 * (`crcBefore`), is wrong.
 */
export function readControl(line: Buffer, crcBefore: number): { body: unknown; crc: number } | undefined {
  const cut = line.length - CRC_TAIL;
  if (cut < 2) return undefined;
  const crc = crc32(line.subarray(0, cut), crcBefore);
  if (line.toString('latin1', cut) !== `,"crc":"${crcText(crc)}"}`) return undefined;
  return { body: parseJson(`${line.toString('utf8', 0, cut)}}`), crc };
}

/** Returns a header's version, ignoring its checksum, which newer versions may change; undefined for another line. */
export function peekVersion(line: Buffer): number | undefined {
  const parsed = z.object({ footbridge: z.string(), version: z.int() }).safeParse(parseJson(line.toString()));
  return parsed.success ? parsed.data.version : undefined;
}

export function newerVersionError(): StoreError {
  return new StoreError('newer-version', said('store.newer-version'));
}

/** Returns a control line's content; undefined for a line unknown to this version. */
export function parseControl(body: unknown): Control | undefined {
  return controlSchema.safeParse(body).data;
}

/** Returns undefined for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
