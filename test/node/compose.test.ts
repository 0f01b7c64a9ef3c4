import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { envelope } from '../../server/contract/common.ts';
import {
  importAnswer,
  module as moduleSchema,
  moduleList,
  namespace,
  namespaceList,
  record,
  recordList,
} from '../../server/contract/wire/compose.ts';
import { composeApp, type ComposeApp } from '../support/harness/compose-app.ts';
import type { HttpAnswer } from '../support/harness/served-parts.ts';

/** The payload of a 200, in exactly the form of the contract. */
function payload<T>(schema: z.ZodType<T>, { status, body, text }: HttpAnswer): T {
  expect(status, text).toBe(200);
  const { response } = envelope(schema).parse(body);
  expect(response).toEqual((body as { response: unknown }).response);
  return response;
}

const value = (name: string, text: string): { name: string; value: string } => ({ name, value: text });

const FIELDS = [
  { kind: 'String', name: 'name', label: 'Name', isRequired: true, options: {} },
  { kind: 'Number', name: 'amount', label: 'Amount', options: { precision: 2, format: '0,0.00' } },
  { kind: 'DateTime', name: 'birthday', label: 'Birthday', options: { onlyDate: true } },
  { kind: 'Bool', name: 'active', label: 'Active', options: { trueLabel: 'Yes' } },
  {
    kind: 'Select',
    name: 'stage',
    label: 'Stage',
    options: { options: [{ text: 'New', value: 'new' }, 'won'] },
  },
  { kind: 'String', name: 'tags', label: 'Tags', isMulti: true, options: {} },
];

async function withList(): Promise<ComposeApp & { path: string; records: string }> {
  const app = await composeApp();
  const ns = payload(
    namespace,
    await app.call('POST', '/namespace/', { name: 'Test', slug: 'test', meta: {} }),
  );
  const body = { name: 'Contacts', handle: 'contacts', meta: {}, fields: FIELDS };
  const made = payload(moduleSchema, await app.call('POST', `/namespace/${ns.namespaceID}/module/`, body));
  const path = `/namespace/${ns.namespaceID}/module/${made.moduleID}`;
  return { ...app, path, records: `${path}/record/` };
}

describe('namespaces and modules', () => {
  it('are made, listed, changed and removed', async () => {
    const app = await composeApp();
    const ns = payload(
      namespace,
      await app.call('POST', '/namespace', { name: 'Test', slug: 'test', enabled: true }),
    );
    expect(ns).toMatchObject({ name: 'Test', slug: 'test', enabled: true, canCreateModule: true });
    const list = payload(namespaceList, await app.call('GET', '/namespace/?slug=test'));
    expect(list).toMatchObject({ filter: { count: 1 }, set: [{ namespaceID: ns.namespaceID }] });
    const changed = payload(
      namespace,
      await app.call('POST', `/namespace/${ns.namespaceID}`, { name: 'Other' }),
    );
    expect(changed).toMatchObject({ name: 'Other', slug: 'test' });
    expect((await app.call('DELETE', `/namespace/${ns.namespaceID}/`)).body).toEqual({
      success: { message: 'OK' },
    });
    expect((await app.call('GET', `/namespace/${ns.namespaceID}`)).status).toBe(404);
  });

  it('take columns as Corteza writes them, and give them back so', async () => {
    const { call, path } = await withList();
    const made = payload(moduleSchema, await call('GET', `${path}/`));
    expect(
      made.fields.map(({ kind, name, isMulti, isRequired, options }) => ({
        kind,
        name,
        isMulti,
        isRequired,
        options,
      })),
    ).toEqual([
      { kind: 'String', name: 'name', isMulti: false, isRequired: true, options: {} },
      { kind: 'Number', name: 'amount', isMulti: false, isRequired: false, options: FIELDS[1]?.options },
      { kind: 'DateTime', name: 'birthday', isMulti: false, isRequired: false, options: { onlyDate: true } },
      {
        kind: 'Bool',
        name: 'active',
        isMulti: false,
        isRequired: false,
        options: { trueLabel: 'Yes' },
      },
      {
        kind: 'Select',
        name: 'stage',
        isMulti: false,
        isRequired: false,
        options: {
          options: [
            { text: 'New', value: 'new' },
            { text: 'won', value: 'won' },
          ],
        },
      },
      { kind: 'String', name: 'tags', isMulti: true, isRequired: false, options: {} },
    ]);
    const again = payload(moduleSchema, await call('POST', path, { fields: made.fields }));
    expect(again.fields).toEqual(made.fields);
    const listed = payload(moduleList, await call('GET', `${path.replace(/\/[^/]+$/, '')}/?handle=CONTACTS`));
    expect(listed.set.map(({ moduleID }) => moduleID)).toEqual([made.moduleID]);
    expect((await call('DELETE', path)).status).toBe(200);
    expect((await call('GET', path)).status).toBe(404);
  });

  it('are not found under another workspace', async () => {
    const { call, path } = await withList();
    const other = payload(namespace, await call('POST', '/namespace/', { name: 'Other' }));
    const elsewhere = path.replace(/namespace\/\d+/, `namespace/${other.namespaceID}`);
    expect((await call('GET', elsewhere)).status).toBe(404);
    expect((await call('GET', `${elsewhere}/record/`)).status).toBe(404);
    expect((await call('GET', `${elsewhere}/export`)).status).toBe(404);
  });
});

