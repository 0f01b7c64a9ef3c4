import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { Field } from '../../server/lists/definitions/model.ts';
import type { Rows } from '../../server/lists/rows/rows.ts';
import { composeApp, type ComposeApp } from '../support/harness/compose-app.ts';
import type { HttpAnswer } from '../support/harness/served-parts.ts';
import { makeList, text, values } from '../support/harness/lists.ts';

type Invoices = ComposeApp & { path: string; workspace: string; moduleID: string; recordIDs: string[] };

/** A list of invoices with two rows. */
async function invoices(): Promise<Invoices> {
  const app = await composeApp();
  const { module, rows } = await makeList(app, [text('City'), { kind: 'Number', name: 'Amount' }]);
  const made = await rows.createMany(
    [values({ City: 'Ulm', Amount: '1' }), values({ City: 'Bonn', Amount: '2' })],
    '1',
  );
  const { namespaceID, moduleID } = module;
  const workspace = `/namespace/${namespaceID}`;
  const recordIDs = made.map(({ recordID }) => recordID);
  return { ...app, workspace, moduleID, recordIDs, path: `${workspace}/module/${moduleID}` };
}

function refused({ status, body, text: shown }: HttpAnswer, wanted: number, code: string): void {
  expect(status, shown).toBe(wanted);
  expect(body).toMatchObject({ error: { code, message: expect.any(String) as string } });
}

const idsOf = async (rows: Rows): Promise<string[]> =>
  (await rows.list({ limit: 100 })).rows.map(({ recordID }) => recordID);

describe('a call for many rows', () => {
  const query = "City = 'Ulm'";
  const calls = [
    ['PATCH', '', { values: [{ name: 'City', value: 'Köln' }], query }],
    ['DELETE', '', { query }],
    ['DELETE', '', { truncate: true }],
    ['PATCH', 'undelete', { query }],
  ] as const;

  it.each(calls)('by %s …/record/%s refuses what it would ignore: %o', async (method, name, body) => {
    const { call, path, lists, moduleID } = await invoices();
    const rows = await lists.rows(moduleID);
    for (const more of [
      { updatedAt: '2020-01-01T00:00:00Z' },
      { ownedBy: '12' },
      { meta: { stage: 'won' } },
      { labels: { stage: 'won' } },
      { deleted: 2 },
      { limit: 1 },
    ]) {
      const answer = await call(method, `${path}/record/${name}`, { ...body, ...more });
      refused(answer, 400, 'request.malformed');
      expect(answer.text).toContain(`doesn't take \`${Object.keys(more).join()}\``);
    }
    expect(await rows.count()).toBe(2);
    expect((await rows.list({ limit: 1 })).rows).toMatchObject([{ values: { City: ['Ulm'] } }]);
  });

  it.each(calls)('by %s …/record/%s takes nothing from its address: %o', async (method, name, body) => {
    const { call, path, lists, moduleID } = await invoices();
    for (const given of ["query=City='Oslo'", 'truncate=true'])
      refused(
        await call(method, `${path}/record/${name}?${encodeURI(given)}`, body),
        400,
        'query.unsupported',
      );
    expect(await (await lists.rows(moduleID)).count()).toBe(2);
  });

  it('refuses an order of texts, which databases put in different ones', async () => {
    const { call, path, lists, moduleID } = await invoices();
    for (const given of ["City < 'Ulm'", "City >= '20'", "City BETWEEN 'A' AND 'C'", "LOWER(City) > 'b'"]) {
      refused(await call('DELETE', `${path}/record/`, { query: given }), 400, 'query.malformed');
      const listed = await call('GET', `${path}/record/?query=${encodeURIComponent(given)}`);
      refused(listed, 400, 'query.malformed');
      expect(listed.text).toContain('compare it by =, LIKE or IN');
    }
    expect(await (await lists.rows(moduleID)).count()).toBe(2);
  });

  it('refuses numbers beside a column of texts, which some databases compare as texts', async () => {
    const { call, path, lists, moduleID } = await invoices();
    for (const given of ['City = 7', 'City != 7', 'City IN (7, 8)', 'City > 5', 'NOT City = 007']) {
      const answer = await call('DELETE', `${path}/record/`, { query: given });
      refused(answer, 400, 'query.malformed');
      expect(answer.text).toContain('write the number beside it in quotation marks');
    }
    expect(await (await lists.rows(moduleID)).count()).toBe(2);
  });

  it('refuses an empty IN, which would name no row or all of them', async () => {
    const { call, path, lists, moduleID } = await invoices();
    for (const given of ['City NOT IN ()', 'City IN ( )', 'NOT (City IN ())']) {
      refused(await call('DELETE', `${path}/record/`, { query: given }), 400, 'query.malformed');
      const change = { values: [{ name: 'City', value: 'Köln' }], query: given };
      refused(await call('PATCH', `${path}/record/`, change), 400, 'query.malformed');
      const listed = await call('GET', `${path}/record/?query=${encodeURIComponent(given)}`);
      refused(listed, 400, 'query.malformed');
    }
    expect(await (await lists.rows(moduleID)).count()).toBe(2);
  });

  it('refuses columns and values that do not fit also where no row is named', async () => {
    const { call, path } = await invoices();
    for (const none of ["City = 'Oslo'", "City = 'Ulm'"]) {
      for (const value of [
        { name: 'Town', value: 'Köln' },
        { name: 'Amount', value: 'much' },
      ])
        refused(await call('PATCH', `${path}/record/`, { values: [value], query: none }), 422, 'row.values');
    }
  });
});

