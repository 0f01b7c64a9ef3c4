import { lstat, open, readdir, stat } from 'node:fs/promises';
import { constants, type Stats } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { errorCode } from '../../store/files/disk-steps.ts';
import { said, type Words } from '../../words/said.ts';
import { MAX_FILE_BYTES } from '../csv/read.ts';
import { leadsElsewhere } from './places.ts';

/** A file as it was looked at. */
export interface FoundFile {
  readonly path: string;
  readonly size: number;
  readonly changed: number;
}

const TABLES: ReadonlySet<string> = new Set(['.csv', '.tsv', '.xlsx', '.xlsm', '.ods']);

/** Whether nothing was written to it between two looks. */
export const isSameFile = (one: FoundFile | undefined, other: FoundFile | undefined): boolean =>
  one?.path === other?.path && one?.size === other?.size && one?.changed === other?.changed;

/**
 * The file of this path, or of a folder the table in it that was changed last; or why there is none now. A drive that is
 * away, a file that another program holds and one that is gone are no faults here: they are waited for.
 */
export async function findFile(path: string): Promise<FoundFile | { readonly waits: Words }> {
  try {
    const elsewhere = await leadsElsewhere(path);
    if (elsewhere !== undefined) return { waits: elsewhere };
    // A link is none: who may write in a folder could lay one to what only its user may read.
    const found = await lstat(path);
    if (!found.isDirectory()) return asFile(path, found);
    const newest = await newestIn(path);
    return newest ?? { waits: said('watched.empty-folder', { folder: basename(path) }) };
  } catch (error) {
    return { waits: await whyNot(path, error) };
  }
}

/** Through no link that was laid in its place since it was looked at, and not waiting for the other end of a pipe. */
async function readFound({ path }: FoundFile): Promise<Buffer> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    return (await file.stat()).isFile() ? await file.readFile() : Buffer.alloc(0);
  } finally {
    await file.close();
  }
}

/** All that is in it; or why it cannot be read now, which it may be if it changes meanwhile. */
export async function readWhole(found: FoundFile): Promise<Buffer | { readonly waits: Words }> {
  try {
    const bytes = await readFound(found);
    const after = await findFile(found.path);
    const isWhole = !('waits' in after) && isSameFile(found, after) && bytes.length === found.size;
    return isWhole ? bytes : { waits: said('watched.being-written', { file: basename(found.path) }) };
  } catch (error) {
    return { waits: await whyNot(found.path, error) };
  }
}

function asFile(path: string, found: Stats): FoundFile | { readonly waits: Words } {
  const file = basename(path);
  const { size, mtimeMs } = found;
  if (!found.isFile()) return { waits: said('watched.no-file', { file }) };
  if (size > MAX_FILE_BYTES) return { waits: said('csv.too-large') };
  if (size === 0) return { waits: said('watched.empty', { file }) };
  return { path, size, changed: mtimeMs };
}

/** Names by which spreadsheet programs note beside a file that somebody has it open. */
const isAside = (name: string): boolean => name.startsWith('.') || name.startsWith('~$');

async function newestIn(folder: string): Promise<FoundFile | undefined> {
  let newest: FoundFile | undefined;
  for (const name of (await readdir(folder)).sort()) {
    if (isAside(name) || !TABLES.has(extname(name).toLowerCase())) continue;
    const path = join(folder, name);
    // It may go between the two looks.
    const found = await lstat(path).then(
      (seen) => asFile(path, seen),
      () => undefined,
    );
    if (!found || 'waits' in found) continue;
    if (!newest || found.changed >= newest.changed) newest = found;
  }
  return newest;
}

async function whyNot(path: string, error: unknown): Promise<Words> {
  const file = basename(path);
  const code = errorCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    const folder = dirname(path);
    const isThere = await stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    );
    return isThere
      ? said('watched.gone', { file })
      : said('watched.folder-away', { file, folder: basename(folder) });
  }
  if (code === 'EBUSY' || code === 'EPERM' || code === 'EACCES') return said('watched.locked', { file });
  return said('watched.not-read', { file, code: code ?? '?' });
}
