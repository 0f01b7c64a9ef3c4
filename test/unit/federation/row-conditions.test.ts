import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { EXPOSURES } from '../../../server/federation/tables.ts';
import { EVERY_ROW, toCondition, type RequestedCondition } from '../../../server/lists/query/condition.ts';
import type { Exposure } from '../../../server/federation/model.ts';
import type { Rows } from '../../../server/lists/rows/rows.ts';
import { pairOffices, startHttpOffice, type HttpOffice } from '../../support/harness/served-parts.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';
import { customers } from '../../support/data/office-lists.ts';

/** A list that is shared under a condition, as the partner reads it in each dialect. */

const PEOPLE = customers({ rows: 9, seed: 3 }).rows.map(({ CompanyName = '' }) => CompanyName);
const clock = manualClock(Date.parse('2026-03-02T08:00:00Z'));
const isIn = (...values: readonly string[]): RequestedCondition => ({
  join: 'any',
  parts: values.map((value) => ({ column: 'Country', test: 'is', value })),
});

let office: HttpOffice;
let partner: HttpOffice;
let nodeID: string;
let token: string;
let listID: string;
let rows: Rows;
/** Ids of the rows, by country in turns: Norge, Sverige, none. */
let ids: readonly string[];

beforeEach(async () => {
  office = await startHttpOffice('Oslo', { clock, inMemory: true });
  partner = await startHttpOffice('Bergen', { clock, inMemory: true });
  const pair = await pairOffices(office, partner);
  nodeID = pair.idA;
  token = await partner.federation.tokens.tokenFor(pair.idB);
  const fields = ['Name', 'Country', 'Note'].map((name) => ({ kind: 'String' as const, name }));
  ({ moduleID: listID } = await office.list('Customers', fields, []));
  rows = await office.lists.rows(listID);
  const made = PEOPLE.map((name, at) => ({
    Name: [name],
    Country: [['Norge', 'Sverige', ''][at % 3] ?? ''],
  }));
  ids = (await rows.createMany(made, '1')).map(({ recordID }) => recordID);
});
afterEach(() => Promise.all([office.close(), partner.close()]));

const later = (): void => clock.advance(60_000);
const share = (condition?: RequestedCondition | null): Promise<Exposure> =>
  office.federation.exposures.expose(nodeID, input(condition), '1');
const input = (
  condition?: RequestedCondition | null,
): Parameters<HttpOffice['federation']['exposures']['expose']>[1] => ({
  composeModuleID: listID,
  fields: [{ name: 'Name' }],
  shape: 1,
  ...(condition === undefined ? {} : { condition }),
});
const choose = async (moduleID: string, condition: RequestedCondition | null): Promise<Exposure> =>
  office.federation.exposures.change(nodeID, moduleID, input(condition), '1');
const put = async (at: number, country: string): Promise<void> => {
  later();
  await rows.patch(ids[at] ?? '', { Country: [country] }, '1');
};

const told = z.looseObject({
  recordID: z.string(),
  deletedAt: z.string().nullish(),
  values: z.array(z.object({ name: z.string(), value: z.string() })),
});
const page = z.object({
  response: z.looseObject({ set: z.array(told).nullable() }),
});
const changes = z.object({
  response: z.object({
    set: z.array(told),
    epoch: z.string(),
    state: z.string(),
    next: z.number(),
    total: z.number(),
  }),
});

async function ask(path: string): Promise<{ readonly set: readonly z.infer<typeof told>[] }> {
  const answer = await office.call('GET', path, { token });
  expect(answer.status, answer.text).toBe(200);
  expect(answer.text).not.toMatch(/Norge|Sverige|Country|condition/);
  return { set: page.parse(answer.body).response.set ?? [] };
}

/** `+` what is there, `-` what is told to be gone, by the places of the rows. */
const signs = (set: readonly z.infer<typeof told>[]): string[] =>
  set
    .map(({ recordID, deletedAt, values }) => {
      const at = ids.indexOf(recordID);
      expect(values.map(({ value }) => value)).toEqual(deletedAt ? [] : [PEOPLE[at]]);
      return `${deletedAt ? '-' : '+'}${at}`;
    })
    .sort();