describe('records', () => {
  it('are made, replaced (what is not named is emptied), patched, deleted and brought back', async () => {
    const { call, records } = await withList();
    const values = [
      value('name', 'Ada'),
      value('amount', '12.50'),
      value('active', '0'),
      value('tags', 'b'),
      value('tags', 'a'),
    ];
    const made = payload(record, await call('POST', records, { values }));
    expect(made.values).toEqual([
      value('name', 'Ada'),
      value('amount', '12.5'),
      { name: 'active' },
      value('tags', 'b'),
      value('tags', 'a'),
    ]);
    expect(made).toMatchObject({ createdBy: '77', ownedBy: '77', canUpdateRecord: true });
    expect(made).not.toHaveProperty('updatedAt');

    const one = `${records}${made.recordID}`;
    const patched = payload(
      record,
      await call('PATCH', one, { values: [value('stage', 'new'), { name: 'amount' }] }),
    );
    expect(patched.values).toEqual([
      value('name', 'Ada'),
      { name: 'active' },
      value('stage', 'new'),
      value('tags', 'b'),
      value('tags', 'a'),
    ]);
    const replaced = payload(record, await call('POST', one, { values: [value('name', 'Bo')] }));
    expect(replaced.values).toEqual([value('name', 'Bo')]);

    expect((await call('DELETE', one)).body).toEqual({ success: { message: 'OK' } });
    expect(payload(record, await call('GET', one))).toMatchObject({ deletedBy: '77' });
    expect(payload(recordList, await call('GET', records)).set).toEqual([]);
    expect(payload(recordList, await call('GET', `${records}?deleted=2`)).set).toHaveLength(1);
    expect((await call('POST', `${one}/undelete`)).body).toEqual({ success: { message: 'OK' } });
    expect(payload(record, await call('GET', one))).not.toHaveProperty('deletedAt');
  });

  it('are listed by page, sort and query, with the total when asked for', async () => {
    const { call, records } = await withList();
    for (const [name, amount] of [
      ['a', '10'],
      ['b', '9'],
      ['c', '100'],
    ] as const) {
      await call('POST', records, { values: [value('name', name), value('amount', amount)] });
    }
    const first = payload(
      recordList,
      await call('GET', `${records}?limit=2&sort=amount%20DESC&incTotal=true`),
    );
    expect(first.filter).toMatchObject({
      limit: 2,
      sort: 'amount DESC',
      deleted: 0,
      query: '',
      incTotal: true,
      total: 3,
    });
    expect(first.set.map(({ values }) => values[0]?.value)).toEqual(['c', 'a']);
    const cursor = encodeURIComponent(first.filter.nextPage ?? '');
    const second = payload(recordList, await call('GET', `${records}?limit=2&pageCursor=${cursor}`));
    expect(second.set.map(({ values }) => values[0]?.value)).toEqual(['b']);
    expect(second.filter).not.toHaveProperty('nextPage');
    const found = payload(
      recordList,
      await call('GET', `${records}?query=${encodeURIComponent("amount > 9 AND name != 'a'")}`),
    );
    expect(found.set.map(({ values }) => values[0]?.value)).toEqual(['c']);
    expect(found.filter).not.toHaveProperty('total');
  });

  it('that were received tell where they come from', async () => {
    const { call, records, lists, path } = await withList();
    const rows = await lists.rows(path.split('/').at(-1) ?? '');
    const times = { createdAt: '2025-01-01T00:00:00Z', updatedAt: '2025-01-01T00:00:00Z' };
    await rows.receive({
      nodeID: '9',
      rows: [{ recordID: '5', ...times, values: { name: ['x'] } }],
      mappedColumns: ['name'],
    });
    const { set } = payload(recordList, await call('GET', records));
    expect(set[0]?.labels).toEqual({ federation: '9', federation_extrecord: '5' });
  });

  it.each([
    ['POST', '', { values: [] }, 422, 'Name must not be empty; fill it in'],
    ['POST', '', { values: [value('name', 'a'), value('amount', 'x')] }, 422, 'Amount: “x” is no number'],
    ['POST', '', { values: [value('name', 'a'), value('name', 'b')] }, 422, 'Name takes one value'],
    ['POST', '', { values: [value('name', 'a'), value('nope', 'b')] }, 422, 'no column “nope”'],
    ['POST', '', { values: [{ name: 'name', value: 5 }] }, 400, 'values.0.value'],
    ['POST', '', {}, 400, 'values'],
    ['POST', '', 'not json', 400, 'JSON'],
    ['PATCH', '123', { values: [] }, 404, 'no row'],
    ['GET', 'abc', undefined, 400, 'id'],
    ['GET', '..%2f', undefined, 400, 'id'],
    ['GET', '99999999999999999999', undefined, 400, 'not an id'],
    ['GET', '?limit=-1', undefined, 400, 'limit'],
    ['GET', '?query=name%20%3D', undefined, 400, 'value'],
    ['GET', '?query=nope(name)%20%3D%201', undefined, 400, 'cannot be evaluated'],
    ['POST', '', { values: [value('name', 'a')], records: [{ set: [] }] }, 422, 'Nested rows'],
    ['POST', '', { values: [value('name', 'a')], meta: { a: 1 } }, 422, 'meta'],
    ['POST', '', { values: [value('name', 'a')], ownedBy: '5' }, 422, 'owner'],
    ['PATCH', '', { values: [value('name', 'a')] }, 400, 'query'],
    ['DELETE', '', {}, 400, 'truncate'],
    ['DELETE', '', { query: "name = 'a'", truncate: true }, 400, 'truncate'],
    ['GET', '?limit=2&limit=3', undefined, 400, 'limit'],
    ['GET', '?deleted=3', undefined, 400, 'deleted'],
    ['GET', '?sort=nope', undefined, 400, 'nope'],
    ['GET', "?query=nope%20%3D%20'x'", undefined, 400, 'nope'],
    ['GET', '?pageCursor=x', undefined, 400, 'cursor'],
  ])('%s record/%s with %j answers %i', async (method, rest, body, status, word) => {
    const { call, records } = await withList();
    const answer = await call(method, `${records}${rest}`, body);
    expect(answer.status).toBe(status);
    const { error } = z
      .object({ error: z.object({ code: z.string(), message: z.string() }) })
      .parse(answer.body);
    expect(error.message).toContain(word);
    expect(payload(recordList, await call('GET', `${records}?deleted=1`)).set).toEqual([]);
  });
});

