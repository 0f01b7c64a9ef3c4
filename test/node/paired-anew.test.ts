import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { GridPage } from '../../server/contract/app/lists.ts';
import type { InboxItem, PartnerSummary } from '../../server/contract/app/overview.ts';
import type { Duplicates, Offer } from '../../server/contract/app/sharing.ts';
import { customers } from '../support/data/office-lists.ts';
import {
  type NodeOffice,
  pairNodes,
  receiveInto,
  rowsOf,
  shareAndReceive,
  startNode,
} from '../support/harness/node.ts';

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
  return sharedBy(oslo, await oslo.list('Customers', ['Number', 'City', 'Phone'], ROWS), list);
}

async function sharedBy(
  oslo: NodeOffice,
  mine: string,
  list: string,
): Promise<{ atBergen: string; atOslo: string }> {
  const pair = await pairNodes(oslo, bergen);
  await oslo.app('PUT', `/app/partners/${pair.atInviter}/shares/${mine}`, { fields: ['Number', 'City'] });
  await receive(list, pair.atInvited);
  return { atBergen: pair.atInvited, atOslo: pair.atInviter };
}

async function receive(list: string, partner: string): Promise<void> {
  await receiveInto({ office: bergen, partner, list }, ['Number', 'City']);
  await bergen.app('POST', `/app/partners/${partner}/sync`);
}

const doubles = async (): Promise<InboxItem[]> =>
  (await bergen.node.overview()).inbox.filter(({ kind }) => kind === 'doubles');

beforeEach(async () => {
  offices = [];
  bergen = await startNode('Bergen');
  offices.push(bergen);
});
afterEach(() => Promise.all(offices.map((office) => office.stop())));

describe('R11: an office that was installed anew sends the rows that its partner kept', () => {
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
    const rows = `/app/lists/${list}/rows`;
    const twice = (more = ''): Promise<GridPage> =>
      bergen.app('GET', `${rows}?twice=${item?.sharedModuleID}${more}`);
    const all = await twice();
    expect(all.total).toBe(46);
    for (const [at, row] of all.rows.entries()) {
      const of = all.rows[at - (at % 2)];
      expect(row.values).toEqual(of?.values);
      expect(row.twice).toBe(at % 2 === 0 ? 'before' : 'came');
      expect(row.received === undefined).toBe(at % 2 === 0);
    }
    const [one] = all.rows;
    const number = one?.values.Number?.[0] ?? '';
    expect((await twice(`&search=${number}`)).rows.map(({ values }) => values.Number)).toEqual([
      [number],
      [number],
    ]);
    const sorted = await twice('&sort=Number%20DESC&offset=1&limit=2');
    const numbers = all.rows.map(({ values }) => values.Number?.[0] ?? '').sort();
    expect(sorted.rows.map(({ values }) => values.Number?.[0])).toEqual([numbers[44], numbers[43]]);

    // One of them goes, and what is told goes with it.
    await bergen.app('POST', `${rows}/delete`, { recordIDs: [one?.recordID] });
    expect((await twice()).total).toBe(44);
    expect(await doubles()).toMatchObject([{ itemID: item?.itemID, rows: 22 }]);
    await bergen.app('POST', `/app/partners/${item?.nodeID}/sync`);
    expect(await doubles()).toMatchObject([{ itemID: item?.itemID, rows: 22 }]);
    await bergen.app('POST', `/app/inbox/${item?.itemID}/dismiss`);
    expect(await doubles()).toEqual([]);
  });

  it(
    'and the partner is told as well where both paired again as the partner that it was',
    { tags: 'nightly-orders' },
    async () => {
      const list = await bergen.list('Clients', ['Number', 'City', 'Note']);
      const before = await startNode('Oslo');
      const { atBergen } = await receivedFrom(before, list);
      await before.stop();
      offices = [bergen];

      const oslo = await startNode('Oslo', { port: before.port });
      offices.push(oslo);
      const mine = await oslo.list('Customers', ['Number', 'City', 'Phone'], ROWS);
      const { uri } = await bergen.app<{ uri: string }>('POST', `/app/partners/${atBergen}/reinvite`);
      const accepted = { uri, ownNetwork: true };
      const { nodeID } = await oslo.app<{ nodeID: string }>('POST', '/app/invites/accept', accepted);
      await bergen.app('POST', `/federation/nodes/${atBergen}/handshake-confirm`);
      await oslo.app('PUT', `/app/partners/${nodeID}/shares/${mine}`, { fields: ['Number', 'City'] });
      await receive(list, atBergen);
      expect(await rowsOf(bergen, list)).toHaveLength(48);
      expect(await doubles()).toMatchObject([{ rows: 24, listName: 'Clients' }]);
    },
  );

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

