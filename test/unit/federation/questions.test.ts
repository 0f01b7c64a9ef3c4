import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Module } from '../../../server/lists/definitions/model.ts';
import type { Rows } from '../../../server/lists/rows/rows.ts';
import { pairOffices, startHttpOffice, type HttpOffice } from '../../support/harness/served-parts.ts';

/** What a partner can find out by asking, beyond the rows that it is given. */

let a: HttpOffice;
let b: HttpOffice;
let idA: string;
let token: string;
let list: Module;
let rows: Rows;
let ids: Record<string, string>;
let moduleID: string;
let made = 0;

const TOWNS = ['Zagreb', 'Aarhus', 'Łódź', 'Porto', 'Évora'];

beforeAll(async () => {
  [a, b] = await Promise.all([startHttpOffice('Oslo'), startHttpOffice('Bergen')]);
  const pair = await pairOffices(a, b);
  idA = pair.idA;
  token = await b.federation.tokens.tokenFor(pair.idB);
});
afterAll(() => Promise.all([a.close(), b.close()]));

/** A list of towns of which one was deleted long ago and one is deleted after the list is shared. */
beforeEach(async () => {
  const fields = [
    { kind: 'String' as const, name: 'Town' },
    { kind: 'Number' as const, name: 'Size' },
    { kind: 'String' as const, name: 'Secret' },
  ];
  list = await a.list(
    `Towns ${++made}`,
    fields,
    TOWNS.map((Town, n) => ({ Town: [Town], Size: [String(n * 17)], Secret: [`hidden-${Town}`] })),
  );
  rows = await a.lists.rows(list.moduleID);
  const all = (await rows.list({ limit: 10 })).rows;
  ids = Object.fromEntries(all.map((row) => [row.values.Town?.[0] ?? '', row.recordID]));
  await rows.remove(ids.Aarhus ?? '', '1');
  // Times have milliseconds, and what happens within the same one happens at once.
  await new Promise((done) => setTimeout(done, 5));
  moduleID = await expose();
  await new Promise((done) => setTimeout(done, 5));
  await rows.remove(ids.Porto ?? '', '1');
});

async function expose(): Promise<string> {
  const fields = [{ name: 'Town' }, { name: 'Size' }];
  const input = { composeModuleID: list.moduleID, fields, shape: 1 as const };
  return (await a.federation.exposures.expose(idA, input, '1')).moduleID;
}

const page = z.object({
  response: z.object({
    filter: z.object({ count: z.number() }).partial().optional(),
    set: z.array(z.object({ recordID: z.string(), deletedAt: z.string().optional() })).nullable(),
  }),
});

async function ask(path: string): Promise<{ recordIDs: string[]; count: number | undefined; text: string }> {
  const answer = await a.call('GET', path, { token });
  expect(answer.status, answer.text).toBe(200);
  const { filter, set } = page.parse(answer.body).response;
  return { recordIDs: (set ?? []).map(({ recordID }) => recordID), count: filter?.count, text: answer.text };
}

const isWords = (query: string): boolean => /^[^=<>()]*$/.test(query) && !query.includes('LIKE');

/** The same question in every dialect that has questions; deleted rows included. Live requests have no words. */
const everywhere = (query: string, sort = ''): Record<string, string> => {
  const asked = new URLSearchParams({ ...(query ? { query } : {}), ...(sort ? { sort } : {}) }).toString();
  return {
    'shape 1': `/federation/nodes/${idA}/modules/${moduleID}/records?lastSync=0&${asked}`,
    'shape 2': `/federation/exposed/records/${moduleID}?after=0&${asked}`,
    ...(query === '' || !isWords(query)
      ? { live: `/federation/nodes/${idA}/modules/${moduleID}/records/?${asked}` }
      : {}),
  };
};

describe('rows that are deleted', () => {
  it('are not told of when they were gone before the list was shared, in any dialect', async () => {
    const changes = `/federation/footbridge/modules/${moduleID}/changes?after=0&limit=100`;
    for (const [dialect, path] of Object.entries({ ...everywhere(''), changes })) {
      const { recordIDs } = await ask(path);
      expect(recordIDs, dialect).toContain(ids.Porto);
      expect(recordIDs, dialect).not.toContain(ids.Aarhus);
      expect(recordIDs, dialect).toHaveLength(4);
    }
    const named = await a.call('POST', `/federation/footbridge/modules/${moduleID}/rows`, {
      token,
      body: { recordIDs: Object.values(ids) },
    });
    expect(named.text).not.toContain(ids.Aarhus);
    expect(named.text).toContain(ids.Porto);
  });

  it('answer no question about what they held', async () => {
    const questions = [
      "Town LIKE 'P%'",
      "Town LIKE 'A%'",
      'Size = 51',
      'porto',
      'aarhus',
      'Size > 16 AND Size < 18',
    ];
    for (const query of questions) {
      for (const [dialect, path] of Object.entries(everywhere(query)))
        expect((await ask(path)).recordIDs, `${dialect}: ${query}`).toEqual([]);
    }
  });

  it('come last in every order, in live requests first as in Corteza, whatever they held', async () => {
    for (const [dialect, path] of Object.entries(everywhere('', 'Town'))) {
      const { recordIDs } = await ask(path);
      // In Corteza's order rows without a value come first.
      const shown = [ids.Évora, ids.Łódź, ids.Zagreb];
      expect(recordIDs, dialect).toEqual(dialect === 'live' ? [ids.Porto, ...shown] : [...shown, ids.Porto]);
    }
  });

  it('are told of when they went while the list was not shared, but not when they also came then', async () => {
    await a.federation.exposures.remove(idA, moduleID, '1');
    await new Promise((done) => setTimeout(done, 5));
    const short = await rows.create({ Town: ['Short'] }, '1');
    await rows.removeMany([short.recordID, ids.Zagreb ?? ''], '1');
    await new Promise((done) => setTimeout(done, 5));
    expect(await expose()).toBe(moduleID);
    for (const [dialect, path] of Object.entries(everywhere(''))) {
      const { recordIDs } = await ask(path);
      expect(recordIDs, dialect).toContain(ids.Zagreb);
      expect(recordIDs, dialect).not.toContain(short.recordID);
      expect(recordIDs, dialect).not.toContain(ids.Aarhus);
    }
  });
});

