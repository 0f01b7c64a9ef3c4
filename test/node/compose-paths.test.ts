import { describe, expect, it } from 'vitest';
import { composeApp, type ComposeApp } from '../support/harness/compose-app.ts';
import { makeList, text, values } from '../support/harness/lists.ts';

interface Office extends ComposeApp {
  readonly namespaceID: string;
  readonly moduleID: string;
  readonly recordID: string;
}

async function office(): Promise<Office> {
  const app = await composeApp();
  const { module, rows } = await makeList(app, [text('Name'), text('City')]);
  const { recordID } = await rows.create(values({ Name: 'Ada' }), '1');
  return { ...app, namespaceID: module.namespaceID, moduleID: module.moduleID, recordID };
}

const NAME = { values: [{ name: 'Name', value: 'Bo' }] };
const CSV = 'Name\nCy\n';

/** Every address and method; `ns`, `m` and `r` stand for ids. In an order that needs nothing that is gone. */
const ROUTES: readonly {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly type?: string;
  readonly least: 'viewer' | 'editor';
}[] = [
  { method: 'GET', path: '/namespace', least: 'viewer' },
  { method: 'GET', path: '/namespace/ns', least: 'viewer' },
  { method: 'POST', path: '/namespace/ns', body: { name: 'Renamed' }, least: 'editor' },
  { method: 'GET', path: '/namespace/ns/module', least: 'viewer' },
  { method: 'GET', path: '/namespace/ns/module/m', least: 'viewer' },
  { method: 'POST', path: '/namespace/ns/module/m', body: { name: 'Renamed' }, least: 'editor' },
  { method: 'GET', path: '/namespace/ns/module/m/record', least: 'viewer' },
  { method: 'POST', path: '/namespace/ns/module/m/record', body: NAME, least: 'editor' },
  { method: 'GET', path: '/namespace/ns/module/m/record/r', least: 'viewer' },
  { method: 'POST', path: '/namespace/ns/module/m/record/r', body: NAME, least: 'editor' },
  { method: 'PATCH', path: '/namespace/ns/module/m/record/r', body: NAME, least: 'editor' },
  { method: 'DELETE', path: '/namespace/ns/module/m/record/r', least: 'editor' },
  { method: 'POST', path: '/namespace/ns/module/m/record/r/undelete', least: 'editor' },
  { method: 'POST', path: '/namespace/ns/module/m/import', body: CSV, type: 'text/csv', least: 'editor' },
  { method: 'GET', path: '/namespace/ns/module/m/export', least: 'viewer' },
  { method: 'DELETE', path: '/namespace/ns/module/m', least: 'editor' },
  { method: 'DELETE', path: '/namespace/ns', least: 'editor' },
];

function fill(path: string, { namespaceID, moduleID, recordID }: Office): string {
  const ids: Readonly<Record<string, string>> = { ns: namespaceID, m: moduleID, r: recordID };
  return path.replace(/\/(ns|m|r)(?=\/|$)/g, (_whole, name: string) => `/${ids[name] ?? ''}`);
}

describe('every address', () => {
  it.each(['', '/'])('answers as well with “%s” at its end', async (ending) => {
    const app = await office();
    const made = await app.call('POST', `/namespace${ending}`, { name: 'Second' });
    expect(made.status, made.text).toBe(200);
    const fields = [{ kind: 'String', name: 'Name' }];
    const list = await app.call('POST', `/namespace/${app.namespaceID}/module${ending}`, {
      name: 'L',
      fields,
    });
    expect(list.status, list.text).toBe(200);
    const [other] = (await app.lists.modules(app.namespaceID)).slice(-1);
    await app.lists.removeModule(other!.moduleID);
    for (const { method, path, body, type } of ROUTES) {
      const answer = await app.call(method, fill(path, app) + ending, body, type ? { type } : {});
      expect(answer.status, `${method} ${path}: ${answer.text}`).toBe(200);
    }
  });

  it.each(ROUTES)('$method $path is not for partners, nor for nobody, nor below its role', async (route) => {
    const app = await office();
    const [path, type] = [fill(route.path, app), route.type ? { type: route.type } : {}];
    const status = async (role: 'partner' | 'viewer' | ''): Promise<number> =>
      (await app.call(route.method, path, route.body, { ...type, role: role as 'viewer' })).status;
    expect(await status('')).toBe(401);
    expect(await status('partner')).toBe(403);
    expect(await status('viewer')).toBe(route.least === 'viewer' ? 200 : 403);
    expect(await (await app.lists.rows(app.moduleID)).get(app.recordID)).toMatchObject({
      values: { Name: ['Ada'] },
    });
  });

  it.each(ROUTES.filter(({ path }) => path.includes('/ns')))(
    '$method $path says 404 where there is nothing of that id, and changes nothing',
    async ({ method, path, body, type }) => {
      const app = await office();
      const missing = path.endsWith('/ns')
        ? { namespaceID: '7' }
        : path.includes('/r')
          ? { recordID: '7' }
          : { moduleID: '7' };
      const isList = /\/(module|record)$/.test(path);
      const gone =
        isList && path.endsWith('module') ? { namespaceID: '7' } : isList ? { moduleID: '7' } : missing;
      const answer = await app.call(method, fill(path, { ...app, ...gone }), body, type ? { type } : {});
      expect(answer.status, answer.text).toBe(404);
      expect(answer.body).toMatchObject({ error: { code: expect.any(String) as string } });
      expect(await (await app.lists.rows(app.moduleID)).count()).toBe(1);
    },
  );
});

describe('ids', () => {
  it.each(['namespace/x', 'namespace/-1', 'namespace/1.0', 'namespace/01', 'namespace/18446744073709551616'])(
    '%s is no id: 400',
    async (path) => {
      const { call } = await composeApp();
      expect((await call('GET', `/${path}`)).status).toBe(400);
    },
  );

  it('that come as JSON numbers are refused, before anything is changed', async () => {
    const app = await office();
    const path = `/namespace/${app.namespaceID}/module/${app.moduleID}`;
    const { fields } = await app.lists.module(app.moduleID);
    const column = { kind: 'String', name: 'Renamed' };
    // Digits are written into the text: a JavaScript number would not hold them.
    const asNumber = JSON.stringify({ fields: [{ ...column, fieldID: '#' }] }).replace(
      '"#"',
      fields[0]!.fieldID,
    );
    expect((await app.call('POST', path, asNumber)).status).toBe(400);
    const reference = { kind: 'Record', name: 'Ref', options: { moduleID: 12 } };
    expect((await app.call('POST', path, { fields: [column, reference] })).status).toBe(400);
    expect((await app.lists.module(app.moduleID)).fields).toEqual(fields);
  });
});
