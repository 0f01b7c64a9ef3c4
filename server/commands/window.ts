import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { windowLink } from '../contract/app/settings.ts';
import { KNOWN_WITHIN_MS } from '../node/storage/database-tokens.ts';
import { parseJson } from '../store/files/format.ts';
import { isStillRunning, processStart, windowAddress } from '../store/files/lock.ts';
import { readIfExists, replaceFile } from '../store/files/own-file.ts';
import { servedDataFolder } from './data-folder.ts';
import { CommandFailure } from './failure.ts';
import { openBrowser, PAGE } from './open-browser.ts';
import { localNode, withNode, type LocalNode } from './with-node.ts';

/** For the browser to read the redirecting page. */
const READ_MS = 5_000;
/** Lifetime of the command's own token: that of the link, which ends with it. */
const TOKEN_MS = 600_000;

interface WindowOptions {
  readonly data: string;
  readonly store?: string;
  /** An SSH tunnel's local end, for the link. */
  readonly tunnelPort?: number;
  readonly open: boolean;
}

/**
 * `footbridge window`: prints a new link into the running node's window; `open` opens it. Throws `CommandFailure` if no
 * node runs.
 */
export async function openWindow({ data, store, open, tunnelPort }: WindowOptions): Promise<void> {
  if (store !== undefined) {
    await printLink(await hubLink(resolve(data), store), resolve(data), open, tunnelPort);
    return;
  }
  const dataDir = await servedDataFolder(data);
  if (!(await showWindow(dataDir, open, tunnelPort)))
    throw new CommandFailure(
      `No Footbridge is running on ${dataDir}. Start it with "npm start" or "footbridge serve". For an office in a database give --store as well.`,
    );
}

/**
 * Prints a link into the window of this folder's node on this computer; `open` opens it. Returns false without a node.
 * Throws `StoreError` `locked` if it runs on another computer.
 */
export async function showWindow(data: string, open: boolean, tunnelPort?: number): Promise<boolean> {
  const dataDir = resolve(data);
  if ((await windowAddress(dataDir)) === undefined) return false;
  await printLink(await withNode(dataDir, requestLink), dataDir, open, tunnelPort);
  return true;
}

const hubWindowFile = (dataDir: string): string => join(dataDir, 'hub-window');

const hubWindow = z.object({
  pid: z.int().positive(),
  /** See `processStart`. */
  started: z.string(),
  /** Its window's address; absent on standby. */
  window: z.string().optional(),
});

/**
 * Saves for other commands where the window of this process is, which serves a database; undefined: it is on standby.
 */
export async function saveHubWindowLink(dataDir: string, link: string | undefined): Promise<void> {
  const { pid } = process;
  const started = (await processStart(pid)) ?? '';
  const note = { pid, started, ...(link === undefined ? {} : { window: new URL(link).origin }) };
  await replaceFile(hubWindowFile(dataDir), JSON.stringify(note satisfies z.infer<typeof hubWindow>));
}

/**
 * Returns the window's address of the process that serves a database. Throws `CommandFailure` if none was started with
 * this folder, it is on standby, or it ended: another user's program may have its port by now, and would get the
 * command's token.
 */
async function readHubWindow(dataDir: string): Promise<string> {
  const text = (await readIfExists(hubWindowFile(dataDir)))?.toString('utf8') ?? '';
  const note = hubWindow.safeParse(parseJson(text)).data;
  if (!note || !(await isStillRunning(note)))
    throw new CommandFailure(`No process of an office in a database runs with --data ${dataDir}.`);
  if (note.window === undefined)
    throw new CommandFailure(
      `The process that was started with --data ${dataDir} is on standby and has no window. Run this command where the process that serves the office runs.`,
    );
  return note.window;
}

/**
 * Returns a link into the window of the process that serves the database, which it asks with a new short-lived token,
 * once that process knows it. Throws `CommandFailure`.
 */
async function hubLink(dataDir: string, store: string): Promise<string> {
  const base = await readHubWindow(dataDir);
  const { withDatabase } = await import('./with-database.ts');
  const token = await withDatabase(store, dataDir, async ({ storage }) => {
    const tokens = await storage.userTokens();
    const { token: text, ...made } = (await storage.userKey(tokens)).make('admin', TOKEN_MS);
    await tokens.add(made);
    return text;
  });
  await setTimeout(KNOWN_WITHIN_MS);
  return requestLink(localNode(base, token));
}

/** Requests a one-time link into the node's window. */
async function requestLink(node: LocalNode): Promise<string> {
  const answer = await node.call('POST', '/app/sessions/link');
  return z.object({ response: windowLink }).parse(await answer.json()).response.link;
}

/**
 * Prints the link. With `tunnelPort` it is for the computer where an SSH tunnel begins; otherwise `open` opens it in a
 * browser here, and gives that time to read its page.
 */
async function printLink(link: string, dataDir: string, open: boolean, tunnelPort?: number): Promise<void> {
  const url = new URL(link);
  if (tunnelPort !== undefined) url.port = String(tunnelPort);
  process.stdout.write(`${url.href}\n`);
  const where = tunnelPort === undefined ? 'on this computer' : `where port ${tunnelPort} leads here`;
  process.stderr.write(`The link works once, ${where}, within ten minutes.\n`);
  if (!open || tunnelPort !== undefined) return;
  const removePage = openBrowser(link, dataDir);
  if (existsSync(join(dataDir, PAGE))) await setTimeout(READ_MS);
  removePage();
}
