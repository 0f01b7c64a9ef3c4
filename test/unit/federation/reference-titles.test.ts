import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Node } from '../../../server/federation/model.ts';
import { createExposures } from '../../../server/federation/sharing/exposures.ts';
import { Conditions } from '../../../server/federation/sharing/conditions.ts';
import { ReferenceTitles } from '../../../server/federation/sharing/reference-titles.ts';
import { openLists } from '../../../server/lists/lists.ts';
import type { Module, Row } from '../../../server/lists/definitions/model.ts';
import type { Rows } from '../../../server/lists/rows/rows.ts';
import { createIds } from '../../../server/base/ids.ts';
import { pairOffices, startHttpOffice, type HttpOffice } from '../../support/harness/served-parts.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';
import { customers } from '../../support/data/office-lists.ts';

/** What rows are called that shared rows refer to, as it comes to partners of every kind. */

const clock = manualClock('2026-03-02T08:00:00Z');
const PEOPLE = customers({ rows: 12, seed: 5 }).rows;
const ORDERS = 36;
const SOON = { timeout: 20_000, interval: 20 };

let office: HttpOffice;
let partner: HttpOffice;
let nodeID: string;
let token: string;
beforeAll(async () => {
  office = await startHttpOffice('Oslo', { clock });
  partner = await startHttpOffice('Bergen', { clock });
  const pair = await pairOffices(office, partner);
  nodeID = pair.idA;
  token = await partner.federation.tokens.tokenFor(pair.idB);
});
afterAll(() => Promise.all([office.close(), partner.close()]));

interface Told {
  readonly updatedAt: string;
  readonly values: readonly { readonly name: string; readonly value?: string }[];
}
interface Answer {
  readonly response: {
    readonly set: readonly Told[] | null;
    readonly epoch?: string;
    readonly next?: number;
    readonly unsettled?: true;
    readonly cursor?: string;
    readonly modules?: readonly string[];
  };
}

/** How a partner asks what is new. */
type Ask = (moduleID: string) => () => Promise<Answer['response']>;

async function get(path: string, headers: Record<string, string> = {}): Promise<Answer['response']> {
  const { body, status, text } = await office.call('GET', `/federation${path}`, { token, headers });
  expect(status, text).toBe(200);
  return (body as Answer).response;
}

/** By a time, which is the greatest that came so far; what came before is no news. */
function byTime(path: (moduleID: string, since: number) => string): Ask {
  return (moduleID) => {
    let since = 0;
    const known = new Set<string>();
    return async () => {
      const answer = await get(path(moduleID, since));
      const set = answer.set ?? [];
      for (const { updatedAt } of set) since = Math.max(since, Date.parse(updatedAt));
      const fresh = set.filter((row) => !known.has(JSON.stringify(row)));
      for (const row of fresh) known.add(JSON.stringify(row));
      return { ...answer, set: fresh };
    };
  };
}
const iso = (time: number): string => encodeURIComponent(new Date(time).toISOString());

const DIALECTS: Record<string, Ask> = {
  'shape 1': byTime(
    (m, since) => `/nodes/${nodeID}/modules/${m}/records?perPage=1000&lastSync=${iso(since)}`,
  ),
  'shape 2': byTime((m, since) => `/exposed/records/${m}?perPage=1000&after=${iso(since)}`),
  'the live dialect': (moduleID) => {
    let mark = 0;
    return () =>
      get(`/nodes/${nodeID}/modules/${moduleID}/records/?limit=100&lastSync=${mark++}`, { accept: '' });
  },
  'the feed between Footbridges': (moduleID) => {
    let [after, epoch] = [0, ''];
    return async () => {
      const since = after === 0 ? '' : `&epoch=${epoch}`;
      const answer = await get(`/footbridge/modules/${moduleID}/changes?limit=1000&after=${after}${since}`);
      [after, epoch] = [answer.next ?? 0, answer.epoch ?? ''];
      return answer;
    };
  },
};

interface Setting {
  readonly people: Module;
  readonly orders: Module;
  readonly persons: Rows;
  readonly all: readonly Row[];
  readonly exposureID: string;
}

