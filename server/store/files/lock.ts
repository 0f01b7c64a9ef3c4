import { randomUUID } from 'node:crypto';
import { open, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from './format.ts';
import { errorCode } from './disk-steps.ts';
import { processStart } from './process-start.ts';
import { StoreError } from '../store.ts';

const lockSchema = z.object({
  pid: z.int().positive(),
  /** See `processStart`. */
  started: z.string(),
  nonce: z.string(),
  /** Name of the computer that it runs on: the folder may lie on a drive that several can reach. */
  host: z.string().optional(),
  /** Where the running node answers on this computer, for other commands on the same folder. */
  window: z.string().optional(),
});
/** What the lock file of a data folder says about the process that uses the folder. */
export type LockInfo = z.infer<typeof lockSchema>;

/** What the holder may tell other processes on this computer. */
export type Announcement = Pick<LockInfo, 'window'>;

/** A data folder that only this process uses. */
export interface Lock {
  /** A lock was found whose process does not run any more. */
  readonly wasStale: boolean;
  /** Tells other processes how to reach this one; see {@link readLock}. */
  announce(info: Announcement): Promise<void>;
  /** Gives the folder up. */
  release(): Promise<void>;
}

/** Name of the lock file in the data folder. */
export const LOCK_FILE = 'lock';
/**
 * Taking over a stale lock lasts milliseconds. Whether the process that does it still runs is asked; where that cannot
 * be found out, what is older than this is left from a crash in it.
 */
const TAKEOVER_LIMIT = 10_000;

/**
 * A process on another computer cannot be asked whether it runs; so the holder touches its lock every so
 * many milliseconds, and one that was not touched for three times as long counts as left behind.
 */
const HEARTBEAT = 20_000;

/** The process that uses this data folder at the moment; undefined when none does. */
export async function readLock(dataDir: string): Promise<LockInfo | undefined> {
  const path = join(dataDir, LOCK_FILE);
  const info = await readInfo(path);
  return info && (await isHeld(path, info, Date.now())) ? info : undefined;
}

/**
 * Where the process on this computer that uses this data folder is reached; undefined when none does, or says so.
 * @throws StoreError `locked` where it is on another computer: whoever listens at that address here is somebody else
 */
export async function windowHere(dataDir: string): Promise<string | undefined> {
  const holder = await readLock(dataDir);
  if (holder && !isHere(holder)) throw lockedError(holder);
  return holder?.window;
}

/** Takes the folder for this process. Throws StoreError `locked` while another one uses it. */
export async function takeLock(dataDir: string): Promise<Lock> {
  const path = join(dataDir, LOCK_FILE);
  const info: LockInfo = {
    pid: process.pid,
    started: (await processStart(process.pid)) ?? '',
    nonce: randomUUID(),
    host: hostname(),
  };
  const taken = await createNew(path, info);
  if (!taken) await takeOver(path, info);
  let current: LockInfo = info;
  const ours = async (): Promise<boolean> => (await readInfo(path))?.nonce === info.nonce;
  /** Written anew, not given a time: so it gets that of the drive. */
  const touch = async (): Promise<void> => {
    if (await ours()) await write(path, current);
  };
  let touching: Promise<void> = Promise.resolve();
  const beat = setInterval(() => {
    touching = touching.then(touch).catch(() => undefined);
  }, HEARTBEAT);
  beat.unref();
  return {
    wasStale: !taken,
    announce(more) {
      current = { ...info, ...more };
      return write(path, current);
    },
    async release() {
      clearInterval(beat);
      await touching;
      if (await ours()) await unlink(path);
    },
  };
}

async function takeOver(path: string, info: LockInfo): Promise<void> {
  const guard = `${path}.takeover`;
  if (!(await createNew(guard, info))) {
    if (!(await isLeftBehind(guard))) throw lockedError();
    await unlink(guard).catch(() => undefined);
    if (!(await createNew(guard, info))) throw lockedError();
  }
  try {
    const holder = await settledInfo(path);
    // The guard was written just now: its time is that of the drive, whatever this computer's clock says.
    const { mtimeMs: now } = await stat(guard);
    if (holder && (await isHeld(path, holder, now))) throw lockedError(holder);
    await replace(path, info);
  } finally {
    await unlink(guard).catch(() => undefined);
  }
}

/** Whether the process that began this takeover ended in the middle of it. */
async function isLeftBehind(guard: string): Promise<boolean> {
  const maker = await settledInfo(guard);
  if (maker && isHere(maker)) return !(await isHeld(guard, maker, Date.now()));
  const made = (await stat(guard).catch(() => undefined))?.mtimeMs ?? 0;
  return Date.now() - made >= TAKEOVER_LIMIT;
}

/** Whether that process runs, or ran, on this computer. */
function isHere({ host }: LockInfo): boolean {
  return host === undefined || host === hostname();
}

function lockedError(holder?: LockInfo): StoreError {
  const where =
    holder && !isHere(holder) ? ` on the computer ${holder.host}` : holder ? ` (process ${holder.pid})` : '';
  return new StoreError(
    'locked',
    `The data folder is in use by another Footbridge${where}. Close that one first, or choose another folder.`,
  );
}

async function isHeld(path: string, holder: LockInfo, now: number): Promise<boolean> {
  const { pid, started } = holder;
  if (!isHere(holder)) {
    const touched = (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
    return now - touched < 3 * HEARTBEAT;
  }
  const running = await processStart(pid);
  return running !== undefined && (running === started || running === '' || started === '');
}

async function createNew(path: string, info: LockInfo): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(JSON.stringify(info));
      await file.sync();
    } catch (error) {
      // On a full disk the name is there and nothing in it: whoever comes next would wait for somebody to finish.
      await unlink(path).catch(() => undefined);
      throw error;
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

async function replace(path: string, info: LockInfo): Promise<void> {
  const unfinished = `${path}.tmp`;
  await writeFile(unfinished, JSON.stringify(info), { mode: 0o600 });
  await rename(unfinished, path);
}

/** Anew where that is possible; a full disk must keep nobody from the lists that there are. */
async function write(path: string, info: LockInfo): Promise<void> {
  await replace(path, info).catch(async () => {
    await unlink(`${path}.tmp`).catch(() => undefined);
    await overwrite(path, info);
  });
}

/** Where there is no room for another file: the same words into the same place, which takes none. */
async function overwrite(path: string, info: LockInfo): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.write(JSON.stringify(info), 0);
  } finally {
    await file.close();
  }
}

/** The lock's content; one that its maker has only just begun to write is waited for. */
async function settledInfo(path: string): Promise<LockInfo | undefined> {
  for (let tries = 0; tries < 20; tries++) {
    const info = await readInfo(path);
    if (info) return info;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return undefined;
}

async function readInfo(path: string): Promise<LockInfo | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return lockSchema.safeParse(parseJson(text)).data;
}
