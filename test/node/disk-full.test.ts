import { expect, it, onTestFinished } from 'vitest';
import type { PartnerSummary } from '../../server/contract/app.ts';
import { faultyDisk } from '../support/disk-faults.ts';
import { temporaryFolder } from '../support/disk-folder.ts';
import type { AppError } from '../support/node-office.ts';
import { pairNodes, rowsOf, shareAndReceive, startNode } from '../support/node-office.ts';

it('R2: a node whose disk is full answers 507, goes on reading, closes whole, and goes on when there is room', async () => {
  const folder = await temporaryFolder();
  const disk = faultyDisk();
  let office = await startNode('Oslo', { dataDir: folder.path, disk });
  const list = await office.list('Customers', ['Name'], [{ Name: 'saved' }]);
  const add = (name: string): Promise<unknown> =>
    office.app('POST', `/app/lists/${list}/rows`, { values: { Name: [name] } });

  disk.full(true);
  await expect(add('too much')).rejects.toMatchObject({ status: 507 } satisfies Partial<AppError>);
  expect((await rowsOf(office, list)).map(({ Name }) => Name)).toEqual(['saved']);
  await office.stop();

  disk.full(false);
  office = await startNode('Oslo', { dataDir: folder.path, disk });
  await add('room again');
  disk.full(true);
  await expect(add('too much')).rejects.toMatchObject({ status: 507 });
  disk.full(false);
  await add('and again');
  expect((await rowsOf(office, list)).map(({ Name }) => Name)).toEqual(['saved', 'room again', 'and again']);
  await office.stop();
  await folder.remove();
});

it('whoever shares with a node whose disk is full is told that nothing arrives there', async () => {
  const disk = faultyDisk();
  const oslo = await startNode('Oslo', { syncIntervalMs: 1000 });
  onTestFinished(() => oslo.stop());
  const bergen = await startNode('Bergen', { syncIntervalMs: 1000, disk });
  onTestFinished(() => bergen.stop());
  const list = await oslo.list('Customers', ['Name'], [{ Name: 'Ødegård' }, { Name: 'Łuczak' }]);
  const { atInviter, atInvited } = await pairNodes(oslo, bergen);
  const to = { office: bergen, partner: atInvited };
  const received = await shareAndReceive({ office: oslo, partner: atInviter, list }, ['Name'], to);
  const told = async (): Promise<string> => {
    const { state, reason, also } = await oslo.app<PartnerSummary>('GET', `/app/partners/${atInviter}`);
    return [state, reason, ...also].join(' | ');
  };
  const noticed = { timeout: 60_000, interval: 200 };
  await expect.poll(told, noticed).toMatch(/^up-to-date/);
  disk.full(true);
  await oslo.app('POST', `/app/lists/${list}/rows`, { values: { Name: ['Győri'] } });
  await expect.poll(told, noticed).toMatch(/^syncing \| 1 change is on its way/);
  await expect
    .poll(told, noticed)
    .toMatch(/^offline \| 1 change does not arrive at .*, though they ask for it\. Ask them/);
  expect(await told()).not.toMatch(/on its way/);
  disk.full(false);
  await expect.poll(told, noticed).toMatch(/^up-to-date/);
  expect((await rowsOf(bergen, received.list)).map(({ Name }) => Name).sort()).toEqual(
    ['Győri', 'Ødegård', 'Łuczak'].sort(),
  );
});
