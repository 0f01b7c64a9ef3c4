import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseJson } from '../files/format.ts';
import { readIfExists, replaceFile } from '../files/own-file.ts';
import { StoreError } from '../store.ts';
import { throwUnlessServedHere, moveMarkSchema, type MoveMark } from './mark.ts';

/** Beside the store of an office that moves or moved. */
export const MOVE_FILE = 'move.json';

/**
 * Returns a move's mark in the data folder, if any. Throws StoreError `damaged` if unreadable, as the office may be
 * elsewhere.
 */
export async function readFolderMark(dataDir: string): Promise<MoveMark | undefined> {
  const file = join(dataDir, MOVE_FILE);
  const bytes = await readIfExists(file);
  if (!bytes) return undefined;
  const mark = moveMarkSchema.safeParse(parseJson(bytes.toString('utf8'))).data;
  if (mark) return mark;
  throw new StoreError(
    'damaged',
    `The file ${file}, which says whether this office has moved elsewhere, is damaged. Put back a good copy of it. If you know that the office is here and nowhere else, delete it.`,
  );
}

/** Replaces the folder's move mark atomically; undefined deletes it. */
export async function writeFolderMark(dataDir: string, mark: MoveMark | undefined): Promise<void> {
  const file = join(dataDir, MOVE_FILE);
  if (mark) await replaceFile(file, `${JSON.stringify(mark)}\n`);
  else await rm(file, { force: true });
}

/** Throws StoreError `locked` if this folder's office moves or has moved, `damaged` if its mark is unreadable. */
export async function throwIfMovedAway(dataDir: string): Promise<void> {
  throwUnlessServedHere(await readFolderMark(dataDir));
}
