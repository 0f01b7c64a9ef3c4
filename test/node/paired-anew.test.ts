import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { InboxItem } from '../../server/contract/app.ts';
import { customers } from '../support/office-lists.ts';
import { pairNodes, rowsOf, startNode, type NodeOffice } from '../support/node-office.ts';

const ROWS = customers({ rows: 24, seed: 13 }).rows.map(({ CustomerID = '', City = '', Phone = '' }) => ({
  Number: CustomerID,
  City,
  Phone,
}));
let bergen: NodeOffice;
let offices: NodeOffice[];

/** An office that has these customers, paired with Bergen, which receives two of the columns into `list`. */
async function receivedFrom(oslo: NodeOffice, list: string): Promise<{ atBergen: string }> {
  offices.push(oslo);
  const pair = await pairNodes(oslo, bergen);
  const mine = await oslo.list('Customers', ['Number', 'City', 'Phone'], ROWS);
  await oslo.app('PUT', `/app/partners/${pair.atInviter}/shares/${mine}`, { fields: ['Number', 'City'] });
  const at = `/app/partners/${pair.atInvited}`;
  await bergen.app('POST', `${at}/sync`);
  const [offer] = await bergen.app<{ sharedModuleID: string }[]>('GET', `${at}/offers`);
  const matches = ['Number', 'City'].map((name) => ({ origin: name, destination: name }));
  await bergen.app('PUT', `${at}/offers/${offer?.sharedModuleID}/matching`, { moduleID: list, matches });
  await bergen.app('POST', `${at}/sync`);
  return { atBergen: pair.atInvited };
}

const doubles = async (): Promise<InboxItem[]> =>
  (await bergen.node.overview()).inbox.filter(({ kind }) => kind === 'doubles');

beforeEach(async () => {
  offices = [];
  bergen = await startNode('Bergen');
  offices.push(bergen);
});
afterEach(() => Promise.all(offices.map((office) => office.stop())));

describe('R13: an office that was installed anew sends the rows that its partner kept', () => {
  it('and the partner is told how many are there twice, until it puts that aside', async () => {
    const list = await bergen.list('Clients', ['Number', 'City', 'Note']);
    const { atBergen } = await receivedFrom(await startNode('Oslo'), list);
    expect(await rowsOf(bergen, list)).toHaveLength(24);
    expect(await doubles()).toEqual([]);
    await bergen.app('POST', `/app/partners/${atBergen}/disconnect`, { received: 'keep' });
    const [first] = await rowsOf(bergen, list);
    await bergen.app('PATCH', `/app/lists/${list}/rows/${first?.recordID}`, { values: { City: ['Voss'] } });

    await receivedFrom(await startNode('Oslo'), list);
    expect(await rowsOf(bergen, list)).toHaveLength(48);
    const [item] = await doubles();
    expect(item).toMatchObject({ rows: 23, listName: 'Clients' });
    expect(item?.message).toMatch(/^23 rows that .* sends were in “Clients” before/);
    await bergen.app('POST', `/app/inbox/${item?.itemID}/dismiss`);
    expect(await doubles()).toEqual([]);
  });

  it('and nothing is said of a list that held other rows', async () => {
    const list = await bergen.list(
      'Clients',
      ['Number', 'City'],
      [
        { Number: 'X1', City: 'Voss' },
        { Number: '', City: '' },
      ],
    );
    await receivedFrom(await startNode('Oslo'), list);
    expect(await doubles()).toEqual([]);
  });
});
