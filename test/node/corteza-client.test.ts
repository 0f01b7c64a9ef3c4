import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { apiClients } from '@cortezaproject/corteza-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { serveBuilt, userTokenOf, type Served } from '../support/harness/program.ts';

/**
 * A client that nobody here wrote, against the built program. Each call has the outcome that the page says, and each one
 * that works has the result that Corteza gives: never another one without an error. `UPDATE_DOCS=1` writes the page's table.
 */
const PAGE = fileURLToPath(new URL('../../docs/interface.md', import.meta.url));
const MARKS = ['<!-- corteza-js -->', '<!-- /corteza-js -->'] as const;

type Call = (args: Record<string, unknown>) => Promise<unknown>;
const refused = z.object({
  response: z.object({ status: z.number(), data: z.object({ error: z.object({ code: z.string() }) }) }),
});

let served: Served;
let clients: Record<'Compose' | 'Federation', object>;
const outcomes = new Map<string, string>();

beforeAll(async () => {
  served = await serveBuilt();
  const token = userTokenOf(served);
  const at = (path: string): object => ({ baseURL: served.federation + path, accessTokenFn: () => token });
  clients = {
    Compose: new apiClients.Compose(at('/compose')),
    Federation: new apiClients.Federation(at('/federation')),
  };
});
afterAll(() => served.remove());

/** Calls the client, and notes how that went under what was tried. */
async function call(
  name: string,
  args: Record<string, unknown>,
  what = '',
  client: keyof typeof clients = 'Compose',
): Promise<unknown> {
  const found = (Object.getPrototypeOf(clients[client]) as Record<string, Call>)[name];
  if (!found) throw new Error(`The client has no call ${name}.`);
  const row = `${client} | \`${name}\`${what === '' ? '' : `, ${what}`}`;
  try {
    const answer = await found.call(clients[client], args);
    outcomes.set(row, 'works');
    return answer;
  } catch (error) {
    const { response } = refused.parse(error);
    const { code } = response.data.error;
    const isMissing = code === 'request.unknown-address';
    outcomes.set(row, isMissing ? 'not offered (404)' : `refused: ${response.status} \`${code}\``);
    return undefined;
  }
}

const text = (name: string, value: string): { name: string; value: string } => ({ name, value });
const set = z.object({ set: z.array(z.looseObject({})), filter: z.looseObject({}) });
const idOf = (answer: unknown, member: string): string =>
  z.record(z.string(), z.unknown()).parse(answer)[member] as string;

