import { lstat, open, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { StoreError } from '../../store/store.ts';
import { systemDisk } from '../../store/files/disk.ts';
import { errorCode, renameDurably } from '../../store/files/disk-steps.ts';
import { said, type Words } from '../../words/said.ts';

/** Other people of the office may be meant to read it; to write in it is of no use to them. */
const NEW_FILE = 0o644;

export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/**
 * Writes a file beside the one that there is, then puts it in its place: who reads it has the one or the other, whole. It
 * keeps the rights of the one before; a first one can be read by others, as other people of the
 * office may be meant to.
 * @throws what the disk says, or what `pieces` throws; then the file is as it was
 */
export async function replaceFile(
  clock: Clock,
  path: string,
  pieces: AsyncIterable<string | Uint8Array>,
): Promise<void> {
  const unfinished = join(dirname(path), `.${basename(path)}.footbridge`);
  // Left over from a kill. It is never written to: somebody else may have put there what leads elsewhere.
  await unlink(unfinished).catch(() => undefined);
  try {
    const before = await lstat(path).catch(() => undefined);
    // For nobody else's eyes until it is whole.
    const file = await open(unfinished, 'wx', 0o600);
    try {
      for await (const piece of pieces) await file.appendFile(piece);
      // By the open file and not by its name, in whose place somebody may have put a link meanwhile.
      await file.chmod(
        before?.isFile() && before.uid === process.getuid?.() ? before.mode & 0o777 : NEW_FILE,
      );
      await file.sync();
    } finally {
      await file.close();
    }
    await renameDurably(systemDisk, clock, unfinished, path);
  } catch (error) {
    await unlink(unfinished).catch(() => undefined);
    throw error;
  }
}

export function whyNotWritten(path: string, error: unknown): Words {
  if (error instanceof StoreError) return error.words;
  const file = basename(path);
  const code = errorCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return said('copy.no-folder', { folder: basename(dirname(path)) });
  if (code === 'EBUSY' || code === 'EPERM' || code === 'EACCES' || code === 'EISDIR')
    return said('copy.locked', { file });
  if (code === 'ENOSPC' || code === 'EDQUOT') return said('copy.full', { file });
  return said('copy.not-written', { file, code: code ?? '?' });
}
