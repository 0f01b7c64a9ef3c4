import { describe, expect, it, onTestFinished } from 'vitest';
import type { Overview } from '../../server/contract/app/overview.ts';
import { appCalls, serveBuilt, userTokenOf } from '../support/harness/program.ts';

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

  it('tells the windows first, whose stream ends with the listeners', async () => {
    const served = await serveBuilt();
    onTestFinished(() => served.remove());
    const call = appCalls(served);
    const stream = await fetch(new URL('/app/events', served.window), {
      headers: { authorization: `Bearer ${userTokenOf(served)}` },
    });
    const heard: string[] = [];
    const reading = (async () => {
      for await (const piece of stream.body ?? []) heard.push(Buffer.from(piece).toString());
    })().catch(() => undefined);
    await call('PATCH', '/app/settings', { network: true });
    await reading;
    expect(heard.join('')).toContain('event: reopening');
  });

  it(
    'does not win over an address that was given on the command line',
    { tags: 'nightly-orders' },
    async () => {
      for (const host of ['127.0.0.1', 'localhost']) {
        const reachable = await isReachable(['--host', host]);
        expect(await reachable()).toBe(false);
      }
    },
  );
});
