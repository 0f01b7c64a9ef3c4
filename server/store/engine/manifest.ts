import { join } from 'node:path';
import { z } from 'zod';
import type { Disk, FolderPlace } from '../files/disk.ts';
import { errorCode, listIfExists } from '../files/disk-steps.ts';
import { checkedLine, FORMAT_VERSION, newerVersionError, peekVersion, readControl } from '../files/format.ts';
import type { ReadMarks } from '../recovery/high-water-marks-file.ts';
import { writeFileAtomic } from '../files/atomic-write.ts';
import { journalName, listGenerations, snapshotName } from './generations.ts';
import { readHeader } from '../files/reader.ts';
import { createMutex } from '../../base/concurrency/mutex.ts';

/** Partitions by name: otherwise a vanished folder would pass for a new one. */
export interface Manifest {
  names(): string[];
  has(name: string): boolean;
  readonly strays: readonly Stray[];
  /** Adds a name durably, unless listed. */
  add(name: string): Promise<void>;
  remove(name: string): Promise<void>;
}

/** No partition's folder, such as a user's copy. */
export interface Stray {
  readonly name: string;
  readonly of: string | undefined;
}

/** Written last by a restore. */
export const MANIFEST = 'partitions.json';
const MAX_MANIFEST_BYTES = 16 * 1024 * 1024;

const manifestSchema = z.object({
  footbridge: z.literal('store'),
  version: z.int(),
  partitions: z.array(z.string()),
});

/**
 * Opens the list of partitions, with those that only have a folder or mark; `add` and `remove` rewrite its file. Calls
 * `damaged` with the path of a damaged list and rewrites it. Throws StoreError `newer-version`.
 */
export async function openManifest(
  place: FolderPlace,
  noted: ReadMarks,
  damaged: (file: string) => void,
): Promise<Manifest> {
  const found = await listedPartitions(place.disk, place.folder, noted);
  if (found.damaged) {
    damaged(join(place.folder, MANIFEST));
    await writeManifest(place, found.names);
  }
  const names = new Set(found.names);
  let written = new Set(found.damaged ? found.names : found.listed);

  /** Writes the present names to the list file. */
  const writePartitionNames = async (): Promise<void> => {
    const now = [...names].sort();
    await writeManifest(place, now);
    written = new Set(now);
  };
  const inTurn = createMutex();
  return {
    names: () => [...names].sort(),
    strays: found.strays,
    has: (name) => names.has(name),
    add: (name) =>
      inTurn(async () => {
        if (written.has(name)) return;
        names.add(name);
        await writePartitionNames();
      }),
    remove: (name) =>
      inTurn(async () => {
        names.delete(name);
        try {
          await writePartitionNames();
        } catch (error) {
          names.add(name);
          throw error;
        }
      }),
  };
}

/**
 * Returns existing partitions (`names`), those in the list file (`listed`), and other folders (`strays`). `damaged`:
 * the list is unreadable or names a dropped partition. Throws StoreError `newer-version`.
 */
export async function listedPartitions(
  disk: Disk,
  folder: string,
  { state, marks }: ReadMarks,
): Promise<{ names: string[]; listed: string[]; strays: Stray[]; damaged: boolean }> {
  const entries = await listIfExists(disk, folder);
  const read = entries.includes(MANIFEST) ? await readManifestNames(disk, join(folder, MANIFEST)) : [];
  const strays: Stray[] = [];
  const known = [...marks.keys()];
  for (const name of entries.filter((each) => /^[A-Za-z0-9_-]+$/.test(each))) {
    const of = marks.has(name) || read?.includes(name) ? name : await partitionInHeaders(disk, folder, name);
    if (of === name) known.push(name);
    else strays.push({ name, of });
  }
  const listed = (read ?? []).filter((name) => state !== 'sound' || known.includes(name));
  const names = [...new Set([...known, ...listed])].sort();
  return { names, listed, strays, damaged: listed.length !== read?.length };
}

const NO_FILES = { snapshots: [], journals: [] };

/**
 * Returns the partition that a folder's files name, as a copied folder's name another than the folder does; undefined
 * if none does.
 */
async function partitionInHeaders(disk: Disk, folder: string, name: string): Promise<string | undefined> {
  const { snapshots, journals } = await listGenerations(disk, join(folder, name)).catch((error: unknown) => {
    if (errorCode(error) === 'ENOTDIR') return NO_FILES;
    throw error;
  });
  for (const file of [...snapshots.map(snapshotName), ...journals.map(journalName)]) {
    const header = await readHeader(disk, join(folder, name, file));
    if (header) return header.partition;
  }
  return undefined;
}

/** Replaces the manifest, the list of partitions, atomically and durably. */
export async function writeManifest(
  { disk, clock, folder }: FolderPlace,
  partitions: string[],
): Promise<void> {
  const { line } = checkedLine({ footbridge: 'store', version: FORMAT_VERSION, partitions }, 0);
  await writeFileAtomic({ disk, clock }, join(folder, MANIFEST), line);
}

/**
 * Returns the partitions in the list file; undefined if it is damaged. Throws StoreError `newer-version`, or the disk's
 * error for a missing file.
 */
async function readManifestNames(disk: Disk, path: string): Promise<string[] | undefined> {
  const file = await disk.open(path, 'read');
  try {
    const size = Math.min(await file.size(), MAX_MANIFEST_BYTES);
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
