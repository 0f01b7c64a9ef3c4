import { MAX_FILE_BYTES } from '../../server/base/vocabulary.ts';
import { describe, expect, it, vi } from 'vitest';
import { composeApp, type ComposeApp } from '../support/harness/compose-app.ts';
import type { HttpAnswer } from '../support/harness/served-parts.ts';
import { makeList, text, values } from '../support/harness/lists.ts';
import { StoreError } from '../../server/store/store.ts';

const MIB = 1024 * 1024;

async function withList(): Promise<ComposeApp & { path: string; workspace: string; moduleID: string }> {
  const app = await composeApp();
  const { module } = await makeList(app, [text('Name'), { kind: 'Number', name: 'Amount' }]);
  const workspace = `/namespace/${module.namespaceID}`;
  return { ...app, workspace, moduleID: module.moduleID, path: `${workspace}/module/${module.moduleID}` };
}

function refused({ status, body, text: shown }: HttpAnswer, wanted: number, code: string): void {
  expect(status, shown).toBe(wanted);
  expect(body).toMatchObject({ error: { code, message: expect.any(String) as string } });
}

const column = (name: string, kind = 'String'): object => ({ kind, name });

describe('what is in use is refused with 409', () => {
  it('the slug of a workspace and the handle of a list, case aside, when made and when changed', async () => {
    const { call, workspace } = await withList();
    const list = { name: 'A', handle: 'CUSTOMERS', fields: [column('Name')] };
    refused(await call('POST', `${workspace}/module/`, list), 409, 'list.taken');
    const other = await call('POST', `${workspace}/module/`, { ...list, handle: 'other' });
    const { moduleID } = (other.body as { response: { moduleID: string } }).response;
    const change = await call('POST', `${workspace}/module/${moduleID}`, { handle: 'customers' });
    refused(change, 409, 'list.taken');
    refused(await call('POST', '/namespace/', { name: 'B', slug: 'OFFICE' }), 409, 'workspace.taken');
  });

  it('a workspace that has lists, and a row that lies in the bin', async () => {
    const { call, workspace, path, lists, moduleID } = await withList();
    refused(await call('DELETE', workspace), 409, 'workspace.not-empty');
    const rows = await lists.rows(moduleID);
    const { recordID } = await rows.create(values({ Name: 'Ada' }), '1');
    await rows.remove(recordID, '1');
    const body = { values: [{ name: 'Name', value: 'Bo' }] };
    refused(await call('POST', `${path}/record/${recordID}`, body), 409, 'row.deleted');
    refused(await call('PATCH', `${path}/record/${recordID}`, body), 409, 'row.deleted');
  });
});

describe('a change of one row', () => {
  it.each(['POST', 'PATCH'])('by %s is refused with nested rows, and changes nothing', async (method) => {
    const { call, path, lists, moduleID } = await withList();
    const rows = await lists.rows(moduleID);
    const [row] = await rows.createMany([values({ Name: 'Ada' })], '1');
    const recordID = row?.recordID ?? '';
    const change = { values: [{ name: 'Name', value: 'Bo' }], records: [{ set: [] }] };
    const answer = await call(method, `${path}/record/${recordID}`, change);
    expect([answer.status, answer.text]).toEqual([422, expect.stringContaining('record.unsupported')]);
    expect((await rows.get(recordID)).values).toEqual({ Name: ['Ada'] });
  });
});

describe('a list that is deleted while it is read', () => {
  it('is unknown, and the program is not said to close', async () => {
    const { call, path, lists, moduleID } = await withList();
    const rows = await lists.rows(moduleID);
    vi.spyOn(rows, 'list').mockImplementation(async () => {
      await lists.removeModule(moduleID, '2');
      throw new StoreError('closed', 'The store has been closed.');
    });
    refused(await call('GET', `${path}/record/`), 404, 'list.unknown');
  });
});

