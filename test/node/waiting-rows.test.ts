import { expect, it, onTestFinished } from 'vitest';
import type { WaitingRows } from '../../server/contract/app/sharing.ts';
import { pairNodes, rowsOf, shareAndReceive, startNode } from '../support/harness/node.ts';

it('rows that would lose values say in which columns', async () => {
  const [oslo, bergen] = [await startNode('Oslo'), await startNode('Bergen')];
  onTestFinished(async () => {
    await Promise.all([oslo.stop(), bergen.stop()]);
  });
  const pair = await pairNodes(oslo, bergen);
  const cities = ['Moss', 'Voss', 'Hamar', 'Tromsø'];
  const list = await oslo.list(
    'Customers',
    ['Name', 'City'],
    Array.from({ length: 40 }, (_, at) => ({ Name: `Nordvik ${at}`, City: cities[at % 4] ?? '' })),
  );
  const { sharedModuleID } = await shareAndReceive(
    { office: oslo, partner: pair.atInviter, list },
    ['Name', 'City'],
    { office: bergen, partner: pair.atInvited },
  );
  for (const { recordID = '' } of (await rowsOf(oslo, list)).slice(0, 30))
    await oslo.app('PATCH', `/app/lists/${list}/rows/${recordID}`, { values: { City: [] } });
  await bergen.app('POST', `/app/partners/${pair.atInvited}/sync`);

  const { rows } = await bergen.app<WaitingRows>(
    'GET',
    `/app/partners/${pair.atInvited}/offers/${sharedModuleID}/waiting?limit=3`,
  );
  expect(rows.map(({ effect, columns }) => [effect, columns])).toEqual(
    Array.from({ length: 3 }, () => ['empty', ['City']]),
  );
});

it('the first few show of what kinds all of them are', async () => {
  const [oslo, bergen] = [await startNode('Oslo'), await startNode('Bergen')];
  onTestFinished(async () => {
    await Promise.all([oslo.stop(), bergen.stop()]);
  });
  const pair = await pairNodes(oslo, bergen);
  const customers = Array.from({ length: 60 }, (_, at) => ({ Name: `Nordvik ${at}`, City: 'Moss' }));
  const list = await oslo.list('Customers', ['Name', 'City'], customers);
  const { sharedModuleID } = await shareAndReceive(
    { office: oslo, partner: pair.atInviter, list },
    ['Name', 'City'],
    { office: bergen, partner: pair.atInvited },
  );
  const ids = (await rowsOf(oslo, list)).map(({ recordID = '' }) => recordID);
  await oslo.app('POST', `/app/lists/${list}/rows/delete`, { recordIDs: ids.slice(0, 25) });
  for (const recordID of ids.slice(25, 55))
    await oslo.app('PATCH', `/app/lists/${list}/rows/${recordID}`, { values: { City: [] } });
  await bergen.app('POST', `/app/partners/${pair.atInvited}/sync`);

  const { rows, total } = await bergen.app<WaitingRows>(
    'GET',
    `/app/partners/${pair.atInvited}/offers/${sharedModuleID}/waiting?limit=3`,
  );
  expect(total).toBeGreaterThan(28);
  expect(rows.map(({ effect }) => effect)).toEqual(['remove', 'remove', 'empty']);
});