describe('two offices that pair anew', () => {
  let oslo: NodeOffice;
  let atOslo: string;
  let list: string;
  const setUp = async (): Promise<{ partnerAtBergen: string; partnerAtOslo: string }> => {
    oslo = await startNode('Oslo');
    offices.push(oslo);
    atOslo = await oslo.list('Customers', ['Number', 'City', 'Phone'], ROWS);
    list = await bergen.list('Clients', ['Number', 'City', 'Note']);
    const pair = await sharedBy(oslo, atOslo, list);
    return { partnerAtBergen: pair.atBergen, partnerAtOslo: pair.atOslo };
  };
  const idOf = async (office: NodeOffice, moduleID: string, number: string): Promise<string> =>
    (await rowsOf(office, moduleID)).find((row) => row.Number === number)?.recordID ?? '';
  const change = async (
    office: NodeOffice,
    moduleID: string,
    number: string,
    values: Record<string, string[]>,
  ): Promise<void> => {
    const id = await idOf(office, moduleID, number);
    await office.app('PATCH', `/app/lists/${moduleID}/rows/${id}`, { values });
  };
  const numberAt = (at: number): string => ROWS[at]?.Number ?? '';
  const shown = async (number: string): Promise<Record<string, string> | undefined> =>
    (await rowsOf(bergen, list)).find((row) => row.Number === number);

  it('know the rows again that were kept: once each, with what was changed at either since', async () => {
    const { partnerAtBergen, partnerAtOslo } = await setUp();
    await bergen.app('POST', `/app/partners/${partnerAtBergen}/disconnect`, { received: 'keep' });
    await oslo.app('POST', `/app/partners/${partnerAtOslo}/disconnect`, { received: 'keep' });
    await change(bergen, list, numberAt(0), { City: ['Voss'], Note: ['asks for Mondays'] });
    await change(oslo, atOslo, numberAt(1), { City: ['Narvik'] });
    const binned = await idOf(bergen, list, numberAt(2));
    await bergen.app('DELETE', `/app/lists/${list}/rows/${binned}`);
    const before = new Map((await rowsOf(bergen, list)).map((row) => [row.Number, row.recordID]));

    const { atBergen } = await sharedBy(oslo, atOslo, list);
    const after = await rowsOf(bergen, list);
    expect(after).toHaveLength(23);
    expect(new Map(after.map((row) => [row.Number, row.recordID]))).toEqual(before);
    expect(await shown(numberAt(0))).toMatchObject({ City: 'Voss', Note: 'asks for Mondays' });
    expect(await shown(numberAt(1))).toMatchObject({ City: 'Narvik' });
    expect(await doubles()).toEqual([]);

    // They follow the partner again, but for what was changed here.
    await change(oslo, atOslo, numberAt(0), { City: ['Hamar'] });
    await change(oslo, atOslo, numberAt(3), { City: ['Molde'] });
    await bergen.app('POST', `/app/partners/${atBergen}/sync`);
    expect(await shown(numberAt(0))).toMatchObject({ City: 'Voss' });
    expect(await shown(numberAt(3))).toMatchObject({ City: 'Molde' });
    const edited = await idOf(bergen, list, numberAt(0));
    await bergen.app('POST', `/app/lists/${list}/rows/${edited}/revert`, {});
    expect(await shown(numberAt(0))).toMatchObject({ City: 'Hamar' });
  });

  it.each([
    [
      'in the window',
      (partner: string) => bergen.app('POST', `/app/partners/${partner}/disconnect`, { received: 'keep' }),
    ],
    ['by a script', (partner: string) => bergen.app('DELETE', `/federation/nodes/${partner}`)],
  ])(
    'both say how many kept rows the other one does not bring again, as it removed them meanwhile: ended %s',
    async (_, end) => {
      const { partnerAtBergen, partnerAtOslo } = await setUp();
      const said = async (office: NodeOffice, partner: string): Promise<string> => {
        const { state, also } = await office.app<PartnerSummary>('GET', `/app/partners/${partner}`);
        return [state, ...also].join(' | ');
      };
      await end(partnerAtBergen);
      await oslo.app('POST', `/app/partners/${partnerAtOslo}/disconnect`, { received: 'keep' });
      for (const at of [0, 1])
        await oslo.app('DELETE', `/app/lists/${atOslo}/rows/${await idOf(oslo, atOslo, numberAt(at))}`);
      const anew = await sharedBy(oslo, atOslo, list);
      expect(await rowsOf(bergen, list)).toHaveLength(24);
      const here = /^up-to-date \| You changed 2 rows from .*: your values stay\.$/;
      await expect.poll(() => said(bergen, anew.atBergen)).toMatch(here);
      const there = /^up-to-date \| .* keeps its own version of 2 rows\.$/;
      await expect.poll(() => said(oslo, anew.atOslo), { timeout: 20_000 }).toMatch(there);

      for (const at of [0, 1])
        await bergen.app('DELETE', `/app/lists/${list}/rows/${await idOf(bergen, list, numberAt(at))}`);
      expect(await said(bergen, anew.atBergen)).toBe('up-to-date');
      await bergen.app('POST', `/app/partners/${anew.atBergen}/sync`);
      await expect.poll(() => said(oslo, anew.atOslo), { timeout: 20_000 }).toBe('up-to-date');
    },
  );

  const share = (partner: string): Promise<unknown> =>
    oslo.app('PUT', `/app/partners/${partner}/shares/${atOslo}`, { fields: ['Number', 'City'] });
  const offersOf = async (partner: string): Promise<Offer[]> => {
    await bergen.app('POST', `/app/partners/${partner}/sync`);
    return bergen.app('GET', `/app/partners/${partner}/offers`);
  };
  /** Goes on with the only offer as the window proposes it, and pulls. */
  const goOn = async (partner: string): Promise<void> => {
    const [offer, ...others] = await offersOf(partner);
    expect(others).toEqual([]);
    expect(offer).toMatchObject({ state: 'new', former: { moduleID: list, listName: 'Clients' } });
    const { inbox } = await bergen.node.overview();
    expect(inbox.find(({ kind }) => kind === 'list-offered')).toMatchObject({ formerList: 'Clients' });
    const path = `/app/partners/${partner}/offers/${offer?.sharedModuleID}`;
    const { moduleID, matches } = offer?.former ?? {};
    expect(await bergen.app<Duplicates>('POST', `${path}/twice`, { moduleID, matches })).toMatchObject({
      looked: 24,
      recognised: 24,
      twice: 0,
    });
    await bergen.app('PUT', `${path}/matching`, { moduleID, matches });
    await bergen.app('POST', `/app/partners/${partner}/sync`);
  };
  /** The list of before goes on: with what was changed at either side since, and nothing twice. */
  const expectGoesOn = async (partner: string): Promise<void> => {
    await change(oslo, atOslo, numberAt(3), { City: ['Molde'] });
    await bergen.app('POST', `/app/partners/${partner}/sync`);
    expect(await bergen.app('GET', '/app/lists')).toMatchObject([{ moduleID: list }]);
    expect(await rowsOf(bergen, list)).toHaveLength(24);
    expect(await shown(numberAt(0))).toMatchObject({ City: 'Voss' });
    expect(await shown(numberAt(1))).toMatchObject({ City: 'Narvik' });
    expect(await shown(numberAt(3))).toMatchObject({ City: 'Molde' });
    expect(await doubles()).toEqual([]);
  };

  it('are offered the list that received the same one before, with its columns', async () => {
    const { partnerAtBergen, partnerAtOslo } = await setUp();
    await bergen.app('POST', `/app/partners/${partnerAtBergen}/disconnect`, { received: 'keep' });
    await oslo.app('POST', `/app/partners/${partnerAtOslo}/disconnect`, { received: 'keep' });
    await change(bergen, list, numberAt(0), { City: ['Voss'] });
    await change(oslo, atOslo, numberAt(1), { City: ['Narvik'] });
    const { atInviter, atInvited } = await pairNodes(oslo, bergen);
    await share(atInviter);
    await goOn(atInvited);
    await expectGoesOn(atInvited);
  });

  it('go on in the received list where one of them kept the record of the other', async () => {
    const { partnerAtBergen, partnerAtOslo } = await setUp();
    await oslo.app('POST', `/app/partners/${partnerAtOslo}/disconnect`, { received: 'keep' });
    const status = async (): Promise<string> =>
      (await bergen.app<PartnerSummary>('GET', `/app/partners/${partnerAtBergen}`)).status;
    await expect.poll(status).toBe('unpaired');
    await change(bergen, list, numberAt(0), { City: ['Voss'] });
    await change(oslo, atOslo, numberAt(1), { City: ['Narvik'] });
    const { uri } = await bergen.app<{ uri: string }>('POST', `/app/partners/${partnerAtBergen}/reinvite`);
    const accepted = { uri, ownNetwork: true };
    const { nodeID } = await oslo.app<{ nodeID: string }>('POST', '/app/invites/accept', accepted);
    await bergen.app('POST', `/federation/nodes/${partnerAtBergen}/handshake-confirm`);
    await share(nodeID);
    expect(await offersOf(partnerAtBergen)).toMatchObject([{ state: 'matched', moduleID: list }]);
    await expectGoesOn(partnerAtBergen);
  });

  it('ask about rows that are gone meanwhile, and call it no earlier state', async () => {
    const { partnerAtBergen, partnerAtOslo } = await setUp();
    await oslo.app('POST', `/app/partners/${partnerAtOslo}/disconnect`, { received: 'keep' });
    const status = async (): Promise<string> =>
      (await bergen.app<PartnerSummary>('GET', `/app/partners/${partnerAtBergen}`)).status;
    await expect.poll(status).toBe('unpaired');
    const deleted = await idOf(oslo, atOslo, numberAt(2));
    await oslo.app('DELETE', `/app/lists/${atOslo}/rows/${deleted}`);
    await change(oslo, atOslo, numberAt(1), { City: ['Narvik'] });
    const { uri } = await bergen.app<{ uri: string }>('POST', `/app/partners/${partnerAtBergen}/reinvite`);
    const accepted = { uri, ownNetwork: true };
    const { nodeID } = await oslo.app<{ nodeID: string }>('POST', '/app/invites/accept', accepted);
    await bergen.app('POST', `/federation/nodes/${partnerAtBergen}/handshake-confirm`);
    await share(nodeID);
    const [offer] = await offersOf(partnerAtBergen);
    expect(offer).toMatchObject({ state: 'matched', brake: { removes: 1, missing: 1 } });
    expect(offer?.brake?.wentBack ?? 0).toBe(0);
    expect((await bergen.node.overview()).inbox.map(({ kind }) => kind)).toContain('not-there');
    expect(await shown(numberAt(1))).toMatchObject({ City: 'Narvik' });
    expect(await rowsOf(bergen, list)).toHaveLength(24);
  });

  it.each([
    ['the one that kept the record', 'Bergen'],
    ['the one that ended it, at another address', 'Oslo'],
  ])('are one partner after a fresh invite of %s', async (_, inviter) => {
    const { partnerAtBergen, partnerAtOslo } = await setUp();
    await oslo.app('POST', `/app/partners/${partnerAtOslo}/disconnect`, { received: 'keep' });
    const partners = async (): Promise<PartnerSummary[]> => (await bergen.node.overview()).partners;
    await expect.poll(async () => (await partners()).map(({ status }) => status)).toEqual(['unpaired']);
    await change(bergen, list, numberAt(0), { City: ['Voss'] });
    await change(oslo, atOslo, numberAt(1), { City: ['Narvik'] });
    let atInviter: string;
    let atInvited: string;
    if (inviter === 'Bergen') ({ atInviter, atInvited } = await pairNodes(bergen, oslo));
    else {
      await oslo.node.stop();
      offices = offices.filter((office) => office !== oslo);
      oslo = await startNode('Oslo', { dataDir: oslo.dataDir });
      offices.push(oslo);
      ({ atInviter, atInvited } = await pairNodes(oslo, bergen));
    }
    const [atBergen, sharer] = inviter === 'Bergen' ? [atInviter, atInvited] : [atInvited, atInviter];
    expect(atBergen).not.toBe(partnerAtBergen);
    await share(sharer);
    await bergen.app('POST', `/app/partners/${atBergen}/sync`);
    await expect.poll(async () => (await partners()).map(({ nodeID }) => nodeID)).toEqual([atBergen]);
    await goOn(atBergen);
    await expectGoesOn(atBergen);
    // A link to the former record leads to the one that replaced it.
    expect(await bergen.app('GET', `/app/partners/${partnerAtBergen}`)).toMatchObject({ nodeID: atBergen });
  });

  it('do not send each other as their own what they had kept of each other', async () => {
    const { partnerAtBergen, partnerAtOslo } = await setUp();
    await bergen.app('POST', `/app/partners/${partnerAtBergen}/disconnect`, { received: 'keep' });
    await oslo.app('POST', `/app/partners/${partnerAtOslo}/disconnect`, { received: 'keep' });
    const own = { Number: 'B-1', City: 'Odda' };
    await bergen.app('POST', `/app/lists/${list}/rows`, {
      values: { Number: [own.Number], City: [own.City] },
    });
    const pair = await pairNodes(oslo, bergen);
    const { list: fromBergen } = await shareAndReceive(
      { office: bergen, partner: pair.atInvited, list },
      ['Number', 'City'],
      { office: oslo, partner: pair.atInviter },
    );
    expect(await rowsOf(oslo, fromBergen)).toMatchObject([own]);
  });

  it(
    'see in what the partner would see that rows it has already do not go to it',
    { tags: 'nightly-orders' },
    async () => {
      const { partnerAtBergen, partnerAtOslo } = await setUp();
      await bergen.app('POST', `/app/partners/${partnerAtBergen}/disconnect`, { received: 'keep' });
      await oslo.app('POST', `/app/partners/${partnerAtOslo}/disconnect`, { received: 'keep' });
      await bergen.app('POST', `/app/lists/${list}/rows`, { values: { Number: ['B-1'], City: ['Odda'] } });
      const { atInviter } = await pairNodes(bergen, oslo);
      const seen = await bergen.app<{ total: number; rows: { seen: Record<string, string[]> }[] }>(
        'GET',
        `/app/partners/${atInviter}/shares/${list}/preview?fields=Number`,
      );
      expect(seen).toMatchObject({ total: 1, rows: [{ seen: { Number: ['B-1'] } }] });
    },
  );

  it('are asked before many rows that were kept lose a value', { tags: 'nightly-orders' }, async () => {
    const { partnerAtBergen, partnerAtOslo } = await setUp();
    await bergen.app('POST', `/app/partners/${partnerAtBergen}/disconnect`, { received: 'keep' });
    await oslo.app('POST', `/app/partners/${partnerAtOslo}/disconnect`, { received: 'keep' });
    for (const { Number } of ROWS) await change(oslo, atOslo, Number, { City: [] });
    await sharedBy(oslo, atOslo, list);
    const kept = await rowsOf(bergen, list);
    expect(kept).toHaveLength(24);
    expect(kept.map(({ City }) => City).sort()).toEqual(ROWS.map(({ City }) => City).sort());
    const asked = (await bergen.node.overview()).inbox.find(({ kind }) => kind === 'brake');
    expect(asked?.message).toMatch(/would empty values in 24 of 24 rows in “Clients”/);
  });
});

