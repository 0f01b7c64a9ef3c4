import Papa from 'papaparse';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  backupOf,
  type NodeOffice,
  type Pair,
  pairNodes,
  rowsOf,
  shareAndReceive,
  startNode,
} from '../support/harness/node.ts';

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
      partlyOurs: 0,
      receivedLists: 0,
      sharedLists: 1,
      rowsSent: 12,
      unreadable: [],
      inBin: [],
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

  it('of a request is told to an inviter that approves it afterwards', async () => {
    const invite = await a.app<{ uri: string; nodeID: string }>('POST', '/app/invites', { name: 'Turku' });
    const turku = await startNode('Turku');
    onTestFinished(() => turku.stop());
    const accepted = { uri: invite.uri, ownNetwork: true };
    const { nodeID } = await turku.app<{ nodeID: string }>('POST', '/app/invites/accept', accepted);
    await turku.app('POST', `/app/partners/${nodeID}/decline`);
    await expect(a.app('POST', `/app/partners/${invite.nodeID}/approve`)).rejects.toThrow(/ended/);
    expect(await a.app('GET', `/app/partners/${invite.nodeID}`)).toMatchObject({ status: 'pair_requested' });
    expect(await a.app('GET', `/app/partners/${invite.nodeID}`)).not.toHaveProperty('approved', true);
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
    expect(data[0]).toEqual([...first, 'asked', 'times', 'last time', 'which rows', 'taken back']);
    expect(data[1]?.slice(1, 5)).toEqual(['the other office', 'Customers', 'Name', '12']);
  });
});

describe('removing for good what came from a partner', () => {
  it('says how many rows stay, as our user changed them', async () => {
    const [row] = await rowsOf(b, received);
    const at = `/app/lists/${received}/rows/${row?.recordID ?? ''}`;
    await b.app('PATCH', at, { values: { Name: ['Hafenkontor'] } });
    expect(await b.app('GET', `/app/partners/${pair.atInvited}/disconnect`)).toMatchObject({
      receivedRows: 12,
      partlyOurs: 1,
    });
    await b.app('POST', `/app/partners/${pair.atInvited}/disconnect`, { received: 'remove' });
    expect(await rowsOf(b, received)).toMatchObject([{ Name: 'Hafenkontor' }]);
  });

  const columns = ['Key', 'City', 'Amount'];

  /** Bergen has 60 rows of Oslo, to be emptied once it says yes, and four of which an amount is no number. */
  async function withRowsThatWait(): Promise<void> {
    const list = await a.list('Orders', columns);
    const lines = Array.from({ length: 60 }, (_, at) => `k${at},SHOWN-${at},${at * 7}`);
    const unfit = Array.from({ length: 4 }, (_, at) => `u${at},UNFIT-${at},by the metre`);
    await a.app('POST', `/app/import?moduleID=${list}`, ['Key,City,Amount', ...lines, ...unfit].join('\n'));
    const { moduleID } = await b.app<{ moduleID: string }>('POST', '/app/lists', {
      name: 'Orders of theirs',
      fields: columns.map((name) => ({
        ...{ label: name, name, isMulti: false },
        kind: name === 'Amount' ? 'Number' : 'String',
      })),
    });
    await a.app('PUT', `/app/partners/${pair.atInviter}/shares/${list}`, { fields: columns });
    const sync = (): Promise<unknown> => b.app('POST', `/app/partners/${pair.atInvited}/sync`);
    await sync();
    const offers = await b.app<{ sharedModuleID: string; name: string }[]>(
      'GET',
      `/app/partners/${pair.atInvited}/offers`,
    );
    const offer = offers.find(({ name }) => name === 'Orders')?.sharedModuleID ?? '';
    const matches = columns.map((name) => ({ origin: name, destination: name }));
    const path = `/app/partners/${pair.atInvited}/offers/${offer}/matching`;
    await b.app('PUT', path, { moduleID, matches });
    await sync();
    for (const { recordID, Key } of await rowsOf(a, list)) {
      if (Key?.startsWith('k') !== true) continue;
      const values = { City: [], Key: [`WAITS-${Key}`] };
      await a.app('PATCH', `/app/lists/${list}/rows/${recordID}`, { values });
    }
    await sync();
    expect(await b.app('GET', `/app/partners/${pair.atInvited}/failed`)).toHaveLength(4);
    expect(await inboxAtB()).toContain('brake');
    expect((await backupOf(b)).toString('latin1')).toMatch(/WAITS-k7[^]*UNFIT-2|UNFIT-2[^]*WAITS-k7/);
  }

  it('removes as well what waits for a yes and what could not go in', async () => {
    await withRowsThatWait();
    await b.app('POST', `/app/partners/${pair.atInvited}/disconnect`, { received: 'remove' });
    expect((await backupOf(b)).toString('latin1')).not.toMatch(/WAITS-|UNFIT-|SHOWN-/);
  });

  it('does so too where the partner stays in the records', async () => {
    await withRowsThatWait();
    await b.app('POST', `/federation/nodes/${pair.atInvited}/revoke`, { received: 'remove' });
    expect((await backupOf(b)).toString('latin1')).not.toMatch(/WAITS-|UNFIT-|SHOWN-/);
  });
});