type Read = (moduleID: string, since: number) => Promise<string[]>;
const DIALECTS: readonly (readonly [string, Read])[] = [
  [
    'shape 1',
    async (m, since) =>
      signs((await ask(`/federation/nodes/${nodeID}/modules/${m}/records?limit=1000&lastSync=${since}`)).set),
  ],
  [
    'shape 2',
    async (m, since) =>
      signs((await ask(`/federation/exposed/records/${m}?perPage=1000&after=${since}`)).set),
  ],
  [
    'live',
    async (m, since) =>
      signs(
        (await ask(`/federation/nodes/${nodeID}/modules/${m}/records/?limit=1000&lastSync=${since}`)).set,
      ),
  ],
];

describe.each(DIALECTS)('in %s', (_dialect, read) => {
  const seconds = (): number => Math.floor(clock.now() / 1000);

  it('exactly the rows that meet it are given, and each change of that is told once', async () => {
    const { moduleID } = await share(isIn('Norge'));
    expect(await read(moduleID, 0)).toEqual(['+0', '+3', '+6']);
    later();
    let since = seconds();
    await put(0, 'Danmark');
    await put(1, 'Norge');
    expect(await read(moduleID, since)).toEqual(['+1', '-0']);
    since = seconds() + 1;
    // Of what it sees no more, and of what it never saw, it hears nothing.
    await put(0, 'Finland');
    await put(2, 'Finland');
    await rows.remove(ids[2] ?? '', '1');
    await rows.remove(ids[0] ?? '', '1');
    expect(await read(moduleID, since)).toEqual([]);
    await rows.restore(ids[0] ?? '', '1');
    await put(0, 'Norge');
    await rows.remove(ids[3] ?? '', '1');
    expect(await read(moduleID, since)).toEqual(['+0', '-3']);
  });

  it('a condition that changes is applied at once', async () => {
    const { moduleID } = await share(isIn('Norge'));
    later();
    const since = seconds();
    later();
    await choose(moduleID, isIn('Sverige'));
    expect(await read(moduleID, since)).toEqual(['+1', '+4', '+7', '-0', '-3', '-6']);
    later();
    await choose(moduleID, null);
    expect(await read(moduleID, 0)).toEqual(ids.map((_, at) => `+${at}`));
  });

  it('a share of all rows that gets one tells the others to be gone', async () => {
    const { moduleID } = await share();
    later();
    const since = seconds();
    await rows.remove(ids[8] ?? '', '1');
    later();
    await choose(moduleID, isIn('Norge'));
    expect(await read(moduleID, since)).toEqual(['-1', '-2', '-4', '-5', '-7', '-8']);
  });

  it('what happened while it was withdrawn is told, of rows that were seen, and of no others', async () => {
    const { moduleID } = await share();
    later();
    const since = seconds();
    await office.federation.exposures.remove(nodeID, moduleID, '1');
    await put(0, 'Danmark');
    const [made] = await rows.createMany([{ Name: ['Never seen'], Country: ['Danmark'] }], '1');
    later();
    await share(isIn('Norge'));
    expect(await read(moduleID, since)).not.toContain(made?.recordID);
    expect(await read(moduleID, since)).toEqual(['-0', '-1', '-2', '-4', '-5', '-7', '-8']);
  });

  it('nothing is given any more once a column of it is gone, and not when one of its name is back', async () => {
    const { moduleID } = await share(isIn('Norge'));
    const { fields } = await office.lists.module(listID);
    later();
    const since = seconds();
    later();
    await office.lists.updateModule(listID, { fields: fields.filter(({ name }) => name !== 'Country') });
    expect(await read(moduleID, since)).toEqual(['-0', '-3', '-6']);
    const { fields: left } = await office.lists.module(listID);
    await office.lists.updateModule(listID, { fields: [...left, { kind: 'String', name: 'Country' }] });
    await rows.create({ Name: ['x'], Country: ['Norge'] }, '1');
    expect((await read(moduleID, 0)).filter((sign) => sign.startsWith('+'))).toEqual([]);
    const { broken } = await office.federation.exposures.get(nodeID, moduleID);
    expect(broken?.columns).toEqual(['Country']);
    // Who says nothing of rows leaves that as it is, and the user goes on being told.
    await office.federation.exposures.change(nodeID, moduleID, input(), '1');
    await office.federation.exposures.remove(nodeID, moduleID, '1');
    expect((await share()).broken?.columns).toEqual(['Country']);
    expect(await choose(moduleID, null)).not.toHaveProperty('broken');
  });

  it.each(['while it is shared', 'while it is not, and back afterwards'])(
    'nothing is given any more once a column of it is of another kind %s, also where that is undone',
    async (when) => {
      const { moduleID } = await share(isIn('Norge'));
      const { fields } = await office.lists.module(listID);
      const isWithdrawn = when !== 'while it is shared';
      if (isWithdrawn) await office.federation.exposures.remove(nodeID, moduleID, '1');
      await office.lists.updateModule(listID, {
        fields: fields.map((field) => (field.name === 'Country' ? { ...field, kind: 'User' } : field)),
      });
      await office.settled();
      if (isWithdrawn) expect((await share()).broken?.columns).toEqual(['Country']);
      await office.lists.updateModule(listID, { fields });
      await office.settled();
      expect((await read(moduleID, 0)).filter((sign) => sign.startsWith('+'))).toEqual([]);
      const closed = await office.federation.exposures.get(nodeID, moduleID);
      expect(closed).toMatchObject({ condition: { closed: true }, broken: { columns: [] } });
    },
  );
});

