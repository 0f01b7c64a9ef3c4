import { shownFileName } from '../../base/file-names.ts';
import { constants } from 'node:fs';
import { lstat, stat, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { StoreError } from '../../store/store.ts';
import { systemDisk } from '../../store/files/disk.ts';
import { errorCode, renameDurably } from '../../store/files/disk-steps.ts';
import { said, type Words } from '../../words/said.ts';
import type { StepTimeout } from './slow-drive-guard.ts';
import { inLockedFolder } from './locked-folder.ts';
import { movedRefusal } from './file-locations.ts';

/** Other people of the office may be meant to read it; to write in it is of no use to them. */
const NEW_FILE = 0o644;
const NEW_ALONE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/**
 * Writes a file beside the one that there is, then puts it in its place: who reads it has the one or the other, whole. It
 * keeps the rights of the one before; a first one can be read by others, as other people of the
 * office may be meant to.
 * @param patience with the drive; what it throws ends the writing, before the file is in its place
 * @throws what the disk says, or what `pieces` throws, or a Refusal where its place became a link; then the file is as it was
 */
export function replaceFile(
  clock: Clock,
  path: string,
  pieces: AsyncIterable<string | Uint8Array>,
  patience?: StepTimeout,
): Promise<void> {
  const name = basename(path);
  const unfinished = `.${name}.footbridge`;
  return inLockedFolder(dirname(path), async (folder) => {
    const before = await lstat(folder.way(name)).catch(() => undefined);
    if (before?.isSymbolicLink()) throw movedRefusal(path);
    // Left over from a kill. It is never written to: somebody else may have put there what leads elsewhere.
    const remove = (): Promise<void> => unlink(folder.way(unfinished)).catch(() => undefined);
    await remove();
    try {
      // For nobody else's eyes until it is whole.
      const file = await folder.open(unfinished, NEW_ALONE, 0o600);
      try {
        patience?.rests();
        for await (const piece of pieces) {
          patience?.goesOn();
          await file.appendFile(piece);
          patience?.rests();
        }
        patience?.goesOn();
        // By the open file and not by its name, in whose place somebody may have put a link meanwhile.
        await file.chmod(
          before?.isFile() && before.uid === process.getuid?.() ? before.mode & 0o777 : NEW_FILE,
        );
        await file.sync();
      } finally {
        await file.close();
      }
      await folder.stays();
      patience?.goesOn();
      await renameDurably(systemDisk, clock, folder.way(unfinished), folder.way(name));
    } catch (error) {
      await remove();
      throw error;
    }
  });
}

export function whyNotWritten(path: string, error: unknown): Words {
  if (error instanceof StoreError) return error.words;
  const file = shownFileName(path);
  const code = errorCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return said('copy.no-folder', { folder: shownFileName(dirname(path)) });
  if (code === 'EBUSY' || code === 'EPERM' || code === 'EACCES' || code === 'EISDIR')
    return said('copy.locked', { file });
  if (code === 'ENAMETOOLONG') return said('watched.too-long');
  if (code === 'ENOSPC' || code === 'EDQUOT') return said('copy.full', { file });
  return said('copy.not-written', { file, code: code ?? '?' });
}