describe('rows as Corteza’s clients handle them', () => {
  it('are changed only by who saw their last version; so are lists and workspaces', async () => {
    const { call: send, path, records, clock } = await withList();
    const call: typeof send = (...given) => {
      clock.advance(1000);
      return send(...given);
    };
    const made = payload(record, await call('POST', records, { values: [value('name', 'Ada')] }));
    const address = `${records}${made.recordID}`;
    const first = payload(record, await call('POST', address, { values: [value('name', 'A.')] }));
    const changed = { values: [value('name', 'Ada L.')], updatedAt: first.updatedAt };
    expect(payload(record, await call('POST', address, changed)).values).toEqual(changed.values);
    // The same version once more: somebody else's change came first.
    expect(await call('POST', address, changed)).toMatchObject({
      status: 409,
      body: { error: { code: 'data.stale' } },
    });
    expect((await call('PATCH', address, changed)).status).toBe(409);
    expect(payload(record, await call('GET', address)).values).toEqual(changed.values);

    for (const place of [path, path.slice(0, path.indexOf('/module'))]) {
      const renamed = z
        .object({ response: z.object({ updatedAt: z.string() }) })
        .parse((await call('POST', place, { name: 'First' })).body).response;
      expect((await call('POST', place, { name: 'Second', updatedAt: renamed.updatedAt })).status).toBe(200);
      const stale = await call('POST', place, { name: 'Third', updatedAt: renamed.updatedAt });
      expect([stale.status, place]).toEqual([409, place]);
    }
  });

  it('come all at once, or 500, and by a query are changed, deleted and restored', async () => {
    const { call, path, records, lists } = await withList();
    const rows = await lists.rows(path.split('/').at(-1) ?? '');
    const values = Array.from({ length: 2345 }, (_, at) => ({
      name: [`Customer ${at}`],
      amount: [String(at)],
    }));
    await rows.createMany(values, '77');
    const list = async (query: string): Promise<z.infer<typeof recordList>> =>
      payload(recordList, await call('GET', `${records}${query}`));
    expect((await list('')).set).toHaveLength(500);
    const all = await list('?limit=0&incTotal=true');
    expect([all.set.length, all.filter.total, all.filter.nextPage]).toEqual([2345, 2345, undefined]);
    expect(new Set(all.set.map(({ recordID }) => recordID)).size).toBe(2345);
    const most = await list('?limit=2000&sort=amount%20DESC');
    expect([most.set.length, typeof most.filter.nextPage]).toEqual([2000, 'string']);
    const rest = await list(`?limit=0&pageCursor=${encodeURIComponent(most.filter.nextPage ?? '')}`);
    expect(rest.set).toHaveLength(345);

    const ok = { success: { message: 'OK' } };
    const patch = { values: [value('stage', 'won')], query: 'amount BETWEEN 10 AND 19' };
    expect((await call('PATCH', records, patch)).body).toEqual(ok);
    expect((await list("?query=stage%20%3D%20'won'")).set).toHaveLength(10);
    // All or none: one that does not fit changes nothing.
    const wrong = { values: [value('amount', 'x')], query: 'amount < 5' };
    expect((await call('PATCH', records, wrong)).status).toBe(422);
    expect((await call('DELETE', records, { query: "stage = 'won'" })).body).toEqual(ok);
    expect((await list('?limit=0')).set).toHaveLength(2335);
    expect((await list('?deleted=2&query=deletedAt%20IS%20NOT%20NULL')).set).toHaveLength(10);
    expect((await call('PATCH', `${records}undelete`, { query: 'amount < 15' })).body).toEqual(ok);
    expect((await list('?deleted=2')).set).toHaveLength(5);
    expect((await list('?limit=0&query=createdBy%20%3D%2077%20AND%20amount%20%3C%2020')).set).toHaveLength(
      15,
    );
  });

  it('keep the settings of clients with workspaces, lists and columns', async () => {
    const { call, path } = await withList();
    const meta = { description: 'People', admin: { recordPage: null } };
    const config = { dal: { ident: '' }, recordRevisions: { enabled: false } };
    const before = payload(moduleSchema, await call('GET', path));
    const fields = before.fields.map((field) => ({
      ...field,
      options: { ...field.options, description: { view: 'a note' } },
    }));
    await call('POST', path, { name: before.name, meta, config, labels: { area: 'sales' }, fields });
    const after = payload(moduleSchema, await call('GET', path));
    expect(after).toMatchObject({ meta, config, labels: { area: 'sales' } });
    expect(after.fields.map(({ options }) => options)).toEqual(fields.map(({ options }) => options));
    const style = { textColor: '#ffffff', backgroundColor: '#0b7a3b' };
    const options = [
      { value: 'paid', text: 'Paid', style },
      { value: 'open', text: 'Open' },
    ];
    const status = { kind: 'Select', name: 'status', label: 'Status', options: { options } };
    await call('POST', path, { fields: [...fields, status] });
    const styled = payload(moduleSchema, await call('GET', path)).fields.at(-1);
    expect(styled?.options).toEqual({ options });
    const wrong = { fields: [{ ...fields[0], expressions: { value: 'a + b' } }] };
    expect((await call('POST', path, wrong)).status).toBe(422);
  });

  it('are in workspaces and lists that come by the page', async () => {
    const { call, path } = await withList();
    const modules = path.slice(0, path.lastIndexOf('/') + 1);
    for (const name of ['Orders', 'Prices', 'Stock']) await call('POST', modules, { name, fields: FIELDS });
    const one = payload(moduleList, await call('GET', `${modules}?limit=3&incTotal=true`));
    expect([one.set.length, one.filter.total]).toEqual([3, 4]);
    const two = payload(
      moduleList,
      await call('GET', `${modules}?limit=3&pageCursor=${one.filter.nextPage ?? ''}`),
    );
    expect(two.set.map(({ name }) => name)).toEqual(['Stock']);
    expect(two.filter.nextPage).toBeUndefined();
    expect((await call('GET', `${modules}?pageCursor=x`)).status).toBe(400);
    const spaces = payload(namespaceList, await call('GET', '/namespace/?limit=1&incTotal=true'));
    expect([spaces.set.length, spaces.filter.total]).toEqual([1, 1]);
    for (const deleted of [1, 2]) {
      const refused = await call('GET', `/namespace/?deleted=${deleted}`);
      expect([refused.status, JSON.stringify(refused.body)]).toEqual([
        400,
        expect.stringMatching(/not kept/),
      ]);
    }
    expect((await call('GET', '/namespace/?deleted=0')).status).toBe(200);
  });

  it('are in workspaces and lists that come sorted, page after page', async () => {
    const { call, path } = await withList();
    const modules = path.slice(0, path.lastIndexOf('/') + 1);
    for (const name of ['Prices', 'ärzte', 'Stock']) await call('POST', modules, { name, fields: FIELDS });
    const first = payload(moduleList, await call('GET', `${modules}?sort=name&limit=2`));
    expect(first.filter.sort).toBe('name');
    const next = payload(
      moduleList,
      await call('GET', `${modules}?sort=name&limit=9&pageCursor=${first.filter.nextPage ?? ''}`),
    );
    // The cursor carries its sort, as for rows.
    const carried = await call('GET', `${modules}?limit=9&pageCursor=${first.filter.nextPage ?? ''}`);
    expect(payload(moduleList, carried)).toEqual(next);
    const other = await call('GET', `${modules}?sort=handle&pageCursor=${first.filter.nextPage ?? ''}`);
    expect([other.status, other.body]).toMatchObject([400, { error: { code: 'page.cursor' } }]);
    const upwards = [...first.set, ...next.set].map(({ name }) => name);
    expect(upwards).toHaveLength(4);
    expect(upwards[0]).toBe('ärzte');
    expect(upwards.slice(-2)).toEqual(['Prices', 'Stock']);
    const backwards = payload(moduleList, await call('GET', `${modules}?sort=name%20DESC`));
    expect(backwards.set.map(({ name }) => name)).toEqual(upwards.toReversed());
    for (const query of ['sort=fields', 'sort=name,id', 'sort=name&pageCursor=1'])
      expect((await call('GET', `${modules}?${query}`)).status, query).toBe(400);
  });

  it('go on behind a list that was deleted meanwhile, in any order', async () => {
    const { call, path } = await withList();
    const modules = path.slice(0, path.lastIndexOf('/') + 1);
    for (const name of ['Prices', 'Stock']) await call('POST', modules, { name, fields: FIELDS });
    const firstTwo = async (query: string): Promise<z.infer<typeof moduleList>> =>
      payload(moduleList, await call('GET', `${modules}?limit=2${query}`));
    const [byID, byName] = [await firstTwo(''), await firstTwo('&sort=name')];
    const prices = byID.set[1]?.moduleID ?? '';
    expect(byName.set[1]?.moduleID).toBe(prices);
    expect((await call('DELETE', `${modules}${prices}`)).status).toBe(200);
    for (const { filter } of [byID, byName]) {
      const rest = await call('GET', `${modules}?pageCursor=${filter.nextPage ?? ''}`);
      expect(payload(moduleList, rest).set.map(({ name }) => name)).toEqual(['Stock']);
    }
  });
});

