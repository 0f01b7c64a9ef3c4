import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';
import { pairNodes, rowsOf, shareAndReceive, startNode, type NodeOffice } from '../support/harness/node.ts';

/** Oslo receives customers and orders from Bergen, and cannot read its customers. */
let home: { path: string; remove: () => Promise<void> };
let oslo: NodeOffice;
let bergen: NodeOffice;
let bergenAtOslo: string;
let osloAtBergen: string;
let customersThere: string;
let ordersThere: string;
let customers: string;
let orders: string;
let customersOffer: string;

const folder = (): string => join(home.path, 'oslo', 'store', `list-${customers}`);
const aside = (): string => join(home.path, 'aside');
async function restart(meanwhile: () => Promise<unknown>): Promise<void> {
  await oslo.stop();
  await meanwhile();
  oslo = await startNode('Oslo', { dataDir: join(home.path, 'oslo'), port: oslo.port });
}
const readableAgain = (): Promise<void> => restart(() => rename(aside(), folder()));
const numbers = async (): Promise<unknown[]> =>
  (await rowsOf(oslo, orders)).map(({ Number: number }) => number);
const names = async (): Promise<unknown[]> => (await rowsOf(oslo, customers)).map(({ Name: name }) => name);
const effect = (): Promise<unknown> => oslo.app('GET', `/app/partners/${bergenAtOslo}/disconnect`);
const disconnect = (received: 'keep' | 'remove'): Promise<unknown> =>
  oslo.app('POST', `/app/partners/${bergenAtOslo}/disconnect`, { received, askRemoval: false });
const sync = (): Promise<unknown> => oslo.app('POST', `/app/partners/${bergenAtOslo}/sync`);

beforeEach(async () => {
  home = await temporaryFolder();
  [oslo, bergen] = [await startNode('Oslo', { dataDir: join(home.path, 'oslo') }), await startNode('Bergen')];
  ({ atInviter: bergenAtOslo, atInvited: osloAtBergen } = await pairNodes(oslo, bergen));
  customersThere = await bergen.list('Customers', ['Name'], [{ Name: 'Fjellheim & Sønn' }]);
  const [customer] = await rowsOf(bergen, customersThere);
  const refer = { kind: 'Record', isMulti: false, options: { moduleID: customersThere } };
  const fields = [
    { label: 'Number', name: 'Number', kind: 'String', isMulti: false },
    { label: 'Customer', name: 'Customer', ...refer },
  ];
  ordersThere = (await bergen.app<{ moduleID: string }>('POST', '/app/lists', { name: 'Orders', fields }))
    .moduleID;
  await bergen.app('POST', `/app/lists/${ordersThere}/rows`, {
    values: { Number: ['2026-0417'], Customer: [customer?.recordID ?? ''] },
  });
  const from = { office: bergen, partner: osloAtBergen };
  const to = { office: oslo, partner: bergenAtOslo };
  ({ list: customers, sharedModuleID: customersOffer } = await shareAndReceive(
    { ...from, list: customersThere },
    ['Name'],
    to,
  ));
  orders = (await shareAndReceive({ ...from, list: ordersThere }, ['Number', 'Customer'], to)).list;
  await restart(() => rename(folder(), aside()));
});
afterEach(async () => {
  await Promise.all([oslo.stop(), bergen.stop()]);
  await home.remove();
});

it('is named before the connection ends, with what is known of the others', async () => {
  expect(await effect()).toMatchObject({ receivedRows: 1, receivedLists: 2, unreadable: ['Customers'] });
});

it('keeps nothing from going that the user has removed, and its own rows go once it can be read', async () => {
  await disconnect('remove');
  expect(await numbers()).toEqual([]);
  await restart(() => Promise.resolve());
  await readableAgain();
  expect(await names()).toEqual([]);
});

it('lets the rows of the others be kept as ours, and its own once it can be read', async () => {
  await disconnect('keep');
  await readableAgain();
  expect([await names(), await numbers()]).toEqual([['Fjellheim & Sønn'], ['2026-0417']]);
  const [row] = await rowsOf(oslo, customers);
  const at = `/app/lists/${customers}/rows/${row?.recordID ?? ''}`;
  expect(JSON.stringify(await oslo.app('GET', at))).not.toContain(bergenAtOslo);
});

it(
  'lets the partner end the connection, and is no concern of the partner',
  { tags: 'nightly-orders' },
  async () => {
    await bergen.app('POST', `/app/partners/${osloAtBergen}/disconnect`, {
      received: 'keep',
      askRemoval: true,
    });
    const status = (): Promise<unknown> => oslo.app('GET', `/app/partners/${bergenAtOslo}`);
    await expect.poll(status).toMatchObject({ status: 'unpaired' });
    expect(bergen.logged.filter((line) => line.includes('could not be told'))).toEqual([]);
    await disconnect('remove');
    await readableAgain();
    expect([await names(), await numbers()]).toEqual([[], []]);
  },
);

it.each<[string, () => Promise<unknown>]>([
  [
    'is not matched any more',
    () => oslo.app('DELETE', `/app/partners/${bergenAtOslo}/offers/${customersOffer}/matching`),
  ],
  [
    'is not shared any more',
    () => bergen.app('DELETE', `/app/partners/${osloAtBergen}/shares/${customersThere}`),
  ],
])('lets the others be fetched when it %s', async (_, end) => {
  await end();
  await bergen.app('POST', `/app/lists/${ordersThere}/rows`, { values: { Number: ['2026-0512'] } });
  await sync();
  expect(await numbers()).toEqual(expect.arrayContaining(['2026-0417', '2026-0512']));
  await readableAgain();
  await sync();
  expect(await names()).toEqual(['Fjellheim & Sønn']);
});
