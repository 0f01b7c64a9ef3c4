import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { StoreError } from '../store.ts';
import { said } from '../../words/said.ts';

/**
 * The store's files are JSON Lines. Two kinds of line occur:
 *
 * - operations, arrays: `[seq,"table","key",value]` puts, `[seq,"table","key"]` deletes;
 * - control lines, objects: the header, the line that closes a group of operations, the one that ends a file.
 *
 * Every control line ends in `,"crc":"xxxxxxxx"}`: the CRC-32 of every byte of the file before those 19.
 * So nothing in front of a sound control line has changed, and nothing behind the last one counts.
 */

/** Version of the file format and of the data model in it; see `migrations.ts`. */
export const FORMAT_VERSION = 2;

/** What a partition may be called. */
export const PARTITION_NAME = /^[A-Za-z0-9_-]{1,100}$/;

const CRC_TAIL = 18;

/** In what round of `marks.ts` the line was written. */
const round = z.int().positive().optional();

export const headerSchema = z.object({
  footbridge: z.enum(['journal', 'snapshot', 'backup']),
  version: z.int().nonnegative(),
  /** The partition; the empty text in a backup, which holds several. */
  partition: z.string(),
  /**
   * Journal: number of the last change before its first. Snapshot: number of the last change in it. Backup: its own
   * number among the automatic ones of a data folder; 0 for any other.
   */
  after: z.int().nonnegative(),
  round,
});
/** First line of every file. */
export type Header = z.infer<typeof headerSchema>;

const controlSchema = z.union([
  /** Closes a group: one transaction in a journal, a stretch of entries in a snapshot. */
  z.object({
    ops: z.int().nonnegative(),
    /** Number of the last change so far. */
    last: z.int().nonnegative(),
    /** Bytes of this file that were on the disk for certain when the group was written. */
    durable: z.int().nonnegative(),
    /** The file was closed properly here. */
    closed: z.literal(true).optional(),
    round,
  }),
  /** Starts a partition's part of a backup. Its name becomes that of a folder, and a backup may come from anywhere. */
  z.object({ partition: z.string().regex(PARTITION_NAME), last: z.int().nonnegative() }),
  /** Ends a snapshot or a backup, which is not whole without it. */
  z.object({ end: z.literal(true), entries: z.int().nonnegative() }),
]);
/** Any control line but the header. */
export type Control = z.infer<typeof controlSchema>;

/** A checksum as the files spell it. */
export const crcText = (crc: number): string => crc.toString(16).padStart(8, '0');

/** The line for a header or control object; see {@link checkedLine}. */
export function controlLine(body: Header | Control, crcBefore: number): { line: Buffer; crc: number } {
  return checkedLine(body, crcBefore);
}

/** An object as a line with checksum and line break, and the checksum that the file goes on with. */
export function checkedLine(body: object, crcBefore: number): { line: Buffer; crc: number } {
  const open = Buffer.from(JSON.stringify(body).slice(0, -1));
  const own = crc32(open, crcBefore);
  const line = Buffer.concat([open, Buffer.from(`,"crc":"${crcText(own)}"}\n`)]);
  return { line, crc: own };
}

/** Reads a control line (without line break); undefined when its checksum or its form is wrong. */
export function readControl(line: Buffer, crcBefore: number): { body: unknown; crc: number } | undefined {
  const cut = line.length - CRC_TAIL;
  if (cut < 2) return undefined;
  const crc = crc32(line.subarray(0, cut), crcBefore);
  if (line.toString('latin1', cut) !== `,"crc":"${crcText(crc)}"}`) return undefined;
  return { body: parseJson(`${line.toString('utf8', 0, cut)}}`), crc };
}

/** The header's fields whether or not its checksum fits: a newer version may compute that differently. */
export function peekVersion(line: Buffer): number | undefined {
  const parsed = z.object({ footbridge: z.string(), version: z.int() }).safeParse(parseJson(line.toString()));
  return parsed.success ? parsed.data.version : undefined;
}

/** The refusal of a file that a newer version has written. */
export function newerVersionError(): StoreError {
  return new StoreError('newer-version', said('store.newer-version'));
}

/** The control line's meaning, or undefined when it is none that this version knows. */
export function parseControl(body: unknown): Control | undefined {
  return controlSchema.safeParse(body).data;
}

/** Parses a text, with undefined for what is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