describe('who may', () => {
  it('a viewer reads and exports, and changes nothing; nobody is let in without a credential', async () => {
    const { call, path, records } = await withList();
    const viewer = { role: 'viewer' } as const;
    expect(payload(moduleSchema, await call('GET', path, undefined, viewer)).canUpdateModule).toBe(false);
    expect((await call('GET', records, undefined, viewer)).status).toBe(200);
    expect((await call('GET', `${path}/export`, undefined, viewer)).status).toBe(200);
    const writes: [string, string][] = [
      ['POST', '/namespace/'],
      ['POST', path],
      ['DELETE', path],
      ['POST', records],
      ['PATCH', `${records}1`],
      ['DELETE', `${records}1`],
      ['POST', `${records}1/undelete`],
      ['POST', `${path}/import`],
    ];
    for (const [method, address] of writes) {
      expect((await call(method, address, {}, viewer)).status, `${method} ${address}`).toBe(403);
      expect((await call(method, address, {}, { role: '' as 'viewer' })).status).toBe(401);
    }
  });
});

describe('files', () => {
  it('CSV goes in and comes out', async () => {
    const { call, path } = await withList();
    const csv = { type: 'text/csv; charset=utf-8' };
    const file = 'Name;Amount;Active;Tags\nAda;1,50;ja;a|b\nBo;x;nein;\n';
    const result = payload(importAnswer, await call('POST', `${path}/import?key=name`, file, csv));
    expect(result).toMatchObject({ created: 1, rejectedLines: 1 });
    const good = file.replace('Bo;x;', 'Bo;-2;');
    expect(payload(importAnswer, await call('POST', `${path}/import?key=name`, good, csv))).toMatchObject({
      created: 1,
      unchanged: 1,
      updated: 0,
      rejected: [],
    });
    expect(payload(importAnswer, await call('POST', `${path}/import`, good, csv))).toMatchObject({
      unchanged: 2,
    });

    const out = await call('GET', `${path}/export?fields=name,amount,active,tags&delimiter=%3B&bom=1`);
    expect(out.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(out.headers.get('content-disposition')).toContain('contacts.csv');
    expect(out.text.replace('\uFEFF', '')).toBe(
      'Name;Amount;Active;Tags\r\nAda;1.50;true;"a|b"\r\nBo;-2;false;\r\n',
    );
  });

  it('what is no CSV is refused', async () => {
    const { call, path } = await withList();
    expect((await call('POST', `${path}/import`, {}, { type: 'application/json' })).status).toBe(415);
    expect((await call('POST', `${path}/import`, '', { type: 'text/csv' })).status).toBe(422);
    expect((await call('GET', `${path}/export?fields=nope`)).status).toBe(400);
  });

  it('parameters that would be ignored are refused', async () => {
    const { call, path } = await withList();
    const file = 'Name\nAda\n';
    const code = { error: { code: 'query.unsupported' } };
    for (const misspelt of ['keys=name', 'key[]=name', 'update=1']) {
      const answer = await call('POST', `${path}/import?${misspelt}`, file, { type: 'text/csv' });
      expect([answer.status, answer.body]).toMatchObject([400, code]);
    }
    for (const filter of ['query=x', 'filter=x', 'sort=name', 'limit=1', 'deleted=2']) {
      const answer = await call('GET', `${path}/export?${filter}`);
      expect([answer.status, answer.body]).toMatchObject([400, code]);
    }
    expect((await call('GET', `${path}/export`)).text.trim().split('\n')).toHaveLength(1);
  });
});
