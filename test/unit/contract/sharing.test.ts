import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { envelope } from '../../../server/contract/common.ts';
import * as live from '../../../server/contract/wire/live.ts';
import * as shape1 from '../../../server/contract/wire/shape1.ts';
import * as shape2 from '../../../server/contract/wire/shape2.ts';
import type { Module } from '../../../server/lists/definitions/model.ts';
import {
  pairOffices,
  startHttpOffice,
  type HttpAnswer,
  type HttpOffice,
} from '../../support/harness/served-parts.ts';

let a: HttpOffice;
let b: HttpOffice;
let idA: string;
let tokenOfB: string;
beforeAll(async () => {
  [a, b] = await Promise.all([startHttpOffice('Oslo'), startHttpOffice('Bergen')]);
  const ids = await pairOffices(a, b);
  idA = ids.idA;
  tokenOfB = await b.federation.tokens.tokenFor(ids.idB);
});
afterAll(() => Promise.all([a.close(), b.close()]));

let lists = 0;
const newList = (rows = 3): Promise<Module> => {
  lists += 1;
  return a.list(
    `List ${lists}`,
    [
      { kind: 'String', name: 'Name', label: 'Full name' },
      { kind: 'String', name: 'Tags', isMulti: true },
      { kind: 'String', name: 'Secret' },
    ],
    Array.from({ length: rows }, (_, i) => ({
      Name: [`Row ${i}`],
      Tags: ['red', 'blue'],
      Secret: ['hidden'],
    })),
  );
};
const editor = (): { token: string } => ({ token: a.userToken('editor') });
const partnerGet = async (path: string, headers = {}): Promise<HttpAnswer> =>
  a.call('GET', path, { token: tokenOfB, headers });
const ok = <T extends z.ZodType>(schema: T, answer: HttpAnswer): z.infer<T> => {
  expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
  const { response } = z.strictObject({ response: z.unknown() }).parse(answer.body);
  return schema.parse(response);
};
const columns1 = [
  { kind: 'String', name: 'Name', label: 'Full name', isMulti: false, value: true, map: null },
  { kind: 'String', name: 'Tags', label: 'Tags', isMulti: true, value: true, map: null },
  { kind: 'String', name: 'Secret', label: 'Secret', isMulti: false, value: false, map: null },
];

async function exposed1(module: Module): Promise<string> {
  const body = {
    composeModuleID: module.moduleID,
    composeNamespaceID: module.namespaceID,
    name: module.name,
    handle: module.handle,
    fields: columns1,
  };
  const answer = await a.call('PUT', `/federation/nodes/${idA}/modules/`, { ...editor(), body });
  return ok(shape1.exposedModule, answer).moduleID;
}