describe('a call for many rows', () => {
  it('changes the rows that are there, where another goes into the bin after it was found', async () => {
    const { call, path, lists, moduleID } = await withList();
    const rows = await lists.rows(moduleID);
    const [gone, kept] = await rows.createMany([values({ Name: 'Ada' }), values({ Name: 'Bo' })], '1');
    const saveMany = rows.saveMany.bind(rows);
    const spy = vi.spyOn(rows, 'saveMany').mockImplementationOnce(async (...change) => {
      await rows.remove(gone?.recordID ?? '', '2');
      return saveMany(...change);
    });
    const change = { values: [{ name: 'Amount', value: '9' }], query: 'Amount IS NULL' };
    const answer = await call('PATCH', `${path}/record/`, change);
    expect(answer.status, answer.text).toBe(200);
    expect(spy).toHaveBeenCalledTimes(1);
    expect((await rows.get(kept?.recordID ?? '')).values).toMatchObject({ Amount: ['9'] });
    expect((await rows.get(gone?.recordID ?? '')).values).toEqual({ Name: ['Ada'] });
  });

  it('changes no row that does not fit any more when it is written, nor any where a column is gone', async () => {
    const { call, path, lists, moduleID } = await withList();
    const rows = await lists.rows(moduleID);
    const [ada, bo] = await rows.createMany(
      [values({ Name: 'Ada', Amount: '1' }), values({ Name: 'Bo', Amount: '1' })],
      '1',
    );
    const names = async (deleted: 0 | 2): Promise<unknown[]> =>
      (await rows.list({ limit: 9, deleted })).rows.map((row) => row.values.Name?.[0]);
    const meanwhile = (work: () => Promise<unknown>): void => {
      const [removeMany, restoreMany] = [rows.removeMany.bind(rows), rows.restoreMany.bind(rows)];
      vi.spyOn(rows, 'removeMany').mockImplementationOnce(async (...given) => {
        await work();
        return removeMany(...given);
      });
      vi.spyOn(rows, 'restoreMany').mockImplementationOnce(async (...given) => {
        await work();
        return restoreMany(...given);
      });
    };
    meanwhile(() => rows.patch(ada?.recordID ?? '', values({ Amount: '2' }), '2'));
    expect((await call('DELETE', `${path}/record/`, { query: 'Amount = 1' })).status).toBe(200);
    expect([await names(0), await names(2)]).toEqual([['Ada'], ['Bo']]);
    vi.restoreAllMocks();
    meanwhile(() => rows.restore(bo?.recordID ?? '', '2').then(() => rows.remove(ada?.recordID ?? '', '2')));
    expect((await call('PATCH', `${path}/record/undelete`, { query: 'Amount = 1' })).status).toBe(200);
    expect([await names(0), await names(2)]).toEqual([['Bo'], ['Ada']]);
    vi.restoreAllMocks();
    const { fields } = await lists.module(moduleID);
    meanwhile(() =>
      lists.updateModule(moduleID, { fields: fields.filter(({ name }) => name !== 'Amount') }, '2'),
    );
    refused(await call('DELETE', `${path}/record/`, { query: 'Amount = 1' }), 400, 'query.column');
    expect(await names(0)).toEqual(['Bo']);
  });

  it('takes comparisons, and no words that other rows may hold too', async () => {
    const { call, path, lists, moduleID } = await withList();
    const rows = await lists.rows(moduleID);
    await rows.createMany([values({ Name: 'Ada', Amount: '1' }), values({ Name: 'Adam' })], '1');
    const change = { values: [{ name: 'Amount', value: '9' }] };
    for (const query of ['Ada', 'Ada Adam', ' Ada ']) {
      refused(await call('GET', `${path}/record/?query=${encodeURIComponent(query)}`), 400, 'query.column');
      refused(await call('DELETE', `${path}/record/`, { query }), 400, 'query.column');
      refused(await call('PATCH', `${path}/record/`, { ...change, query }), 400, 'query.column');
      refused(await call('PATCH', `${path}/record/undelete`, { query }), 400, 'query.column');
    }
    expect(await rows.count()).toBe(2);
    // As in Corteza's database, a row without an amount has none that differs.
    expect((await call('DELETE', `${path}/record/`, { query: 'Amount != 5' })).status).toBe(200);
    expect(await rows.count()).toBe(1);
    expect((await call('GET', `${path}/record/?limit=1000000000`)).status).toBe(200);
  });

  it('deletes all rows by `truncate`, and restores them by who made them and when they were deleted', async () => {
    const { call, path, lists, moduleID } = await withList();
    const rows = await lists.rows(moduleID);
    const made = await rows.createMany([values({ Name: 'Ada', Amount: '1' }), values({ Name: 'Bo' })], '1');
    refused(await call('DELETE', `${path}/record/`, { truncate: false }), 400, 'record.which');
    expect(await rows.count()).toBe(2);
    const answer = await call('DELETE', `${path}/record/`, { truncate: true });
    expect(answer.status, answer.text).toBe(200);
    expect(await rows.count()).toBe(0);
    const { body } = await call('GET', `${path}/record/?deleted=2`);
    expect(body).toMatchObject({ response: { set: made.map(({ recordID }) => ({ recordID })) } });
    const query = 'createdBy = 1 AND deletedAt <= NOW()';
    const restored = await call('PATCH', `${path}/record/undelete`, { query });
    expect(restored.status, restored.text).toBe(200);
    expect(await rows.count()).toBe(2);
  });

  it('changes none of more than 100,000 rows', async () => {
    const { call, path, lists, moduleID } = await withList();
    const rows = await lists.rows(moduleID);
    await rows.createMany(
      Array.from({ length: 1000 }, (_, at) => values({ Name: `Customer ${at}` })),
      '1',
    );
    const page = await rows.list({ limit: 1000, deleted: 0 });
    vi.spyOn(rows, 'list').mockResolvedValue({ ...page, nextPage: 'further customers' });
    const query = "Name LIKE 'Customer%'";
    const change = { values: [{ name: 'Amount', value: '9' }], query };
    refused(await call('DELETE', `${path}/record/`, { query }), 422, 'record.too-many');
    refused(await call('PATCH', `${path}/record/`, change), 422, 'record.too-many');
    expect(await rows.count()).toBe(1000);
    expect((await rows.get(page.rows[0]?.recordID ?? '')).values).toEqual({ Name: ['Customer 0'] });
  });

  it('takes no bound that a script left empty, and no ids beside the query', async () => {
    const { call, path, lists, moduleID } = await withList();
    const rows = await lists.rows(moduleID);
    const { recordID } = await rows.create(values({ Name: 'Ada', Amount: '1' }), '1');
    const query = "Amount > ''";
    const change = { values: [{ name: 'Amount', value: '9' }] };
    refused(await call('DELETE', `${path}/record/`, { query }), 400, 'query.malformed');
    refused(await call('PATCH', `${path}/record/`, { ...change, query }), 400, 'query.malformed');
    const named = { query: "Name = 'Ada'", recordIDs: [recordID] };
    refused(await call('DELETE', `${path}/record/`, named), 400, 'request.malformed');
    refused(await call('PATCH', `${path}/record/undelete`, named), 400, 'request.malformed');
    const all = { truncate: true, recordIDs: [recordID] };
    refused(await call('DELETE', `${path}/record/`, all), 400, 'request.malformed');
    const records = { ...change, query: named.query, records: [recordID] };
    refused(await call('PATCH', `${path}/record/`, records), 400, 'request.malformed');
    expect((await rows.get(recordID)).values).toEqual({ Name: ['Ada'], Amount: ['1'] });
  });
});

