import { createServer, type Server } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { FootbridgeNode } from '../../server/node/node.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';
import { startNode } from '../support/harness/node.ts';

/** A program that has a port of this computer. */
async function taken(port = 0, host = '127.0.0.1'): Promise<{ port: number; free: () => Promise<unknown> }> {
  const server: Server = createServer();
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const free = (): Promise<unknown> => new Promise((resolve) => server.close(resolve));
  onTestFinished(async () => {
    await free();
  });
  const address = server.address();
  return { port: typeof address === 'object' && address ? address.port : 0, free };
}

async function takenAsSoonAsFree(port: number): ReturnType<typeof taken> {
  for (;;) {
    const got = await taken(port).catch(() => undefined);
    if (got) return got;
    await setImmediate();
  }
}

async function freePort(): Promise<number> {
  const { port, free } = await taken();
  await free();
  return port;
}

/** A node that goes by its settings alone. */
async function startBySettings(dataDir: string): Promise<FootbridgeNode> {
  const node = new FootbridgeNode({ dataDir, windowPort: 0, label: 'North', log: pino({ level: 'silent' }) });
  await node.start();
  onTestFinished(() => node.stop());
  return node;
}

/** Such a one, of which the user has set a free port. */
async function startAtFreePort(): Promise<{ path: string; port: number; node: FootbridgeNode }> {
  const { path, remove } = await temporaryFolder();
  onTestFinished(() => remove());
  const first = await startNode('North', { dataDir: path });
  const port = await freePort();
  await first.app('PATCH', '/app/settings', { port });
  await first.stop();
  return { path, port, node: await startBySettings(path) };
}

/** Whether anybody answers there, be it with a refusal of what is not encrypted. */
const answersAt = async (port: number, host = '127.0.0.1'): Promise<boolean> =>
  fetch(`http://${host}:${port}/federation/footbridge/hello`).then(
    () => true,
    () => false,
  );
/** The node is between two addresses for a moment. */
const inboxOf = (node: FootbridgeNode): Promise<string> =>
  Promise.resolve()
    .then(() => node.overview())
    .then(
      ({ inbox }) => inbox.map(({ message }) => message).join(),
      () => '',
    );
const windowAnswers = async (node: FootbridgeNode): Promise<boolean> =>
  (await fetch(node.windowLink(), { redirect: 'manual' })).status < 400;

it('stays where it is, with its window open, where a port that the user sets cannot be opened', async () => {
  const { path, port, node } = await startAtFreePort();
  expect(await answersAt(port)).toBe(true);

  const other = await taken();
  await node.changeSettings({ port: other.port });
  await expect.poll(() => inboxOf(node), { timeout: 20_000 }).toContain(`Port ${other.port} is in use`);
  await expect.poll(() => node.settings().port).toBe(port);
  expect([await answersAt(port), await windowAnswers(node)]).toEqual([true, true]);

  // Another program has this port on another address of this computer, so that not all of them can be had.
  await taken(port, '127.0.0.2');
  await node.changeSettings({ network: true });
  await expect.poll(() => inboxOf(node), { timeout: 20_000 }).toContain(`Port ${port} is in use`);
  await expect.poll(() => node.settings().network).toBe(false);
  expect([await answersAt(port), await windowAnswers(node)]).toEqual([true, true]);

  const next = await freePort();
  await node.changeSettings({ port: next });
  await expect.poll(() => answersAt(next), { timeout: 20_000 }).toBe(true);
  await expect.poll(() => inboxOf(node)).not.toContain('is in use');
  await node.stop();
  const again = await startBySettings(path);
  expect([again.settings().port, await answersAt(next)]).toEqual([next, true]);
});

it('has its window open in any case, also where another program takes the port that it had', async () => {
  const { port, node } = await startAtFreePort();

  const other = await taken();
  // It is free for a moment only, in which the node is neither here nor there.
  const isTaken = takenAsSoonAsFree(port);
  await node.changeSettings({ port: other.port });
  const { free } = await isTaken;
  await expect.poll(() => inboxOf(node), { timeout: 20_000 }).toContain('Partners can’t reach this office');
  expect([node.settings().port, await windowAnswers(node)]).toEqual([other.port, true]);

  await free();
  await node.changeSettings({ port });
  await expect.poll(() => answersAt(port), { timeout: 20_000 }).toBe(true);
  await expect.poll(() => inboxOf(node)).not.toContain('cannot reach');
});

it('opens no network again that the user has closed, where what was set with it cannot be opened', async () => {
  const { port, node } = await startAtFreePort();
  const fromAnotherAddress = (): Promise<boolean> => answersAt(port, '127.0.0.2');
  await node.changeSettings({ network: true });
  await expect.poll(fromAnotherAddress, { timeout: 20_000 }).toBe(true);
  // The listener is open a moment before the node is.
  await expect.poll(() => node.settings().network).toBe(true);

  const other = await taken();
  await node.changeSettings({ network: false, port: other.port });
  await expect.poll(() => inboxOf(node), { timeout: 20_000 }).toContain(`Port ${other.port} is in use`);
  await expect.poll(() => answersAt(port)).toBe(true);
  await expect.poll(() => node.settings().port).toBe(port);
  expect(node.settings().network).toBe(false);
  expect([await fromAnotherAddress(), await windowAnswers(node)]).toEqual([false, true]);
});
