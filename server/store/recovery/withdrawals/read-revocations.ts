import { join } from 'node:path';
import { z } from 'zod';
import { said } from '../../../words/said.ts';
import type { Disk } from '../../files/disk.ts';
import { errorCode } from '../../files/disk-steps.ts';
import { parseJson, readControl } from '../../files/format.ts';
import { StoreError } from '../../store.ts';
import { logPositionSchema, type LogPosition } from './log-position.ts';
import type { FileFound } from './trusted-source.ts';

export const noteSchema = z.object({
  at: z.iso.datetime(),
  table: z.string(),
  key: z.string(),
  note: z.unknown(),
  /** Rises; 0 in files from before numbering. */
  no: z.int().nonnegative().default(0),
});
/** Revoked, or granted again; an entry's last note counts. */
export type Revocation = z.infer<typeof noteSchema>;

export interface ReadRevocations extends FileFound {
  readonly notes: readonly Revocation[];
}

interface FileRead extends ReadRevocations {
  /** End of the last complete line. */
  readonly end: { readonly bytes: number; readonly crc: number };
}

export const NOTES_FILE = 'withdrawn.jsonl';
const VERSION = 1;
const NEWLINE = 0x0a;

const headerSchema = z.object({
  footbridge: z.literal('withdrawn'),
  book: z.string().min(1),
  no: z.int().nonnegative(),
  all: z.boolean(),
  from: logPositionSchema.optional(),
});
const earlySchema = z.strictObject({ footbridge: z.literal('withdrawn'), version: z.number() });

/**
 * Reads the revocation log's file up to its last complete line. Notes with a wrong checksum count too, as nothing
 * revoked may reopen, but make the state `damaged`. Throws StoreError `newer-version`.
 */
export async function readRevocations(disk: Disk, dataDir: string): Promise<FileRead> {
  const bytes = await readBytes(disk, join(dataDir, NOTES_FILE));
  const whole = bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1);
  const nothing = { reach: NOTHING, isAll: false, notes: [], end: { bytes: 0, crc: 0 } };
  if (bytes.length === 0) return { ...nothing, state: 'none' };
  const [first, ...rest] = splitLines(whole);
  if (first === undefined) return { ...nothing, state: 'damaged' };
  throwIfNewer(first);
  const header = readControl(first, 0);
  const known = header && headerSchema.safeParse(header.body).data;
  const isEarly = earlySchema.safeParse(parseJson(first.toString())).success;
  let crc = header?.crc ?? 0;
  let isWhole = known !== undefined;
  let no = known?.no ?? 0;
  const notes: Revocation[] = [];
  for (const line of rest) {
    const checked = isEarly ? undefined : readControl(line, crc);
    crc = checked?.crc ?? crc;
    isWhole &&= checked !== undefined;
    const note = noteSchema.safeParse(checked?.body ?? parseJson(line.toString())).data;
    if (!note) continue;
    notes.push(note);
    no = Math.max(no, note.no);
  }
  return {
    state: isWhole ? 'sound' : isEarly ? 'early' : 'damaged',
    reach: { book: known?.book ?? '', no },
    isAll: known?.all ?? isEarly,
    from: known?.from,
    notes,
    end: { bytes: whole.length, crc },
  };
}

const NOTHING: LogPosition = { book: '', no: 0 };

/** Splits into lines, without line breaks. The bytes must end with a line break, else this never returns. */
function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(NEWLINE, start);
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  return lines;
}

/** Throws StoreError `newer-version` for the header of a newer version. */
function throwIfNewer(header: Buffer): void {
  const { version } = z
    .object({ version: z.number() })
    .catch({ version: 0 })
    .parse(parseJson(header.toString()));
  if (version > VERSION) throw new StoreError('newer-version', said('store.newer-version'));
}

/** Returns the file's content; empty if missing. */
async function readBytes(disk: Disk, path: string): Promise<Buffer> {
  try {
    const file = await disk.open(path, 'read');
    try {
      const bytes = Buffer.alloc(await file.size());
      for (let at = 0; at < bytes.length;) {
        const got = await file.read(bytes.subarray(at), at);
        if (got === 0) break;
        at += got;
      }
      return bytes;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}
