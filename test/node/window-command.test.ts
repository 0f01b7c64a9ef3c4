import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { runBuilt, serveBuilt, spawnBuilt, type Served } from '../support/harness/program.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';

let served: Served | undefined;
afterEach(async () => {
  await served?.remove();
  served = undefined;
});

async function cookiesBy(link: string): Promise<readonly string[]> {
  return (await fetch(link, { redirect: 'manual' })).headers.getSetCookie();
}

it('a fresh link into the window of a running node works once', async () => {
  served = await serveBuilt();
  const { stdout, stderr } = await runBuilt(['window', '--data', served.dataDir, '--no-open']);
  expect(stdout.trim()).toMatch(new RegExp(`^${new URL(served.window).origin}/\\?key=[\\w-]{32}$`));
  expect(stderr).toMatch(/works once/);
  expect(await cookiesBy(stdout.trim())).toHaveLength(1);
  expect(await cookiesBy(stdout.trim())).toHaveLength(0);
});

it('a second start shows the window of the node that runs, where it is asked to', async () => {
  served = await serveBuilt();
  const again = ['serve', '--data', served.dataDir, '--no-open'];
  const { stdout } = await runBuilt([...again, '--or-show']);
  expect(await cookiesBy(stdout.trim())).toHaveLength(1);
  await expect(runBuilt(again)).rejects.toThrow(/in use by another Footbridge/);
});

it('a folder on which no node runs is named, with how to start one', async () => {
  served = await serveBuilt();
  await served.stop();
  await expect(runBuilt(['window', '--data', served.dataDir])).rejects.toThrow(
    /No Footbridge is running on .* Start it with/,
  );
});

it('a journal gets no link into the window, and no log does', async () => {
  const folder = await temporaryFolder();
  const dataDir = join(folder.path, 'office');
  const args = ['serve', '--data', dataDir, '--port', '0', '--window-port', '0', '--no-open'];
  const { child, said, exited } = spawnBuilt(args);
  const lines: string[] = [];
  said.on('line', (line) => lines.push(line));
  await expect.poll(() => lines.join('\n')).toMatch(/Ctrl\+C stops it/);
  child.kill('SIGHUP');
  expect(await exited).toBe(0);
  const log = await readFile(join(dataDir, 'logs', 'footbridge.1.log'), 'utf8').catch(() => '');
  expect(`${lines.join('\n')}${log}`).not.toContain('key=');
  expect(lines.join('\n')).toContain(`cli.js window --data ${dataDir}`);
  await folder.remove();
});

it('what is wrong on the command line is told in a sentence', { tags: 'nightly-windows' }, async () => {
  served = await serveBuilt();
  const { dataDir } = served;
  const office = join(dataDir, '..');
  const wrong = (args: readonly string[], env: NodeJS.ProcessEnv = process.env): Promise<string> =>
    runBuilt(args, { env }).then(
      () => 'nothing',
      (error: unknown) => z.object({ stderr: z.string() }).parse(error).stderr,
    );
  const level = ['serve', '--data', join(dataDir, 'other'), '--no-open'];
  expect(await wrong(level, { ...process.env, FOOTBRIDGE_LOG: 'verbose' })).toMatch(
    /^footbridge: FOOTBRIDGE_LOG is set to “verbose”, .* trace, debug, info, warn, error, fatal, silent\.\n$/,
  );
  expect(await wrong(['backup', '--data', dataDir, '/nonexistent/office.backup'])).toBe(
    'footbridge: There is no folder /nonexistent. Make it, or name a file elsewhere.\n',
  );
  expect(await wrong(['backup', '--data', dataDir, office])).toMatch(/is a folder\. Name the file to write/);
  expect(await wrong(['import', '--data', dataDir, '--list', 'Stock', '/nonexistent/stock.csv'])).toBe(
    "footbridge: /nonexistent/stock.csv can't be read. There is no such file or folder. Check the path.\n",
  );
  // It never ends.
  if (process.platform === 'linux')
    expect(await wrong(['import', '--data', dataDir, '--list', 'Stock', '/dev/zero'])).toBe(
      'footbridge: /dev/zero has more than 64 MB. Split it into several files.\n',
    );
});