describe('older data and other installations', () => {
  const put = async (moduleID: string, change: (exposure: Exposure) => Exposure): Promise<void> => {
    const system = await office.store.partition('system');
    await system.transaction(async (tx) => {
      const exposure = await tx.get(EXPOSURES, moduleID);
      if (exposure) tx.put(EXPOSURES, moduleID, change(exposure));
    });
  };

  it('tell to be gone what was given before there was a condition, where that came back with older data', async () => {
    const { moduleID } = await share();
    const [, , [, read] = []] = DIALECTS;
    expect(await read?.(moduleID, 0)).toHaveLength(9);
    later();
    const since = Math.floor(clock.now() / 1000);
    later();
    const condition = toCondition(isIn('Norge'), (await office.lists.module(listID)).fields);
    await put(moduleID, (exposure) => ({ ...exposure, condition, unmirrored: true }));
    expect(await read?.(moduleID, since)).toEqual(['-1', '-2', '-4', '-5', '-7', '-8']);
    expect(await office.federation.exposures.get(nodeID, moduleID)).not.toHaveProperty('unmirrored');
    await rows.patch(ids[1] ?? '', { Country: ['Norge'] }, '1');
    expect(await read?.(moduleID, since)).toContain('+1');
  });

  it('are given no other rows than the installation before, whose place they took', async () => {
    const { moduleID: former } = await share(isIn('Norge'));
    await put(former, (exposure) => ({
      ...exposure,
      deletedAt: '2026-03-02T08:00:00.000Z',
      ofAnother: true,
    }));
    const { moduleID } = await share();
    expect(moduleID).not.toBe(former);
    const [, , [, read] = []] = DIALECTS;
    expect(await read?.(moduleID, 0)).toEqual(['+0', '+3', '+6']);
    await choose(moduleID, null);
    expect(await read?.(moduleID, 0)).toHaveLength(9);
  });
});

