import Papa from 'papaparse';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  pairNodes,
  rowsOf,
  shareAndReceive,
  startNode,
  type NodeOffice,
  type Pair,
} from '../support/node-office.ts';

let a: NodeOffice;
let b: NodeOffice;
let pair: Pair;
let received: string;
beforeEach(async () => {
  [a, b] = [await startNode('Oslo'), await startNode('Bergen')];
  pair = await pairNodes(a, b);
  const rows = Array.from({ length: 12 }, (_, at) => ({ Name: `Name ${at}`, City: 'x' }));
  const list = await a.list('Customers', ['Name', 'City'], rows);
  const sharing = { office: a, partner: pair.atInviter, list };
  received = (await shareAndReceive(sharing, ['Name'], { office: b, partner: pair.atInvited })).list;
});
afterEach(() => Promise.all([a.stop(), b.stop()]));

const inboxAtB = async (): Promise<string> =>
  (await b.node.overview()).inbox.map(({ kind, message }) => `${kind}: ${message}`).join('\n');

describe('the end of a connection', () => {
  it('says before it happens how many rows were sent and came', async () => {
    expect(await a.app('GET', `/app/partners/${pair.atInviter}/disconnect`)).toEqual({
      receivedRows: 0,
      receivedLists: 0,
      sharedLists: 1,
      rowsSent: 12,
      unreadable: [],
    });
    expect(await b.app('GET', `/app/partners/${pair.atInvited}/disconnect`)).toMatchObject({
      receivedRows: 12,
    });
  });

  it('can ask the partner to remove what was sent; the partner sees it and decides', async () => {
    await a.app('POST', `/app/partners/${pair.atInviter}/disconnect`, { received: 'keep', askRemoval: true });
    await expect.poll(inboxAtB).toMatch(/remove-request: .*asks you to remove the 12 rows/);
    expect(await rowsOf(b, received)).toHaveLength(12);

    await b.app('POST', `/app/partners/${pair.atInvited}/disconnect`, { received: 'remove' });
    expect(await rowsOf(b, received)).toEqual([]);
    expect(await inboxAtB()).not.toContain('remove-request');
  });

  it('without asking only tells that it is over', async () => {
    await a.app('POST', `/app/partners/${pair.atInviter}/disconnect`, { received: 'keep' });
    await expect.poll(inboxAtB).toMatch(/connection-ended/);
    expect(await inboxAtB()).not.toContain('remove-request');
  });

  it('leaves the ledger: what left to a former partner stays known, here and as a file', async () => {
    await a.app('POST', `/app/partners/${pair.atInviter}/disconnect`, { received: 'keep' });
    const ledger = await a.app<{ lines: { rows: number; fields: string[]; listName: string }[] }>(
      'GET',
      `/app/partners/${pair.atInviter}/ledger`,
    );
    expect(ledger.lines.reduce((sum, { rows }) => sum + rows, 0)).toBe(12);
    expect(ledger.lines[0]).toMatchObject({ listName: 'Customers', fields: ['Name'] });

    const answer = await fetch(`${new URL(a.ready.window).origin}/app/ledger.csv`, {
      headers: { authorization: `Bearer ${a.node.userToken('viewer', 60_000)}` },
    });
    const { data } = Papa.parse<string[]>(await answer.text(), { skipEmptyLines: true });
    const first = ['time', 'partner', 'list', 'columns', 'rows', 'row ids', 'address', 'what'];
    expect(data[0]).toEqual([...first, 'asked', 'times', 'last time']);
    expect(data[1]?.slice(1, 5)).toEqual(['the other office', 'Customers', 'Name', '12']);
  });
});