describe('a page of rows', () => {
  it('refuses the order of a column with several values, of which databases take any', async () => {
    const { call, path, lists, moduleID } = await invoices();
    const tags = { kind: 'String' as const, name: 'Tags', isMulti: true };
    await lists.updateModule(moduleID, { fields: [text('City'), tags] });
    for (const sort of ['Tags', 'City, Tags DESC']) {
      const answer = await call('GET', `${path}/record/?sort=${encodeURIComponent(sort)}`);
      refused(answer, 400, 'sort.malformed');
      expect(answer.text).toContain('Sort the answer yourself');
    }
  });

  it('refuses a cursor whose column was replaced by one of another kind', async () => {
    const { call, path, lists, moduleID } = await invoices();
    for (const sort of ['Amount', 'Amount DESC', 'City, Amount DESC']) {
      const fields = (kind: 'Number' | 'String'): Parameters<typeof lists.updateModule>[1] => ({
        fields: [text('City'), { kind, name: 'Amount' }],
      });
      const first = await call('GET', `${path}/record/?limit=1&sort=${encodeURIComponent(sort)}`);
      const { nextPage } = (first.body as { response: { filter: { nextPage: string } } }).response.filter;
      const follow = (): Promise<HttpAnswer> =>
        call('GET', `${path}/record/?limit=1&pageCursor=${encodeURIComponent(nextPage)}`);
      expect((await follow()).body).toMatchObject({ response: { set: [{}] } });
      await lists.updateModule(moduleID, fields('String'), '1');
      const answer = await follow();
      refused(answer, 400, 'page.cursor');
      expect(answer.text).toContain('another name or kind now');
      await lists.updateModule(moduleID, fields('Number'), '1');
    }
  });
});

/** Calls `change` after each read of a page, with the number of reads so far. */
function whileRead(rows: Rows, change: (reads: number) => Promise<unknown>): void {
  const list = rows.list.bind(rows);
  let reads = 0;
  vi.spyOn(rows, 'list').mockImplementation(async (options) => {
    const page = await list(options);
    await change(++reads);
    return page;
  });
}