describe('what Corteza evaluates and Footbridge would ignore is refused with 400', () => {
  it('filters of lists', async () => {
    const { call, workspace, path } = await withList();
    const records = `${path}/record/`;
    for (const filter of ['meta=source:web', 'meta[]=source:web', 'meta[source]=web', 'summaries=[]'])
      refused(await call('GET', `${records}?${filter}`), 400, 'query.unsupported');
    refused(await call('GET', `${records}?incPageNavigation=true`), 400, 'query.unsupported');
    for (const filter of ['labels=team=sales', 'labels[]=team=sales', 'labels[team]=sales']) {
      refused(await call('GET', `${workspace}/module/?${filter}`), 400, 'query.unsupported');
      refused(await call('GET', `/namespace/?${filter}`), 400, 'query.unsupported');
    }
    const empty = await call('GET', `${records}?meta=&summaries=&incPageNavigation=false`);
    expect(empty.status).toBe(200);
    expect((await call('GET', `${workspace}/module/?labels=`)).status).toBe(200);
  });

  it('a value that was deleted, and a default value', async () => {
    const { call, workspace, path } = await withList();
    const gone = { name: 'Name', value: 'Ada', deletedAt: '2026-11-01T08:00:00Z' };
    refused(await call('POST', `${path}/record/`, { values: [gone] }), 400, 'request.malformed');
    const kept = await call('POST', `${path}/record/`, { values: [{ ...gone, deletedAt: null }] });
    expect(kept.status).toBe(200);
    const fields = [{ ...column('Name'), defaultValue: [{ name: 'Name', value: 'Ada' }] }];
    const made = await call('POST', `${workspace}/module/`, { name: 'Offers', fields });
    refused(made, 400, 'request.malformed');
    expect(made.text).toContain('columns keep no default values here');
  });

  it('settings that are nested too deeply to be written as JSON', async () => {
    const { call, workspace, path } = await withList();
    const nested = (levels: number): object => {
      let value: object = {};
      for (let at = 0; at < levels; at++) value = { in: value };
      return value;
    };
    const row = [{ name: 'Name', value: 'Ada' }];
    const fields = [column('Name')];
    for (const levels of [33, 3000]) {
      const meta = nested(levels);
      refused(await call('POST', `${path}/record/`, { values: row, meta }), 400, 'request.malformed');
      refused(await call('POST', '/namespace/', { name: 'Sales', meta }), 400, 'request.malformed');
      const options = [{ ...column('Name'), options: meta }];
      const module = { name: 'Offers', fields: options };
      refused(await call('POST', `${workspace}/module/`, module), 400, 'request.malformed');
    }
    const made = await call('POST', `${workspace}/module/`, { name: 'Offers', fields, meta: nested(20) });
    expect(made.status).toBe(200);
  });

  it('uploads and an import by session, which are not offered', async () => {
    const { call, path } = await withList();
    const ofList = ['import', 'import/', 'attachment', 'attachment/'].map((name) => `${path}/record/${name}`);
    for (const address of ['/namespace/import', '/namespace/upload', ...ofList])
      refused(await call('POST', address, {}), 404, 'request.unknown-address');
    for (const address of ['report?dimensions=DATE(due)', 'export', 'export.csv?fields=Name'])
      refused(await call('GET', `${path}/record/${address}`), 404, 'request.unknown-address');
  });
});

