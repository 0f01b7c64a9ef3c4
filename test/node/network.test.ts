import { describe, expect, it, onTestFinished } from 'vitest';
import type { Overview } from '../../server/contract/app/overview.ts';
import { appCalls, serveBuilt } from '../support/harness/program.ts';

/** Whether partners on the network reach a node that runs with these arguments, once its user lets them. */
async function isReachable(args: readonly string[]): Promise<() => Promise<boolean>> {
  const served = await serveBuilt({ args });
  onTestFinished(() => served.remove());
  const call = appCalls(served);
  await call('PATCH', '/app/settings', { network: true });
  return async () => {
    const overview = (await call('GET', '/app/overview').catch(() => undefined)) as Overview | undefined;
    return overview?.reachable === true;
  };
}

describe('“Let partners reach this computer”', () => {
  it('does so under serve', async () => {
    await expect.poll(await isReachable([]), { timeout: 20_000 }).toBe(true);
  });

  it('does not win over an address that was given on the command line', async () => {
    for (const host of ['127.0.0.1', 'localhost']) {
      const reachable = await isReachable(['--host', host]);
      expect(await reachable()).toBe(false);
    }
  });
});