describe('an answer that takes several reads of the list', () => {
  const COUNT = 2_400;
  const many = async (): Promise<Invoices & { rows: Rows; all: string[] }> => {
    const app = await invoices();
    const rows = await app.lists.rows(app.moduleID);
    await rows.removeMany(app.recordIDs, '1');
    const made = await rows.createMany(
      Array.from({ length: COUNT }, (_, at) => values({ City: 'Ulm', Amount: String(at) })),
      '1',
    );
    return { ...app, rows, all: made.map(({ recordID }) => recordID) };
  };
  const idsOf = ({ body }: HttpAnswer): string[] =>
    (body as { response: { set: { recordID: string }[] } }).response.set.map(({ recordID }) => recordID);

  it('has each row once, also where rows change their order meanwhile', async () => {
    const { call, path, rows, all } = await many();
    whileRead(rows, async (reads) => {
      if (reads === 1) await rows.patch(all[0] ?? '', values({ Amount: '99999' }), '2');
      if (reads === 2) await rows.patch(all.at(-1) ?? '', values({ Amount: '-5' }), '2');
    });
    const ids = idsOf(await call('GET', `${path}/record/?limit=0&sort=Amount`));
    expect(ids).toHaveLength(COUNT);
    expect(new Set(ids)).toEqual(new Set(all));
    expect(ids[0]).toBe(all.at(-1));
  });

  it('has no row that stopped to fit while one page was read', async () => {
    const { call, path, lists, moduleID, recordIDs } = await invoices();
    const rows = await lists.rows(moduleID);
    whileRead(rows, async (reads) => {
      if (reads === 1) await rows.patch(recordIDs[0] ?? '', values({ City: 'Köln' }), '2');
      if (reads === 2) await rows.remove(recordIDs[0] ?? '', '2');
    });
    const { body } = await call(
      'GET',
      `${path}/record/?incTotal=1&query=${encodeURIComponent("City != 'Bonn'")}`,
    );
    expect(body).toMatchObject({ response: { set: [], filter: { total: 0 } } });
  });

  it('is cut off where a column is dropped while it is exported', async () => {
    const { call, path, lists, moduleID, rows } = await many();
    const scan = rows.scan.bind(rows);
    const { fields } = await lists.module(moduleID);
    const isKept = ({ name }: { name: string }): boolean => name !== 'Amount';
    for (const begun of [1, 2]) {
      let reads = 0;
      vi.spyOn(rows, 'scan').mockImplementation(async function* (...given) {
        if (++reads === begun) await lists.updateModule(moduleID, { fields: fields.filter(isKept) }, '2');
        yield* scan(...given);
      });
      const answer = await call('GET', `${path}/export?format=csv`).catch(() => undefined);
      if (answer?.status === 409) refused(answer, 409, 'list.columns-changed');
      // Cut off before the first row without its amount.
      else expect(answer?.text ?? '').not.toContain('Ulm');
      vi.restoreAllMocks();
      const [dropped] = await lists.binnedColumns(moduleID);
      await lists.restoreColumn(moduleID, dropped?.field.fieldID ?? '');
    }
    expect((await call('GET', `${path}/export?format=csv`)).status).toBe(200);
  });

  it('has all rows or those that are left, where rows are deleted meanwhile', async () => {
    const { call, path, rows, all } = await many();
    whileRead(rows, async (reads) => {
      if (reads === 1) await rows.removeMany(all, '2');
    });
    const { body } = await call('GET', `${path}/record/?limit=0&incTotal=1`);
    expect(body).toMatchObject({ response: { set: [], filter: { total: 0 } } });
  });

  it('has the columns that the list has at its end, and says that the column of a sort is gone', async () => {
    const { call, path, lists, moduleID, rows } = await many();
    whileRead(rows, async (reads) => {
      if (reads === 1) await lists.updateModule(moduleID, { fields: [text('City')] }, '2');
    });
    refused(await call('GET', `${path}/record/?limit=0&sort=Amount`), 400, 'sort.malformed');
  });

  it('is refused where the list does not come to rest', async () => {
    const { call, path, rows, all } = await many();
    whileRead(rows, (reads) => rows.patch(all[0] ?? '', values({ Amount: String(reads) }), '2'));
    const answer = await call('GET', `${path}/record/?limit=0`);
    refused(answer, 409, 'record.changing');
    expect(answer.text).toContain('`pageCursor`');
    refused(await call('GET', `${path}/record/?limit=5`), 409, 'record.changing');
  });

  it('is cut off where it is too large to be held', async () => {
    const { call, path, lists, moduleID, recordIDs } = await invoices();
    const rows = await lists.rows(moduleID);
    const notes = 'Fjord Fish delivers '.repeat(45_000);
    for (let at = 0; at < 50; at++) await rows.create(values({ City: notes }), '1');
    let lastRead = Infinity;
    let seen = 0;
    whileRead(rows, async (reads) => {
      seen = reads;
      if (reads === lastRead) await rows.remove(recordIDs[0] ?? '', '2');
    });
    expect(idsOf(await call('GET', `${path}/record/?limit=0`)).length).toBe(52);
    lastRead = 2 * seen;
    const cut = await call('GET', `${path}/record/?limit=0`).catch(() => undefined);
    // Not JSON, so that nobody takes it for complete.
    expect(cut?.body === undefined).toBe(true);
  });
});

