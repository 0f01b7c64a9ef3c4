import type { RequestHandler } from 'express';
import { describe, expect, it } from 'vitest';
import { MAX_FAILED } from '../../server/sync/pull/failed-rows.ts';
import * as lies from '../support/partners/lying-partner.ts';
import { madeUpOrigin, text } from '../support/partners/made-up-origin.ts';
import { fill, idOf, matched, shownBy } from '../support/partners/matched.ts';
import { told as toldOf } from '../support/reading/told.ts';

const row = (more: object): object => ({
  recordID: '1',
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
  values: [{ name: 'Name', value: 'x' }],
  ...more,
});
const page = (set: unknown, filter: object = {}): string => JSON.stringify({ response: { filter, set } });

/** An answer to the second page of a pull, of 1,100 rows in three pages. */
const wrongAnswers: readonly (readonly [string, RequestHandler, RegExp])[] = [
  ['H4: JSON that is cut off', lies.says(200, '{"response":{"set":[{"recordID":"1"'), /not valid JSON/],
  ['H10: nothing, in the middle of a pull', lies.says(200, ''), /not what it should be/],
  ['H10: an object with nothing in it', lies.says(200, '{}'), /not what it should be/],
  ['H10: null', lies.says(200, '{"response":null}'), /not what it should be/],
  ['H10: false', lies.says(200, '{"response":false}'), /not what it should be/],
  ['H10: a success without rows', lies.says(200, '{"success":{"message":"OK"}}'), /not what it should be/],
  ['H4: an error under status 200', lies.says(200, '{"error":{"message":"boom"}}'), /boom/],
  ['H4: a plain-text error under status 200', lies.says(200, 'Error: could not load\n---'), /could not load/],
  ['H4: rows that are no array', lies.says(200, page({ '0': row({}) })), /not what it should be/],
  ['H4: an array around everything', lies.says(200, `[${page([])}]`), /not an object/],
  ['H5: a numeric id', lies.says(200, page([row({ recordID: 523396 })])), /no proper id/],
  ['H5: an id with path characters', lies.says(200, page([row({ recordID: '../../etc' })])), /no proper id/],
  ['H2: 100,000 brackets', lies.says(200, `{"response":${'['.repeat(100_000)}`), /nested too deeply/],
  [
    'H2: bytes that are no text',
    (_, response) => void response.end(Buffer.from([0x7b, 0xff, 0xfe])),
    /UTF-8/,
  ],
];

/** In the place of that answer, from something that is not the partner. */
const others: typeof wrongAnswers = [
  [
    'H4: HTML with status 200',
    lies.says(200, '<!doctype html><h1>Welcome</h1>', { 'content-type': 'text/html' }),
    /Something else answers/,
  ],
  ['S3: a redirect', lies.says(302, '', { location: 'http://127.0.0.1:1/' }), /Something else answers/],
];

describe('a wrong answer in the middle of a pull', () => {
  it.each([
    ...wrongAnswers.map((each) => [...each, 'error'] as const),
    ...others.map((each) => [...each, 'offline'] as const),
  ])('%s: is told, changes nothing, and nothing is missing afterwards', async (_, answer, told, state) => {
    const origin = madeUpOrigin();
    fill(origin, 0, 1100);
    let pages = 0;
    let lying = true;
    const { office, nodeID, moduleID } = await matched(
      origin,
      { dialect: 'live' },
      {
        lies: (app) =>
          app.get('/nodes/7/modules/:m/records/', (request, response, next) => {
            if (lying && ++pages === 2) void answer(request, response, next);
            else next();
          }),
      },
    );
    const pull = office.sync.syncNow(nodeID);
    if (state === 'offline') await expect(pull).rejects.toThrow(told);
    else expect((await pull).modules[0]?.error).toMatch(told);
    const status = await office.sync.status(nodeID);
    expect(status.state).toBe(state);
    expect(toldOf(status).reason).toMatch(told);
    const so_far = await office.received(moduleID);
    expect(so_far.size).toBe(500);
    lying = false;
    await office.sync.syncNow(nodeID);
    expect(await office.received(moduleID)).toEqual(shownBy(origin));
    expect((await office.sync.status(nodeID)).state).toBe('up-to-date');
  });
});