describe('corteza-js', () => {
  let space: { namespaceID: string };
  let list: { namespaceID: string; moduleID: string };
  let updatedAt: unknown;

  it('makes, reads, changes and finds workspaces and lists', async () => {
    const made = await call('namespaceCreate', { name: 'Sales', slug: 'sales', meta: { subtitle: 'x' } });
    space = { namespaceID: idOf(made, 'namespaceID') };
    expect(await call('namespaceRead', space)).toMatchObject({ slug: 'sales', meta: { subtitle: 'x' } });
    expect(set.parse(await call('namespaceList', { limit: 1, incTotal: true })).filter).toMatchObject({
      total: 1,
    });
    const change = { ...space, name: 'Sales EU', slug: 'sales', enabled: true, meta: {} };
    const changed = z.looseObject({ updatedAt: z.string() }).parse(await call('namespaceUpdate', change));
    await call('namespaceUpdate', { ...change, updatedAt: '2020-01-01T00:00:00Z' }, 'stale `updatedAt`');
    expect(await call('namespaceRead', space)).toMatchObject({ updatedAt: changed.updatedAt });

    const fields = [
      { fieldID: '0', kind: 'String', name: 'title', label: 'Title', isRequired: true, options: {} },
      { fieldID: '0', kind: 'Number', name: 'amount', label: 'Amount', options: { precision: 2 } },
      { fieldID: '0', kind: 'DateTime', name: 'due', label: 'Due', options: { onlyDate: true } },
      { fieldID: '0', kind: 'String', name: 'tags', label: 'Tags', isMulti: true, options: {} },
    ];
    const module = await call('moduleCreate', {
      ...space,
      name: 'Orders',
      handle: 'orders',
      fields,
      meta: { ui: 'x' },
      config: { dal: { ident: '' } },
    });
    list = { ...space, moduleID: idOf(module, 'moduleID') };
    const read = z
      .looseObject({ fields: z.array(z.looseObject({ name: z.string() })), config: z.unknown() })
      .parse(await call('moduleRead', list));
    expect(read.fields.map(({ name }) => name)).toEqual(['title', 'amount', 'due', 'tags']);
    expect(read).toMatchObject({ meta: { ui: 'x' }, config: { dal: { ident: '' } } });
    expect(set.parse(await call('moduleList', { ...space, limit: 5, incTotal: true })).filter).toMatchObject({
      total: 1,
    });
    await call('moduleUpdate', { ...read, ...list, name: 'Orders 2026', meta: {}, updatedAt: undefined });
    await call(
      'moduleUpdate',
      { ...read, ...list, name: 'Late', meta: {}, updatedAt: '2020-01-01T00:00:00Z' },
      'stale `updatedAt`',
    );
    expect(await call('moduleRead', list)).toMatchObject({ name: 'Orders 2026' });
  });

  it('makes, changes, finds, deletes and restores rows', async () => {
    let made: unknown;
    for (let at = 0; at < 12; at++) {
      const due = `20${at < 6 ? 21 : 99}-03-${String(at + 1).padStart(2, '0')}`;
      const values = [text('title', `Order ${at}`), text('amount', String(at)), text('due', due)];
      made = await call('recordCreate', {
        ...list,
        values: [...values, text('tags', 'a'), text('tags', 'b')],
      });
    }
    const nested = [{ set: [{ values: [text('title', 'child')] }] }];
    await call(
      'recordCreate',
      { ...list, values: [text('title', 'x')], records: nested },
      'nested `records`',
    );
    await call('recordCreate', { ...list, values: [text('title', 'x')], meta: { a: 1 } }, '`meta`');
    await call('recordCreate', { ...list, values: [text('amount', 'many')] }, 'a value that does not fit');

    const find = async (query: string, what: string, more = {}): Promise<number> => {
      const found = await call('recordList', { ...list, query, ...more }, what);
      return found === undefined ? -1 : set.parse(found).set.length;
    };
    expect(await find('', 'all', { limit: 0 })).toBe(12);
    expect(await find("amount >= 3 AND title LIKE 'Order%'", '`AND`, `>=`, `LIKE`')).toBe(9);
    expect(await find("title IN ('Order 1', 'Order 2')", '`IN`')).toBe(2);
    expect(await find('amount BETWEEN 3 AND 5', '`BETWEEN`')).toBe(3);
    expect(await find("title ILIKE 'ORDER 1%'", '`ILIKE`')).toBe(3);
    expect(await find('YEAR(due) = 2099', '`YEAR()`')).toBe(6);
    expect(await find('due > NOW()', '`NOW()`')).toBe(6);
    expect(await find('DATE(createdAt) = DATE(NOW())', '`DATE()`')).toBe(12);
    expect(await find("CONCAT(title, '!') = 'Order 3!'", '`CONCAT()`')).toBe(1);
    expect(await find(`createdBy = ${idOf(made, 'createdBy')}`, '`createdBy`')).toBe(12);
    expect(await find("updatedAt >= '2020-01-01'", '`updatedAt` of untouched rows')).toBe(0);
    expect(await find('STDDEV(amount) = 1', 'a function that is not known')).toBe(-1);
    expect(await find('title = ', 'a broken query')).toBe(-1);
    const rows = z.object({
      set: z.array(z.object({ values: z.array(z.looseObject({ name: z.string() })) })),
    });
    /** The values of a column in the rows that a call finds, in their order. */
    const valuesOf = async (name: string, args: object, what = ''): Promise<unknown[]> =>
      rows
        .parse(await call('recordList', { ...list, ...args }, what))
        .set.flatMap(({ values }) => values.filter((each) => each.name === name).map(({ value }) => value));
    const sorted = { sort: 'amount DESC, createdBy', limit: 3 };
    expect(await valuesOf('amount', sorted, '`sort`')).toEqual(['11', '10', '9']);

    const [first] = set.parse(await call('recordList', { ...list, sort: 'amount ASC', limit: 1 })).set;
    const one = { ...list, recordID: idOf(first, 'recordID') };
    const read = z.looseObject({ values: z.array(z.unknown()) }).parse(await call('recordRead', one));
    expect(read.values).toContainEqual(text('title', 'Order 0'));
    const change = { ...one, values: [text('title', 'Order 0b'), text('amount', '0')] };
    ({ updatedAt } = z.looseObject({ updatedAt: z.string() }).parse(await call('recordUpdate', change)));
    await call('recordUpdate', { ...change, updatedAt: '2020-01-01T00:00:00Z' }, 'stale `updatedAt`');
    expect(await call('recordRead', one)).toMatchObject({ updatedAt });

    await call('recordPatch', { ...list, values: [text('tags', 'late')], query: 'amount > 9' });
    expect(await valuesOf('tags', { query: 'amount > 8' })).toEqual(['a', 'b', 'late', 'late']);
    expect(await find("title = 'Order 11'", '`=`')).toBe(1);
    expect(await find("tags = 'late'", 'a column of several values')).toBe(-1);
    await call('recordDelete', one);
    expect(await call('recordRead', one)).toHaveProperty('deletedAt');
    await call('recordUndelete', one);
    expect(await call('recordRead', one)).not.toHaveProperty('deletedAt');
    await call('recordBulkDelete', { ...list, query: 'amount > 9' });
    expect(await find('', '`deleted`', { deleted: 2 })).toBe(2);
    await call('recordBulkUndelete', { ...list, query: 'amount = 11' });
    expect(await find('deletedAt IS NOT NULL', '`deletedAt`', { deleted: 1 })).toBe(1);
  });

  it('is told of what is not offered', async () => {
    const one = { ...list, recordID: '1' };
    const none: [string, Record<string, unknown>][] = [
      ['recordReport', { ...list, dimensions: 'DATE(due)' }],
      ['recordExport', { ...list, filename: '', ext: 'csv', fields: ['title'] }],
      ['recordImportInit', { ...list, upload: 'x' }],
      ['recordUpload', { ...list, fieldName: 'title', upload: 'x' }],
      ['recordExec', { ...list, procedure: 'x' }],
      ['recordTriggerScriptOnList', { ...list, script: 'x' }],
      ['recordRevisions', one],
      ['pageList', space],
      ['chartList', space],
      ['attachmentList', { ...space, kind: 'record' }],
      ['permissionsList', {}],
      ['automationList', {}],
      ['iconList', {}],
      ['moduleListTranslations', list],
      ['namespaceClone', { ...space, name: 'Copy', slug: 'copy' }],
    ];
    for (const [name, args] of none) expect([name, await call(name, args)]).toEqual([name, undefined]);
  });

  it('works with partners', async () => {
    const on = (name: string, args: Record<string, unknown>, what = ''): Promise<unknown> =>
      call(name, args, what, 'Federation');
    const made = await on('nodeCreate', { baseURL: 'https://office.example/federation', name: 'Office' });
    const node = { nodeID: idOf(made, 'nodeID') };
    expect(set.parse(await on('nodeSearch', { query: 'Office' })).set).toHaveLength(1);
    expect(await on('nodeRead', node)).toMatchObject({ name: 'Office' });
    expect(await on('nodeGenerateUri', node)).toMatch(/^https?:\/\/\d+:/);
    await on('nodeUpdate', {
      ...node,
      name: 'Office North',
      contact: '',
      baseURL: 'https://office.example/federation',
    });
    expect(await on('nodeRead', node)).toMatchObject({ name: 'Office North' });
    await on('nodePair', node, 'without an invite');
    await on('nodeHandshakeConfirm', node, 'out of order');
    const fields = [{ kind: 'String', name: 'title', label: 'Title', isMulti: false }];
    const exposed = await on('manageStructureCreateExposed', {
      ...node,
      ...{ composeModuleID: list.moduleID, composeNamespaceID: list.namespaceID },
      ...{ name: 'Orders', handle: 'orders', fields },
    });
    const offer = { ...node, moduleID: idOf(exposed, 'moduleID') };
    expect(await on('manageStructureReadExposed', offer)).toMatchObject({ name: 'Orders', fields });
    await on('manageStructureUpdateExposed', {
      ...offer,
      ...{ composeModuleID: list.moduleID, composeNamespaceID: list.namespaceID },
      ...{ name: 'Orders 2099', handle: 'orders', fields },
    });
    const shared = { moduleID: offer.moduleID, name: 'Orders 2099', fields };
    expect(await on('manageStructureListAll', { ...node, exposed: true })).toMatchObject([shared]);
    expect(await on('syncStructureReadExposedInternal', node)).toMatchObject({ set: [shared] });
    await on('syncStructureReadExposedSocial', node);
    const feed = { href: expect.stringContaining(offer.moduleID) as string };
    expect(await on('syncDataReadExposedAll', node)).toMatchObject({ set: [feed] });
    const { set: rows } = set.parse(await on('syncDataReadExposedInternal', offer));
    expect(rows.filter((row) => row.deletedAt === undefined)).toHaveLength(11);
    expect(rows[0]).toMatchObject({ values: [text('title', 'Order 0b')] });
    await on('syncDataReadExposedSocial', offer);
    await on('manageStructureRemoveExposed', offer);
    expect(await on('manageStructureListAll', { ...node, exposed: true })).toEqual([]);
    await on('manageStructureReadShared', offer, 'of no partner’s list');
    const mapping = { ...list, composeModuleID: list.moduleID, composeNamespaceID: list.namespaceID };
    const mappings = { ...offer, ...mapping, moduleID: offer.moduleID, fields: [] };
    await on('manageStructureCreateMappings', mappings, 'of no partner’s list');
    await on('manageStructureReadMappings', mappings, 'of no partner’s list');
    const stranger = { ...node, pairToken: 'x'.repeat(32), sharedNodeID: '1', authToken: 'x' };
    await on('nodeHandshakeInitialize', stranger, 'without an invite');
    await on('nodeHandshakeComplete', stranger, 'as a user');
    await on('permissionsList', {});
    const partners = async (): Promise<number> => set.parse(await on('nodeSearch', {})).set.length;
    await on('nodeDelete', node);
    expect(await partners()).toBe(0);
    await on('nodeUndelete', node);
    expect(await partners()).toBe(1);
    const count = async (name: string, args: object): Promise<number> =>
      set.parse(await call(name, { ...args })).set.length;
    await call('recordBulkDelete', { ...list, truncate: true }, '`truncate`');
    expect(await count('recordList', list)).toBe(0);
    await call('moduleDelete', list);
    expect(await count('moduleList', space)).toBe(0);
    const spaces = await count('namespaceList', {});
    await call('namespaceDelete', space);
    expect(await count('namespaceList', {})).toBe(spaces - 1);
  });

  it('has every outcome on the page', () => {
    const rows = [...outcomes].map(([row, outcome]) => `| ${row} | ${outcome} |`);
    const page = readFileSync(PAGE, 'utf8');
    const [before = '', after = ''] = [page.split(MARKS[0])[0], page.split(MARKS[1])[1]];
    const table = ['| Client | Call | Outcome |', '| --- | --- | --- |', ...rows].join('\n');
    const plain = (markdown: string): string => markdown.replaceAll(/ +/g, ' ').replaceAll(/-+/g, '-');
    if (process.env.UPDATE_DOCS !== undefined)
      writeFileSync(PAGE, `${before}${MARKS[0]}\n\n${table}\n\n${MARKS[1]}${after}`);
    const written = readFileSync(PAGE, 'utf8').split(MARKS[0])[1]?.split(MARKS[1])[0]?.trim() ?? '';
    expect(plain(written)).toBe(plain(table));
  });
});