describe('exposing', () => {
  it('in shape 1: adds, reads, changes and removes, with exactly the documented fields', async () => {
    const module = await newList();
    const moduleID = await exposed1(module);
    const path = `/federation/nodes/${idA}/modules/${moduleID}`;
    const read = ok(shape1.exposedModule, await a.call('GET', `${path}/exposed`, editor()));
    expect(read).toMatchObject({ nodeID: idA, composeModuleID: module.moduleID, handle: module.handle });
    expect(read.fields.map(({ name, isMulti }) => [name, isMulti])).toEqual([
      ['Name', false],
      ['Tags', true],
    ]);
    expect(read.updatedAt).toBeUndefined();
    const body = {
      composeModuleID: module.moduleID,
      composeNamespaceID: module.namespaceID,
      fields: columns1.slice(0, 1),
    };
    const changed = ok(shape1.exposedModule, await a.call('PUT', `${path}/exposed`, { ...editor(), body }));
    expect(changed.fields).toHaveLength(1);
    expect(changed.updatedBy).toBeDefined();
    const removed = await a.call('DELETE', path, editor());
    expect([removed.status, removed.body]).toEqual([200, {}]);
    expect((await a.call('GET', `${path}/exposed`, editor())).status).toBe(410);
    expect(await exposed1(module)).toBe(moduleID);
  });

  it('in shape 2: bare arrays, the local list’s id first, flags as numbers', async () => {
    const module = await newList();
    const fields = [{ name: 'Tags', label: 'Tags', kind: 'String', is_multi: 1 }];
    const path = `/federation/nodes/${idA}/modules/`;
    const added = await a.call('PUT', path + module.moduleID, { ...editor(), body: fields });
    const { moduleID, ...rest } = ok(shape2.moduleDefinition, added);
    expect(rest.fields).toEqual([{ name: 'Tags', label: 'Tags', kind: 'String', isMulti: 1 }]);
    expect(moduleID).not.toBe(module.moduleID);
    const more = [...fields, { name: 'Name', label: 'Name', kind: 'String', is_multi: 0 }];
    for (const where of [moduleID, `${moduleID}/exposed`]) {
      const changed = await a.call('PUT', path + where, { ...editor(), body: more });
      expect(ok(shape2.moduleDefinition, changed)).toMatchObject({ moduleID, fields: [{}, {}] });
    }
    ok(shape2.moduleDefinition, await a.call('GET', `${path}${moduleID}/exposed`, editor()));
    ok(shape1.exposedModule, await a.call('GET', `${path}${moduleID}/exposed?shape=1`, editor()));
  });

  it('in live: POST changes, lists are bare arrays, DELETE …/exposed answers null', async () => {
    const module = await newList();
    const moduleID = await exposed1(module);
    const path = `/federation/nodes/${idA}/modules/`;
    const body = {
      composeModuleID: module.moduleID,
      composeNamespaceID: module.namespaceID,
      fields: columns1,
    };
    ok(live.exposedModule, await a.call('POST', `${path}${moduleID}/exposed`, { ...editor(), body }));
    const all = ok(live.exposedModules, await a.call('GET', `${path}?exposed=true`, editor()));
    expect(all.some((each) => each.moduleID === moduleID)).toBe(true);
    ok(live.sharedModules, await a.call('GET', `${path}?shared=1`, editor()));
    ok(live.mappings, await a.call('GET', `${path}?mapped=1`, editor()));
    const page = async (number: number): Promise<readonly { moduleID: string }[]> =>
      ok(live.exposedModules, await a.call('GET', `${path}?exposed=1&page=${number}&perPage=1`, editor()));
    expect([...(await page(1)), ...(await page(2))]).toEqual(all.slice(0, 2));
    expect(await page(all.length + 1)).toEqual([]);
    const removed = await a.call('DELETE', `${path}${moduleID}/exposed`, editor());
    expect(removed.body).toEqual({ response: null });
  });

  it('refuses a list that is shared already, unknown lists and unknown columns', async () => {
    const module = await newList();
    await exposed1(module);
    const put = async (body: object): Promise<number> =>
      (await a.call('PUT', `/federation/nodes/${idA}/modules`, { ...editor(), body })).status;
    const whole = {
      composeModuleID: module.moduleID,
      composeNamespaceID: module.namespaceID,
      fields: columns1,
    };
    expect(await put(whole)).toBe(409);
    expect(await put({ ...whole, composeModuleID: '77' })).toBe(422);
    expect(await put({ ...whole, composeModuleID: 77 })).toBe(400);
    const other = await newList();
    const unknown = [{ ...columns1[0], name: 'Nope' }];
    expect(await put({ ...whole, composeModuleID: other.moduleID, fields: unknown })).toBe(422);
    expect(await put({ ...whole, composeModuleID: other.moduleID, fields: [] })).toBe(422);
  });
});

