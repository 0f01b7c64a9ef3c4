import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Made beside a store, and only once there is one. `user.key` is also the usual name of a TLS key, which is longer. */
const TRACES: Readonly<Record<string, (path: string) => boolean>> = {
  'user.key': (path) => statSync(path).size <= 128,
  'withdrawn.jsonl': () => true,
  'move.json': () => true,
};
/** Names in the store's own folder; no other program's `store` has one of them. */
const OF_STORE = new Set(['partitions.json', 'marks.json', 'restored.json']);
const OF_PARTITION = /^(journal|snapshot)-\d{6}\.jsonl$/;
/** Made before a store is, or left where it is gone. */
const OWN = new Set([
  ...['lock', 'lock.tmp', 'lock.takeover', 'desktop'],
  ...['restore.trial', 'user-tokens.jsonl', 'open-window.html', 'hub-window'],
]);
/** Folders whose names other programs use too: each is Footbridge's where it is empty or holds a file of such a name. */
const OWN_FOLDERS: Readonly<Record<string, RegExp | undefined>> = {
  logs: /^footbridge/,
  reports: /^crash-/,
  backups: /^footbridge-/,
  keys: /^(?:secrets\.key|tls\.pem|access-key)/,
  // One that holds anything of a store makes the folder a data folder.
  store: /^$/,
};
/** Of a folder's mode: everybody may put files into it, and remove their own only. */
const STICKY = 0o1000;
/** Stores that a restore makes ready, and that it has replaced. */
const OTHER_STORE = /^store\.(restoring|before-restore-.+)$/;
/** Put into any folder by file systems and file managers. */
const STRAY =
  /^(\._.*|\.DS_Store|\.localized|\.fseventsd|\.Spotlight-V100|\.Trashes|\.TemporaryItems|\.directory|\.Trash-\d+|\.nfs[\da-f]+|\.snapshot|lost\+found|desktop\.ini|(eh)?thumbs\.db|\$RECYCLE\.BIN|System Volume Information)$/i;

/** Whether a file of this name says nothing about whose folder it is in. */
export const isStray = (name: string): boolean => STRAY.test(name);

/** Whether there was a store in this data folder, even if it is gone now. */
export function wasInUse(dataDir: string): boolean {
  const names = new Set(namesIn(dataDir));
  return Object.entries(TRACES).some(([name, isOurs]) => names.has(name) && isOurs(join(dataDir, name)));
}

/** Whether this is a data folder: one with a store, or with what is left of one. */
export const isDataFolder = (folder: string): boolean => isStore(join(folder, 'store')) || wasInUse(folder);

/**
 * Whether the folder belongs to other programs: it holds something, and nothing that shows it to be a data folder, or it
 * is sticky, as `/tmp` is. Stray files of the system don't count. Follows symbolic links. A folder that is missing or
 * unreadable is not foreign: making or reading it says what is wrong.
 */
export function isForeignFolder(folder: string): boolean {
  if (isDataFolder(folder)) return false;
  if ((modeOf(folder) & STICKY) !== 0) return true;
  return namesIn(folder).some((name) => !isStray(name) && !isOwn(folder, name));
}

function isOwn(folder: string, name: string): boolean {
  const own = Object.hasOwn(OWN_FOLDERS, name) ? OWN_FOLDERS[name] : undefined;
  if (own) {
    const content = namesIn(join(folder, name));
    return content.length === 0 || content.some((file) => own.test(file));
  }
  return OWN.has(name) || OTHER_STORE.test(name);
}

function isStore(folder: string): boolean {
  return namesIn(folder).some(
    (name) => OF_STORE.has(name) || namesIn(join(folder, name)).some((file) => OF_PARTITION.test(file)),
  );
}

/** 0 where there is no folder, or it can't be looked at. */
function modeOf(folder: string): number {
  try {
    return statSync(folder).mode;
  } catch {
    return 0;
  }
}

/** None where there is no folder, or it can't be read. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
