import { rm, rmdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { putTokenLines, tokenLinesIn } from '../../federation/partners/user-tokens.ts';
import { isSystemFile } from '../../store/files/data-folder.ts';
import { systemDisk } from '../../store/files/disk.ts';
import { withStoreErrors, listIfExists, makeDataFolder } from '../../store/files/disk-steps.ts';
import { LOCK_FILE, takeLock, type Lock } from '../../store/files/lock.ts';
import { readIfExists, replaceFile } from '../../store/files/own-file.ts';
import { guardedKeyFile, keyFile, readOrSetAsideKey } from '../../store/files/secrets.ts';
import { FolderContent } from '../../store/moving/folder-content.ts';
import { MOVE_FILE, readFolderMark, writeFolderMark } from '../../store/moving/folder-mark.ts';
import type { PartitionContent } from '../../store/moving/content.ts';
import type { MoveMark } from '../../store/moving/mark.ts';
import { replaceAllNotes, readAllNotes } from '../../store/recovery/withdrawals/revocations-file.ts';
import { NOTES_FILE } from '../../store/recovery/withdrawals/read-revocations.ts';
import { StoreError } from '../../store/store.ts';
import { createFolderStorage } from '../storage/folder-storage.ts';
import { openOnce } from '../trial-open.ts';
import type { Belongings, MoveEnd } from './end.ts';

const PROGRAM_FILES = new Set([LOCK_FILE, MOVE_FILE, 'logs', 'reports', 'desktop']);

/**
 * Locks the folder of an office that moves away, and returns it as an end of the move. Before, unless a move has begun,
 * opens and closes it as a start does. Throws `StoreError` `locked`, or `permission` if its key is in a keyring.
 */
export async function openLeavingFolder(dataDir: string, clock: Clock): Promise<MoveEnd> {
  if (await readIfExists(guardedKeyFile(dataDir)))
    throw new StoreError(
      'permission',
      'The desktop app keeps the key of this data folder in the keyring of this computer, where only it can read it, so the office cannot leave with it.',
    );
  const { state = 'arrived' } = (await readFolderMark(dataDir)) ?? {};
  if (state === 'arrived') await openOnce(createFolderStorage({ dataDir, clock }), clock);
  return folderEnd(dataDir, clock);
}

/** Creates and locks a folder as an end of a move. Throws `StoreError` `locked` while in use. */
export async function folderEnd(dataDir: string, clock: Clock): Promise<MoveEnd> {
  await makeDataFolder(systemDisk, dataDir);
  return new FolderEnd(dataDir, clock, await withStoreErrors(() => takeLock(dataDir)));
}

class FolderEnd implements MoveEnd {
  readonly name: string;
  readonly #dataDir: string;
  readonly #clock: Clock;
  readonly #lock: Lock;
  readonly #content: FolderContent;

  constructor(dataDir: string, clock: Clock, lock: Lock) {
    this.#dataDir = dataDir;
    this.#clock = clock;
    this.#lock = lock;
    this.#content = new FolderContent({ disk: systemDisk, clock }, dataDir);
    this.name = `${dataDir} (${hostname()})`;
  }

  mark(): Promise<MoveMark | undefined> {
    return readFolderMark(this.#dataDir);
  }

  setMark(mark: MoveMark | undefined): Promise<void> {
    return writeFolderMark(this.#dataDir, mark);
  }

  partitions(): Promise<readonly string[]> {
    return this.#content.names();
  }

  content(partition: string): Promise<PartitionContent> {
    return this.#content.read(partition);
  }

  /** Reads keys, users' tokens and the revocation log. Renames a damaged secrets key instead of reading it. */
  async readBelongings(): Promise<Belongings> {
    const { secrets, user, certificate } = keyFilesOf(this.#dataDir);
    const secretsKey = (await readOrSetAsideKey(secrets))?.toString('hex');
    const userKey = (await readIfExists(user))?.toString('utf8').trim();
    const pem = (await readIfExists(certificate))?.toString('utf8');
    const notes = await readAllNotes(systemDisk, this.#dataDir);
    const reach = await this.#content.revocationPosition();
    return {
      ...(secretsKey === undefined ? {} : { secretsKey }),
      ...(userKey === undefined ? {} : { userKey }),
      ...(pem === undefined ? {} : { certificate: pem }),
      tokens: tokenLinesIn(this.#dataDir),
      ...(notes ? { notes } : {}),
      ...(reach ? { reach } : {}),
    };
  }

  /** Returns whether the folder is missing, or has only hidden files and those of program or system. */
  async isEmpty(): Promise<boolean> {
    const names = await listIfExists(systemDisk, this.#dataDir);
    return names.every((name) => PROGRAM_FILES.has(name) || name.startsWith('.') || isSystemFile(name));
  }

  fillPartition(partition: string, content: PartitionContent): Promise<void> {
    return withStoreErrors(() => this.#content.fillPartition(partition, content));
  }

  discard(partition: string): Promise<void> {
    return this.#content.discard(partition);
  }

  /**
   * Removes all keys, users' tokens and the revocation log, then writes the given ones and the content's position in
   * the log (`reach`).
   */
  async putBelongings({ secretsKey, userKey, certificate, tokens, notes, reach }: Belongings): Promise<void> {
    const files = keyFilesOf(this.#dataDir);
    await this.#removeBelongings();
    if (secretsKey !== undefined) await replaceFile(files.secrets, secretsKey);
    if (userKey !== undefined) await replaceFile(files.user, userKey);
    if (certificate !== undefined) await replaceFile(files.certificate, certificate);
    if (tokens.length > 0) await putTokenLines(this.#dataDir, tokens);
    const place = { disk: systemDisk, clock: this.#clock, dataDir: this.#dataDir };
    if (notes) await replaceAllNotes(place, notes);
    await this.#content.setRevocationPosition(reach);
  }

  /** Renames the copied office's folder to the one served here, then writes its mark. */
  async completeArrival(mark: MoveMark): Promise<void> {
    await withStoreErrors(() => this.#content.renameArrived());
    await this.setMark(mark);
  }

  /** Removes the copied store and belongings; the keys' folder only if it is empty then. */
  async removeCopy(): Promise<void> {
    await this.#content.removeArriving();
    await this.#removeBelongings();
    // Stays if not empty.
    await rmdir(join(this.#dataDir, 'keys')).catch(() => undefined);
  }

  close(): Promise<void> {
    return this.#lock.release();
  }

  /** Deletes the files of keys, tokens and revocations; missing ones are fine. */
  async #removeBelongings(): Promise<void> {
    for (const file of Object.values(keyFilesOf(this.#dataDir))) await rm(file, { force: true });
  }
}

/** Returns the paths of the files of keys, tokens and revocations. */
const keyFilesOf = (
  dataDir: string,
): Record<'secrets' | 'user' | 'certificate' | 'tokens' | 'notes', string> => ({
  secrets: keyFile(dataDir),
  user: join(dataDir, 'user.key'),
  certificate: join(dataDir, 'keys', 'tls.pem'),
  tokens: join(dataDir, 'user-tokens.jsonl'),
  notes: join(dataDir, NOTES_FILE),
});
