import jwt from 'jsonwebtoken';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { IncomingRow, Row } from '../../server/lists/definitions/model.ts';
import { sampleRows } from '../../server/sync/compare/suggest-by-values.ts';
import { startLyingPartner } from '../support/partners/lying-partner.ts';
import { madeUpOrigin, type MadeUpOrigin, type OriginRow } from '../support/partners/made-up-origin.ts';
import { idOf, matched, type Matched } from '../support/partners/matched.ts';
import { customers } from '../support/data/office-lists.ts';
import { told } from '../support/reading/told.ts';
import { sayYes } from '../support/harness/approve-deletions.ts';

const LIST = customers({ rows: 100, seed: 77 }).rows;
const LATER = '2099-01-01T00:00:00.000Z';

/** Rows of Oslo, as Bergen passes them on, and as Turku says it does. */
interface Offices {
  readonly set: Matched;
  readonly bergen: MadeUpOrigin;
  readonly turku: MadeUpOrigin;
  readonly turkuID: string;
  readonly turkuOffer: string;
}

const changedRow = z.object({
  via: z.array(z.string()),
  values: z.array(z.object({ name: z.string(), value: z.string() })),
});

const nameOf = ({ recordID }: OriginRow): string => `name-of-row-${recordID.slice(-4)}`;

function filled(installation: string, tellsOrigins: boolean): MadeUpOrigin {
  const origin = madeUpOrigin();
  for (const [number, row] of LIST.entries())
    origin.put(idOf(number), { Name: [row.CompanyName ?? ''], City: [row.City ?? ''] });
  if (tellsOrigins) origin.tells = tellsOf(installation);
  return origin;
}

function tellsOf(installation: string): MadeUpOrigin['tells'] {
  const at = '2026-01-01T00:00:00.000Z';
  return (row) => ({ via: ['oslo', installation], origin: { id: nameOf(row), at } });
}

/** Bergen's rows are in our list; Turku is matched with the same one. */
async function offices({ tellsOrigins = true, turkuIs = 'turku' } = {}): Promise<Offices> {
  const bergen = filled('bergen', tellsOrigins);
  const set = await matched(bergen, { dialect: 'shape1', footbridge: true, installation: 'bergen' });
  const { office, moduleID } = set;
  await office.sync.syncNow(set.nodeID);
  const turku = filled(turkuIs, tellsOrigins);
  const partner = await startLyingPartner((app) => turku.serve(app));
  onTestFinished(() => partner.close());
  const { nodeID: turkuID } = await office.addPartner({
    baseURL: partner.base,
    dialect: 'shape1',
    footbridge: true,
    installation: turkuIs,
    name: 'Turku',
  });
  await office.sync.syncNow(turkuID);
  const [offer] = await office.federation.shared.list(turkuID);
  const { namespaceID } = await office.lists.module(moduleID);
  await office.federation.mappings.set(turkuID, offer!.moduleID, {
    composeModuleID: moduleID,
    composeNamespaceID: namespaceID,
    fields: ['Name', 'City'].map((name) => ({ origin: { name }, destination: { name } })),
    shape: 1,
  });
  return { set, bergen, turku, turkuID, turkuOffer: offer!.moduleID };
}

async function shown({ office, moduleID }: Matched): Promise<Row[]> {
  const found: Row[] = [];
  for await (const page of (await office.lists.rows(moduleID)).scan()) found.push(...page);
  return found;
}

const cities = (rows: readonly Row[]): string[] => rows.map(({ values }) => values.City?.[0] ?? '').sort();
const asBefore = LIST.map((row) => row.City ?? '').sort();