const groupOf = (part: object): object => ({
  n: 2,
  fields: ['Name', 'City'],
  vias: [['installation-made-up']],
  times: ['2026-11-20T08:00:00Z'],
  ids: Buffer.from(BigUint64Array.of(7n, 8n).buffer).toString('base64'),
  at: Buffer.alloc(16).toString('base64'),
  names: 'origin-of-row-00000007origin-of-row-00000008',
  lengths: [
    Buffer.from(Uint32Array.of(9, 3).buffer).toString('base64'),
    Buffer.from(Uint32Array.of(4, 0).buffer).toString('base64'),
  ],
  text: ['FjordfiskJaś', 'Bodø'],
  ...part,
});

const wrongGroups: readonly (readonly [string, readonly unknown[], RegExp])[] = [
  ['more rows than it has', [groupOf({ n: 3 })], /a row group is wrong/],
  ['a million rows', [groupOf({ n: 1_000_000 })], /too many rows/],
  ['text that is no value', [groupOf({ text: ['FjordfiskJaś', 'Bodø and more'] })], /more text than values/],
  ['a value beyond its text', [groupOf({ text: ['Fjordfisk', 'Bodø'] })], /ends where it cannot/],
  ['half a character', [groupOf({ text: ['Fjordfis😀ś', 'Bodø'] })], /ends where it cannot/],
  ['a time that is none', [groupOf({ times: ['yesterday'] })], /something else for a time/],
  ['a number that means nothing', [groupOf({ vias: [] })], /means nothing/],
  ['what no row has', [groupOf({ vias: [['installation-made-up'], ['x']] })], /names what no row has/],
  [
    'one time twice',
    [groupOf({ times: ['2026-11-20T08:00:00Z', '2026-11-20T08:00:00Z'] })],
    /one thing twice/,
  ],
  ['another spelling of its numbers', [groupOf({ at: `${'A'.repeat(21)}B==` })], /numbers are not what/],
  ['a column of an object’s own', [groupOf({ fields: ['Name', '__proto__'] })], /no proper name/],
  ['parts that nobody knows', [groupOf({ more: 1 })], /parts are not what/],
  ['two groups', [groupOf({}), groupOf({})], /is no row group/],
  ['rows', [{ recordID: '7', values: [] }], /parts are not what/],
];

describe('a row group', () => {
  const pulled = async (set: readonly unknown[]): Promise<{ error: string | undefined; rows: number }> => {
    const origin = madeUpOrigin();
    const { office, nodeID, moduleID } = await matched(
      origin,
      { dialect: 'shape1', footbridge: true },
      {
        lies: (app) =>
          app.get('/footbridge/modules/:m/changes', (_, response) => {
            const place = { epoch: 'e1', next: 5, more: false, total: 2, grouped: true };
            response.json({ response: { ...place, set } });
          }),
      },
    );
    const { modules } = await office.sync.syncNow(nodeID);
    return { error: modules[0]?.error, rows: (await office.received(moduleID)).size };
  };

  it('brings its rows', async () => {
    expect(await pulled([groupOf({})])).toEqual({ error: undefined, rows: 2 });
  });

  it.each(wrongGroups)('with %s is the partner’s fault, and none of its rows comes', async (_, set, told) => {
    const { error, rows } = await pulled(set);
    expect(error).toMatch(told);
    expect(rows).toBe(0);
  });
});

