import { MAX_FILE_BYTES } from '../../base/vocabulary.ts';
import { shownFileName } from '../../base/file-names.ts';
import { lstat, opendir, stat, type FileHandle } from 'node:fs/promises';
import { constants, type Stats } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { errorCode } from '../../store/files/disk-steps.ts';
import { Refusal } from '../../base/refusal.ts';
import { said, type Words } from '../../words/said.ts';
import { inLockedFolder, type LockedFolder } from './locked-folder.ts';
import { movedRefusal } from './file-locations.ts';

/** One look; `changed`: modification time in ms. */
export interface FoundFile {
  readonly path: string;
  readonly size: number;
  readonly changed: number;
  readonly drive: number;
}

const TABLES: ReadonlySet<string> = new Set(['.csv', '.tsv', '.xlsx', '.xlsm', '.ods']);

/** Compares path, size and time of two looks. */
export const isSameFile = (one: FoundFile | undefined, other: FoundFile | undefined): boolean =>
  one?.path === other?.path && one?.size === other?.size && one?.changed === other?.changed;

/** Finds the file, or a folder's most recently changed table; otherwise says why there is none now. */
export async function findFile(path: string): Promise<FoundFile | { readonly waits: Words }> {
  try {
    return await inLockedFolder(dirname(path), (folder) => findInFolder(folder, path));
  } catch (error) {
    return { waits: await whyNotRead(path, error) };
  }
}

/**
 * Finds the file in its locked folder, of a folder its newest table; `waits` says why there is none. Throws
 * `watched.elsewhere` for a link, and the disk's errors.
 */
async function findInFolder(
  folder: LockedFolder,
  path: string,
): Promise<FoundFile | { readonly waits: Words }> {
  const found = await lstat(folder.pathTo(basename(path)));
  // The chosen file was no link: others could link to a file that only this user may read.
  if (found.isSymbolicLink()) throw movedRefusal(path);
  if (!found.isDirectory()) return describeFile(path, found);
  return inLockedFolder(path, (inner) => findNewest(inner, path));
}

/**
 * Reads a file as found. Otherwise says why it can't be read, or that it changed meanwhile.
 * @param restart called after each piece, as the drive responded
 */
export async function readWhole(
  found: FoundFile,
  restart: () => void = () => undefined,
): Promise<Buffer | { readonly waits: Words }> {
  const { path, size } = found;
  const name = basename(path);
  try {
    return await inLockedFolder(dirname(path), async (folder) => {
      const file = await folder.open(name, constants.O_RDONLY);
      const bytes = await readUpTo(file, size, restart).finally(() => file.close());
      const after = await findInFolder(folder, path);
      const isWhole = !('waits' in after) && isSameFile(found, after) && bytes.length === size;
      return isWhole ? bytes : { waits: said('watched.being-written', { file: shownFileName(path) }) };
    });
  } catch (error) {
    return { waits: await whyNotRead(path, error) };
  }
}

const PIECE = 1024 * 1024;

/** Reads up to one byte beyond the expected size, which shows that the file grew. Calls `restart` after each piece. */
async function readUpTo(file: FileHandle, size: number, restart: () => void): Promise<Buffer> {
  const bytes = Buffer.alloc(size + 1);
  let at = 0;
  while (at < bytes.length) {
    const { bytesRead } = await file.read(bytes, at, Math.min(PIECE, bytes.length - at), at);
    if (bytesRead === 0) break;
    at += bytesRead;
    restart();
  }
  return bytes.subarray(0, at);
}

/** Returns a file's facts, or why it can't be imported. */
function describeFile(path: string, found: Stats): FoundFile | { readonly waits: Words } {
  const file = shownFileName(path);
  const { size, mtimeMs, dev } = found;
  if (!found.isFile()) return { waits: said('watched.no-file', { file }) };
  if (size > MAX_FILE_BYTES) return { waits: said('csv.too-large') };
  if (size === 0) return { waits: said('watched.empty', { file }) };
  return { path, size, changed: mtimeMs, drive: dev };
}

/** Spreadsheet programs put hidden or lock files beside an open one. */
const isLockFile = (name: string): boolean => name.startsWith('.') || name.startsWith('~$');

/** Checked every two seconds, while other lists' files wait. */
const MAX_FILES = 10_000;

/** Returns sorted names in the folder, at most 10,001. */
async function readNames(folder: LockedFolder): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of await opendir(folder.pathTo(), { bufferSize: 1000 }))
    if (names.push(name) > MAX_FILES) break;
  return names.sort();
}

/** Returns a folder's most recently changed table, passing over empty and too large ones, or why none is chosen. */
async function findNewest(
  folder: LockedFolder,
  place: string,
): Promise<FoundFile | { readonly waits: Words }> {
  const names = await readNames(folder);
  const called = { folder: shownFileName(place) };
  if (names.length > MAX_FILES) return { waits: said('watched.full-folder', { ...called, most: MAX_FILES }) };
  let newest: FoundFile | undefined;
  for (const name of names) {
    if (isLockFile(name) || !TABLES.has(extname(name).toLowerCase())) continue;
    const found = await lstat(folder.pathTo(name)).then(
      (seen) => describeFile(join(place, name), seen),
      () => undefined,
    );
    if (!found || 'waits' in found) continue;
    if (!newest || found.changed >= newest.changed) newest = found;
  }
  return newest ?? { waits: said('watched.empty-folder', called) };
}

/** Says for the user why a file can't be found or read. */
async function whyNotRead(path: string, error: unknown): Promise<Words> {
  if (error instanceof Refusal) return error.words;
  const file = shownFileName(path);
  const code = errorCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    const folder = dirname(path);
    const isThere = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    return isThere
      ? said('watched.gone', { file })
      : said('watched.folder-away', { file, folder: shownFileName(folder) });
  }
  if (code === 'EBUSY' || code === 'EPERM' || code === 'EACCES') return said('watched.locked', { file });
  return said('watched.not-read', { file, code: code ?? '?' });
}
