import { cp, readdir, readFile, rm, stat, truncate } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { copyFolder } from '../faults/disk-sample.ts';

/** What other hands do to the files of an office that is not running. */
export const HARMS = ['folder', 'part', 'file', 'tail'] as const;
/**
 * Daily backups, out of which the program mends what was cut, are removed where a story is to go without them; with
 * `bare tail` before the end is cut off.
 */
export type Harm = (typeof HARMS)[number] | 'backups' | 'bare tail';

/** The files of a store that hold rows, shares and partners or say what there is; without the ledger's. */
async function filesOf(store: string): Promise<string[]> {
  const entries = await readdir(store, {
    recursive: true,
    withFileTypes: true,
  }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(store.length + 1))
    .filter((file) => !file.startsWith('ledger'))
    .sort();
}

/**
 * Puts a data folder, one part of its store or one file of it back to `copy`, cuts the end off one of its journals, or
 * removes its backups.
 * Answers what was done; undefined where there is nothing that it could be done to.
 */
export async function harm(
  what: Harm,
  at: { readonly dataDir: string; readonly copy: string },
  which: number,
): Promise<string | undefined> {
  if (what === 'bare tail') {
    await harm('backups', at, which);
    return harm('tail', at, which);
  }
  const [store, older] = [join(at.dataDir, 'store'), join(at.copy, 'store')];
  if (what === 'folder') {
    await rm(at.dataDir, { recursive: true });
    await copyFolder(at.copy, at.dataDir);
    return 'all of it is older';
  }
  if (what === 'backups') {
    await rm(join(at.dataDir, 'backups'), { recursive: true, force: true });
    return 'its daily backups are gone';
  }
  const files = await filesOf(what === 'tail' ? store : older);
  if (what === 'part') {
    const parts = [...new Set(files.map(dirname))].filter((part) => part !== '.');
    const part = parts[which % parts.length];
    if (part === undefined) return undefined;
    await rm(join(store, part), { recursive: true, force: true });
    await cp(join(older, part), join(store, part), { recursive: true });
    return `${part} is older`;
  }
  if (what === 'file') {
    const changed: string[] = [];
    for (const file of files) {
      const now = await readFile(join(store, file)).catch(() => undefined);
      if (now && !now.equals(await readFile(join(older, file)))) changed.push(file);
    }
    const file = changed[which % changed.length];
    if (file === undefined) return undefined;
    await cp(join(older, file), join(store, file));
    return `${file} is older`;
  }
  const journals = files.filter((file) => file.includes('/journal-'));
  const file = journals[which % journals.length];
  if (file === undefined) return undefined;
  const { size } = await stat(join(store, file));
  const left = Math.floor(size * (1 - ((which % 7) + 1) / 10));
  await truncate(join(store, file), left);
  return `${file} is cut from ${size} to ${left} bytes`;
}
