import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Files that mark a data folder, with a test: a TLS key `user.key` is longer than ours. */
const MARKER_FILES: Readonly<Record<string, (path: string) => boolean>> = {
  'user.key': (path) => statSync(path).size <= 128,
  'withdrawn.jsonl': () => true,
  'move.json': () => true,
};
/** Names in the store's own folder that no other program's `store` has. */
const OF_STORE = new Set(['partitions.json', 'marks.json', 'restored.json']);
const OF_PARTITION = /^(journal|snapshot)-\d{6}\.jsonl$/;
/** Made before a store is, or left after it. */
const OWN = new Set([
  ...['lock', 'lock.tmp', 'lock.takeover', 'desktop'],
  ...['restore.trial', 'user-tokens.jsonl', 'open-window.html', 'hub-window'],
]);
/** Folders whose names others use too: ours if empty, or with a file of such a name. */
const OWN_FOLDERS: Readonly<Record<string, RegExp | undefined>> = {
  logs: /^footbridge/,
  reports: /^crash-/,
  backups: /^footbridge-/,
  keys: /^(?:secrets\.key|tls\.pem|access-key)/,
  // A folder with any part of a store is a data folder.
  store: /^$/,
};
/** Bit of a folder's mode: everybody may add files, and remove only their own. */
const STICKY = 0o1000;
/** Stores that a restore prepares, or has replaced. */
const OTHER_STORE = /^store\.(restoring|before-restore-.+)$/;
/** Files that file systems and file managers put into any folder. */
const STRAY =
  /^(\._.*|\.DS_Store|\.localized|\.fseventsd|\.Spotlight-V100|\.Trashes|\.TemporaryItems|\.directory|\.Trash-\d+|\.nfs[\da-f]+|\.snapshot|lost\+found|desktop\.ini|(eh)?thumbs\.db|\$RECYCLE\.BIN|System Volume Information)$/i;

/** Returns whether a file of this name says nothing about whose folder it is in. */
export const isStray = (name: string): boolean => STRAY.test(name);

/** Returns whether the folder has files that exist only beside a store: a store was here, even if it is gone. */
export function hasMarkers(dataDir: string): boolean {
  const names = new Set(namesIn(dataDir));
  return Object.entries(MARKER_FILES).some(
    ([name, isOurs]) => names.has(name) && isOurs(join(dataDir, name)),
  );
}

/** Returns whether this is a data folder: with a store, or the remains of one. */
export const isDataFolder = (folder: string): boolean => isStore(join(folder, 'store')) || hasMarkers(folder);

/** Returns whether the folder belongs to other programs: sticky, like `/tmp`, or with only their content. */
export function isForeignFolder(folder: string): boolean {
  if (isDataFolder(folder)) return false;
  if ((modeOf(folder) & STICKY) !== 0) return true;
  return namesIn(folder).some((name) => !isStray(name) && !mayBeOurs(folder, name));
}

/** Returns whether Footbridge may have made this file or folder of a data folder, as its name or content suggests. */
function mayBeOurs(folder: string, name: string): boolean {
  const own = Object.hasOwn(OWN_FOLDERS, name) ? OWN_FOLDERS[name] : undefined;
  if (own) {
    const content = namesIn(join(folder, name));
    return content.length === 0 || content.some((file) => own.test(file));
  }
  return OWN.has(name) || OTHER_STORE.test(name);
}

/** Returns whether the folder has a file that only a store has, itself or in one of its folders. */
function isStore(folder: string): boolean {
  return namesIn(folder).some(
    (name) => OF_STORE.has(name) || namesIn(join(folder, name)).some((file) => OF_PARTITION.test(file)),
  );
}

/** Returns the folder's mode bits; 0 if they can't be read. */
function modeOf(folder: string): number {
  try {
    return statSync(folder).mode;
  } catch {
    return 0;
  }
}

/** Returns the names in a folder; none if it can't be read. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