describe('the feeds', () => {
  it('give links, definition and records in shape 1, without what is not exposed', async () => {
    const module = await newList();
    const moduleID = await exposed1(module);
    const links = ok(
      shape1.linkList,
      await partnerGet('/federation/exposed/modules?after=1600109447&perPage=1000'),
    );
    expect(links.filter).toMatchObject({ query: 'after=1600109447', page: 1, perPage: 1000 });
    const link = links.set.find(({ rel }) => rel === module.name);
    expect(link?.href).toBe(`${a.origin}/federation/exposed/modules/${moduleID}?after=1600109447`);
    ok(shape1.sharedModule, await partnerGet(new URL(link?.href ?? '').pathname));
    const page = ok(
      shape1.recordList,
      await partnerGet(`/federation/nodes/${idA}/modules/${moduleID}/records`),
    );
    expect(page.filter).toEqual({
      moduleID,
      query: '',
      sort: 'createdAt DESC',
      page: 1,
      perPage: 20,
      count: 3,
      deleted: 0,
    });
    expect(page.set[2]).toMatchObject({
      moduleID,
      values: [
        { name: 'Name', value: 'Row 2' },
        { name: 'Tags', value: 'red' },
        { name: 'Tags', value: 'blue' },
      ],
    });
    expect(JSON.stringify(page)).not.toContain('hidden');
  });

  it('give the index and the records in shape 2, under every address', async () => {
    const module = await newList();
    const moduleID = await exposed1(module);
    const index = ok(shape1.linkList, await partnerGet('/api/federation/exposed/records?perPage=1000'));
    expect(index.filter).toMatchObject({ query: '', count: index.set.length });
    const link = index.set.find(({ rel }) => rel === module.name);
    expect(link?.href).toBe(`${a.origin}/api/federation/exposed/records/${moduleID}?after=0`);
    const addresses = [
      new URL(link?.href ?? '').pathname,
      `/federation/exposed/modules/${moduleID}/records`,
      `/exposed/modules/${moduleID}/records`,
      `/api/exposed/modules/${moduleID}/records/`,
    ];
    for (const address of addresses) {
      const page = ok(shape1.recordList, await partnerGet(`${address}?after=1600109447`));
      expect(page.filter).toMatchObject({ moduleID, count: 3, deleted: 1 });
    }
  });

  it('carry deletions whenever a time is given, with >= on created, updated and deleted times', async () => {
    const module = await newList();
    const moduleID = await exposed1(module);
    const rows = await a.lists.rows(module.moduleID);
    const { rows: all } = await rows.list({ limit: 3 });
    const gone = await rows.remove(all[0]?.recordID ?? '', '1');
    const path = `/federation/nodes/${idA}/modules/${moduleID}/records`;
    const without = ok(shape1.recordList, await partnerGet(path));
    expect([without.filter.count, without.filter.deleted]).toEqual([2, 0]);
    for (const since of [gone.updatedAt, String(Math.floor(Date.parse(gone.updatedAt) / 1000))]) {
      const page = ok(shape1.recordList, await partnerGet(`${path}?lastSync=${since}`));
      expect(page.set.find(({ deletedAt }) => deletedAt !== undefined)).toMatchObject({
        recordID: gone.recordID,
        values: [],
      });
    }
    const later = await partnerGet(`${path}?lastSync=${Math.floor(Date.now() / 1000) + 10}`);
    expect(ok(shape1.recordList, later)).toMatchObject({ filter: { count: 0 }, set: [] });
  });

  it('page by number and by cursor, each row once', async () => {
    const module = await newList(25);
    const moduleID = await exposed1(module);
    const path = `/federation/nodes/${idA}/modules/${moduleID}/records`;
    const byNumber = new Set<string>();
    for (const page of [1, 2, 3, 4]) {
      const { filter, set } = ok(shape1.recordList, await partnerGet(`${path}?page=${page}&perPage=10`));
      expect(filter).toMatchObject({ page, perPage: 10, count: 25 });
      for (const { recordID } of set) byNumber.add(recordID);
    }
    expect(byNumber.size).toBe(25);
    const byCursor: string[] = [];
    let cursor = '';
    do {
      const { filter, set } = ok(shape1.recordList, await partnerGet(`${path}?limit=10&sort=Name${cursor}`));
      byCursor.push(...set.map(({ recordID }) => recordID));
      cursor = filter.nextPage === undefined ? '' : `&pageCursor=${filter.nextPage}`;
    } while (cursor !== '');
    expect(new Set(byCursor)).toEqual(byNumber);
    expect(byCursor).toHaveLength(25);
  });

  it('sort by and search in exposed columns only', async () => {
    const module = await newList();
    const path = `/federation/nodes/${idA}/modules/${await exposed1(module)}/records`;
    const names = async (query: string): Promise<string[]> =>
      ok(shape1.recordList, await partnerGet(`${path}?${query}`)).set.map(
        ({ values }) => values[0]?.value ?? '',
      );
    expect(await names('sort=Name')).toEqual(['Row 0', 'Row 1', 'Row 2']);
    expect(await names(`query=${encodeURIComponent("Name = 'Row 1'")}`)).toEqual(['Row 1']);
    expect(await names('query=row+2')).toEqual(['Row 2']);
    expect(await names('query=hidden')).toEqual([]);
    expect((await partnerGet(`${path}?sort=Secret`)).status).toBe(400);
    expect((await partnerGet(`${path}?query=${encodeURIComponent("Secret = 'hidden'")}`)).status).toBe(400);
  });

  it('end with a removal at once', async () => {
    const module = await newList();
    const moduleID = await exposed1(module);
    await a.federation.exposures.remove(idA, moduleID, '1');
    expect((await partnerGet(`/federation/nodes/${idA}/modules/${moduleID}/records`)).status).toBe(410);
    expect((await partnerGet(`/federation/exposed/modules/${moduleID}`)).status).toBe(410);
    const links = ok(shape1.linkList, await partnerGet('/federation/exposed/modules?perPage=1000'));
    expect(links.set.some(({ rel }) => rel === module.name)).toBe(false);
  });

  it('note in the ledger what leaves, and nothing when our own user looks', async () => {
    const module = await newList();
    const moduleID = await exposed1(module);
    const path = `/federation/nodes/${idA}/modules/${moduleID}/records`;
    const before = a.served.length;
    await a.call('GET', path, { token: a.userToken('viewer') });
    expect(a.served).toHaveLength(before);
    await partnerGet(path);
    expect(a.served.at(-1)).toMatchObject({
      nodeID: idA,
      moduleID,
      fields: ['Name', 'Tags'],
      address: '127.0.0.1',
    });
  });
});