let made = 0;
async function setting(): Promise<Setting> {
  made++;
  const people = await office.list(
    `Customers ${made}`,
    [
      { kind: 'String', name: 'Name' },
      { kind: 'String', name: 'Remark' },
      { kind: 'String', name: 'City' },
    ],
    PEOPLE.map(({ CompanyName = '', City = '' }) => ({ Name: [CompanyName], City: [City] })),
  );
  const persons = await office.lists.rows(people.moduleID);
  const { rows: all } = await persons.list({ limit: 100 });
  const orders = await office.list(
    `Orders ${made}`,
    [
      { kind: 'String', name: 'Number' },
      { kind: 'Record', name: 'Customer', isMulti: true, options: { moduleID: people.moduleID } },
    ],
    Array.from({ length: ORDERS }, (_, at) => ({
      Number: [`A-${at}`],
      Customer: at % 5 === 0 ? [] : [all[at % all.length]?.recordID ?? ''],
    })),
  );
  const { moduleID } = await office.federation.exposures.expose(
    nodeID,
    { composeModuleID: orders.moduleID, fields: [{ name: 'Number' }, { name: 'Customer' }], shape: 1 },
    '1',
  );
  return { people, orders, persons, all, exposureID: moduleID };
}

/** What came since the question before: what each order is said to belong to. */
async function news(ask: () => Promise<Answer['response']>): Promise<Record<string, string>> {
  const { set } = await ask();
  const told = (set ?? []).map(({ values }) => {
    const of = (wanted: string): string =>
      values.flatMap(({ name, value = '' }) => (name === wanted ? [value] : [])).join('|');
    return [of('Number'), of('Customer')] as const;
  });
  return Object.fromEntries(told);
}

/** Orders of one customer, each with this beside it. */
function ordersOf(customer: number, title: string): Record<string, string> {
  const numbers = Array.from({ length: ORDERS }, (_, at) => at);
  const own = numbers.filter((at) => at % 5 !== 0 && at % PEOPLE.length === customer);
  return Object.fromEntries(own.map((at) => [`A-${at}`, title]));
}