describe('a question', () => {
  it('is in the ledger with its words before it is answered, also where no row comes back', async () => {
    for (const [dialect, path] of Object.entries(everywhere("Town LIKE 'q%'"))) {
      a.served.length = 0;
      expect((await ask(path)).recordIDs).toEqual([]);
      expect(a.served, dialect).toMatchObject([
        { query: "Town LIKE 'q%'", recordIDs: [], fields: ['Town', 'Size'] },
      ]);
    }
    a.served.length = 0;
    await ask(`/federation/exposed/records/${moduleID}?page=99999&query=zagreb`);
    await ask(`/federation/exposed/records/${moduleID}?page=99999&sort=Size`);
    await ask(`/federation/exposed/records/${moduleID}?page=99999`);
    expect(a.served.filter(({ query, sort }) => query !== undefined || sort !== undefined)).toMatchObject([
      { query: 'zagreb', recordIDs: [] },
      { sort: 'Size ASC', recordIDs: [] },
    ]);
  });

  it('gets no total: the count is of the rows on the page, without one of all', async () => {
    const path = `/federation/exposed/records/${moduleID}?perPage=2`;
    expect((await ask(path)).count).toBe(3);
    expect((await ask(`${path}&query=Size+%3E+-1`)).count).toBe(2);
    expect((await ask(`${path}&page=2&query=Size+%3E+-1`)).count).toBe(1);
    expect((await ask(`${path}&page=9&query=Size+%3E+-1`)).count).toBe(0);
  });

  it.each(["Secret LIKE 'hidden%'", 'Secret IS NULL', "NOT (Secret = 'x')"])(
    'about a column that is not shared is refused as one about a column that is not there: %s',
    async (query) => {
      const told = async (text: string): Promise<string> => {
        const path = `/federation/exposed/records/${moduleID}?query=${encodeURIComponent(text)}`;
        const answer = await a.call('GET', path, { token });
        expect(answer.status).toBe(400);
        return answer.text.replaceAll('Nowhere', 'Secret');
      };
      expect(await told(query)).toBe(await told(query.replace('Secret', 'Nowhere')));
    },
  );
});

describe('a question about references', () => {
  it('is answered by the texts that leave, never by ids or by rows in the bin', async () => {
    const people = await a.list(
      `People ${made}`,
      [
        { kind: 'String', name: 'Name' },
        { kind: 'Record', name: 'From', options: { moduleID: list.moduleID } },
      ],
      [
        { Name: ['Ana'], From: [ids.Zagreb ?? ''] },
        { Name: ['Ola'], From: [ids.Łódź ?? ''] },
        { Name: ['Rui'], From: [ids.Porto ?? ''] },
        { Name: ['Eva'], From: [ids.Évora ?? ''] },
      ],
    );
    const fields = [{ name: 'Name' }, { name: 'From' }];
    const input = { composeModuleID: people.moduleID, fields, shape: 1 as const };
    ({ moduleID } = await a.federation.exposures.expose(idA, input, '1'));
    const names = async (query: string, sort = ''): Promise<string[][]> =>
      Promise.all(
        Object.values(everywhere(query, sort)).map(async (path) =>
          [...(await ask(path)).text.matchAll(/"Name","value":"([^"]*)"/g)].map(([, name = '']) => name),
        ),
      );
    const each = (answer: string[], dialects = 3): string[][] => Array<string[]>(dialects).fill(answer);
    expect(await names("From = 'Zagreb'")).toEqual(each(['Ana']));
    expect(await names('évora')).toEqual(each(['Eva'], 2));
    expect(await names('', 'From DESC')).toEqual(each(['Ana', 'Ola', 'Eva', 'Rui']));
    for (const id of Object.values(ids)) {
      expect(await names(`From LIKE '${id.slice(0, 9)}%'`)).toEqual(each([]));
      expect(await names(`From = '${id}'`)).toEqual(each([]));
      expect(await names(id)).toEqual(each([], 2));
    }
    expect(await names("From = 'Porto'")).toEqual(each([]));
    await rows.restore(ids.Porto ?? '', '1');
    expect(await names("From = 'Porto'")).toEqual(each(['Rui']));
    await rows.patch(ids.Zagreb ?? '', { Town: ['Agram'] }, '1');
    expect(await names('', 'From')).toEqual(each(['Ana', 'Eva', 'Ola', 'Rui']));
    expect(await names("From = 'Zagreb'")).toEqual(each([]));
    const staff = await a.lists.rows(people.moduleID);
    const ana = (await staff.list({ limit: 10 })).rows.find(({ values }) => values.Name?.[0] === 'Ana');
    await staff.remove(ana?.recordID ?? '', '1');
    for (const query of ["From = 'Agram'", "Name = 'Ana' OR From = 'Agram'", 'agram'])
      for (const path of Object.values(everywhere(query))) expect((await ask(path)).recordIDs).toEqual([]);
    for (const path of Object.values(everywhere('', 'From')))
      expect((await ask(path)).recordIDs.at(path.includes('/records/?') ? 0 : -1)).toBe(ana?.recordID);
  });
});