describe('parameters of a list', () => {
  it('are not set where they are empty, as in Corteza', async () => {
    const { call, path, workspace } = await invoices();
    const empty = 'limit=&deleted=&sort=&query=&pageCursor=&incTotal=';
    for (const address of [`${path}/record/`, `${workspace}/module/`, '/namespace/']) {
      const [{ status, body }, plain] = [
        await call('GET', `${address}?${empty}`),
        await call('GET', address),
      ];
      expect(status).toBe(200);
      expect(body).toEqual(plain.body);
    }
  });
});

describe('a change of a list', () => {
  interface Answered {
    response: { fields: object[]; moduleID: string };
  }

  it('refuses options that would rewrite the values of its rows', async () => {
    const app = await composeApp();
    const { call, lists } = app;
    const { module: customers } = await makeList(app, [text('Name')]);
    const path = `/namespace/${customers.namespaceID}/module`;
    const fields = [
      { kind: 'DateTime', name: 'Due' },
      { kind: 'Record', name: 'Customer', options: { moduleID: customers.moduleID } },
    ];
    const made = (await call('POST', path, { name: 'Orders', fields })).body as Answered;
    const { moduleID } = made.response;
    const rows = await lists.rows(moduleID);
    const [customer] = await (
      await lists.rows(customers.moduleID)
    ).createMany([values({ Name: 'Ada' })], '1');
    const content = { Due: '2026-03-01T23:30:00Z', Customer: customer?.recordID ?? '' };
    const row = await rows.create(values(content), '1');
    const [due, reference] = made.response.fields;
    const change = (...changed: object[]): Promise<HttpAnswer> =>
      call('POST', `${path}/${moduleID}`, { fields: changed });
    for (const isBinned of [false, true]) {
      if (isBinned) await rows.remove(row.recordID, '1');
      for (const [one, other] of [
        [{ ...due, options: { onlyDate: true } }, reference],
        [{ ...due, options: { onlyTime: true } }, reference],
        [due, { ...reference, options: { moduleID } }],
        [due, { ...reference, options: {} }],
      ] as const) {
        const answer = await change(one ?? {}, other ?? {});
        refused(answer, 422, 'field.in-use');
        expect(answer.text).toContain('`options.');
      }
    }
    expect((await rows.get(row.recordID)).values).toMatchObject({ Due: ['2026-03-01T23:30:00Z'] });
    expect((await change(due ?? {}, { ...reference, label: 'Client' })).status).toBe(200);
  });

  it('says that values in the bin do not fit another kind', async () => {
    const { call, path, lists, moduleID } = await invoices();
    const rows = await lists.rows(moduleID);
    await rows.removeMany(await idsOf(rows), '1');
    const { fields } = ((await call('GET', path)).body as Answered).response;
    const [city, amount] = fields;
    const answer = await call('POST', path, { fields: [{ ...city, kind: 'Number' }, amount] });
    refused(answer, 422, 'field.in-use');
    expect(answer.text).toContain('Rows in the bin have values that do not fit');
    expect((await call('POST', path, { fields: [city, { ...amount, kind: 'String' }] })).status).toBe(200);
  });

  it('looks at the rows where none can come any more', async () => {
    const { call, path } = await invoices();
    const at = { kind: 'DateTime', name: 'At' };
    const { fields } = (
      (await call('POST', path, { fields: [text('City'), { kind: 'Number', name: 'Amount' }, at] }))
        .body as Answered
    ).response;
    await call('DELETE', `${path}/record/`, { truncate: true });
    for (let tries = 0; tries < 5; tries++) {
      const made = await call('POST', path.slice(0, path.lastIndexOf('/')), {
        name: `Visits ${tries}`,
        fields: [at],
      });
      const { moduleID, fields: own } = (made.body as Answered).response;
      const visits = `${path.slice(0, path.lastIndexOf('/'))}/${moduleID}`;
      const value = { name: 'At', value: '2026-03-01T10:00:00Z' };
      const [changed, ...rows] = await Promise.all([
        call('POST', visits, { fields: [{ ...own[0], options: { onlyDate: true } }] }),
        call('POST', `${visits}/record/`, { values: [value] }),
        call('POST', `${visits}/record/`, { values: [value] }),
      ]);
      const kept = await call('GET', `${visits}/record/`);
      const answers = rows.filter(
        ({ status, text: shown }) => status === 200 && shown.includes('T10:00:00Z'),
      );
      if (changed.status !== 200) refused(changed, 422, 'field.in-use');
      expect(kept.text.split('T10:00:00Z').length - 1).toBe(answers.length);
    }
    expect(fields).toHaveLength(3);
  });

  it('sets no other time where nothing changes', async () => {
    const { call, path, workspace, clock } = await invoices();
    for (const address of [path, workspace]) {
      const read = (await call('GET', address)).body as { response: object };
      clock.advance(5000);
      const again = await call('POST', address, read.response);
      expect(again.body).toEqual(read);
      expect((await call('POST', address, {})).body).toEqual(read);
      const changed = await call('POST', address, { ...read.response, meta: { owner: 'Ada' } });
      expect(changed.body).toMatchObject({ response: { updatedAt: expect.any(String) as string } });
      const next = changed.body as { response: object };
      clock.advance(5000);
      expect((await call('POST', address, next.response)).body).toEqual(next);
    }
  });

  it('refuses names of columns that rows have members of, unless the list has them', async () => {
    const { call, path, workspace, lists, moduleID } = await invoices();
    for (const name of ['recordID', 'ownedBy', 'createdAt', 'updatedBy', 'deletedAt', 'meta', 'revision']) {
      const fields = [{ kind: 'String', name }];
      refused(await call('POST', `${workspace}/module/`, { name: 'Orders', fields }), 422, 'name.column');
      refused(await call('POST', path, { fields }), 422, 'name.column');
    }
    await lists.updateModule(moduleID, { fields: [text('City'), text('createdAt')] });
    const { fields } = ((await call('GET', path)).body as Answered).response;
    expect((await call('POST', path, { fields })).status).toBe(200);
  });

  it('refuses a column without id and name that would replace one', async () => {
    const { call, path } = await invoices();
    const { fields } = ((await call('GET', path)).body as Answered).response;
    for (const label of ['City', ' city ', 'Amount'])
      refused(await call('POST', path, { fields: [{ kind: 'String', label }] }), 422, 'field.unnamed');
    expect(
      (await call('POST', path, { fields: [...fields, { kind: 'String', label: 'Street' }] })).status,
    ).toBe(200);
    expect((await call('POST', path, { fields: [{ kind: 'String', name: 'City' }] })).status).toBe(200);
  });

  it('gives no name twice, also where calls come at once or with blanks', async () => {
    const { call, workspace, lists } = await invoices();
    const leads = { name: 'Leads', fields: [text('Name')] };
    const made = await Promise.all(
      Array.from({ length: 6 }, () => call('POST', `${workspace}/module/`, leads)),
    );
    expect(made.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409, 409]);
    for (const name of [' Leads', 'leads ', 'Leads\u00a0'])
      refused(await call('POST', `${workspace}/module/`, { ...leads, name }), 409, 'list.taken');
    const others = await Promise.all(
      ['Offers', 'Orders'].map((name) => call('POST', `${workspace}/module/`, { ...leads, name })),
    );
    const renamed = await Promise.all(
      others.map(({ body }) =>
        call('POST', `${workspace}/module/${(body as Answered).response.moduleID}`, { name: 'Deals' }),
      ),
    );
    expect(renamed.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const { moduleID } = (made.find(({ status }) => status === 200)?.body as Answered).response;
    await call('DELETE', `${workspace}/module/${moduleID}`);
    const again = (await call('POST', `${workspace}/module/`, leads)).body as Answered;
    refused(await call('POST', `${workspace}/module/${moduleID}/undelete`), 409, 'list.taken');
    await call('POST', `${workspace}/module/${again.response.moduleID}`, { name: 'New leads' });
    refused(await call('POST', `${workspace}/module/${moduleID}/undelete`), 409, 'list.taken');
    await call('POST', `${workspace}/module/${again.response.moduleID}`, { handle: 'new_leads' });
    expect((await call('POST', `${workspace}/module/${moduleID}/undelete`)).status).toBe(200);
    expect((await lists.module(moduleID)).name).toBe('Leads');
  });

  it('refuses a column that is marked as deleted, and keeps it', async () => {
    const { call, path } = await invoices();
    const { fields } = ((await call('GET', path)).body as Answered).response;
    const [city, amount] = fields;
    const answer = await call('POST', path, {
      fields: [city, { ...amount, deletedAt: '2026-11-28T20:00:00Z' }],
    });
    refused(answer, 400, 'request.malformed');
    expect(answer.text).toContain('leave out columns that are to be deleted');
    expect((await call('POST', path, { fields: [city, { ...amount, deletedAt: null }] })).status).toBe(200);
  });

  it('refuses a name that another list of the workspace has, and copies the columns of one', async () => {
    const { call, workspace, path } = await invoices();
    const { response } = (await call('GET', path)).body as { response: { name: string } };
    const again = { ...response, handle: 'again' };
    for (const name of [response.name, response.name.toUpperCase()])
      refused(await call('POST', `${workspace}/module/`, { ...again, name }), 409, 'list.taken');
    const copy = await call('POST', `${workspace}/module/`, { ...again, name: 'Orders' });
    expect(copy.status, copy.text).toBe(200);
    expect(copy.body).toMatchObject({ response: { fields: [{ name: 'City' }, { name: 'Amount' }] } });
    refused(await call('POST', path, { name: 'ORDERS' }), 409, 'list.taken');
    expect((await call('POST', path, { name: response.name, labels: {} })).status).toBe(200);
  });
});