describe('H3: a list that never ends', () => {
  const endless: readonly (readonly [string, (asked: number) => string])[] = [
    ['the same cursor again', () => page([row({ recordID: '5' })], { nextPage: 'same' })],
    [
      'two cursors in turn',
      (asked) => page([row({ recordID: `${5 + (asked % 2)}` })], { nextPage: `c${asked % 2}` }),
    ],
    ['the same rows under new cursors', (asked) => page([row({ recordID: '5' })], { nextPage: `c${asked}` })],
    ['empty pages under new cursors', (asked) => page([], { nextPage: `c${asked}` })],
  ];

  it.each(endless)('%s: is ended as the partner’s fault after a few pages', async (_, answer) => {
    let asked = 0;
    const { office, nodeID } = await matched(
      madeUpOrigin(),
      { dialect: 'live' },
      {
        lies: (app) =>
          app.get('/nodes/7/modules/:m/records/', (__, response) => {
            response.type('json').end(answer(++asked));
          }),
      },
    );
    const result = await office.sync.syncNow(nodeID);
    expect(result.modules[0]?.error).toBeDefined();
    expect(asked).toBeLessThan(8);
    expect(await office.sync.status(nodeID)).toMatchObject({ state: 'error' });
  });

  it('a list of lists that goes round in a circle is ended too', async () => {
    const origin = madeUpOrigin();
    let lying = false;
    const { office, nodeID } = await matched(
      origin,
      { dialect: 'live' },
      {
        lies: (app) =>
          app.get('/nodes/7/modules/exposed/', (_, response, next) => {
            if (lying) response.type('json').end(page([], { nextPage: 'again' }));
            else next();
          }),
      },
    );
    lying = true;
    await expect(office.sync.syncNow(nodeID)).rejects.toMatchObject({ code: 'partner.faulty' });
  });
});

