import { randomUUID } from 'node:crypto';
import { open, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from './format.ts';
import { errorCode } from './disk-steps.ts';
import { StoreError } from '../store.ts';
import { execFile } from 'node:child_process';
import { childEnvironment } from '../../base/child-environment.ts';

const lockSchema = z.object({
  pid: z.int().positive(),
  started: z.string(),
  nonce: z.string(),
  /** The drive may be shared by computers. */
  host: z.string().optional(),
  /** Address for local commands on this folder. */
  window: z.string().optional(),
});
export type LockInfo = z.infer<typeof lockSchema>;

export type Announcement = Pick<LockInfo, 'window'>;

export interface Lock {
  /** The found lock's process no longer runs. */
  readonly wasStale: boolean;
  /** Publishes how local processes reach this one. */
  announce(info: Announcement): Promise<void>;
  /** Releases the folder, if still ours. */
  release(): Promise<void>;
}

export const LOCK_FILE = 'lock';
/** Takeovers take milliseconds; later, an uncheckable process counts as crashed. */
const TAKEOVER_LIMIT_MS = 10_000;

/** The holder touches its lock so often; another computer's is stale after three misses. */
const HEARTBEAT_MS = 20_000;

/** Returns the process that uses this data folder, if its lock isn't stale. */
export async function readLock(dataDir: string): Promise<LockInfo | undefined> {
  const path = join(dataDir, LOCK_FILE);
  const info = await readInfo(path);
  return info && (await isHeld(path, info, Date.now())) ? info : undefined;
}

/** Returns the running node's window address, if any. Throws StoreError `locked` for a node on another computer. */
export async function windowAddress(dataDir: string): Promise<string | undefined> {
  const holder = await readLock(dataDir);
  if (holder && !isHere(holder)) throw lockedError(holder);
  return holder?.window;
}

/**
 * Locks the data folder, replacing a stale lock, and touches the lock until its release. Throws StoreError `locked` if
 * another process uses the folder.
 */
export async function takeLock(dataDir: string): Promise<Lock> {
  const path = join(dataDir, LOCK_FILE);
  const info: LockInfo = {
    pid: process.pid,
    started: (await processStart(process.pid)) ?? '',
    nonce: randomUUID(),
    host: hostname(),
  };
  const taken = await createNew(path, info);
  if (!taken) await replaceStaleLock(path, info);
  let current: LockInfo = info;
  const ours = async (): Promise<boolean> => (await readInfo(path))?.nonce === info.nonce;
  /** Writes the lock again if still ours, which sets its modification time to the drive's. */
  const touch = async (): Promise<void> => {
    if (await ours()) await writeLock(path, current);
  };
  let touching: Promise<void> = Promise.resolve();
  const beat = setInterval(() => {
    touching = touching.then(touch).catch(() => undefined);
  }, HEARTBEAT_MS);
  beat.unref();
  return {
    wasStale: !taken,
    /** Publishes in the lock how other local processes reach this one, beside what it has. */
    announce(more) {
      current = { ...info, ...more };
      return writeLock(path, current);
    },
    /** Ends the touching of the lock, and removes it if it is still ours. */
    async release() {
      clearInterval(beat);
      await touching;
      if (await ours()) await unlink(path);
    },
  };
}

/**
 * Replaces a stale lock; a guard file admits one process. Throws StoreError `locked` if another holds or takes the
 * lock.
 */
async function replaceStaleLock(path: string, info: LockInfo): Promise<void> {
  const guard = `${path}.takeover`;
  if (!(await createNew(guard, info))) {
    if (!(await isAbandoned(guard))) throw lockedError();
    await unlink(guard).catch(() => undefined);
    if (!(await createNew(guard, info))) throw lockedError();
  }
  try {
    const holder = await settledInfo(path);
    // The new guard shows the drive's time, whatever our clock says.
    const { mtimeMs: now } = await stat(guard);
    if (holder && (await isHeld(path, holder, now))) throw lockedError(holder);
    await replaceLock(path, info);
  } finally {
    await unlink(guard).catch(() => undefined);
  }
}

/** Returns whether the takeover's process ended or, if that is unknown, its file is 10 seconds old. */
async function isAbandoned(guard: string): Promise<boolean> {
  const maker = await settledInfo(guard);
  if (maker && isHere(maker)) return !(await isHeld(guard, maker, Date.now()));
  const made = (await stat(guard).catch(() => undefined))?.mtimeMs ?? 0;
  return Date.now() - made >= TAKEOVER_LIMIT_MS;
}

/** Returns whether the lock's process runs on this computer; true for locks without a host. */
function isHere({ host }: LockInfo): boolean {
  return host === undefined || host === hostname();
}

/** Creates the StoreError `locked`, naming the holder if known. */
function lockedError(holder?: LockInfo): StoreError {
  const where =
    holder && !isHere(holder) ? ` on the computer ${holder.host}` : holder ? ` (process ${holder.pid})` : '';
  return new StoreError(
    'locked',
    `The data folder is in use by another Footbridge${where}. Close that one first, or choose another folder.`,
  );
}

/**
 * Returns whether the lock's process still runs; on another computer, whether it touched the file within three
 * heartbeats before `now`.
 */
async function isHeld(path: string, holder: LockInfo, now: number): Promise<boolean> {
  if (isHere(holder)) return isStillRunning(holder);
  const touched = (await stat(path).catch(() => undefined))?.mtimeMs ?? 0;
  return now - touched < 3 * HEARTBEAT_MS;
}

/** Returns whether this local process runs, not a later one of its number. */
export async function isStillRunning({ pid, started }: Pick<LockInfo, 'pid' | 'started'>): Promise<boolean> {
  const running = await processStart(pid);
  return running !== undefined && (running === started || running === '' || started === '');
}

/** Creates a lock file, fsynced; returns false if it exists. */
async function createNew(path: string, info: LockInfo): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(JSON.stringify(info));
      await file.sync();
    } catch (error) {
      // On a full disk it is empty, and the next process would await content.
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

/** Replaces a lock file atomically, without fsync. */
async function replaceLock(path: string, info: LockInfo): Promise<void> {
  const unfinished = `${path}.tmp`;
  await writeFile(unfinished, JSON.stringify(info), { mode: 0o600 });
  await rename(unfinished, path);
}

/** Replaces a lock file, atomically if possible, else (full disk) in place. */
async function writeLock(path: string, info: LockInfo): Promise<void> {
  await replaceLock(path, info).catch(async () => {
    await unlink(`${path}.tmp`).catch(() => undefined);
    await overwriteLock(path, info);
  });
}

/** Writes over the start of the existing lock file. */
async function overwriteLock(path: string, info: LockInfo): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.write(JSON.stringify(info), 0);
  } finally {
    await file.close();
  }
}

