import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Tested, as a TLS key `user.key` is longer than ours. */
const MARKER_FILES: Readonly<Record<string, (path: string) => boolean>> = {
  'user.key': (path) => statSync(path).size <= 128,
  'withdrawn.jsonl': () => true,
  'move.json': () => true,
};
/** Unique to our `store`. */
const STORE_FILES = new Set(['partitions.json', 'marks.json', 'restored.json']);
const PARTITION_FILE = /^(journal|snapshot)-\d{6}\.jsonl$/;
/** May exist before or after a store. */
const OWN_FILES = new Set([
  ...['lock', 'lock.tmp', 'lock.takeover', 'desktop'],
  ...['restore.trial', 'user-tokens.jsonl', 'open-window.html', 'hub-window'],
]);
/** Others use these names too: ours is empty or has such a file. */
const OWN_FOLDERS: Readonly<Record<string, RegExp | undefined>> = {
  logs: /^footbridge/,
  reports: /^crash-/,
  backups: /^footbridge-/,
  keys: /^(?:secrets\.key|tls\.pem|access-key)/,
  store: /^$/,
};
/** Mode bit: all may add files, but remove only their own. */
const STICKY = 0o1000;
const OTHER_STORE = /^store\.(restoring|before-restore-.+)$/;
/** File systems and file managers put these into any folder. */
const SYSTEM_FILE =
  /^(\._.*|\.DS_Store|\.localized|\.fseventsd|\.Spotlight-V100|\.Trashes|\.TemporaryItems|\.directory|\.Trash-\d+|\.nfs[\da-f]+|\.snapshot|lost\+found|desktop\.ini|(eh)?thumbs\.db|\$RECYCLE\.BIN|System Volume Information)$/i;

export const isSystemFile = (name: string): boolean => SYSTEM_FILE.test(name);

/** Returns whether the folder has files that exist only beside a store, even a lost one. */
export function hasMarkers(dataDir: string): boolean {
  const names = new Set(namesIn(dataDir));
  return Object.entries(MARKER_FILES).some(
    ([name, isOurs]) => names.has(name) && isOurs(join(dataDir, name)),
  );
}

/** Returns whether the folder has a store or its remains. */
export const isDataFolder = (folder: string): boolean =>
  hasStoreFiles(join(folder, 'store')) || hasMarkers(folder);

/** Returns whether the folder is another program's: no data folder, and sticky like `/tmp` or with other files. */
export function isForeignFolder(folder: string): boolean {
  if (isDataFolder(folder)) return false;
  if ((modeOf(folder) & STICKY) !== 0) return true;
  return namesIn(folder).some((name) => !isSystemFile(name) && !mayBeOurs(folder, name));
}

/** Returns whether a name in the folder is one that Footbridge makes; a folder also needs our content, or none. */
function mayBeOurs(folder: string, name: string): boolean {
  const own = Object.hasOwn(OWN_FOLDERS, name) ? OWN_FOLDERS[name] : undefined;
  if (own) {
    const content = namesIn(join(folder, name));
    return content.length === 0 || content.some((file) => own.test(file));
  }
  return OWN_FILES.has(name) || OTHER_STORE.test(name);
}

/** Returns whether the folder has a store's own files or partitions. */
function hasStoreFiles(folder: string): boolean {
  return namesIn(folder).some(
    (name) => STORE_FILES.has(name) || namesIn(join(folder, name)).some((file) => PARTITION_FILE.test(file)),
  );
}

/** Returns the folder's mode bits; 0 if unreadable. */
function modeOf(folder: string): number {
  try {
    return statSync(folder).mode;
  } catch {
    return 0;
  }
}

/** Returns no names if unreadable. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
