import { expect, it, onTestFinished } from 'vitest';
import { serveBuilt, userTokenOf } from '../support/harness/program.ts';

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