describe.each(Object.entries(DIALECTS))('what a reference is called comes anew in %s', (_, askBy) => {
  let set: Setting;
  let ask: () => Promise<Answer['response']>;

  /** Asks until something comes, and gives that. */
  async function nextNews(): Promise<Record<string, string>> {
    let came: Record<string, string> = {};
    await expect.poll(async () => Object.keys((came = await news(ask))).length, SOON).toBeGreaterThan(0);
    return came;
  }
  /** Until nothing is new any more: live pullers are told twice. */
  async function nothingNew(): Promise<void> {
    await expect.poll(async () => Object.keys(await news(ask)), SOON).toEqual([]);
    clock.advance(10_000);
  }

  beforeEach(async () => {
    clock.advance(10_000);
    set = await setting();
    ask = askBy(set.exposureID);
    expect(Object.keys(await news(ask))).toHaveLength(ORDERS);
    clock.advance(10_000);
    await nothingNew();
  });

  it('when the row is renamed, and not when something else of it changes', async () => {
    const [first, second] = set.all;
    await set.persons.patch(first?.recordID ?? '', { City: ['Łódź'], Remark: ['pays late'] }, '7');
    await set.persons.patch(second?.recordID ?? '', { Name: ['Æbleø & Sønner'] }, '7');
    expect(await nextNews()).toEqual(ordersOf(1, 'Æbleø & Sønner'));
  });

  it('when the row goes into the bin, and comes out of it', async () => {
    const [, , third] = set.all;
    await set.persons.remove(third?.recordID ?? '', '7');
    expect(await nextNews()).toEqual(ordersOf(2, ''));
    await nothingNew();
    await set.persons.restore(third?.recordID ?? '', '7');
    expect(await nextNews()).toEqual(ordersOf(2, PEOPLE[2]?.CompanyName ?? ''));
  });

  it('when another column is chosen for it, or the chosen one goes', async () => {
    const { people, orders, exposureID } = set;
    const idOf = (module: Module, wanted: string): string =>
      module.fields.find(({ name }) => name === wanted)?.fieldID ?? '';
    const input = { composeModuleID: orders.moduleID, fields: [{ name: 'Number' }, { name: 'Customer' }] };
    const titlePins = { [idOf(orders, 'Customer')]: idOf(people, 'City') };
    await office.federation.exposures.change(nodeID, exposureID, { ...input, titlePins, shape: 1 }, '1');
    ask = restarted(ask);
    const cities = await nextNews();
    for (const customer of [1, 2, 3])
      expect(cities).toMatchObject(ordersOf(customer, PEOPLE[customer]?.City ?? ''));
    await nothingNew();
    await office.lists.updateModule(people.moduleID, {
      fields: people.fields.filter(({ name }) => name !== 'City'),
    });
    ask = restarted(ask);
    expect(await nextNews()).toMatchObject({ ...ordersOf(1, ''), ...ordersOf(4, '') });
  });

  it('when its column comes back that was not shared for a while, to whoever did not look meanwhile', async () => {
    const { people, orders, exposureID, persons, all } = set;
    // Another list that goes on to tell of the same rows, so that what they are called does not wait for this one.
    const options = { moduleID: people.moduleID };
    const parcels = await office.list(`Parcels ${made}`, [{ kind: 'Record', name: 'Customer', options }], []);
    const told = { composeModuleID: parcels.moduleID, fields: [{ name: 'Customer' }], shape: 1 as const };
    await office.federation.exposures.expose(nodeID, told, '1');
    const share = (...names: string[]): Promise<unknown> => {
      const fields = names.map((name) => ({ name }));
      const input = { composeModuleID: orders.moduleID, fields, shape: 1 as const };
      return office.federation.exposures.change(nodeID, exposureID, input, '1');
    };
    await share('Number');
    clock.advance(10_000);
    await persons.patch(all[1]?.recordID ?? '', { Name: ['Æbleø & Sønner'] }, '7');
    await persons.remove(all[2]?.recordID ?? '', '7');
    await expect.poll(() => persons.changedTitles(10), SOON).toEqual([]);
    clock.advance(10_000);
    await share('Number', 'Customer');
    expect(await nextNews()).toMatchObject({ ...ordersOf(1, 'Æbleø & Sønner'), ...ordersOf(2, '') });
  });

  /** Another choice is another feed for a Footbridge, which then begins from the beginning. */
  function restarted(known: typeof ask): typeof ask {
    return askBy === DIALECTS['the feed between Footbridges'] ? askBy(set.exposureID) : known;
  }
});