describe('what is understood but cannot be is refused with 422', () => {
  it('a definition without columns, or with a name that can be none', async () => {
    const { call, workspace } = await withList();
    const make = (more: object): Promise<HttpAnswer> =>
      call('POST', `${workspace}/module/`, { name: 'A', fields: [column('Name')], ...more });
    refused(await make({ fields: [] }), 422, 'list.no-columns');
    refused(await make({ handle: '1 x' }), 422, 'name.handle');
    refused(await make({ fields: [column('a b')] }), 422, 'name.column');
    refused(await make({ fields: [column('__proto__')] }), 422, 'name.column');
    refused(await make({ name: ' ' }), 422, 'name.title');
  });

  it('another name or kind of a column while there are rows, which Corteza ignores', async () => {
    const { call, path, lists, moduleID } = await withList();
    const rows = await lists.rows(moduleID);
    const { recordID } = await rows.create(values({ Name: 'Ada', Amount: '1' }), '1');
    const { fields } = await lists.module(moduleID);
    const [name, amount] = fields.map(({ fieldID, kind, ...rest }) => ({ fieldID, kind, name: rest.name }));
    const change = (...changed: object[]): Promise<HttpAnswer> => call('POST', path, { fields: changed });
    const renamed = await change({ ...name, name: 'FullName' }, { ...amount });
    refused(renamed, 422, 'field.in-use');
    expect(renamed.text).toContain('Change its `label`');
    refused(await change({ ...name }, { ...amount, kind: 'String' }), 422, 'field.in-use');
    for (const fieldID of ['0', undefined])
      refused(await change({ ...name }, { fieldID, name: 'Amount', kind: 'String' }), 422, 'field.in-use');
    const twice = await change({ ...amount }, { ...amount, name: 'Sum' });
    refused(twice, 400, 'request.malformed');
    expect(twice.text).toContain('two columns have the same `fieldID`');
    expect((await lists.module(moduleID)).fields).toEqual(fields);
    expect((await rows.get(recordID)).values).toEqual({ Name: ['Ada'], Amount: ['1'] });
    const labelled = await change({ ...name, label: 'Full name' }, { ...amount });
    expect(labelled.body).toMatchObject({ response: { fields: [{ name: 'Name', label: 'Full name' }, {}] } });
    await rows.remove(recordID, '1');
    const free = await change({ ...name, name: 'FullName' }, { ...amount, kind: 'String' });
    expect(free.body).toMatchObject({ response: { fields: [{ name: 'FullName' }, { kind: 'String' }] } });
  });

  it('values, naming the column and what is wrong with each', async () => {
    const { call, path } = await withList();
    const answer = await call('POST', `${path}/record/`, {
      values: [
        { name: 'Amount', value: 'much' },
        { name: 'Nope', value: 'x' },
      ],
    });
    refused(answer, 422, 'row.values');
    expect(answer.text).toMatch(/Amount: “much” is no number/);
    expect(answer.text).toMatch(/no column “Nope”/);
  });
});

