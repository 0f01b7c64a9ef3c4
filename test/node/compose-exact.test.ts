import { describe, expect, it } from 'vitest';
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
      expect(answer.text).toContain('another kind now');
      await lists.updateModule(moduleID, fields('Number'), '1');
    }
  });
});
