import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { withNode } from '../../../server/commands/with-node.ts';
import { temporaryFolderInMemory } from '../../support/harness/temporary-folder.ts';
import { serveOnce } from '../../support/harness/http.ts';

it('gives no token to who listens here at the address of a node on another computer', async () => {
  const folder = await temporaryFolderInMemory();
  onTestFinished(() => folder.remove());
  const heard: (string | undefined)[] = [];
  const { port, close } = await serveOnce((req, res) => {
    heard.push(req.headers.authorization);
    res.end('{}');
  });
  onTestFinished(close);
  const data = join(folder.path, 'data');
  await mkdir(data);
  const holder = { pid: 4711, started: '', nonce: 'of-the-other', host: 'a-computer-elsewhere' };
  await writeFile(join(data, 'lock'), JSON.stringify({ ...holder, window: `http://127.0.0.1:${port}` }));
  const done = withNode(data, (node) => node.call('GET', '/app/lists'));
  await expect(done).rejects.toThrow('on the computer a-computer-elsewhere');
  expect(heard).toEqual([]);
});

it('makes no office in a data folder where one in a database is meant', async () => {
  const folder = await temporaryFolderInMemory();
  onTestFinished(() => folder.remove());
  vi.stubEnv('FOOTBRIDGE_STORE', 'postgres://footbridge@db.example/footbridge');
  onTestFinished(() => void vi.unstubAllEnvs());
  const done = withNode(join(folder.path, 'data'), (node) => node.call('GET', '/app/lists'));
  await expect(done).rejects.toThrow('FOOTBRIDGE_STORE names an office in a database');
  expect(await readdir(folder.path)).toEqual([]);
});

it('closes its node and the folder when it is told to stop, and says that it was not done', async () => {
  const folder = await temporaryFolderInMemory();
  onTestFinished(() => folder.remove());
  const data = join(folder.path, 'data');
  const listenersBefore = process.listenerCount('SIGHUP');
  const done = withNode(data, async (node) => {
    await node.call('GET', '/app/lists');
    process.emit('SIGHUP', 'SIGHUP');
    await setTimeout(60_000, undefined, { ref: false });
  });
  await expect(done).rejects.toThrow('The command was stopped before it was done');
  expect(await readdir(data)).not.toContain('lock');
  expect(process.listenerCount('SIGHUP')).toBe(listenersBefore);
});