describe('rows that are not what they should be', () => {
  it('H6: of very many the first are told with their reasons, and how many there are', async () => {
    const origin = madeUpOrigin([text('Name'), { ...text('Amount'), kind: 'String' }]);
    for (let n = 1; n <= 2 * MAX_FAILED + 30; n++)
      origin.put(idOf(n), { Name: [`Łódź ${n}`], Amount: [`${n} złotych`] });
    const fields = [{ kind: 'String', name: 'Name' } as const, { kind: 'Number', name: 'Amount' } as const];
    const { office, nodeID } = await matched(origin, { dialect: 'live' }, { fields });
    await office.sync.syncNow(nodeID);
    const failed = await office.sync.failedRows.list(nodeID);
    expect(failed.map(({ recordID }) => recordID)).toEqual(
      Array.from({ length: MAX_FAILED }, (_, at) => idOf(at + 1)),
    );
    expect(await office.sync.failedRows.count(nodeID)).toBe(2 * MAX_FAILED + 30);
  });

  it('H6: are put aside with a reason, shown, and taken in once they are right; the others arrive', async () => {
    const origin = madeUpOrigin([text('Name'), { ...text('Amount'), kind: 'String' }]);
    origin.put(idOf(1), { Name: ['fine'], Amount: ['12.50'] });
    origin.put(idOf(2), { Name: ['not a number'], Amount: ['twelve'] });
    origin.put(idOf(3), { Name: ['x'.repeat(1024 * 1024 + 1)], Amount: ['1'] });
    origin.put(idOf(4), { Name: ['fine too'], Amount: ['7'] });
    const fields = [{ kind: 'String', name: 'Name' } as const, { kind: 'Number', name: 'Amount' } as const];
    const { office, nodeID, moduleID } = await matched(origin, { dialect: 'live' }, { fields });
    expect(await office.sync.syncNow(nodeID)).toMatchObject({ created: 2, failed: 2 });
    expect([...(await office.received(moduleID)).keys()].sort()).toEqual([idOf(1), idOf(4)]);
    const failed = await office.sync.failedRows.list(nodeID);
    expect(failed.map(toldOf).map(({ recordID, reason }) => [recordID, reason])).toEqual([
      [idOf(2), expect.stringContaining('“Amount”')],
      [idOf(3), expect.stringContaining('1 MB')],
    ]);
    expect(toldOf(await office.sync.status(nodeID))).toMatchObject({
      state: 'needs-you',
      reason: expect.stringContaining('2 rows') as string,
    });

    // They are two rows however often they are tried, and trying in vain is no news.
    expect(await office.sync.syncNow(nodeID)).toMatchObject({ created: 0, failed: 2 });
    const news = await office.sync.history.list({ nodeID, limit: 100 });
    expect(news.flatMap(({ counts }) => counts ?? [])).toMatchObject([{ created: 2, failed: 2 }]);

    origin.put(idOf(2), { Name: ['a number now'], Amount: ['12'] });
    origin.put(idOf(3), { Name: ['short'], Amount: ['1'] });
    expect(await office.sync.syncNow(nodeID)).toMatchObject({ created: 2, failed: 0 });
    expect(await office.sync.failedRows.list(nodeID)).toEqual([]);
    expect(await office.received(moduleID)).toEqual(shownBy(origin));
    expect(await office.sync.status(nodeID)).toMatchObject({ state: 'up-to-date' });
  });

  it('H6: wait even when our own column is to blame, and come in when the user changes it', async () => {
    const origin = madeUpOrigin();
    origin.put(idOf(1), { Name: ['Anna'], City: ['Rome'] });
    origin.put(idOf(2), { Name: ['Bert'], City: ['Oslo'] });
    const fields = [
      { kind: 'String', name: 'Name' } as const,
      { kind: 'Select', name: 'City', options: { options: ['Rome'] } } as const,
    ];
    const { office, nodeID, moduleID } = await matched(
      origin,
      { dialect: 'shape1', footbridge: true },
      { fields },
    );
    expect(await office.sync.syncNow(nodeID)).toMatchObject({ created: 1, failed: 1 });
    const module = await office.lists.module(moduleID);
    await office.lists.updateModule(moduleID, {
      fields: module.fields.map((field) =>
        field.name === 'City' ? { ...field, options: { options: ['Rome', 'Oslo'] } } : field,
      ),
    });
    expect(await office.sync.syncNow(nodeID)).toMatchObject({ created: 1, failed: 0 });
    expect(await office.received(moduleID)).toEqual(shownBy(origin));
  });

  it('H6: fields that were not announced, rows of another list and values of the wrong type go no further', async () => {
    const set = [
      row({
        recordID: '1',
        values: [
          { name: 'Name', value: 'kept' },
          { name: 'Secret', value: 'x' },
          { name: '__proto__', value: 'y' },
        ],
      }),
      row({ recordID: '2', moduleID: '4711' }),
      row({ recordID: '3', values: [{ name: 'Name', value: { toString: 'x' } }] }),
      row({ recordID: '4', values: 'none' }),
      row({ recordID: '18446744073709551615' }),
    ];
    const { office, nodeID, moduleID } = await matched(
      madeUpOrigin(),
      { dialect: 'live' },
      {
        lies: (app) => app.get('/nodes/7/modules/:m/records/', lies.says(200, page(set))),
      },
    );
    expect(await office.sync.syncNow(nodeID)).toMatchObject({ created: 2, failed: 3 });
    expect(await office.received(moduleID)).toEqual(
      new Map([
        ['1', { Name: 'kept' }],
        ['18446744073709551615', { Name: 'x' }],
      ]),
    );
    expect((await office.sync.failedRows.list(nodeID)).map(({ recordID }) => recordID).sort()).toEqual([
      '2',
      '3',
      '4',
    ]);
  });

  it('H9: markup and formulas arrive as the text that they are', async () => {
    const origin = madeUpOrigin();
    const nasty = [
      '<script>alert(1)</script>',
      '=HYPERLINK("http://x")',
      '\u202Eevil',
      '"; DROP TABLE rows; --',
      'a\u0000b',
    ];
    nasty.forEach((value, index) => origin.put(idOf(index), { Name: [value] }));
    const { office, nodeID, moduleID } = await matched(origin);
    await office.sync.syncNow(nodeID);
    expect(await office.received(moduleID)).toEqual(shownBy(origin));
  });
});

