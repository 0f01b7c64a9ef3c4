import { open, readdir, stat } from 'node:fs/promises';
import { arch, homedir, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { Settings } from '../contract/app/settings.ts';
import { isOfLedger } from '../federation/sharing/ledger-parts.ts';
import type { Store } from '../store/store.ts';
import type { Federation } from '../federation/federation.ts';
import type { Lists } from '../lists/lists.ts';
import type { SettingsStore } from './settings.ts';

export interface SupportBundleDeps {
  readonly version: string;
  readonly store: Store;
  readonly logDir: string;
  readonly settings: () => Settings;
  readonly collectFacts: () => Promise<Readonly<Record<string, unknown>>>;
  /** Known secrets in clear to remove wherever they appear. */
  readonly secrets: () => Promise<readonly string[]>;
}

const MAX_LOG_BYTES = 4 * 1024 * 1024;
/** Members of a log line to keep; others may be data. */
const LOG_KEYS = new Set([
  'level',
  'time',
  'msg',
  'err',
  'method',
  'path',
  'status',
  'nodeID',
  'moduleID',
  'code',
]);

/**
 * Returns versions, settings, facts, the store's structure and logs as a zip file. It has no rows, secrets or office
 * name; messages may quote hosts, addresses and names of stray folders.
 */
export async function createSupportBundle(deps: SupportBundleDeps): Promise<Uint8Array> {
  const scrub = createSecretRedactor(await deps.secrets(), ownHome());
  const asText = (value: unknown): Uint8Array => Buffer.from(scrub(JSON.stringify(value, null, 2)));
  // Not needed at the start.
  const { zipSync } = await import('fflate');
  return zipSync({
    'about.json': asText(describeProgram(deps.version)),
    'settings.json': asText(redactSettings(deps.settings())),
    'store.json': asText(await summarizeStore(deps.store)),
    'facts.json': asText(await deps.collectFacts()),
    ...(await readRedactedLogs(deps.logDir, scrub)),
  });
}

/** Returns the user's home; empty for a user without one, as systemd makes for a service. */
function ownHome(): string {
  try {
    return homedir();
  } catch {
    return '';
  }
}

/** Returns versions of program and system, memory and running time. */
function describeProgram(version: string): object {
  const { rss, heapUsed } = process.memoryUsage();
  return {
    footbridge: version,
    node: process.version,
    electron: process.versions.electron,
    system: `${platform()} ${release()} ${arch()}`,
    memory: { total: totalmem(), rss, heapUsed },
    upSeconds: Math.round(process.uptime()),
  };
}

/** Replaces the office's name and addresses by `given` or `none`. */
function redactSettings(settings: Settings): object {
  const redacted = (text: string): string => (text === '' ? 'none' : 'given');
  const { office, publicUrl, relay } = settings;
  return { ...settings, office: redacted(office), publicUrl: redacted(publicUrl), relay: redacted(relay) };
}

/** Returns partitions with their last sequence numbers (but the sharing log's), and the store's notices. */
async function summarizeStore(store: Store): Promise<object> {
  const partitions = [];
  for (const name of await store.partitions()) {
    // A number isn't worth loading years of the sharing log.
    if (isOfLedger(name)) partitions.push({ name });
    else partitions.push({ name, lastSeq: await (await store.partition(name)).lastSeq() });
  }
  return { partitions, notices: store.notices().map(({ at, code, message }) => ({ at, code, message })) };
}

/**
 * Returns, by path in the bundle, the last 4 MiB in all of the newest log files, with the harmless members of their
 * lines only.
 */
async function readRedactedLogs(
  logDir: string,
  scrub: (text: string) => string,
): Promise<Record<string, Uint8Array>> {
  const names = (await readdir(logDir).catch(() => [])).filter((name) => name.endsWith('.log'));
  const files = await Promise.all(
    names.map(async (name) => ({ name, changed: (await stat(join(logDir, name))).mtimeMs })),
  );
  files.sort((one, other) => other.changed - one.changed);
  const logs: Record<string, Uint8Array> = {};
  let remainingBytes = MAX_LOG_BYTES;
  for (const { name } of files) {
    if (remainingBytes <= 0) break;
    const text = await readEnd(join(logDir, name), remainingBytes);
    remainingBytes -= text.length;
    const lines = text.split('\n').flatMap((line) => redactLogLine(line) ?? []);
    logs[`logs/${name}`] = Buffer.from(scrub(lines.join('\n')));
  }
  return logs;
}

/** Returns at most a file's last `bytes`, as UTF-8. Throws if it can't be read. */
async function readEnd(file: string, bytes: number): Promise<string> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const part = Buffer.alloc(Math.min(size, bytes));
    const { bytesRead } = await handle.read(part, 0, part.length, size - part.length);
    return part.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

const logEntry = z.record(z.string(), z.unknown());

/** Returns a log line's harmless members as JSON; undefined if it isn't a log entry. */
function redactLogLine(line: string): string | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(line);
  } catch {
    return undefined;
  }
  const entry = logEntry.safeParse(parsed);
  if (!entry.success) return undefined;
  return JSON.stringify(Object.fromEntries(Object.entries(entry.data).filter(([key]) => LOG_KEYS.has(key))));
}