it('two offices that invited each other and approve at the same time have one connection that works both ways', async () => {
  const oslo = await startNode('Oslo');
  offices.push(oslo);
  const both = [oslo, bergen] as const;
  const invites = await Promise.all(
    both.map((office) =>
      office.app<{ nodeID: string; uri: string }>('POST', '/app/invites', { name: 'there' }),
    ),
  );
  for (const [at, office] of both.entries())
    await office.app('POST', '/app/invites/accept', { uri: invites[1 - at]?.uri, ownNetwork: true });
  await Promise.all(
    both.map((office, at) => office.app('POST', `/app/partners/${invites[at]?.nodeID}/approve`)),
  );
  const partners = async (office: NodeOffice): Promise<PartnerSummary[]> =>
    (await office.node.overview()).partners;
  for (const office of both)
    await expect.poll(async () => (await partners(office)).map(({ status }) => status)).toEqual(['paired']);
  for (const [from, to] of [both, [bergen, oslo] as const]) {
    const list = await from.list('Customers', ['Number', 'City', 'Phone'], ROWS);
    const [partner] = await partners(from);
    await from.app('PUT', `/app/partners/${partner?.nodeID}/shares/${list}`, { fields: ['Number', 'City'] });
    const received = await to.list('Received', ['Number', 'City']);
    const [sender] = await partners(to);
    await receiveInto({ office: to, partner: sender?.nodeID ?? '', list: received }, ['Number', 'City']);
    await to.app('POST', `/app/partners/${sender?.nodeID}/sync`);
    expect(await rowsOf(to, received)).toHaveLength(24);
  }
});
