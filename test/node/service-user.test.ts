import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { runBuilt, serveBuilt, userTokenOf } from '../support/harness/program.ts';

/** The user that systemd makes for a service has no home, and Debian without `libnss-systemd` doesn't know it either. */
const WITHOUT_HOME = `data:text/javascript,import os from 'node:os'; import { syncBuiltinESMExports } from 'node:module';
os.homedir = () => { throw new Error('uv_os_homedir returned ENOENT'); }; syncBuiltinESMExports();`;

it('a user without a home runs the node, and gets a support bundle', async () => {
  const served = await serveBuilt({ nodeArgs: ['--import', WITHOUT_HOME] });
  onTestFinished(() => served.remove());
  const headers = { authorization: `Bearer ${userTokenOf(served)}` };
  const bundle = await fetch(new URL('/app/support-bundle', served.window), { headers });
  expect(bundle.status).toBe(200);
  expect(Buffer.from(await bundle.arrayBuffer()).toString('latin1')).toContain('facts.json');
  expect(await served.stop()).toBe(0);
});

const SERVICE = 61_234;

it.skipIf(process.getuid?.() !== 0)(
  'what root puts into the data folder of a service belongs to its user (skipped unless run by root)',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'footbridge-service-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const [data, file, backup] = ['data', 'Stock.csv', 'office.backup'].map((name) => join(folder, name));
    if (data === undefined || file === undefined || backup === undefined) throw new Error('Three names.');
    await writeFile(file, 'Item;Count\nChair;5\nTable;12\n');
    await runBuilt(['import', '--data', data, '--list', 'Stock', file]);
    await runBuilt(['backup', '--data', data, backup]);
    execFileSync('chown', ['--recursive', `${SERVICE}:${SERVICE}`, data]);
    await runBuilt(['restore', '--data', data, backup]);
    await runBuilt(['import', '--data', data, '--list', 'Stock', file]);
    for (const path of ['', ...(await readdir(data, { recursive: true }))])
      expect(await stat(join(data, path)), path).toMatchObject({ uid: SERVICE, gid: SERVICE });
    expect((await stat(backup)).uid).toBe(0);
  },
);