describe('what Corteza would keep or enforce, and a node does not, is refused with 422', () => {
  const config = {
    dal: { encodingStrategy: null },
    privacy: { sensitivityLevelID: '0', usageDisclosure: '' },
    recordRevisions: { enabled: false },
  };

  it.each([
    { isUnique: true },
    { maxLength: 40 },
    { expressions: { validators: [{ test: 'value == ""', error: 'Enter a number' }] } },
    { config: { ...config, isUnique: true } },
    { config: { recordDeDup: { rules: [{ constraints: [{ attribute: 'Number' }] }] } } },
    { options: { isUnique: true } },
    { options: { isUniqueMultiValue: true }, isMulti: true },
    { options: { onlyFutureValues: true } },
  ])('a rule of a column: %o', async (rule) => {
    const { call, path, workspace, lists, moduleID } = await withList();
    const fields = [{ ...column('Number'), ...rule }];
    refused(
      await call('POST', `${workspace}/module/`, { name: 'Invoices', fields }),
      422,
      'field.unsupported',
    );
    const before = await lists.module(moduleID);
    refused(await call('POST', path, { fields }), 422, 'field.unsupported');
    expect(await lists.module(moduleID)).toEqual(before);
  });

  it('a rule against duplicates in the list, but not the settings that clients send with every list', async () => {
    const { call, path, workspace } = await withList();
    const rules = [{ name: 'Number', strict: true, constraints: [{ attribute: 'Number', type: 'equal' }] }];
    const invoices = { name: 'Invoices', fields: [column('Number')] };
    const unique = { recordDeDup: { rules } };
    const make = (more: object): Promise<HttpAnswer> =>
      call('POST', `${workspace}/module/`, { ...invoices, ...more });
    refused(await make({ config: unique }), 422, 'list.unsupported');
    refused(await call('POST', path, { config: unique }), 422, 'list.unsupported');
    const usual = { dal: { ident: '' }, recordRevisions: { enabled: false }, recordDeDup: { rules: [] } };
    const { status, body } = await make({ config: usual });
    expect(status).toBe(200);
    expect(body).toMatchObject({ response: { config: usual } });
  });

  it('but empty forms of these are taken, and other settings of a column come back', async () => {
    const { call, workspace } = await withList();
    const empty = {
      isUnique: false,
      maxLength: 0,
      expressions: { validators: [], sanitizers: [], value: '', disableDefaultValidators: false },
      defaultValue: [],
    };
    const options = { isUniqueMultiValue: true, labelField: 'Name' };
    const settings = { config, labels: { source: 'erp' }, isPrivate: true, isVisible: true };
    const fields = [{ ...column('Number'), ...empty, ...settings, isMulti: false, options }];
    const made = await call('POST', `${workspace}/module/`, { name: 'Invoices', fields });
    expect(made.status, made.text).toBe(200);
    const kept = [{ name: 'Number', ...settings, options, expressions: {} }];
    expect(made.body).toMatchObject({ response: { fields: kept } });
    const { moduleID } = (made.body as { response: { moduleID: string } }).response;
    const list = `${workspace}/module/${moduleID}`;
    const change = { ...column('Number'), label: 'Invoice', labels: {}, isVisible: false };
    await call('POST', list, { fields: [change] });
    expect((await call('GET', list)).body).toMatchObject({
      response: {
        fields: [{ label: 'Invoice', config, labels: {}, isPrivate: true, isVisible: false, options }],
      },
    });
  });

  it('labels and meta of a row, when made and when changed', async () => {
    const { call, path, lists, moduleID } = await withList();
    const row = { values: [{ name: 'Name', value: 'Ada' }] };
    for (const more of [{ labels: { stage: 'won' } }, { meta: { stage: 'won' } }]) {
      refused(await call('POST', `${path}/record/`, { ...row, ...more }), 422, 'record.unsupported');
    }
    const rows = await lists.rows(moduleID);
    expect(await rows.count()).toBe(0);
    const made = await call('POST', `${path}/record/`, { ...row, labels: {}, meta: {}, records: [] });
    expect(made.status).toBe(200);
    const { recordID } = (made.body as { response: { recordID: string } }).response;
    const change = { ...row, labels: { stage: 'won' } };
    refused(await call('POST', `${path}/record/${recordID}`, change), 422, 'record.unsupported');
    refused(await call('PATCH', `${path}/record/${recordID}`, change), 422, 'record.unsupported');
  });
});