/**
 * Returns a function that replaces these secrets (of four characters or more, also encoded), whatever looks like one,
 * and the home folder by `~`.
 */
export function createSecretRedactor(secrets: readonly string[], home: string): (text: string) => string {
  const known = secrets
    .filter((secret) => secret.length >= 4)
    .flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)])
    .sort((one, other) => other.length - one.length);
  // The folder may be plain, in JSON, or in a file's URL of a stack.
  const homes = [home, JSON.stringify(home).slice(1, -1), encodeURI(home.replaceAll('\\', '/'))];
  return (text) => {
    let clean = text;
    for (const secret of known) clean = clean.replaceAll(secret, REMOVED);
    for (const spelling of home.length > 1 ? homes : []) clean = clean.replaceAll(spelling, '~');
    for (const [pattern, instead] of LOOKS_SECRET) clean = clean.replace(pattern, instead);
    return clean;
  };
}

const REMOVED = '[removed]';

const LOOKS_SECRET: readonly [RegExp, string][] = [
  // Credentials in addresses.
  [/(:\/\/)[^/\s"'<>@]*@/g, `$1${REMOVED}@`],
  [/\?[^\s"'<>)\\]+/g, `?${REMOVED}`],
  [/\b(bearer|basic)\s+[^\s"',;]+/gi, `$1 ${REMOVED}`],
  [/\beyJ[\w-]+(\.[\w-]*){0,2}/g, REMOVED],
  [/-----BEGIN [^-]+-----[\s\S]*?(-----END [^-]+-----|$)/g, REMOVED],
  // Anchored at its first letter: otherwise a row of dots is rescanned from each.
  [/(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.-]+/g, REMOVED],
  // Like keys, hashes and tokens; ids have only digits.
  [/(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{24,}/g, REMOVED],
];

/**
 * Returns a running node's support bundle (zip): logs, settings, and facts about partners and lists without names.
 * Partners' tokens are removed from all texts.
 */
export function createNodeBundle(deps: {
  readonly version: string;
  readonly dataDir: string;
  readonly store: Store;
  readonly settings: SettingsStore;
  readonly federation: Federation;
  readonly lists: Lists;
}): Promise<Uint8Array> {
  const { federation, lists } = deps;
  return createSupportBundle({
    version: deps.version,
    store: deps.store,
    logDir: join(deps.dataDir, 'logs'),
    settings: () => deps.settings.current(),
    /** Returns facts without names: partners by dialect and state, lists by their sizes. */
    async collectFacts() {
      const nodes = await federation.nodes.list();
      const modules = await lists.modules();
      return {
        partners: nodes.map(({ status, dialect, footbridge }) => ({ status, dialect, footbridge })),
        lists: await Promise.all(
          modules.map(async ({ moduleID, fields }) => ({
            columns: fields.length,
            ...(await lists.counts(moduleID)),
          })),
        ),
      };
    },
    /** Returns our tokens for partners, to be removed from all texts. */
    async secrets() {
      const nodes = await federation.nodes.list();
      const held = await Promise.all(
        nodes.map(({ nodeID }) => federation.tokens.tokenFor(nodeID).catch(() => '')),
      );
      return held.filter((token) => token !== '');
    },
  });
}