describe('H7: what a partner answers with', () => {
  it.each<[number, string, Record<string, string>, string, RegExp]>([
    [401, '{"error":{"message":"unauthorized"}}', {}, 'error', /pair again/],
    [500, '{"error":{"message":"token is expired"}}', {}, 'error', /pair again/],
    [401, '<html><h1>401 Authorization Required</h1>', {}, 'offline', /Something else answers/],
    [403, '{"error":{"message":"not for you"}}', {}, 'error', /not for you/],
    [404, '<html>', {}, 'offline', /Something else answers/],
    [404, '{"error":{"message":"no such list"}}', {}, 'offline', /Another program answers/],
    [502, '<html><h1>502 Bad Gateway</h1>', {}, 'offline', /answers with status 502/],
    [409, '{"error":{"message":"not now"}}', {}, 'error', /not now/],
    [410, '{"error":{"message":"gone"}}', {}, 'error', /gone/],
    [429, '', { 'retry-after': '3600' }, 'offline', /wait/],
    [500, '', {}, 'offline', /answers with status 500/],
    [503, '<html>', { 'retry-after': '120' }, 'offline', /answers with status 503/],
  ])('status %i is told as what it is', async (status, body, headers, state, reason) => {
    const origin = madeUpOrigin();
    fill(origin, 0, 3);
    let lying = false;
    const { office, nodeID, moduleID } = await matched(
      origin,
      { dialect: 'live' },
      {
        random: () => 0,
        lies: (app) =>
          app.use((request, response, next) => {
            if (lying) void lies.says(status, body, headers)(request, response, next);
            else next();
          }),
      },
    );
    await office.sync.syncNow(nodeID);
    lying = true;
    const before = Date.now();
    await expect(office.sync.syncNow(nodeID)).rejects.toThrow();
    const told = toldOf(await office.sync.status(nodeID));
    expect(told.state).toBe(state);
    expect(told.reason).toMatch(reason);
    const waits = told.nextSyncAt === undefined ? undefined : Date.parse(told.nextSyncAt) - before;
    if (headers['retry-after'] !== undefined)
      expect(waits).toBeGreaterThanOrEqual(Number(headers['retry-after']) * 1000);
    else expect(waits).toBeLessThan(60_000);
    expect((await office.received(moduleID)).size).toBe(3);
  });

  it('a list that is gone does not stop the partner’s others', async () => {
    const origin = madeUpOrigin();
    fill(origin, 0, 3);
    const { office, nodeID, moduleID } = await matched(
      origin,
      { dialect: 'live' },
      {
        lies: (app) => {
          const { moduleID: id } = origin;
          const other = { moduleID: '111', name: 'Other', handle: 'Other', fields: origin.fields };
          app.get('/nodes/7/modules/exposed/', (_, response) => {
            const own = { moduleID: id, name: 'Customers', handle: 'Customers', fields: origin.fields };
            response.type('json').end(page([other, own]));
          });
          app.get(
            '/nodes/7/modules/111/records/',
            lies.says(410, '{"error":{"code":"gone","message":"withdrawn"}}'),
          );
        },
      },
    );
    await office.match(nodeID, [{ kind: 'String', name: 'Name' }], 'Customers');
    const result = await office.sync.syncNow(nodeID);
    expect(result.modules.map(({ error, created }) => [error === undefined, created])).toEqual([
      [false, 0],
      [true, 3],
    ]);
    expect((await office.received(moduleID)).size).toBe(0);
    expect(await office.sync.status(nodeID)).toMatchObject({ state: 'error' });
  });
});
