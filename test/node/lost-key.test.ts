import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { inspectDataFolder } from '../../server/node/inspect-data-folder.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';
import { pairNodes, rowsOf, shareAndReceive, startNode } from '../support/harness/node.ts';

interface Told {
  readonly inbox: readonly { readonly kind: string; readonly partner?: string; readonly message: string }[];
}

it.each<[string, (file: string) => Promise<unknown>]>([
  ['is empty', (file) => writeFile(file, '')],
  ['holds nothing but zeros', async (file) => writeFile(file, Buffer.alloc((await stat(file)).size))],
  ['is gone', (file) => rm(file)],
])('starts where its key %s, and says with whom to pair again', async (_, harm) => {
  const home = await temporaryFolder();
  onTestFinished(() => home.remove());
  let oslo = await startNode('Oslo', { dataDir: home.path });
  const bergen = await startNode('Bergen');
  onTestFinished(async () => {
    await Promise.all([oslo.stop(), bergen.stop()]);
  });
  const { atInviter, atInvited } = await pairNodes(bergen, oslo);
  const paper = await bergen.list('Paper', ['Kind'], [{ Kind: 'A4' }]);
  const to = { office: oslo, partner: atInvited };
  const { list } = await shareAndReceive({ office: bergen, partner: atInviter, list: paper }, ['Kind'], to);
  const { advice: before } = await inspectDataFolder(home.path);
  expect(before.join('\n')).not.toMatch(/key/);
  await oslo.stop();
  await harm(join(home.path, 'keys', 'secrets.key'));
  const { advice } = await inspectDataFolder(home.path);
  expect(advice.join('\n')).toMatch(/key .* is (missing|damaged).*pair again with: Bergen/i);
  oslo = await startNode('Oslo', { dataDir: home.path, port: oslo.port });

  const { inbox } = await oslo.app<Told>('GET', '/app/overview');
  expect(inbox.find(({ kind }) => kind === 'connection-ended')).toMatchObject({
    partner: 'Bergen',
    message: expect.stringContaining('Pair again') as string,
  });
  await expect(oslo.app('POST', `/app/partners/${atInvited}/sync`)).rejects.toThrow(/409 .*Pair again/);
  expect(await rowsOf(oslo, list)).toHaveLength(1);
  expect((await inspectDataFolder(home.path)).advice.join('\n')).toMatch(/pair again with: Bergen/i);
});
