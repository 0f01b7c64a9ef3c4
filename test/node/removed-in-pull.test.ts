import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';
import { startLine } from '../support/faults/line.ts';
import { pairNodes, shareAndReceive, startNode } from '../support/harness/node.ts';

it('a partner that is removed while a page of it is on its way leaves nothing behind that nobody catches', async () => {
  const folder = await temporaryFolder();
  const behind: { port?: number } = {};
  const line = await startLine(() => behind.port);
  const publicUrl = `http://127.0.0.1:${line.port}`;
  const oslo = await startNode('Oslo', { dataDir: join(folder.path, 'oslo'), publicUrl });
  behind.port = oslo.port;
  const bergen = await startNode('Bergen', { dataDir: join(folder.path, 'bergen') });
  const uncaught: unknown[] = [];
  const note = (error: unknown): void => void uncaught.push(error);
  process.on('unhandledRejection', note);
  onTestFinished(async () => {
    process.off('unhandledRejection', note);
    line.set('clear');
    await Promise.all([oslo.stop(), bergen.stop()]);
    await line.close();
    await folder.remove();
  });
  const { atInviter, atInvited } = await pairNodes(oslo, bergen);
  const list = await oslo.list('Customers', ['Name'], [{ Name: 'Ødegård Bygg' }]);
  const from = { office: oslo, partner: atInviter, list };
  await shareAndReceive(from, ['Name'], { office: bergen, partner: atInvited });

  await oslo.app('POST', `/app/lists/${list}/rows`, { values: { Name: ['Fontaine'] } });
  line.set('frozen', /changes/);
  const asked = bergen.app('POST', `/app/partners/${atInvited}/sync`).catch(() => undefined);
  await expect.poll(() => line.held).toBeGreaterThan(0);
  await bergen.app('POST', `/app/partners/${atInvited}/disconnect`, { received: 'keep' });
  line.set('clear');
  await asked;
  await new Promise((resolve) => setImmediate(resolve));
  expect(uncaught).toEqual([]);
});
