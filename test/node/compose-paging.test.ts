import { describe, expect, it } from 'vitest';
import { envelope } from '../../server/contract/common.ts';
import type { z } from 'zod';
import { moduleList, recordList, type RecordListAnswer } from '../../server/contract/wire/compose.ts';
import { composeApp, type ComposeApp } from '../support/harness/compose-app.ts';
import { makeList, text, values } from '../support/harness/lists.ts';
import type { HttpAnswer } from '../support/harness/served-parts.ts';

const ROWS = 3_217;
const CITIES = ['Berlin', 'Łódź', 'Évora', 'Växjö', 'Zürich', 'Ürzig', 'Zu'];

interface Big extends ComposeApp {
  readonly records: string;
  readonly recordIDs: readonly string[];
  readonly moduleID: string;
}

/** Row n: Amount is a scattered number (several rows share one), City one of seven or none. */
async function bigList(): Promise<Big> {
  const app = await composeApp();
  const { module, rows } = await makeList(app, [text('City'), { kind: 'Number', name: 'Amount' }]);
  const made = await rows.createMany(
    Array.from({ length: ROWS }, (_, n) =>
      values({ Amount: String((n * 7919) % 1000), ...(n % 8 === 7 ? {} : { City: CITIES[n % 8] ?? '' }) }),
    ),
    '1',
  );
  const { namespaceID, moduleID } = module;
  return {
    ...app,
    moduleID,
    records: `/namespace/${namespaceID}/module/${moduleID}/record/`,
    recordIDs: made.map(({ recordID }) => recordID),
  };
}

/** All pages of a listing, the cursor carrying on from each. */
async function pages(
  { call, records }: Big,
  query: Readonly<Record<string, string>>,
  between: (page: number) => Promise<void> = () => Promise.resolve(),
): Promise<RecordListAnswer[]> {
  const found: RecordListAnswer[] = [];
  for (let cursor = ''; ;) {
    const parameters = new URLSearchParams({ ...query, ...(cursor && { pageCursor: cursor }) });
    const answer = await call('GET', `${records}?${parameters}`);
    expect(answer.status, answer.text).toBe(200);
    const { response } = envelope(recordList).parse(answer.body);
    found.push(response);
    expect(found.length).toBeLessThan(200);
    cursor = response.filter.nextPage ?? '';
    if (cursor === '') return found;
    await between(found.length);
  }
}

const idsOf = (list: readonly RecordListAnswer[]): string[] =>
  list.flatMap(({ set }) => set.map(({ recordID }) => recordID));
const valueOf = (record: RecordListAnswer['set'][number], name: string): string | undefined =>
  record.values.find((value) => value.name === name)?.value;