describe('a row whose column has other choices now', () => {
  it('may be sent back as it is, and takes only present choices otherwise', async () => {
    const app = await composeApp();
    const { call, lists } = app;
    const choices = (...options: string[]): NonNullable<Parameters<typeof makeList>[1]> => [
      text('City'),
      { kind: 'Select', name: 'Stage', options: { options } },
    ];
    const { module, rows } = await makeList(app, choices('open', 'won'));
    const { recordID } = await rows.create(values({ City: 'Ulm', Stage: 'open' }), '1');
    await lists.updateModule(module.moduleID, { fields: choices('won', 'lost') }, '1');
    const address = `/namespace/${module.namespaceID}/module/${module.moduleID}/record/${recordID}`;
    const send = (City: string, Stage: string): Promise<HttpAnswer> =>
      call('POST', address, {
        values: [
          { name: 'City', value: City },
          { name: 'Stage', value: Stage },
        ],
      });
    expect((await send('Bonn', 'open')).status).toBe(200);
    expect((await rows.get(recordID)).values).toEqual({ City: ['Bonn'], Stage: ['open'] });
    expect((await send('Bonn', 'won')).status).toBe(200);
    refused(await send('Bonn', 'open'), 422, 'row.values');
  });
});

describe('a call for one row', () => {
  it('refuses to delete it for good, which only lists and columns can be', async () => {
    const { call, path, lists, moduleID, recordIDs } = await invoices();
    const address = `${path}/record/${recordIDs[0]}`;
    refused(await call('DELETE', `${address}?purge=1`), 400, 'query.unsupported');
    expect(await idsOf(await lists.rows(moduleID))).toEqual(recordIDs);
    expect((await call('DELETE', `${address}?purge=0`)).status).toBe(200);
  });
});