describe('between Footbridges', () => {
  let place = '';
  async function readOn(moduleID: string): Promise<{ signs: string[]; total: number }> {
    const path = `/federation/footbridge/modules/${moduleID}/changes?limit=100&marks=0${place || '&after=0'}`;
    const answer = await office.call('GET', path, { token });
    expect(answer.status, answer.text).toBe(200);
    const { set, epoch, state, next, total } = changes.parse(answer.body).response;
    place = `&${new URLSearchParams({ after: String(next), epoch, state }).toString()}`;
    return { signs: signs(set), total };
  }
  beforeEach(() => (place = ''));

  it('the change feed gives the same, without a number that tells of others', async () => {
    const { moduleID } = await share(isIn('Norge'));
    expect(await readOn(moduleID)).toEqual({ signs: ['+0', '+3', '+6'], total: 3 });
    await put(0, 'Danmark');
    await put(2, 'Finland');
    await put(1, 'Norge');
    expect(await readOn(moduleID)).toEqual({ signs: ['+1', '-0'], total: 2 });
    const before = place;
    await put(0, 'Finland');
    await put(2, 'Island');
    await rows.remove(ids[0] ?? '', '1');
    expect(await readOn(moduleID)).toEqual({ signs: [], total: 0 });
    expect(place).toBe(before);
    await choose(moduleID, isIn('Sverige'));
    expect((await readOn(moduleID)).signs).toEqual(['+4', '+7', '-1', '-3', '-6']);
  });

  it('another condition by which nothing changes is nothing that the partner hears of', async () => {
    const { moduleID, updatedAt } = await share(isIn('Norge'));
    await readOn(moduleID);
    const before = place;
    const { cursor } = (await wait()) ?? {};
    await put(2, 'Finland');
    await choose(moduleID, isIn('Norge', 'Atlantis'));
    expect(await wait(cursor)).toEqual({ cursor, structure: false, modules: [] });
    await put(0, 'Danmark');
    expect((await wait(cursor))?.modules).toEqual([moduleID]);
    await put(0, 'Norge');
    expect((await readOn(moduleID)).signs).toEqual(['+0']);
    expect(before).not.toBe(place);
    expect((await office.federation.exposures.get(nodeID, moduleID)).updatedAt).toBe(updatedAt);
  });

  const wait = async (since?: string): ReturnType<HttpOffice['federation']['watch']['wait']> =>
    office.federation.watch.wait(
      await office.federation.nodes.get(nodeID),
      since,
      0,
      new AbortController().signal,
    );

  it('rows that it does not know are not read where it names them, as that takes time', async () => {
    const { moduleID, condition = EVERY_ROW } = await share(isIn('Norge'));
    const [name = ''] = rows.visibleTo(moduleID, condition).source.name.split(' ');
    const entries = vi.spyOn(await office.store.partition(name), 'entries');
    const path = `/federation/footbridge/modules/${moduleID}/rows`;
    const answer = await office.call('POST', path, { token, body: { recordIDs: ids } });
    expect(signs(page.parse(answer.body).response.set ?? [])).toEqual(['+0', '+3', '+6']);
    const read = entries.mock.calls.flatMap(([table, keys]) => (table.name === 'row' ? keys : []));
    expect(read.map((recordID) => ids.indexOf(recordID))).toEqual([0, 3, 6]);
  });

  it('another partner of the same list hears nothing of it', async () => {
    const third = await startHttpOffice('Malmö', { clock, inMemory: true });
    const { idA, idB } = await pairOffices(office, third);
    const theirs = await third.federation.tokens.tokenFor(idB);
    const { moduleID: all } = await office.federation.exposures.expose(idA, input(), '1');
    const path = `/federation/exposed/records/${all}?perPage=1000&after=0`;
    const before = (await office.call('GET', path, { token: theirs })).text;
    later();
    const { moduleID } = await share(isIn('Norge'));
    await choose(moduleID, isIn('Sverige'));
    expect((await office.call('GET', path, { token: theirs })).text).toBe(before);
    await third.close();
  });
});