describe('a live puller', () => {
  const noAccept = { accept: '*/*' };

  it('gets all records on one page whatever its limit, every one with updatedAt', async () => {
    const module = await newList(250);
    const moduleID = await exposed1(module);
    const answer = await partnerGet(
      `/federation/nodes/${idA}/modules/${moduleID}/records/?limit=100`,
      noAccept,
    );
    const page = ok(live.recordList, answer);
    expect(page.set).toHaveLength(250);
    expect(page.filter).toEqual({
      moduleID: module.moduleID,
      namespaceID: '0',
      query: '',
      deleted: 1,
      sort: 'id',
      limit: 100,
    });
    expect(page.set?.[0]).toMatchObject({ moduleID: module.moduleID, namespaceID: module.namespaceID });
    const asked = `/federation/nodes/${idA}/modules/${moduleID}/records/?limit=100`;
    const first = ok(live.recordList, await partnerGet(asked));
    expect(first.set).toHaveLength(100);
    const second = ok(
      live.recordList,
      await partnerGet(`${asked}&pageCursor=${first.filter.nextPage ?? ''}`),
    );
    expect(second.set?.[0]?.recordID).toBe(page.set?.[100]?.recordID);
  });

  it('gets the structure one by one, with a limit that is a number and ids that are strings', async () => {
    await exposed1(await newList());
    const all = ok(live.structure, await partnerGet(`/federation/nodes/${idA}/modules/exposed`, noAccept));
    const seen: string[] = [];
    let cursor = '';
    do {
      const path = `/federation/nodes/${idA}/modules/exposed/?limit=1${cursor}`;
      const { filter, set } = ok(live.structure, await partnerGet(path, noAccept));
      expect([filter.limit, filter.nodeID, set?.length]).toEqual([1, idA, 1]);
      seen.push(set?.[0]?.moduleID ?? '');
      cursor = filter.nextPage === undefined ? '' : `&pageCursor=${filter.nextPage}`;
    } while (cursor !== '');
    expect(seen).toEqual(all.set?.map(({ moduleID }) => moduleID));
  });

  it('gets null for an empty set', async () => {
    const moduleID = await exposed1(await newList(0));
    const answer = await partnerGet(`/federation/nodes/${idA}/modules/${moduleID}/records/`, noAccept);
    expect(ok(live.recordList, answer).set).toBeNull();
    const later = Math.floor(Date.now() / 1000) + 100;
    const structure = await partnerGet(`/federation/nodes/${idA}/modules/exposed/?lastSync=${later}`);
    expect(ok(live.structure, structure)).toMatchObject({ set: null, filter: { lastSync: later } });
  });

  it('gets all definitions at any time, since its mark of them is its own clock', async () => {
    const moduleID = await exposed1(await newList(0));
    const later = Math.floor(Date.now() / 1000) + 100;
    const path = `/federation/nodes/${idA}/modules/exposed/?lastSync=${later}`;
    const { set } = ok(live.structure, await partnerGet(path, noAccept));
    expect(set?.map((exposure) => exposure.moduleID)).toContain(moduleID);
  });
});

