import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { CLI } from '../support/harness/program.ts';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';

/** Runs on Linux, where a program of any name can be put in the way; the other systems are in the unit tests. */
it('footbridge serve starts no program that has the window’s key among its arguments', async () => {
  const folder = await temporaryFolder();
  const seen = join(folder.path, 'seen');
  const opener = join(folder.path, 'xdg-open');
  await writeFile(opener, `#!/bin/sh\necho "$0 $*" > '${seen}.part'\nmv '${seen}.part' '${seen}'\n`);
  await chmod(opener, 0o755);
  const data = join(folder.path, 'data');
  const args = ['serve', '--data', data, '--port', '0', '--window-port', '0'];
  const child = spawn(process.execPath, [CLI, ...args], {
    env: { ...process.env, DISPLAY: ':99', PATH: `${folder.path}${delimiter}${process.env.PATH ?? ''}` },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  child.stdout.resume();
  await expect.poll(() => existsSync(seen), { timeout: 30_000 }).toBe(true);
  const started = await readFile(seen, 'utf8');
  expect(started).toMatch(/xdg-open file:\/\/\S+open-window\.html/);
  const page = await readFile(join(data, 'open-window.html'), 'utf8');
  const key = /key=([\w-]+)/.exec(page)?.[1] ?? '';
  expect(key).toHaveLength(32);
  expect(started).not.toContain(key);
  child.kill('SIGTERM');
  await exited;
  expect(existsSync(join(data, 'open-window.html'))).toBe(false);
  await folder.remove();
});
