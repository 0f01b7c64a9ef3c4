import { sha256 } from '../../../server/base/hashes.ts';
import type { Held } from './memory-store.ts';
import type { World } from './pairing-world.ts';

/** The same for all worlds that differ only in what was drawn by chance, and in when everything happened. */
export function likeness({ disk, beside, backups, now, ...rest }: World): string {
  const kept = {
    disks: [plain(disk.a), plain(disk.b)],
    backups: [backups.a.map(plain), backups.b.map(plain)],
    notes: [lastNotes(beside.a), lastNotes(beside.b)],
    ...rest,
  };
  const text = JSON.stringify(kept, (key, value: unknown) => (PAST.has(key) ? 'then' : value))
    .replace(SEALED, (_all, sealed: string) => `open ${Buffer.from(sealed, 'base64').toString()}`)
    .replace(TIME, (time) => `${Date.parse(time) - now} ms from now`);
  const secrets = new Map((text.match(SECRET) ?? []).map((secret) => [sha256(secret), secret]));
  const names = new Map<string, string>();
  const nameOf = (drawn: string): string => {
    const known = names.get(drawn) ?? `${names.size}`;
    names.set(drawn, known);
    return known;
  };
  return text.replace(DRAWN, (drawn) => {
    const secret = secrets.get(drawn);
    return secret === undefined ? nameOf(drawn) : `hash of ${nameOf(secret)}`;
  });
}

const plain = (held: Held): unknown => [...held].map(([name, entries]) => [name, [...entries]]);

/** Of several notes of one thing the last one counts. */
function lastNotes(files: ReadonlyMap<string, Buffer>): unknown {
  const last = new Map<string, unknown>();
  for (const file of files.values())
    for (const line of file.toString().trimEnd().split('\n')) {
      const { table, key, ...note } = JSON.parse(line) as Record<string, unknown>;
      last.set(JSON.stringify([table, key]), note);
    }
  return [...last];
}

/** Times of what is over, of which nothing hangs on when it was. */
const PAST = new Set([
  'createdAt',
  'updatedAt',
  'usedAt',
  'withdrawnAt',
  'revokedAt',
  'askedAt',
  'tokenSince',
  'deletedAt',
]);
const SEALED = /sealed:[ab]:([\w+/=]+)/g;
const TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;
const SECRET = /eyJ[\w-]+\.[\w-]+\.[\w-]+|\b[A-Za-z0-9]{32}\b/g;
const DRAWN =
  /eyJ[\w-]+\.[\w-]+\.[\w-]+|\b[0-9a-f]{64}\b|\b[A-Za-z0-9]{32}\b|(?<="|\\)[\w-]{24}(?="|\\)|\b\d{15,20}\b/g;