describe('a list that rows of others refer to', () => {
  it('tells of what it has received from a partner like of what was changed here', async () => {
    const { persons, all, exposureID } = await setting();
    const ask = DIALECTS['the feed between Footbridges']?.(exposureID);
    if (!ask) throw new Error('no feed');
    const at = (second: number): string => new Date(clock.now() + second * 1000).toISOString();
    const received = (name: string, second: number): Promise<unknown> =>
      persons.receive({
        nodeID: '99',
        mappedColumns: ['Name'],
        rows: [{ recordID: '500', createdAt: at(0), updatedAt: at(second), values: { Name: [name] } }],
      });
    await received('Werft Nord', 0);
    const { rows } = await persons.list({ limit: 100 });
    const fresh = rows.find(({ recordID }) => !all.some((known) => known.recordID === recordID));
    const orders = await office.lists.rows(
      (await office.federation.exposures.get(nodeID, exposureID)).composeModuleID,
    );
    await orders.create({ Number: ['B-1'], Customer: [fresh?.recordID ?? ''] }, '1');
    expect(await news(ask)).toMatchObject({ 'B-1': 'Werft Nord' });
    await received('Werft Süd', 5);
    await expect.poll(() => news(ask), SOON).toEqual({ 'B-1': 'Werft Süd' });
  });

  it('changes nothing of who changed the rows that refer to it, and when', async () => {
    const { persons, all, orders } = await setting();
    const rows = await office.lists.rows(orders.moduleID);
    const before = (await rows.list({ limit: 100 })).rows;
    const seq = await rows.lastSeq();
    clock.advance(60_000);
    await persons.patch(all[1]?.recordID ?? '', { Name: ['Panificio Sole'] }, '7');
    await expect.poll(() => rows.lastSeq(), SOON).toBeGreaterThan(seq);
    const after = (await rows.list({ limit: 100 })).rows;
    const own = ({ recordID, values, createdAt, updatedAt, updatedBy }: Row): object => ({
      ...{ recordID, values, createdAt, updatedAt, updatedBy },
    });
    expect(after.map(own)).toEqual(before.map(own));
  });

  it('loses nothing when the node stops before it was told', async () => {
    const { people, orders, all } = await setting();
    const { store } = office;
    const ids = createIds(clock);
    // The same lists, with nobody who hears of changes.
    const lists = await openLists({ store, clock, ids });
    const system = await store.partition('system');
    const name = people.fields[0]?.fieldID ?? '';
    lists.keepTitles(people.moduleID, name);
    const persons = await lists.rows(people.moduleID);
    await persons.patch(all[3]?.recordID ?? '', { Name: ['Øst Fisk'] }, '7');
    const waiting = await persons.changedTitles(10);
    expect(waiting).toMatchObject([{ recordID: all[3]?.recordID, fieldIDs: [name] }]);

    const begun = await openLists({ store, clock, ids });
    const quiet = { log: { warn: () => undefined }, onSettled: () => undefined };
    const retitling = new ReferenceTitles({ system, lists: begun, clock, ...quiet });
    retitling.sharesChanged();
    const rows = await begun.rows(orders.moduleID);
    const told = async (): Promise<string[]> =>
      (await rows.list({ limit: 100 })).rows.flatMap(({ values, retitledAt }) =>
        retitledAt === undefined ? [] : (values.Number ?? []),
      );
    await expect.poll(async () => (await told()).sort(), SOON).toEqual(Object.keys(ordersOf(3, '')).sort());
    await expect.poll(() => persons.changedTitles(10), SOON).toEqual([]);
  });

  describe('while the rows that refer to it have no new numbers yet', () => {
    /** Has the telling of the orders' rows wait until it is let go on. */
    async function held({ orders }: Setting): Promise<() => void> {
      const rows = await office.lists.rows(orders.moduleID);
      const tellAgain = rows.touchReferencing.bind(rows);
      let goOn = (): void => undefined;
      const gate = new Promise<void>((resolve) => (goOn = resolve));
      const spy = vi.spyOn(rows, 'touchReferencing').mockImplementation(async (referring) => {
        await gate;
        await tellAgain(referring);
      });
      onTestFinished(() => {
        spy.mockRestore();
        goOn();
      });
      return goOn;
    }
    const node = async (footbridge: boolean): Promise<Node> => ({
      ...(await office.federation.nodes.get(nodeID)),
      footbridge,
    });
    async function onlyShared({ exposureID }: Setting): Promise<void> {
      for (const { moduleID } of await office.federation.exposures.list(nodeID))
        if (moduleID !== exposureID) await office.federation.exposures.remove(nodeID, moduleID, '1');
    }

    it('is said to wait for a partner that has everything else', async () => {
      const set = await setting();
      await onlyShared(set);
      const { federation } = office;
      const page = `/nodes/${nodeID}/modules/${set.exposureID}/records?perPage=1000&lastSync=0`;
      const facts = async (): Promise<unknown> => federation.destinations.sharingFacts(await node(false));
      const readAgain = async (): Promise<unknown> => {
        await get(page);
        return facts();
      };
      await expect.poll(readAgain, SOON).toMatchObject({ waiting: 0, untold: 0, undecided: 0 });
      const goOn = await held(set);
      await set.persons.patch(set.all[3]?.recordID ?? '', { Name: ['Øst Fisk'] }, '7');
      expect(await facts()).toMatchObject({ waiting: 1 });
      goOn();
      await expect.poll(facts, SOON).toMatchObject({ waiting: Object.keys(ordersOf(3, '')).length });
    });

    it('is told another Footbridge, and that it is over, whether it comes to anything or not', async () => {
      const set = await setting();
      await onlyShared(set);
      const [unused] = await set.persons.createMany([{ Name: ['Żabka'] }], '7');
      const path = `/footbridge/modules/${set.exposureID}/changes?limit=1000`;
      await expect.poll(async () => (await get(path)).unsettled, SOON).toBeUndefined();
      const wait = (since: string): Promise<Answer['response']> =>
        get(`/footbridge/wait?timeout=0&since=${since}`);
      const goOn = await held(set);
      const { cursor = '' } = await wait('');
      await set.persons.patch(unused?.recordID ?? '', { Name: ['Żabka 2'] }, '7');
      expect((await get(path)).unsettled).toBe(true);
      const quiet = await wait(cursor);
      expect(quiet.modules, 'that nothing is new is not said').toEqual([set.exposureID]);
      goOn();
      await expect.poll(async () => (await get(path)).unsettled, SOON).toBeUndefined();
      expect((await wait(quiet.cursor ?? '')).modules, 'there is notice of it').toEqual([set.exposureID]);
    });

    it('is told under a condition only where a row is shown by it that meets the condition', async () => {
      const set = await setting();
      await onlyShared(set);
      const [fields, parts] = [
        [{ name: 'Number' }, { name: 'Customer' }],
        [{ column: 'Number', test: 'is' as const, value: 'A-7' }],
      ];
      const choice = {
        composeModuleID: set.orders.moduleID,
        fields,
        condition: { join: 'all', parts },
      } as const;
      await office.federation.exposures.change(nodeID, set.exposureID, { ...choice, shape: 1 }, '1');
      const path = `/footbridge/modules/${set.exposureID}/changes?limit=1000`;
      await expect.poll(async () => (await get(path)).unsettled, SOON).toBeUndefined();
      const wait = (since: string): Promise<Answer['response']> =>
        get(`/footbridge/wait?timeout=0&since=${since}`);
      const { cursor = '' } = await wait('');
      const goOn = await held(set);
      await set.persons.patch(set.all[3]?.recordID ?? '', { Name: ['Of hidden orders only'] }, '7');
      expect((await get(path)).unsettled, 'of rows that it does not see').toBeUndefined();
      expect((await wait(cursor)).modules).toEqual([]);
      await set.persons.patch(set.all[7]?.recordID ?? '', { Name: ['Øst Fisk'] }, '7');
      expect((await get(path)).unsettled).toBe(true);
      goOn();
      await expect.poll(async () => (await get(path)).unsettled, SOON).toBeUndefined();
      expect((await wait(cursor)).modules).toEqual([set.exposureID]);
    });
  });

  it.each(['column', 'list'])(
    'is called nothing by a %s that went right before the node was killed',
    async (what) => {
      const { people, exposureID } = await setting();
      const { store } = office;
      const ids = createIds(clock);
      // The same lists, with nobody who hears of changes.
      const lists = await openLists({ store, clock, ids });
      const [name, ...fields] = people.fields;
      if (what === 'list') await lists.removeModule(people.moduleID, '1');
      else await lists.updateModule(people.moduleID, { fields });
      const quiet = { log: { info: () => undefined, warn: () => undefined }, notifyChanged: () => undefined };
      const system = await store.partition('system');
      const conditions = new Conditions({ system, lists, clock, ...quiet });
      const exposures = createExposures({ system, clock, ids, ...quiet }, lists, conditions);
      await exposures.applyMissedChanges();
      const { titlePins, formerTitleIDs } = await exposures.get(nodeID, exposureID);
      expect(Object.values(titlePins ?? {})).toEqual(['0']);
      expect(formerTitleIDs).toEqual([name?.fieldID]);
    },
  );

  it('misses nothing that changes right after a start', async () => {
    const { people, all } = await setting();
    const { store } = office;
    const ids = createIds(clock);
    const begun = await openLists({ store, clock, ids });
    const quiet = { log: { info: () => undefined, warn: () => undefined }, notifyChanged: () => undefined };
    const system = await store.partition('system');
    const conditions = new Conditions({ system, lists: begun, clock, ...quiet });
    await createExposures({ system, clock, ids, ...quiet }, begun, conditions).applyMissedChanges();
    const persons = await begun.rows(people.moduleID);
    await persons.patch(all[5]?.recordID ?? '', { Name: ['“Küçük” ve ortakları'] }, '7');
    expect(await persons.changedTitles(10)).toMatchObject([{ recordID: all[5]?.recordID }]);
  });
});
