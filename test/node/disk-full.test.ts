import { expect, it, onTestFinished } from 'vitest';
import type { Overview, PartnerSummary } from '../../server/contract/app/overview.ts';
import { faultyDisk } from '../support/faults/disk-faults.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';
import type { AppError } from '../support/harness/calls.ts';
import { pairNodes, rowsOf, shareAndReceive, startNode } from '../support/harness/node.ts';

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

it(
  'whoever shares with a node whose disk is full is told that nothing arrives there',
  { tags: 'nightly-orders' },
  async () => {
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
      .toMatch(/^offline \| 1 change doesn’t arrive at .*, though they ask for it\. Ask them/);
    expect(await told()).not.toMatch(/on its way/);
    disk.full(false);
    await expect.poll(told, noticed).toMatch(/^up-to-date/);
    expect((await rowsOf(bergen, received.list)).map(({ Name }) => Name).sort()).toEqual(
      ['Győri', 'Ødegård', 'Łuczak'].sort(),
    );
  },
);

it('a node whose own disk is full says so of every partner and on Home, and its partner says whose disk it is', async () => {
  const disk = faultyDisk();
  const brno = await startNode('Brno', { syncIntervalMs: 1000, disk });
  onTestFinished(() => brno.stop());
  const opole = await startNode('Opole', { syncIntervalMs: 1000 });
  onTestFinished(() => opole.stop());
  const list = await brno.list('Suppliers', ['Name'], [{ Name: 'Šindelář' }, { Name: 'Wójcik' }]);
  const { atInviter, atInvited } = await pairNodes(brno, opole);
  const to = { office: opole, partner: atInvited };
  const received = await shareAndReceive({ office: brno, partner: atInviter, list }, ['Name'], to);
  const add = (name: string): Promise<unknown> =>
    brno.app('POST', `/app/lists/${list}/rows`, { values: { Name: [name] } });
  const home = (): Promise<Overview> => brno.app<Overview>('GET', '/app/overview');
  const told = async (): Promise<string> => {
    const { state, reason, partners, inbox } = await home();
    const items = inbox.map(({ message }) => message);
    return [state, reason, ...partners.flatMap((each) => [each.reason, ...each.also]), ...items].join(' | ');
  };
  const atOpole = async (): Promise<string> => {
    const { state, reason, also } = await opole.app<PartnerSummary>('GET', `/app/partners/${atInvited}`);
    return [state, reason, ...also].join(' | ');
  };
  const noticed = { timeout: 60_000, interval: 200 };
  const DISK = /The disk of this computer is full: nothing can be saved, received or sent/g;
  await expect.poll(told, noticed).toMatch(/^up-to-date/);

  // One more is saved but not sent when the disk fills: what is sent must be written down first.
  await opole.app('POST', `/federation/nodes/${atInvited}/pause`, { fetch: true });
  await add('Żak');
  disk.full(true);
  await expect(add('Łoś')).rejects.toMatchObject({ status: 507 });
  expect(await told()).toMatch(/^error \| The disk of this computer is full/);
  expect((await told()).match(DISK)).toHaveLength(3);
  await opole.app('POST', `/federation/nodes/${atInvited}/resume`);
  await expect
    .poll(atOpole, noticed)
    .toMatch(/^error \| The disk of the partner’s computer is full, .* Ask them to free some space\.$/);
  expect((await told()).match(DISK)).toHaveLength(3);
  expect(await told()).not.toMatch(/Ask them/);

  disk.full(false);
  await expect
    .poll(async () => (await rowsOf(opole, received.list)).map(({ Name }) => Name).sort(), noticed)
    .toEqual(['Šindelář', 'Wójcik', 'Żak'].sort());
  await expect.poll(told, noticed).toMatch(/^up-to-date(?!.*disk)/);
  await expect.poll(atOpole, noticed).toMatch(/^up-to-date(?!.*disk)/);
});