describe('thousands of rows', () => {
  it('come whole, each once, in pages as large as asked for', async () => {
    const big = await bigList();
    const found = await pages(big, { limit: '500' });
    expect(found.map(({ set }) => set.length)).toEqual([500, 500, 500, 500, 500, 500, 217]);
    expect(idsOf(found)).toEqual(big.recordIDs);
    expect((await pages(big, { limit: '1000' }))[0]?.set).toHaveLength(1000);
  });

  it('come sorted over all pages, equals once each, those without a value last', async () => {
    const big = await bigList();
    const found = await pages(big, { limit: '333', sort: 'City DESC, Amount', incTotal: 'true' });
    const ids = idsOf(found);
    expect(new Set(ids)).toEqual(new Set(big.recordIDs));
    expect(ids).toHaveLength(ROWS);
    expect(found.every(({ filter }) => filter.total === ROWS)).toBe(true);
    const rows = found.flatMap(({ set }) => set);
    const none = rows.findIndex((row) => valueOf(row, 'City') === undefined);
    expect(rows.slice(none).every((row) => valueOf(row, 'City') === undefined)).toBe(true);
    for (const [at, row] of rows.entries()) {
      const next = rows[at + 1];
      if (!next || valueOf(row, 'City') !== valueOf(next, 'City')) continue;
      expect(Number(valueOf(row, 'Amount'))).toBeLessThanOrEqual(Number(valueOf(next, 'Amount')));
    }
  });

  it('come filtered by the query, with a sort, over all pages', async () => {
    const big = await bigList();
    const query = "City = 'Łódź' AND Amount >= 500";
    const found = await pages(big, { limit: '40', query, sort: 'Amount DESC', incTotal: '1' });
    const wanted = big.recordIDs.filter((_id, n) => n % 8 === 1 && (n * 7919) % 1000 >= 500);
    expect(wanted.length).toBeGreaterThan(150);
    expect(idsOf(found).toSorted()).toEqual(wanted.toSorted());
    expect(found[0]?.filter).toMatchObject({ query, sort: 'Amount DESC', total: wanted.length });
    const amounts = found.flatMap(({ set }) => set.map((row) => Number(valueOf(row, 'Amount'))));
    expect(amounts).toEqual(amounts.toSorted((a, b) => b - a));
  });

  it.each(['', 'Amount DESC'])(
    'that change between two pages neither vanish nor come twice (%s)',
    async (sort) => {
      const big = await bigList();
      const rows = await big.lists.rows(big.moduleID);
      const gone = big.recordIDs.slice(0, 5);
      const found = await pages(big, { limit: '700', sort }, async (page) => {
        if (page !== 1) return;
        await rows.removeMany(gone, '1');
        await rows.create(values({ Amount: '-1' }), '1');
      });
      const ids = idsOf(found);
      expect(new Set(ids).size).toBe(ids.length);
      expect(big.recordIDs.filter((id) => !gone.includes(id) && !ids.includes(id))).toEqual([]);
    },
  );

  it('in the bin come when asked for, alone or with the others', async () => {
    const big = await bigList();
    const binned = big.recordIDs.filter((_id, n) => n % 3 === 0);
    await (await big.lists.rows(big.moduleID)).removeMany(binned, '1');
    expect(idsOf(await pages(big, { limit: '500', deleted: '2' }))).toEqual(binned);
    expect(idsOf(await pages(big, { limit: '500', deleted: '1' }))).toEqual(big.recordIDs);
    const others = await pages(big, { limit: '500', deleted: '0', incTotal: 'true' });
    expect(idsOf(others)).toHaveLength(ROWS - binned.length);
    expect(others[0]?.filter.total).toBe(ROWS - binned.length);
  });

  it('a cursor goes with the sort that it was given for', async () => {
    const { call, records } = await bigList();
    const first = envelope(recordList).parse((await call('GET', `${records}?sort=Amount`)).body).response;
    expect(first.set).toHaveLength(500);
    const cursor = encodeURIComponent(first.filter.nextPage ?? '');
    expect((await call('GET', `${records}?sort=City&pageCursor=${cursor}`)).status).toBe(400);
  });

  it.each(['', 'id', 'recordID'])(
    'come whole where the second page is read much later (%s)',
    async (sort) => {
      const big = await bigList();
      const options = { limit: '2000', query: 'Amount >= 0', sort, incTotal: 'true' };
      // Views that nobody looks at are given up meanwhile.
      const found = await pages(big, options, () => {
        big.clock.advance(10 * 60_000);
        return Promise.resolve();
      });
      expect(idsOf(found)).toEqual(big.recordIDs);
    },
  );

  it('are sorted by a column that is called id, and by their ids without a sort', async () => {
    const app = await composeApp();
    const { module, rows } = await makeList(app, [text('id')]);
    const made = await rows.createMany(
      ['C-3', 'A-1', 'B-2'].map((id) => values({ id })),
      '1',
    );
    const records = `/namespace/${module.namespaceID}/module/${module.moduleID}/record/`;
    const big = { ...app, records, moduleID: module.moduleID, recordIDs: [] };
    const ids = made.map(({ recordID }) => recordID);
    expect(idsOf(await pages(big, { limit: '1' }))).toEqual(ids);
    expect(idsOf(await pages(big, { limit: '1', sort: 'id' }))).toEqual([ids[1], ids[2], ids[0]]);
  });

  it('a cursor says that its column is gone, and does not blame a sort that nobody asked for', async () => {
    const { call, records, lists, moduleID } = await bigList();
    const first = envelope(recordList).parse((await call('GET', `${records}?sort=Amount`)).body).response;
    const { fields } = await lists.module(moduleID);
    await lists.updateModule(moduleID, { fields: fields.filter(({ name }) => name !== 'Amount') });
    const answer = await call('GET', `${records}?pageCursor=${first.filter.nextPage ?? ''}`);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: { code: 'page.cursor' } });
  });

  it.each(['', '&query=Amount+%3E%3D+0', '&deleted=1'])(
    'without a value come first where values ascend, and equals by id in that direction, as in Corteza (%s)',
    async (more) => {
      const { call, records, recordIDs } = await bigList();
      const cityOf = (id: string): string => (recordIDs.indexOf(id) % 8 === 7 ? '' : 'city');
      const idsBy = async (sort: string): Promise<string[]> => {
        const { body } = await call('GET', `${records}?limit=0&sort=${encodeURIComponent(sort)}${more}`);
        return envelope(recordList)
          .parse(body)
          .response.set.map(({ recordID }) => recordID);
      };
      const upwards = await idsBy('City');
      const none = recordIDs.filter((id) => cityOf(id) === '');
      expect(upwards.slice(0, none.length)).toEqual(none);
      expect(await idsBy('City DESC')).toEqual(upwards.toReversed());
      const [newest] = await idsBy('createdAt DESC');
      expect(newest).toBe(recordIDs.at(-1));
    },
  );

  it.each(['', '&query=Name+IS+NOT+NULL'])(
    'are sorted by texts as databases sort: without case and accents, 10 before 2 (%s)',
    async (more) => {
      const { call, ...app } = await composeApp();
      const { module, rows } = await makeList(app, [text('Name')]);
      const names = ['a10', 'Ä1', 'b', 'A2', 'ab', 'Élan', 'B', 'elb'];
      for (const name of names) await rows.create({ Name: [name] }, '1');
      const records = `/namespace/${module.namespaceID}/module/${module.moduleID}/record/`;
      const sorted = async (direction: string): Promise<unknown[]> => {
        const { body } = await call('GET', `${records}?sort=Name+${direction}${more}`);
        const { set } = envelope(recordList).parse(body).response;
        return set.map(({ values: [first] }) => first?.value);
      };
      const upwards = ['Ä1', 'a10', 'A2', 'ab', 'b', 'B', 'Élan', 'elb'];
      expect(await sorted('ASC')).toEqual(upwards);
      expect(await sorted('DESC')).toEqual(upwards.toReversed());
    },
  );

  it.each(['City, Amount DESC', 'City DESC', 'Amount, City'])(
    'come in one order over all pages: %s',
    async (sort) => {
      const big = await bigList();
      const [whole] = await pages(big, { limit: '0', sort });
      expect(idsOf(await pages(big, { limit: '450', sort }))).toEqual(whole && idsOf([whole]));
    },
  );

  it.each(['updatedAt DESC', 'updatedAt'])(
    'that were never changed have no time by which to sort: %s',
    async (sort) => {
      const { call, records, recordIDs, lists, moduleID, clock } = await bigList();
      const changed = [2000, 7, 1500].map((n) => recordIDs[n] ?? '');
      const rows = await lists.rows(moduleID);
      for (const id of changed) {
        clock.advance(1000);
        await rows.patch(id, values({ City: 'Ulm' }), '1');
      }
      clock.advance(1000);
      await rows.create(values({ City: 'Bonn' }), '1');
      const { set } = envelope(recordList).parse(
        (await call('GET', `${records}?limit=0&sort=${encodeURIComponent(sort)}`)).body,
      ).response;
      const found = set.map(({ recordID }) => recordID);
      const isUpwards = sort === 'updatedAt';
      expect(isUpwards ? found.slice(-3) : found.slice(0, 3)).toEqual(
        isUpwards ? changed : changed.toReversed(),
      );
      expect(set.at(isUpwards ? 0 : -1)?.updatedAt).toBeUndefined();
    },
  );

  it('are sorted by the ids of users as numbers, by their deletion, and by yes and no', async () => {
    const { call, clock, ...app } = await composeApp();
    const { module, rows } = await makeList({ ...app, clock }, [
      text('Name'),
      { kind: 'Bool', name: 'Paid' },
    ]);
    const { recordID: fjord } = await rows.create(values({ Name: 'Fjord Fish', Paid: '1' }), '77');
    const { recordID: krueger } = await rows.create(values({ Name: 'Autohaus Krüger', Paid: '0' }), '9');
    const { recordID: leeds } = await rows.create(values({ Name: 'Leeds Trading' }), '9');
    const change = async (id: string, by: string): Promise<void> => {
      clock.advance(1000);
      await rows.patch(id, values({ Name: 'Renamed' }), by);
    };
    await change(fjord, '9');
    await change(krueger, '77');
    for (const id of [krueger, fjord]) {
      clock.advance(1000);
      await rows.remove(id, '1');
    }
    const records = `/namespace/${module.namespaceID}/module/${module.moduleID}/record/?deleted=1&sort=`;
    const sorted = async (sort: string): Promise<string[]> => {
      const { body } = await call('GET', `${records}${encodeURIComponent(sort)}`);
      return envelope(recordList)
        .parse(body)
        .response.set.map(({ recordID }) => recordID);
    };
    for (const member of ['createdBy', 'ownedBy']) {
      expect(await sorted(member), member).toEqual([krueger, leeds, fjord]);
      expect(await sorted(`${member} DESC`), member).toEqual([fjord, leeds, krueger]);
    }
    expect(await sorted('updatedBy')).toEqual([leeds, fjord, krueger]);
    expect(await sorted('deletedAt')).toEqual([leeds, krueger, fjord]);
    expect(await sorted('deletedAt DESC')).toEqual([fjord, krueger, leeds]);
    expect(await sorted('Paid')).toEqual([leeds, krueger, fjord]);
  });
});

