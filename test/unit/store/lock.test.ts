import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdir,
  open as openFile,
  readdir,
  readFile,
  stat,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../server/base/clock.ts';
import { readLock, takeLock } from '../../../server/store/files/lock.ts';
import { openStore } from '../../../server/store/engine/open-store.ts';
import { processStart } from '../../../server/store/files/lock.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/harness/temporary-folder.ts';
import { soon } from '../../support/harness/soon.ts';

let folder: TemporaryFolder;
let dataDir: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  dataDir = folder.path;
});
afterEach(() => folder.remove());

const open = (): ReturnType<typeof openStore> => openStore({ dataDir, clock: systemClock });
const lockFile = (): string => join(dataDir, 'lock');
async function endedProcess(): Promise<number> {
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  return child.pid ?? 0;
}

describe('R5: two processes on one data folder', () => {
  it('refuses the second in plain words, and changes nothing for the first', async () => {
    const store = await open();
    const part = await store.partition('p');
    await expect(open()).rejects.toMatchObject({ code: 'locked' });
    await expect(open()).rejects.toThrow(/in use by another Footbridge.*Close that one/s);
    await part.transaction((tx) => tx.put({ name: 't' }, 'k', 1));
    await store.close();
    const again = await open();
    expect(again.notices()).toEqual([]);
    await again.close();
    expect(await readdir(dataDir)).not.toContain('lock');
  });

  it('takes over from a process that has ended, and tells', async () => {
    await writeFile(lockFile(), JSON.stringify({ pid: await endedProcess(), started: 'x', nonce: 'n' }));
    const store = await open();
    expect(store.notices().map(({ code }) => code)).toEqual(['stale-lock']);
    await store.close();
  });

  it('takes over when another program got the same process number later', async () => {
    await writeFile(lockFile(), JSON.stringify({ pid: process.pid, started: 'long ago', nonce: 'n' }));
    expect(await readLock(dataDir)).toBeUndefined();
    const store = await open();
    expect(store.notices().map(({ code }) => code)).toEqual(['stale-lock']);
    await store.close();
  });

  it('does not trust a number that runs and started at the same time', async () => {
    const started = await processStart(process.pid);
    await writeFile(lockFile(), JSON.stringify({ pid: process.pid, started, nonce: 'n' }));
    await expect(open()).rejects.toMatchObject({ code: 'locked' });
    expect(JSON.parse(await readFile(lockFile(), 'utf8'))).toMatchObject({ nonce: 'n' });
  });

  it.runIf(process.platform === 'linux')(
    'counts as left behind by one that ended unasked after',
    async () => {
      // What the shell becomes knows nothing of the child that the shell had.
      const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600']);
      try {
        const [said] = (await once(parent.stdout, 'data')) as [Buffer];
        const pid = Number(said.toString());
        // A shell that is still there would ask after it.
        await soon(async () => expect(await readFile(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n'));
        process.kill(pid, 'SIGKILL');
        await soon(async () => expect(await readFile(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /));
        await writeFile(lockFile(), JSON.stringify({ pid, started: '', nonce: 'n' }));
        const store = await open();
        expect(store.notices().map(({ code }) => code)).toEqual(['stale-lock']);
        await store.close();
      } finally {
        parent.kill();
      }
    },
  );

  it.each(['', 'garbage', '[]', '{"pid":-1}', '\0\0\0'])(
    'takes over a lock that says nothing: %j',
    async (text) => {
      await writeFile(lockFile(), text);
      const store = await open();
      expect(store.notices().map(({ code }) => code)).toEqual(['stale-lock']);
      await store.close();
    },
  );

  it('of many that find a stale lock at once, exactly one gets the folder', async () => {
    await writeFile(lockFile(), JSON.stringify({ pid: await endedProcess(), started: 'x', nonce: 'n' }));
    const results = await Promise.allSettled(Array.from({ length: 12 }, () => takeLock(dataDir)));
    const won = results.filter((result) => result.status === 'fulfilled');
    expect(won).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'locked' });
    }
    await won[0]?.value.release();
    expect(await readdir(dataDir)).toEqual([]);
  });

  it('is not stopped by a takeover that was itself interrupted long ago', async () => {
    await writeFile(lockFile(), JSON.stringify({ pid: await endedProcess(), started: 'x', nonce: 'n' }));
    await writeFile(`${lockFile()}.takeover`, '');
    await utimes(`${lockFile()}.takeover`, new Date(0), new Date(0));
    await (await open()).close();
    expect(await readdir(dataDir)).not.toContain('lock.takeover');
  });

  it('is not stopped by a takeover in which a process was killed a moment ago', async () => {
    const killed = { pid: await endedProcess(), started: 'x', nonce: 'n', host: hostname() };
    await writeFile(lockFile(), JSON.stringify(killed));
    await writeFile(`${lockFile()}.takeover`, JSON.stringify({ ...killed, nonce: 'm' }));
    await (await open()).close();
    expect(await readdir(dataDir)).not.toContain('lock.takeover');
  });

  it('waits for the takeover of a process that runs', async () => {
    const started = (await processStart(process.pid)) ?? '';
    const ended = { pid: await endedProcess(), started: 'x', nonce: 'n', host: hostname() };
    const running = { pid: process.pid, started, nonce: 'm', host: hostname() };
    await writeFile(lockFile(), JSON.stringify(ended));
    await writeFile(`${lockFile()}.takeover`, JSON.stringify(running));
    await expect(open()).rejects.toMatchObject({ code: 'locked' });
    expect(await readdir(dataDir)).toContain('lock.takeover');
  });

  it('of another computer counts as held while that one touches it, and as left behind afterwards', async () => {
    await writeFile(
      lockFile(),
      JSON.stringify({ pid: 1, started: 'x', nonce: 'n', host: 'PC-2 of the office' }),
    );
    await expect(open()).rejects.toThrow(/in use by another Footbridge on the computer PC-2 of the office/);
    expect(await readLock(dataDir)).toMatchObject({ host: 'PC-2 of the office' });
    const twoMinutesAgo = new Date(Date.now() - 120_000);
    await utimes(lockFile(), twoMinutesAgo, twoMinutesAgo);
    expect(await readLock(dataDir)).toBeUndefined();
    const store = await open();
    expect(store.notices().map(({ code }) => code)).toEqual(['stale-lock']);
    await store.close();
  });

  it('is touched every now and then while it is held, and no more afterwards', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const lock = await takeLock(dataDir);
      await lock.announce({ window: 'http://127.0.0.1:1/' });
      await utimes(lockFile(), new Date(0), new Date(0));
      vi.advanceTimersByTime(20_000);
      await soon(async () => expect((await stat(lockFile())).mtimeMs).toBeGreaterThan(0));
      expect(await readLock(dataDir)).toMatchObject({ window: 'http://127.0.0.1:1/' });
      await lock.release();
      vi.advanceTimersByTime(60_000);
      expect(vi.getTimerCount()).toBe(0);
      expect(await readdir(dataDir)).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is touched while there is no room for another file: nobody takes it for left behind', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const lock = await takeLock(dataDir);
      await mkdir(`${lockFile()}.tmp`);
      await utimes(lockFile(), new Date(0), new Date(0));
      vi.advanceTimersByTime(20_000);
      await soon(async () => expect((await stat(lockFile())).mtimeMs).toBeGreaterThan(0));
      expect(await readLock(dataDir)).toMatchObject({ pid: process.pid });
      await lock.release();
      expect(await readdir(dataDir)).toEqual(['lock.tmp']);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ['a folder that was never used', false],
    ['one that was left by a process that ended', true],
  ])('leaves nothing of a try on a full disk: %s', async (_, isStale) => {
    if (isStale)
      await writeFile(lockFile(), JSON.stringify({ pid: await endedProcess(), started: 'x', nonce: 'n' }));
    const before = await readdir(dataDir);
    const probe = await openFile(join(dataDir, 'probe'), 'w');
    const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    const write = vi.spyOn(Object.getPrototypeOf(probe) as typeof probe, 'writeFile').mockRejectedValue(full);
    await probe.close();
    await unlink(join(dataDir, 'probe'));
    await expect(takeLock(dataDir)).rejects.toMatchObject({ code: 'ENOSPC' });
    write.mockRestore();
    expect(await readdir(dataDir)).toEqual(before);
    const lock = await takeLock(dataDir);
    await lock.release();
  });

  it('says where the running node is to be reached, to its owner only', async () => {
    const store = await open();
    expect(await readLock(dataDir)).toMatchObject({ pid: process.pid });
    await store.announce({ window: 'http://127.0.0.1:7421/' });
    expect(await readLock(dataDir)).toMatchObject({ pid: process.pid, window: 'http://127.0.0.1:7421/' });
    if (process.platform !== 'win32') expect((await stat(lockFile())).mode & 0o777).toBe(0o600);
    await store.close();
    expect(await readLock(dataDir)).toBeUndefined();
  });

  it('says it also where a full disk has no room for another file', async () => {
    const store = await open();
    // A folder of that name lets the file be written as little as a full disk does.
    await mkdir(`${lockFile()}.tmp`);
    await store.announce({ window: 'http://127.0.0.1:7421/' });
    expect(await readLock(dataDir)).toMatchObject({ pid: process.pid, window: 'http://127.0.0.1:7421/' });
    await store.close();
  });

  it('gives the folder up when the store in it cannot be opened', async () => {
    await (await open()).close();
    await writeFile(join(dataDir, 'store', 'partitions.json'), '{"footbridge":"partitions","version":99}\n');
    await expect(open()).rejects.toMatchObject({ code: 'newer-version' });
    expect(await readLock(dataDir)).toBeUndefined();
  });

  it('leaves a lock alone that somebody else has taken meanwhile', async () => {
    const lock = await takeLock(dataDir);
    await writeFile(lockFile(), JSON.stringify({ pid: 1, started: 'x', nonce: 'other' }));
    await lock.release();
    expect(JSON.parse(await readFile(lockFile(), 'utf8'))).toMatchObject({ nonce: 'other' });
  });
});
