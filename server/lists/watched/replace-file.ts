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

/** Readable for the office, writable for the owner. */
const NEW_FILE = 0o644;
const NEW_ALONE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;

/** Returns whether a file or folder exists; false also if that can't be told. */
export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/**
 * Replaces a file atomically, by a temporary file in its folder. Keeps permissions of the user's own old file. Throws
 * errors of the disk and of `pieces`, or a refusal if the path became a link; the old file is unchanged then.
 * @param timeout limits the drive; its error cancels the write before the rename
 */
export function replaceFile(
  clock: Clock,
  path: string,
  pieces: AsyncIterable<string | Uint8Array>,
  timeout?: StepTimeout,
): Promise<void> {
  const name = basename(path);
  const unfinished = `.${name}.footbridge`;
  return inLockedFolder(dirname(path), async (folder) => {
    const before = await lstat(folder.pathTo(name)).catch(() => undefined);
    if (before?.isSymbolicLink()) throw movedRefusal(path);
    // A crash's leftover is never reused: it could be a link by now.
    const remove = (): Promise<void> => unlink(folder.pathTo(unfinished)).catch(() => undefined);
    await remove();
    try {
      const file = await folder.open(unfinished, NEW_ALONE, 0o600);
      try {
        timeout?.pause();
        for await (const piece of pieces) {
          timeout?.restart();
          await file.appendFile(piece);
          timeout?.pause();
        }
        timeout?.restart();
        // Unlike the open file, the name could be a link.
        await file.chmod(
          before?.isFile() && before.uid === process.getuid?.() ? before.mode & 0o777 : NEW_FILE,
        );
        await file.sync();
      } finally {
        await file.close();
      }
      await folder.assertUnmoved();
      timeout?.restart();
      await renameDurably(systemDisk, clock, folder.pathTo(unfinished), folder.pathTo(name));
    } catch (error) {
      await remove();
      throw error;
    }
  });
}

/** Says for the user why a copy couldn't be written. */
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