describe('lists and workspaces that come sorted, page after page', () => {
  const office = async (): Promise<ComposeApp & { modules: string; idOf: (name: string) => string }> => {
    const app = await composeApp();
    const { module } = await makeList(app, [text('City')]);
    const ids = new Map([['Customers', module.moduleID]]);
    for (const name of ['Orders', 'Prices', 'Stock', 'Visits']) {
      const { moduleID } = await app.lists.createModule(module.namespaceID, { name, fields: [text('City')] });
      ids.set(name, moduleID);
    }
    return {
      ...app,
      modules: `/namespace/${module.namespaceID}/module/`,
      idOf: (name) => ids.get(name) ?? '',
    };
  };
  const read = (answer: HttpAnswer): z.infer<typeof moduleList> => {
    expect(answer.status, answer.text).toBe(200);
    return envelope(moduleList).parse(answer.body).response;
  };

  it.each([
    ['renamed', 'name', 'POST', { name: 'Zones' }, ['Prices', 'Stock', 'Visits', 'Zones']],
    ['changed', 'updatedAt', 'POST', { meta: { color: 'red' } }, ['Prices', 'Stock', 'Visits', 'Orders']],
    ['deleted', 'name', 'DELETE', undefined, ['Prices', 'Stock', 'Visits']],
  ])('leave no other out when the last one was %s', async (_, sort, method, body, rest) => {
    const { call, modules, idOf } = await office();
    const first = read(await call('GET', `${modules}?sort=${sort}&limit=2`));
    expect(first.set.map(({ name }) => name)).toEqual(['Customers', 'Orders']);
    expect((await call(method, modules + idOf('Orders'), body)).status).toBe(200);
    const next = read(await call('GET', `${modules}?pageCursor=${first.filter.nextPage ?? ''}`));
    expect(next.set.map(({ name }) => name)).toEqual(rest);
  });

  it.each(['valueOf', 'constructor', 'toLocaleString', 'hasOwnProperty'])(
    'are not sorted by %s',
    async (sort) => {
      const { call, modules } = await office();
      for (const path of [modules, '/namespace/']) {
        const answer = await call('GET', `${path}?sort=${sort}`);
        expect([answer.status, answer.body]).toMatchObject([400, { error: { code: 'sort.malformed' } }]);
      }
    },
  );

  it('are not sorted by what they do not have', async () => {
    const { call, modules } = await office();
    for (const path of [`${modules}?sort=slug`, '/namespace/?sort=handle', '/namespace/?sort=moduleID'])
      expect((await call('GET', path)).body, path).toMatchObject({ error: { code: 'sort.malformed' } });
  });
});

describe('a cursor of long texts', () => {
  const hangul = String.fromCodePoint(
    ...Array.from({ length: 300 }, (_, at) => 0xac00 + ((at * 7919) % 11172)),
  );
  it.each([
    ['東京都千代田区'.repeat(40)],
    [hangul],
    ['각'.repeat(2000)],
    ['\u0001\u0002\u001f'.repeat(100)],
    ['ﷺ'.repeat(300)],
  ])('is taken back, whatever the alphabet and however many columns (%#)', async (long) => {
    const app = await composeApp();
    const names = ['Name', 'Street', 'Town', 'Country', 'Note', 'Terms', 'Route', 'Contact'];
    const { module, rows } = await makeList(
      app,
      names.map((name) => text(name)),
    );
    const row = Object.fromEntries(names.map((name) => [name, long]));
    const made = await rows.createMany([values(row), values(row), values(row)], '1');
    const records = `/namespace/${module.namespaceID}/module/${module.moduleID}/record/`;
    const recordIDs = made.map(({ recordID }) => recordID);
    const big = { ...app, records, recordIDs, moduleID: module.moduleID };
    const found = await pages(big, { limit: '1', sort: names.join(' DESC, ') });
    expect(idsOf(found)).toEqual(recordIDs);
  });
});
