import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../../base/clock.ts';
import { systemDisk, type Disk, type DiskFile } from '../../files/disk.ts';
import { errorCode, inStoreTerms, writeAll } from '../../files/disk-steps.ts';
import { StoreError } from '../../store.ts';
import { writeAnew } from '../../files/write-anew.ts';

const noteSchema = z.object({
  at: z.iso.datetime(),
  /** Table and key of the entry in the partition `system`. */
  table: z.string(),
  key: z.string(),
  /** What the table's rule has to say. */
  note: z.unknown(),
});
/** One thing that was taken back, or given again after that; of several about one entry the last one counts. */
export type Note = z.infer<typeof noteSchema>;

/** A file beside the store, to which notes are added and which no restore touches. */
export interface NotesFile {
  /** The last note about each entry, oldest first. */
  read(): Promise<readonly Note[]>;
  /** Resolves when they are on the disk. @throws StoreError */
  add(notes: readonly Note[]): Promise<void>;
}

const NAME = 'withdrawn.jsonl';
const VERSION = 1;
const HEADER = { footbridge: 'withdrawn', version: VERSION };
/** So many lines that tell nothing any more are left in the file, unless there is no room to write it anew. */
const MOST_OUTDATED = 1000;

/**
 * The file of a data folder, made with the first note. A torn end is overwritten, a line that cannot be read is
 * passed over. Read it once before adding to it; it is rewritten then, and between notes, when much of it is outdated.
 * @param counts whether a note still means anything
 */
export function createNotesFile(deps: {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly disk?: Disk | undefined;
  readonly counts: (note: Note) => boolean;
}): NotesFile {
  const { dataDir, clock, disk = systemDisk } = deps;
  const path = join(dataDir, NAME);
  /** Where the next note goes: behind the last whole line. */
  let end = 0;
  /** Entries that are noted, and lines about them that later ones have taken the place of. */
  const entries = new Set<string>();
  let outdated = 0;

  async function read(): Promise<readonly Note[]> {
    const whole = await wholeText(disk, path);
    end = Buffer.byteLength(whole);
    const [header, ...lines] = whole.split('\n').slice(0, -1);
    if (header !== undefined) checkVersion(header);
    const last = new Map<string, Note>();
    for (const line of lines) {
      const note = noteSchema.safeParse(parsed(line)).data;
      if (!note || !deps.counts(note)) continue;
      last.delete(entryOf(note));
      last.set(entryOf(note), note);
    }
    const notes = [...last.values()];
    if (lines.length - notes.length > MOST_OUTDATED) {
      // Without room for it the file says the same as it is, and a start must not fail.
      await rewrite(notes).catch(async () => (end = Buffer.byteLength(await wholeText(disk, path))));
    }
    entries.clear();
    for (const entry of last.keys()) entries.add(entry);
    outdated = 0;
    return notes;
  }

  function countOutdated(notes: readonly Note[]): void {
    for (const note of notes) {
      if (entries.has(entryOf(note))) outdated++;
      else entries.add(entryOf(note));
    }
  }

  async function write(file: DiskFile, notes: readonly Note[]): Promise<void> {
    const bytes = asLines(notes);
    // What a write that failed has left behind is not to follow this one.
    await file.truncate(end);
    await writeAll(file, [bytes], end);
    await file.sync();
    end += bytes.length;
  }

  async function rewrite(notes: readonly Note[]): Promise<void> {
    const bytes = asLines([HEADER, ...notes]);
    await writeAnew({ disk, clock }, path, bytes);
    end = bytes.length;
  }

  return {
    read: () => inStoreTerms(read),
    add: (notes) =>
      inStoreTerms(async () => {
        if (end === 0) await rewrite(notes);
        else await withFile(await disk.open(path, 'change'), (file) => write(file, notes));
        countOutdated(notes);
        // What was noted is on the disk already, so that a failure here is for the next time.
        if (outdated > MOST_OUTDATED) await read().catch(() => undefined);
      }),
  };
}

function asLines(values: readonly object[]): Buffer {
  return Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
}

const entryOf = ({ table, key }: Note): string => JSON.stringify([table, key]);

function checkVersion(header: string): void {
  const { version } = z.object({ version: z.number() }).catch({ version: 0 }).parse(parsed(header));
  if (version <= VERSION) return;
  throw new StoreError(
    'newer-version',
    'This data folder was used by a newer version of Footbridge. Install that version.',
  );
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** What stands in the file, up to its last whole line. */
async function wholeText(disk: Disk, path: string): Promise<string> {
  const text = await textOf(disk, path);
  return text.slice(0, text.lastIndexOf('\n') + 1);
}

async function textOf(disk: Disk, path: string): Promise<string> {
  try {
    return await withFile(await disk.open(path, 'read'), async (file) => {
      const bytes = Buffer.alloc(await file.size());
      for (let at = 0; at < bytes.length;) {
        const got = await file.read(bytes.subarray(at), at);
        if (got === 0) break;
        at += got;
      }
      return bytes.toString('utf8');
    });
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return '';
    throw error;
  }
}

async function withFile<R>(file: DiskFile, work: (file: DiskFile) => Promise<R>): Promise<R> {
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}