describe('a list in the bin whose workspace was deleted', () => {
  it('is not restored at an address that it would not have', async () => {
    const { call, lists } = await withList();
    const made = await call('POST', '/namespace/', { name: 'Sales' });
    const { namespaceID } = (made.body as { response: { namespaceID: string } }).response;
    const { moduleID } = await lists.createModule(namespaceID, { name: 'Leads', fields: [text('Name')] });
    const path = `/namespace/${namespaceID}/module/${moduleID}`;
    expect((await call('DELETE', path)).status).toBe(200);
    expect((await call('DELETE', `/namespace/${namespaceID}`)).status).toBe(200);
    const answer = await call('POST', `${path}/undelete`);
    refused(answer, 404, 'workspace.unknown');
    expect(answer.text).toContain('Restore it from the bin in the window');
    expect(await lists.isBinned(moduleID)).toBe(true);
    const restored = await lists.restoreModule(moduleID);
    expect((await call('GET', `/namespace/${restored.namespaceID}/module/${moduleID}`)).status).toBe(200);
  });
});

describe('bodies (docs/interface.md: Limits)', () => {
  it('of 1 MiB are taken, larger ones are refused with 413', async () => {
    const { call, path, lists, moduleID } = await withList();
    const sized = (bytes: number): string => {
      const empty = JSON.stringify({ values: [{ name: 'Name', value: '' }] });
      return empty.replace('""', `"${'x'.repeat(bytes - empty.length)}"`);
    };
    expect(sized(MIB)).toHaveLength(MIB);
    expect((await call('POST', `${path}/record/`, sized(MIB))).status).toBe(200);
    refused(await call('POST', `${path}/record/`, sized(MIB + 1)), 413, 'request.too-large');
    expect(await (await lists.rows(moduleID)).count()).toBe(1);
  });

  it('of CSV above 64 MiB are refused with 413, without a row of them', async () => {
    const { call, path, lists, moduleID } = await withList();
    const file = Buffer.alloc(MAX_FILE_BYTES + 1, 'Name\n');
    const answer = await call('POST', `${path}/import`, file, { type: 'text/csv' });
    refused(answer, 413, 'request.too-large');
    expect(await (await lists.rows(moduleID)).count()).toBe(0);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'text/csv'])(
    'of %s are refused with 415 where JSON belongs',
    async (type) => {
      const { call, path, workspace } = await withList();
      for (const address of ['/namespace/', workspace, `${workspace}/module/`, path, `${path}/record/`]) {
        refused(await call('POST', address, '{}', { type }), 415, 'request.not-json');
      }
    },
  );

  it('of a type that is JSON with another name are read', async () => {
    const { call, path, lists, moduleID } = await withList();
    const body = JSON.stringify({ values: [{ name: 'Name', value: 'Ada' }] });
    expect((await call('POST', `${path}/record/`, body, { type: 'application/vnd.api+json' })).status).toBe(
      200,
    );
    expect(await (await lists.rows(moduleID)).count()).toBe(1);
  });

  it.each(['', '[]', 'null', '"x"', '{"values":', '{"values":{}}', '{"values":[null]}'])(
    'that are no record, such as “%s”, are refused with 400',
    async (body) => {
      const { call, path, lists, moduleID } = await withList();
      const { status } = await call('POST', `${path}/record/`, body);
      expect(status).toBe(400);
      expect(await (await lists.rows(moduleID)).count()).toBe(0);
    },
  );

  it('in JSON, sent to the import, are refused with 415', async () => {
    const { call, path } = await withList();
    refused(await call('POST', `${path}/import`, {}, { type: 'application/json' }), 415, 'csv.content-type');
  });
});
