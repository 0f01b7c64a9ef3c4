import { createWriteStream } from 'node:fs';
import { access, constants, rename, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { z } from 'zod';
import { preparedBackup } from '../contract/app/settings.ts';
import { isKeptOnRestore } from '../federation/sharing/live-definitions.ts';
import { errorCode } from '../store/files/disk-steps.ts';
import { restoreBackup } from '../store/recovery/restore-backup.ts';
import { systemClock } from '../base/clock.ts';
import { createFolderStorage } from '../node/storage/folder-storage.ts';
import { tryOpenStore } from '../node/trial-open.ts';
import { existingDataFolder } from './data-folder.ts';
import { dataOrWorkingFolder, type DataOrStore } from './store-option.ts';
import { CommandFailure, fileProblem } from './failure.ts';
import { quiet, withDatabase, withDatabaseAlone, withConnection } from './with-database.ts';
import { withNode } from './with-node.ts';
import { removeReplaced } from '../store/sql/restoring.ts';

/**
 * `footbridge backup`: writes all data into a file, replacing an existing one, from a running or new node, or a
 * database. Throws `CommandFailure` if the file can't be written.
 */
export async function backup(file: string, options: DataOrStore): Promise<void> {
  const target = resolve(file);
  await checkTarget(target);
  const data = dataOrWorkingFolder(options);
  if (options.store === undefined) await backupOfNode(target, data);
  else await backupOfDatabase(target, data, options.store);
  process.stdout.write(`The backup is in ${target}. Who has it can read your lists; keep it safe.\n`);
}

/** Throws `CommandFailure` if the folder is missing, or the file is a folder. */
async function checkTarget(target: string): Promise<void> {
  const folder = await stat(dirname(target)).catch(() => undefined);
  if (!folder?.isDirectory())
    throw new CommandFailure(`There is no folder ${dirname(target)}. Make it, or name a file elsewhere.`);
  if ((await stat(target).catch(() => undefined))?.isDirectory())
    throw new CommandFailure(
      `${target} is a folder. Name the file to write, such as ${target}/office.backup.`,
    );
}

/** Writes the backup from the database, beside processes that serve it. */
function backupOfDatabase(target: string, data: string, address: string): Promise<void> {
  return withDatabase(address, data, async ({ storage }) => {
    const store = await storage.openStore({
      log: quiet,
      goesOnWithout: () => false,
      onWritability: () => undefined,
    });
    try {
      await store.backup(target);
    } catch (error) {
      throw errorCode(error) === undefined ? error : unwritable(target, error);
    } finally {
      await store.close();
    }
  });
}

/**
 * Writes the backup of a node's data. Downloads into `<target>.part`, readable only by its owner, which is renamed when
 * complete. A failed one leaves no file.
 */
async function backupOfNode(target: string, data: string): Promise<void> {
  const part = `${target}.part`;
  await withNode(existingDataFolder(data), async (node) => {
    const prepared = await node.call('POST', '/app/backup');
    const { response } = z.object({ response: preparedBackup }).parse(await prepared.json());
    const answer = await node.call('GET', response.download);
    // May be a killed command's, or another user's who could read the backup.
    await rm(part, { force: true });
    try {
      await pipeline(
        Readable.fromWeb(answer.body as ReadableStream),
        createWriteStream(part, { flags: 'wx', mode: 0o600, flush: true }),
      );
      await rename(part, target);
    } catch (error) {
      await rm(part, { force: true });
      throw unwritable(target, error);
    }
  });
}

const unwritable = (target: string, error: unknown): CommandFailure =>
  new CommandFailure(`${target} can't be written. ${fileProblem(error)}`);

/**
 * `footbridge restore`: checks a backup, opens it on trial, replaces all data by it but what was revoked since, and
 * prints where the old data is. Throws if a node uses the folder, or for an unreadable or unusable backup.
 */
export async function restore(file: string, options: DataOrStore): Promise<void> {
  const data = dataOrWorkingFolder(options);
  await access(file, constants.R_OK).catch((error: unknown) => {
    throw new CommandFailure(`${resolve(file)} can't be read. ${fileProblem(error)}`);
  });
  if (options.store !== undefined) return restoreIntoDatabase(resolve(file), data, options.store);
  const dataDir = resolve(data);
  const { entries, kept } = await restoreBackup(resolve(file), dataDir, {
    clock: systemClock,
    keeps: isKeptOnRestore,
    tryOut: (folder) =>
      tryOpenStore(createFolderStorage({ dataDir: folder, clock: systemClock }), systemClock),
  });
  process.stdout.write(
    `Restored ${entries} entries into ${dataDir}. What was withdrawn, revoked or paused since stays so. No backup has keys: on another computer, pair again with each partner.\n`,
  );
  if (kept !== undefined) process.stdout.write(`What was there before lies in ${kept}.\n`);
}

/**
 * Replaces the office in the database by a backup, while no process serves it, and prints how to remove what was
 * replaced.
 */
async function restoreIntoDatabase(file: string, data: string, address: string): Promise<void> {
  await withDatabaseAlone(address, data, ({ storage }) =>
    storage.restore(file, { keeps: isKeptOnRestore, tryOut: (there) => tryOpenStore(there, systemClock) }),
  );
  process.stdout.write(
    'Restored into the database. What was withdrawn, revoked or paused since stays so. What was there before lies beside it, until “footbridge tidy” removes it.\n',
  );
}

/** `footbridge tidy`: deletes what restores into a database replaced. Throws `CommandFailure` without a database. */
export async function tidy({ store }: { store?: string }): Promise<void> {
  if (store === undefined)
    throw new CommandFailure(
      'Give the database by --store or FOOTBRIDGE_STORE. A restore into a data folder leaves what it replaced in a folder beside it. Remove that folder as any other.',
      2,
    );
  const { restores, entries } = await withConnection(store, removeReplaced);
  process.stdout.write(
    restores === 0
      ? 'There is nothing in this database that a restore replaced.\n'
      : `What ${restores === 1 ? 'a restore' : `${restores} restores`} had replaced is removed: ${entries} entries.\n`,
  );
}