describe('a partner that brings rows which others brought', () => {
  it('adds none, as long as it names them by what they are known by', async () => {
    const { set, turkuID } = await offices();
    await set.office.sync.syncNow(turkuID);
    expect(cities(await shown(set))).toEqual(asBefore);
    const counts = await (await set.office.lists.rows(set.moduleID)).counts();
    expect(counts.received).toEqual({ [set.nodeID]: LIST.length, [turkuID]: LIST.length });
  });

  it('empties many rows that others bring: they wait for a yes', async () => {
    const { set, turku, turkuID, turkuOffer } = await offices();
    const { tells } = turku;
    turku.tells = (row) => ({ ...tells(row), origin: { id: nameOf(row), at: LATER } });
    for (const { recordID, values } of turku.rows()) turku.put(recordID, { Name: values.Name ?? [] });
    await set.office.sync.syncNow(turkuID);
    expect(cities(await shown(set))).toEqual(asBefore);
    expect(await set.office.sync.decisions.listPending(turkuID, turkuOffer)).toHaveLength(LIST.length);
    expect(told(await set.office.sync.status(turkuID))).toMatchObject({ state: 'needs-you' });
  });

  it('deletes them all: none goes, and none is asked about', async () => {
    const { set, turku, turkuID } = await offices();
    await set.office.sync.syncNow(turkuID);
    for (const { recordID } of turku.rows()) turku.remove(recordID);
    await set.office.sync.syncNow(turkuID);
    expect(cities(await shown(set))).toEqual(asBefore);
    expect(await set.office.sync.status(turkuID)).toMatchObject({ state: 'up-to-date' });
  });

  it('names another than itself as the last on the way, and brings a row of its own', async () => {
    const { set, turku, turkuID } = await offices();
    for (const via of [['oslo'], ['oslo', 'turku', 'bergen'], []]) {
      turku.epoch += 'x';
      turku.tells = (row) => ({ via, origin: { id: nameOf(row), at: LATER } });
      for (const { recordID } of turku.rows()) turku.put(recordID, { Name: ['mine'], City: ['mine'] });
      await set.office.sync.syncNow(turkuID);
      const rows = await shown(set);
      const theirs = rows.filter(({ received }) => received?.nodeID === turkuID);
      expect(theirs).toHaveLength(LIST.length);
      expect(cities(rows.filter((row) => !theirs.includes(row)))).toEqual(asBefore);
    }
  });

  it('and names others as the last on the way where the window looks before matching: none counts as known', async () => {
    const { set, turku, turkuID, turkuOffer } = await offices();
    const rows = await set.office.lists.rows(set.moduleID);
    const offer = await set.office.federation.shared.get(turkuID, turkuOffer);
    for (const [via, unknown] of [
      [['oslo', 'turku'], 0],
      [['oslo'], LIST.length],
    ] as const) {
      turku.tells = (row) => ({ via, origin: { id: nameOf(row), at: LATER } });
      let samples: readonly IncomingRow[] = [];
      // It gives up after five seconds, which a busy machine may need.
      const look = async (): Promise<number> =>
        (samples = await sampleRows(set.office, offer, LIST.length)).length;
      await expect.poll(look, { timeout: 40_000 }).toBe(LIST.length);
      expect(await rows.findUnknown(turkuID, samples)).toHaveLength(unknown);
    }
  });

  it('sends our own rows back, and changes none of them', async () => {
    const { set, turku, turkuID } = await offices();
    const rows = await set.office.lists.rows(set.moduleID);
    const own = await rows.create({ Name: ['our own'], City: ['Ulm'] }, '7');
    turku.tells = () => ({ via: ['receiving-office', 'turku'], origin: { id: 'A'.repeat(22), at: LATER } });
    turku.put(own.recordID, { Name: ['mine'], City: ['mine'] });
    await set.office.sync.syncNow(turkuID);
    expect(await rows.get(own.recordID)).toEqual(own);
    expect(await shown(set)).toHaveLength(LIST.length + 1);
  });

  it('has them from us by now, and does not count any more as one that brings them', async () => {
    const { set, turku, turkuID } = await offices();
    await set.office.sync.syncNow(turkuID);
    const { tells } = turku;
    turku.tells = (row) => ({ ...tells(row), via: ['oslo', 'bergen', 'receiving-office', 'turku'] });
    for (const { recordID } of turku.rows()) turku.put(recordID, {});
    await set.office.sync.syncNow(turkuID);
    const counts = await (await set.office.lists.rows(set.moduleID)).counts();
    expect(counts.received).toEqual({ [set.nodeID]: LIST.length });
    expect(cities(await shown(set))).toEqual(asBefore);
  });

  it('says that they came by a third partner, to which we give them: we take none of them back', async () => {
    const { set, bergen, turku, turkuID } = await offices();
    const { office, moduleID } = set;
    const shape = { dialect: 'shape1', footbridge: true } as const;
    const quito = await office.addPartner({ baseURL: 'http://127.0.0.1:9', ...shape, installation: 'quito' });
    const fields = [{ name: 'Name' }, { name: 'City' }];
    const shared = { composeModuleID: moduleID, fields, shape: 1 as const };
    const { moduleID: share } = await office.federation.exposures.expose(quito.nodeID, shared, '7');
    const request = { after: 0, limit: 1000, marks: 0, address: '192.168.1.20' };
    const given = async (): Promise<{ cities: string[]; ways: Set<string> }> => {
      const { rows } = await office.federation.changeFeed.changes(quito, share, request, (row) => row);
      const all = z.array(changedRow).parse(JSON.parse(`[${rows.toString()}]`));
      const texts = all.map(({ values }) => values.find(({ name }) => name === 'City')?.value ?? '');
      return { cities: texts.sort(), ways: new Set(all.map(({ via }) => via.join())) };
    };
    await office.sync.syncNow(turkuID);
    turku.tells = (row) => ({ via: ['oslo', 'quito', 'turku'], origin: { id: nameOf(row), at: LATER } });
    for (const { recordID, values } of turku.rows()) turku.put(recordID, values);
    await office.sync.syncNow(turkuID);
    expect(await given()).toEqual({
      cities: asBefore,
      ways: new Set(['oslo,bergen,receiving-office']),
    });
    for (const { recordID } of bergen.rows()) bergen.remove(recordID);
    await office.sync.syncNow(set.nodeID);
    expect(await given()).toEqual({
      cities: asBefore.map(() => ''),
      ways: new Set(['oslo,quito,turku,receiving-office']),
    });
  });

  it('says that it is the office which made them, which is no partner: few go, into the bin, and are back once it is removed', async () => {
    const { set, turku, turkuID } = await offices({ turkuIs: 'oslo' });
    const { office, moduleID } = set;
    turku.tells = (row) => ({ via: ['oslo'], origin: { id: nameOf(row), at: LATER } });
    for (let number = 0; number < 10; number++) turku.put(idOf(number), { Name: ['mine'], City: ['mine'] });
    await office.sync.syncNow(turkuID);
    const outside = async (): Promise<Row[]> =>
      (await shown(set)).filter(({ deletedAt }) => deletedAt === undefined);
    // Its word is that of the office where they were made: so it says, and nobody here knows better.
    for (let number = 0; number < 5; number++) turku.remove(idOf(number));
    await office.sync.syncNow(turkuID);
    expect(await outside()).toHaveLength(LIST.length - 5);
    const { rows: binned } = await (await office.lists.rows(moduleID)).list({ limit: 99, deleted: 2 });
    expect(binned).toHaveLength(5);
    for (let number = 10; number < 90; number++) turku.remove(idOf(number));
    await office.sync.syncNow(turkuID);
    expect(await outside()).toHaveLength(LIST.length - 5);
    expect((await office.sync.status(turkuID)).state).toBe('needs-you');
    await office.federation.disconnects.remove(turkuID, '1', { received: 'remove' });
    await office.federation.rowHandover.releaseRows(turkuID, 'remove');
    await office.sync.syncNow(set.nodeID);
    expect(cities(await outside())).toEqual(asBefore);
  });

  it.each(['as it paired', 'by the token that it gave to an older version'])(
    'says that it is the office which made them, %s: changes and removes none',
    async (how) => {
      const turku = madeUpOrigin();
      const token = jwt.sign({}, 'a key of its own', { issuer: 'footbridge:oslo' });
      const claim = how === 'as it paired' ? { installation: 'oslo' } : { sealedToken: token };
      const before = await matched(turku, { dialect: 'shape1', footbridge: true, ...claim });
      // What only the token says is noted at the start.
      const set = { ...before, office: await before.office.restart() };
      const { office, moduleID, nodeID: turkuID } = set;
      const oslo = filled('oslo', true);
      oslo.tells = (row) => ({ via: ['oslo'], origin: { id: nameOf(row), at: '2026-01-01T00:00:00.000Z' } });
      const partner = await startLyingPartner((app) => oslo.serve(app));
      onTestFinished(() => partner.close());
      const shape = { dialect: 'shape1', footbridge: true } as const;
      const osloNode = await office.addPartner({ baseURL: partner.base, ...shape, installation: 'oslo' });
      await office.sync.syncNow(osloNode.nodeID);
      const [offer] = await office.federation.shared.list(osloNode.nodeID);
      const { namespaceID } = await office.lists.module(moduleID);
      await office.federation.mappings.set(osloNode.nodeID, offer!.moduleID, {
        composeModuleID: moduleID,
        composeNamespaceID: namespaceID,
        fields: ['Name', 'City'].map((name) => ({ origin: { name }, destination: { name } })),
        shape: 1,
      });
      await office.sync.syncNow(osloNode.nodeID);
      turku.tells = (row) => ({ via: ['oslo'], origin: { id: nameOf(row), at: LATER } });
      const ofOslo = async (): Promise<Row[]> =>
        (await shown(set)).filter(({ received }) => received?.nodeID === osloNode.nodeID);
      for (let number = 0; number < 20; number++) turku.put(idOf(number), { Name: ['mine'], City: ['mine'] });
      await office.sync.syncNow(turkuID);
      expect(cities(await ofOslo())).toEqual(asBefore);
      for (let number = 0; number < 20; number++) turku.remove(idOf(number));
      await office.sync.syncNow(turkuID);
      expect(cities(await ofOslo())).toEqual(asBefore);
    },
  );

  it('is as ever while it is of before there were origins, and is there once when our user says so once it is not', async () => {
    const { set, bergen, turku, turkuID, turkuOffer } = await offices({ tellsOrigins: false });
    await set.office.sync.syncNow(turkuID);
    expect(cities(await shown(set))).toEqual([...asBefore, ...asBefore].sort());
    for (const [origin, nodeID] of [[bergen, set.nodeID] as const, [turku, turkuID] as const]) {
      origin.tells = tellsOf(origin === bergen ? 'bergen' : 'turku');
      // As a Footbridge does that tells more than before.
      origin.epoch += 'x';
      await set.office.sync.syncNow(nodeID);
    }
    // That they are the same is Turku's word alone.
    expect(cities(await shown(set))).toEqual([...asBefore, ...asBefore].sort());
    expect(await set.office.sync.status(turkuID)).toMatchObject({ state: 'needs-you' });
    expect(await sayYes(set.office.sync, turkuID, turkuOffer)).toBe(100);
    expect(cities(await shown(set))).toEqual(asBefore);
    expect(await set.office.sync.status(turkuID)).toMatchObject({ state: 'up-to-date' });
  });

  it.each([
    ['a name of another form', { id: '../../x', at: LATER }],
    ['a name without end', { id: 'x'.repeat(65), at: LATER }],
    ['no time', { id: 'name-of-row-0001', at: 'soon' }],
    ['a list', ['name-of-row-0001', LATER]],
  ])(
    'gives %s as an origin: the row is put aside with the reason, the others are taken',
    async (_, origin) => {
      const { set, turku, turkuID } = await offices();
      const { tells } = turku;
      turku.tells = (row) => (row.recordID === idOf(0) ? { via: ['turku'], origin } : tells(row));
      await set.office.sync.syncNow(turkuID);
      expect(await set.office.sync.failedRows.list(turkuID)).toMatchObject([
        { recordID: idOf(0), reason: expect.anything() as object },
      ]);
      expect(cities(await shown(set))).toEqual(asBefore);
    },
  );
});