describe('`updatedAt` and `updatedBy` of a row', () => {
  const answered = z.object({
    response: z.object({ updatedAt: z.string().optional(), updatedBy: z.string().optional() }),
  });
  type Stamps = z.infer<typeof answered>['response'];

  type Edited = Invoices & {
    recordID: string;
    other: string;
    rows: Rows;
    address: string;
    edit: Stamps;
    shown: (recordID?: string) => Promise<Stamps>;
    /** The rows that a query finds, those in the bin included. */
    found: (query: string, sort?: string) => Promise<string[]>;
    /** The rows that changed for partners since a time. */
    changedSince: (at: string) => Promise<string[]>;
  };

  /** An office with two rows, the first of them edited by user 77. */
  async function edited(): Promise<Edited> {
    const app = await invoices();
    const { call, path, lists, moduleID, clock, recordIDs } = app;
    const [recordID = '', other = ''] = recordIDs;
    const rows = await lists.rows(moduleID);
    const address = `${path}/record/${recordID}`;
    clock.advance(1000);
    const values = [{ name: 'Amount', value: '5' }];
    const { response: edit } = answered.parse((await call('PATCH', address, { values })).body);
    expect(edit).toEqual({ updatedAt: expect.any(String) as string, updatedBy: '77' });
    return {
      ...{ ...app, recordID, other, rows, address, edit },
      shown: async (id = recordID) =>
        answered.parse((await call('GET', `${path}/record/${id}`)).body).response,
      found: async (query, sort = '') => {
        const asked = new URLSearchParams({ query, sort, deleted: '1' });
        const { body } = await call('GET', `${path}/record/?${asked.toString()}`);
        const set = z.array(z.object({ recordID: z.string() }));
        return z
          .object({ response: z.object({ set }) })
          .parse(body)
          .response.set.map((each) => each.recordID);
      },
      changedSince: async (at) =>
        (await rows.list({ limit: 10, deleted: 1, query: `updatedAt > '${at}'` })).rows.map(
          (row) => row.recordID,
        ),
    };
  }

  it('stay where rows are deleted and restored, though partners hear of it', async () => {
    const { call, rows, recordID, other, address, edit, shown, found, changedSince, clock } = await edited();
    const changed = edit.updatedAt ?? '';
    const steps = [
      () => rows.removeMany([recordID, other], '1'),
      () => rows.restoreMany([recordID, other], '1'),
      () => rows.removeMany([recordID, other], '1'),
      () => rows.undo('1'),
    ];
    for (const step of steps) {
      clock.advance(1000);
      const before = new Date(clock.now() - 1).toISOString();
      await step();
      expect(await changedSince(before)).toEqual([recordID, other]);
      expect(await shown()).toEqual(edit);
      expect(await shown(other)).toEqual({});
      expect(await found(`updatedAt > '${changed}'`)).toEqual([]);
      expect(await found(`updatedAt = '${changed}'`)).toEqual([recordID]);
      expect(await found('updatedBy = 77')).toEqual([recordID]);
      expect(await found('updatedBy = 1')).toEqual([]);
      expect(await found('', 'updatedAt DESC')).toEqual([recordID, other]);
    }
    const change = { values: [{ name: 'Amount', value: '6' }], updatedAt: edit.updatedAt };
    expect((await call('PATCH', address, change)).status).toBe(200);
    expect(await found(`updatedAt > '${changed}'`)).toEqual([recordID]);
    expect((await call('PATCH', address, change)).status).toBe(409);
  });

  it('are in the answer of the change itself', async () => {
    const { call, rows, recordID, address, edit, shown, clock } = await edited();
    clock.advance(1000);
    await rows.remove(recordID, '1');
    await rows.restore(recordID, '1');
    clock.advance(1000);
    const answer = answered.parse(
      (await call('PATCH', address, { values: [{ name: 'Amount', value: '6' }] })).body,
    );
    expect(answer.response.updatedAt).not.toBe(edit.updatedAt);
    expect(answer.response).toEqual(await shown());
  });

  /** Advances the clock, and brings a partner's version of one row with the named columns. */
  async function receive({ lists, moduleID, clock }: Invoices, sent: Record<string, string>): Promise<void> {
    clock.advance(1000);
    const updatedAt = new Date(clock.now()).toISOString();
    const filled = Object.fromEntries(Object.entries(sent).filter(([, text]) => text !== ''));
    const row = { recordID: '5', createdAt: '2026-01-01T00:00:00Z', updatedAt, values: values(filled) };
    const rows = await lists.rows(moduleID);
    await rows.receive({ nodeID: '900', rows: [row], mappedColumns: Object.keys(sent) });
  }

  it('stay where a partner sends what the row has', async () => {
    const app = await invoices();
    const { call, lists, moduleID, path, clock } = app;
    const rows = await lists.rows(moduleID);
    await receive(app, { City: 'Trier' });
    const { recordID = '' } = (await rows.list({ limit: 1, query: "City = 'Trier'" })).rows[0] ?? {};
    const shown = async (): Promise<Stamps> =>
      answered.parse((await call('GET', `${path}/record/${recordID}`)).body).response;
    await receive(app, { City: 'Trier', Amount: '' });
    expect(await shown()).toEqual({});
    clock.advance(1000);
    await rows.patch(recordID, values({ City: 'Kiel' }), '77');
    const edit = await shown();
    await receive(app, { City: 'Kiel', Amount: '' });
    expect(edit).toMatchObject({ updatedBy: '77' });
    expect(await shown()).toEqual(edit);
  });

  it('are those of a change that a partner sends while the row is in the bin', async () => {
    const app = await invoices();
    const { call, lists, moduleID, path, clock } = app;
    const rows = await lists.rows(moduleID);
    await receive(app, { City: 'Trier', Amount: '1' });
    const { recordID = '', createdAt = '' } =
      (await rows.list({ limit: 1, query: "City = 'Trier'" })).rows[0] ?? {};
    clock.advance(1000);
    await rows.remove(recordID, '1');
    const deleted = await rows.get(recordID);
    await receive(app, { City: 'Trier', Amount: '2' });
    expect(await rows.get(recordID)).toMatchObject({ updatedAt: deleted.updatedAt });
    clock.advance(1000);
    await rows.restore(recordID, '1');
    const address = `${path}/record/${recordID}`;
    const { updatedAt, updatedBy } = answered.parse((await call('GET', address)).body).response;
    expect(updatedBy).toBe('0');
    expect(Date.parse(updatedAt ?? '')).toBe(Date.parse(deleted.updatedAt) + 1000);
    const stale = { values: [{ name: 'City', value: 'Trier' }], updatedAt: createdAt };
    refused(await call('POST', address, stale), 409, 'data.stale');
  });

  it('stay where a column is renamed or deleted, and follow one whose values come back or are converted', async () => {
    const { call, lists, moduleID, rows, recordID, other, address, edit, shown, changedSince, clock } =
      await edited();
    const { fields } = await lists.module(moduleID);
    const [city, amount] = fields as [Field, Field];
    const steps = [
      () => lists.updateModule(moduleID, { fields: [{ ...city, name: 'Town' }, amount] }),
      () => lists.updateModule(moduleID, { fields: [amount] }),
    ];
    for (const step of steps) {
      clock.advance(1000);
      const before = new Date(clock.now() - 1).toISOString();
      await step();
      expect(await changedSince(before)).toEqual([recordID, other]);
      expect(await shown()).toEqual(edit);
      expect(await shown(other)).toEqual({});
    }
    clock.advance(1000);
    await lists.restoreColumn(moduleID, city.fieldID);
    const change = { values: [{ name: 'Town', value: 'yes' }], updatedAt: edit.updatedAt };
    // Who read the row without the column would empty it.
    refused(await call('PATCH', address, change), 409, 'data.stale');
    expect((await call('PATCH', address, { ...change, updatedAt: (await shown()).updatedAt })).status).toBe(
      200,
    );
    clock.advance(1000);
    await rows.patch(other, values({ Town: '' }), '1');
    const [latest, emptied] = [await shown(), await shown(other)];
    clock.advance(1000);
    await lists.updateModule(moduleID, { fields: [{ ...city, name: 'Town', kind: 'Bool' }, amount] });
    expect(Date.parse((await shown()).updatedAt ?? '')).toBeGreaterThan(Date.parse(latest.updatedAt ?? ''));
    expect(await shown(other)).toEqual(emptied);
  });
});
