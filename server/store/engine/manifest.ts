import { join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import type { Disk } from '../files/disk.ts';
import { errorCode, listIfThere } from '../files/disk-steps.ts';
import { checkedLine, FORMAT_VERSION, newerVersionError, peekVersion, readControl } from '../files/format.ts';
import type { MarksFound } from '../recovery/marks-file.ts';
import { writeAnew } from '../files/write-anew.ts';
import { journalName, listGenerations, snapshotName } from './generations.ts';
import { readHeader } from '../files/reader.ts';
import { createMutex } from '../../base/concurrency/mutex.ts';

/** The list of partitions, so that one whose folder has vanished is missed and not taken for a new one. */
export interface Manifest {
  names(): string[];
  has(name: string): boolean;
  /** Resolve when it is on the disk. */
  add(name: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** The last file that a restore writes. */
export const MANIFEST = 'partitions.json';
const LARGEST = 16 * 1024 * 1024;

const manifestSchema = z.object({
  footbridge: z.literal('store'),
  version: z.int(),
  partitions: z.array(z.string()),
});

interface Place {
  readonly disk: Disk;
  readonly clock: Clock;
  /** The store's folder. */
  readonly folder: string;
}

/**
 * Reads the list, together with the partitions that have folders and those that were noted; made anew when it
 * is damaged or an older one, which is told to `damaged`; folders that are none are left alone, and told to `stray`. Throws StoreError `newer-version`.
 */
export async function openManifest(
  place: Place,
  noted: MarksFound,
  damaged: (file: string) => void,
  stray: (folder: string) => void,
): Promise<Manifest> {
  const found = await listedPartitions(place.disk, place.folder, noted);
  for (const name of found.strays) stray(join(place.folder, name));
  if (found.damaged) {
    damaged(join(place.folder, MANIFEST));
    await writeManifest(place, found.names);
  }
  const names = new Set(found.names);
  let written = new Set(found.damaged ? found.names : found.listed);

  const write = async (): Promise<void> => {
    const now = [...names].sort();
    await writeManifest(place, now);
    written = new Set(now);
  };
  const inTurn = createMutex();
  return {
    names: () => [...names].sort(),
    has: (name) => names.has(name),
    add: (name) =>
      inTurn(async () => {
        if (written.has(name)) return;
        names.add(name);
        await write();
      }),
    remove: (name) =>
      inTurn(async () => {
        names.delete(name);
        try {
          await write();
        } catch (error) {
          names.add(name);
          throw error;
        }
      }),
  };
}

/**
 * The partitions that there are, in order. `damaged`: there is a list, but it cannot be read, or it is an older
 * one: it names a partition that is neither there nor noted, and so was dropped since. `strays`: folders that are none,
 * such as a copy that somebody made of one.
 */
export async function listedPartitions(
  disk: Disk,
  folder: string,
  { state, marks }: MarksFound,
): Promise<{ names: string[]; listed: string[]; strays: string[]; damaged: boolean }> {
  const entries = await listIfThere(disk, folder);
  const read = entries.includes(MANIFEST) ? await readNames(disk, join(folder, MANIFEST)) : [];
  const strays: string[] = [];
  const known = [...marks.keys()];
  for (const name of entries.filter((each) => /^[A-Za-z0-9_-]+$/.test(each))) {
    const isOurs =
      marks.has(name) || read?.includes(name) === true || (await saysItsName(disk, folder, name));
    (isOurs ? known : strays).push(name);
  }
  const listed = (read ?? []).filter((name) => state !== 'sound' || known.includes(name));
  const names = [...new Set([...known, ...listed])].sort();
  return { names, listed, strays, damaged: listed.length !== read?.length };
}

const NO_FILES = { snapshots: [], journals: [] };

/** Whether the files of a folder are of a partition of its name: a copy of one, under another name, is none. */
async function saysItsName(disk: Disk, folder: string, name: string): Promise<boolean> {
  const { snapshots, journals } = await listGenerations(disk, join(folder, name)).catch((error: unknown) => {
    if (errorCode(error) === 'ENOTDIR') return NO_FILES;
    throw error;
  });
  for (const file of [...snapshots.map(snapshotName), ...journals.map(journalName)]) {
    const header = await readHeader(disk, join(folder, name, file));
    if (header) return header.partition === name;
  }
  return false;
}

/** Writes a list of partitions into a store's folder. */
export async function writeManifest({ disk, clock, folder }: Place, partitions: string[]): Promise<void> {
  const { line } = checkedLine({ footbridge: 'store', version: FORMAT_VERSION, partitions }, 0);
  await writeAnew({ disk, clock }, join(folder, MANIFEST), line);
}

async function readNames(disk: Disk, path: string): Promise<string[] | undefined> {
  const file = await disk.open(path, 'read');
  try {
    const size = Math.min(await file.size(), LARGEST);
    const bytes = Buffer.alloc(size);
    for (let at = 0; at < size;) {
      const got = await file.read(bytes.subarray(at), at);
      if (got === 0) break;
      at += got;
    }
    const line = bytes.subarray(0, Math.max(0, bytes.indexOf(0x0a)));
    if ((peekVersion(line) ?? 0) > FORMAT_VERSION) throw newerVersionError();
    return manifestSchema.safeParse(readControl(line, 0)?.body).data?.partitions;
  } finally {
    await file.close();
  }
}