/** Returns the lock's content, waiting up to half a second for one being written; undefined if missing or invalid. */
async function settledInfo(path: string): Promise<LockInfo | undefined> {
  for (let tries = 0; tries < 20; tries++) {
    const info = await readInfo(path);
    if (info) return info;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  return undefined;
}

/** Returns the lock's content; undefined if missing or invalid. */
async function readInfo(path: string): Promise<LockInfo | undefined> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return lockSchema.safeParse(parseJson(text)).data;
}

/** Returns when a process started, for comparison; empty if unknown, undefined if it doesn't run. */
export async function processStart(pid: number): Promise<string | undefined> {
  if (!isRunning(pid)) return undefined;
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    if (stat === undefined) return undefined;
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
    // The parenthesised name may contain anything; the start time is 20th after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie keeps its number until collected.
    return fields[0] === 'Z' ? undefined : `${boot.trim()}/${fields[19] ?? ''}`;
  }
  return process.platform === 'win32'
    ? runProgram('powershell.exe', ['-NoProfile', '-Command', `(Get-Process -Id ${pid}).StartTime.Ticks`])
    : runProgram('ps', ['-o', 'lstart=', '-p', String(pid)]);
}

/** Returns whether a local process has this number, another user's too. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Runs a program for at most 10 seconds; returns its trimmed output, empty on failure. */
function runProgram(command: string, args: string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(
      command,
      args,
      { timeout: 10_000, env: { ...childEnvironment(process.env), LC_ALL: 'C' } },
      (error, stdout) => resolve(error ? '' : stdout.trim()),
    );
  });
}