describe('mapping', () => {
  it('sets, reads and removes in both shapes, and lists offers', async () => {
    const offered = { externalFederationModuleID: '9001', handle: 'People', name: 'People' };
    const fields = [{ kind: 'String' as const, name: 'Name', label: 'Name', isMulti: false }];
    const { sharedID, local } = await (async () => {
      const [shared] = (
        await a.federation.shared.reconcile(idA, [{ ...offered, fields }], { complete: false })
      ).added;
      return { sharedID: shared?.moduleID ?? '', local: await newList() };
    })();
    const path = `/federation/nodes/${idA}/modules/${sharedID}`;
    const list = ok(
      shape1.sharedModuleList,
      await a.call('GET', `/federation/nodes/${idA}/modules`, editor()),
    );
    expect(list.filter).toEqual({ query: '', handle: '', name: '', sort: 'name ASC', count: 1 });
    expect(ok(shape1.sharedModule, await a.call('GET', `${path}/shared`, editor())).moduleID).toBe(sharedID);

    const column = { kind: 'String', name: 'Name', label: 'Name', isMulti: false };
    const body = {
      composeModuleID: local.moduleID,
      composeNamespaceID: local.namespaceID,
      fields: [{ origin: column, destination: column }],
    };
    const set = ok(shape1.moduleMapping, await a.call('PUT', `${path}/mapped`, { ...editor(), body }));
    expect(set).toMatchObject({ nodeID: idA, federationModuleID: sharedID, composeModuleID: local.moduleID });
    const read = await a.call('GET', `${path}/mapped?composeModuleID=${local.moduleID}`, editor());
    expect(ok(shape1.moduleMapping, read)).toEqual(set);
    expect((await a.call('GET', `${path}/mapped?composeModuleID=77`, editor())).status).toBe(404);

    const side = { name: 'Name', kind: 'String', is_multi: 0 };
    const array = [{ origin: side, destination: side }];
    const set2 = ok(
      shape2.moduleMapping,
      await a.call('PUT', `${path}/mapped`, { ...editor(), body: array }),
    );
    expect(set2).toMatchObject({ moduleID: sharedID, mapping: array });
    expect(ok(shape2.moduleMapping, await a.call('GET', `${path}/mapped`, editor()))).toEqual(set2);

    expect((await a.call('DELETE', `${path}?shared`, editor())).body).toEqual({});
    expect((await a.call('DELETE', path, editor())).status).toBe(404);
    expect((await a.call('PUT', `${path}/mapped`, { ...editor(), body: array })).status).toBe(422);
    const named = await a.call('PUT', `${path}/mapped?composeModuleID=${local.moduleID}`, {
      ...editor(),
      body: array,
    });
    ok(shape2.moduleMapping, named);
  });
});

it('answers in the envelope and nothing else', () => {
  expect(envelope(shape1.node).safeParse({ response: {} }).success).toBe(false);
});