describe('a row of a third office that is gone once the list is shared again', () => {
  const HIDDEN = '2026-03-02T08:05:00.000Z';
  let thirdID = '';

  /** A version of the row by the office that made it, over one partner or another. */
  const arrive = async (at: string, country: string, by: string): Promise<void> => {
    const row = { recordID: '77', createdAt: at, updatedAt: at, via: ['maker', by] };
    const sent = {
      ...row,
      origin: { id: 'row-of-the-maker-77', at },
      values: { Name: ['Odd'], Country: [country] },
    };
    await rows.receive({ nodeID: thirdID, rows: [sent], mappedColumns: ['Name', 'Country'] });
  };
  const bin = async (): Promise<unknown> =>
    rows.remove((await rows.findReceived(thirdID, ['77']))[0]?.recordID ?? '', '1');

  it.each<[string, RequestedCondition | undefined, () => Promise<unknown>, RequestedCondition | undefined]>([
    ['as it met the condition no more', isIn('Norge'), () => arrive(HIDDEN, 'Danmark', 'other'), undefined],
    ['as it was deleted, under a condition', isIn('Norge'), bin, undefined],
    ['as it was deleted, without a condition', undefined, bin, undefined],
    ['by a first condition', undefined, () => Promise.resolve(), isIn('Sverige')],
  ])(
    'is told without the time and the way of a version that was never sent: %s',
    async (_why, before, leave, after) => {
      const third = await startHttpOffice('Malmö', { clock, inMemory: true });
      ({ idA: thirdID } = await pairOffices(office, third));
      await arrive('2026-03-02T08:00:00.000Z', 'Norge', 'third');
      const { moduleID } = await share(before);
      later();
      await office.federation.exposures.remove(nodeID, moduleID, '1');
      later();
      await arrive(HIDDEN, 'Norge', 'other');
      await leave();
      later();
      await share(after);
      const path = `/federation/footbridge/modules/${moduleID}/changes?limit=100&marks=0&after=0`;
      const { text, body } = await office.call('GET', path, { token });
      expect(text).not.toMatch(/08:05:00|"other"/);
      const gone = page.parse(body).response.set?.filter(({ deletedAt }) => deletedAt);
      expect(gone?.filter((row) => !('via' in row) && !('origin' in row))).toHaveLength(1);
      await third.close();
    },
  );
});

describe('a user', () => {
  it('finds in the ledger under which condition rows left, and when others were chosen', async () => {
    const { moduleID } = await share(isIn('Norge'));
    await ask(`/federation/exposed/records/${moduleID}?after=0`);
    await choose(moduleID, isIn('Sverige'));
    const values = office.served.map(({ changed, recordIDs, condition }) => [
      changed,
      recordIDs.length,
      condition?.parts.map(({ label, value }) => `${label} ${value}`).join(),
    ]);
    expect(values).toEqual([
      ['condition', 0, 'Country Norge'],
      [undefined, 3, 'Country Norge'],
      ['condition', 0, 'Country Sverige'],
    ]);
  });

  it('chooses by the interface, which says nothing of it to the partner', async () => {
    const editor = office.userToken('editor');
    const condition = { parts: [{ column: 'Country', test: 'is', value: 'Norge' }] };
    const body = { composeModuleID: listID, fields: [{ name: 'Name' }], condition };
    const made = await office.call('PUT', `/federation/nodes/${nodeID}/modules`, { token: editor, body });
    expect(made.status, made.text).toBe(200);
    expect(made.text).toContain('"condition":{"join":"all"');
    const { moduleID } = z.object({ response: z.object({ moduleID: z.string() }) }).parse(made.body).response;
    for (const path of [
      `/federation/exposed/modules/${moduleID}`,
      `/federation/exposed/modules`,
      `/federation/nodes/${nodeID}/modules/exposed`,
    ])
      expect((await office.call('GET', path, { token })).text).not.toMatch(/ondition|Norge|Country/);
    // Who says nothing of the rows leaves them as they are.
    const change = { ...body, condition: undefined };
    const path = `/federation/nodes/${nodeID}/modules/${moduleID}/exposed`;
    expect((await office.call('PUT', path, { token: editor, body: change })).text).toContain('Norge');
    expect((await ask(`/federation/exposed/records/${moduleID}?after=0`)).set).toHaveLength(3);
    const wrong = { ...body, condition: { parts: [{ column: 'Region', test: 'empty' }] } };
    expect((await office.call('PUT', path, { token: editor, body: wrong })).status).toBe(422);
  });
});
