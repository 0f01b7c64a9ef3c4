import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../../server/lists/definitions/model.ts';
import type { Rows } from '../../../server/lists/rows/rows.ts';
import type { ListOptions } from '../../../server/lists/rows/row-list.ts';
import { incoming, makeList, testLists, text, values } from '../../support/harness/lists.ts';

const names = (rows: readonly Row[]): string[] => rows.map((row) => row.values.Name?.[0] ?? '');

async function listOf(...texts: string[]): Promise<Rows> {
  const { rows } = await makeList(await testLists());
  await rows.createMany(
    texts.map((name) => values({ Name: name })),
    '7',
  );
  return rows;
}

/** Follows the cursor to the end. */
async function all(rows: Rows, options: Omit<ListOptions, 'cursor'>): Promise<Row[]> {
  const found: Row[] = [];
  let cursor: string | undefined;
  do {
    const page = await rows.list({ ...options, ...(cursor === undefined ? {} : { cursor }) });
    expect(page.rows.length).toBeLessThanOrEqual(options.limit);
    found.push(...page.rows);
    cursor = page.nextPage;
  } while (cursor !== undefined);
  return found;
}

describe('listing rows', () => {
  it('pages by id with a cursor, each row once, also while rows come and go', async () => {
    const rows = await listOf('a', 'b', 'c', 'd', 'e');
    const first = await rows.list({ limit: 2 });
    expect(names(first.rows)).toEqual(['a', 'b']);
    await rows.remove(first.rows[0]?.recordID ?? '', '7');
    await rows.create(values({ Name: 'f' }), '7');
    const second = await rows.list({ limit: 10, cursor: first.nextPage ?? '' });
    expect(names(second.rows)).toEqual(['c', 'd', 'e', 'f']);
    expect(second.nextPage).toBeUndefined();
  });

  it('lists pinned rows last that a filter or a search leaves out, each once, and none that is in the bin', async () => {
    const rows = await listOf('Riga Freight', 'Harbour Café', 'Riga Timber', 'Leeds Trading', 'Cork Mill');
    const ids = (await rows.list({ limit: 9 })).rows.map(({ recordID }) => recordID);
    const pinned = [ids[2] ?? '', ids[3] ?? '', ids[4] ?? ''];
    await rows.remove(ids[4] ?? '', '7');
    for (const asked of [
      { query: "Name LIKE 'Riga%'" },
      { search: 'riga' },
      { search: 'riga', sort: 'Name DESC' },
    ]) {
      const page = await rows.list({ limit: 9, offset: 0, ...asked, pinned });
      expect(names(page.rows).slice(0, 2).sort()).toEqual(['Riga Freight', 'Riga Timber']);
      expect(names(page.rows).slice(2)).toEqual(['Leeds Trading']);
      expect(page.total).toBe(3);
      expect(names((await rows.list({ limit: 1, offset: 1, ...asked, pinned })).rows)).toHaveLength(1);
      expect(names((await rows.list({ limit: 1, offset: 2, ...asked, pinned })).rows)).toEqual([
        'Leeds Trading',
      ]);
      expect((await rows.list({ limit: 9, offset: 3, ...asked, pinned })).rows).toEqual([]);
    }
  });

  it('lists pinned rows behind all others of a sorted list, on each page as if they were nowhere else', async () => {
    const rows = await listOf('Leeds Trading', 'Autohaus Krüger', 'Zorn', 'Bäckerei Öztürk', 'Cork Mill');
    const ids = (await rows.list({ limit: 9 })).rows.map(({ recordID }) => recordID);
    // Krüger and Öztürk, in the order in which they were added.
    const pinned = [ids[3] ?? '', ids[1] ?? ''];
    const wanted = ['Cork Mill', 'Leeds Trading', 'Zorn', 'Bäckerei Öztürk', 'Autohaus Krüger'];
    for (const limit of [1, 2, 3, 4, 9]) {
      const found: string[] = [];
      for (let offset = 0; offset < 5; offset += limit) {
        const page = await rows.list({ limit, offset, sort: 'Name', pinned });
        expect(page.total).toBe(5);
        found.push(...names(page.rows));
      }
      expect(found).toEqual(wanted);
    }
    const backwards = await rows.list({ limit: 9, offset: 0, sort: 'Name DESC', search: 'r', pinned });
    expect(names(backwards.rows)).toEqual([
      'Zorn',
      'Leeds Trading',
      'Cork Mill',
      'Bäckerei Öztürk',
      'Autohaus Krüger',
    ]);
  });

  it('gives no next page when the last one is just full', async () => {
    const rows = await listOf('a', 'b');
    expect((await rows.list({ limit: 2 })).nextPage).toBeUndefined();
    expect((await rows.list({ limit: 2, sort: 'Name' })).nextPage).toBeUndefined();
  });

  it('sorts as the dictionaries of a language do: strokes aside, accents last, and in Spanish ñ as a letter', async () => {
    const rows = await listOf(
      'Zorn',
      'Łódź',
      'Nuñez',
      'Müller 2',
      'Nunzio',
      'Lodz',
      'Müller',
      'Muller',
      'Ærø',
      'Aero',
    );
    const inOrder = async (language: 'de' | 'es'): Promise<string[]> =>
      names(await all(rows, { limit: 3, sort: 'Name', language }));
    const german = ['Aero', 'Ærø', 'Lodz', 'Łódź', 'Muller', 'Müller', 'Müller 2', 'Nuñez', 'Nunzio', 'Zorn'];
    expect(await inOrder('de')).toEqual(german);
    expect(await inOrder('es')).toEqual([...german.slice(0, 7), 'Nunzio', 'Nuñez', 'Zorn']);
  });

  it('sorts text as people do, numbers by size, and rows without a value last', async () => {
    const { rows } = await makeList(await testLists(), [text('Name'), { kind: 'Number', name: 'Amount' }]);
    for (const [name, amount] of [
      ['Item 10', '9'],
      ['item 2', '-1.5'],
      ['Äpfel', ''],
      ['', '10'],
      ['zebra', '9.01'],
    ] as const) {
      await rows.create(values({ Name: name, Amount: amount }), '7');
    }
    const sorted = async (sort: string): Promise<string[]> =>
      names((await rows.list({ limit: 10, sort })).rows);
    expect(await sorted('Name')).toEqual(['Äpfel', 'item 2', 'Item 10', 'zebra', '']);
    expect(await sorted('Name DESC')).toEqual(['zebra', 'Item 10', 'item 2', 'Äpfel', '']);
    expect(await sorted('Amount ASC')).toEqual(['item 2', 'Item 10', 'zebra', '', 'Äpfel']);
    expect(await sorted('id DESC')).toEqual(['zebra', '', 'Äpfel', 'item 2', 'Item 10']);
  });

  it('follows a sorted cursor over equal values without loss or doubles', async () => {
    const rows = await listOf('b', 'a', 'b', 'a', 'b', 'c', 'a');
    expect(names(await all(rows, { limit: 2, sort: 'Name DESC' }))).toEqual([
      'c',
      'b',
      'b',
      'b',
      'a',
      'a',
      'a',
    ]);
  });

  it('finds by query, with the total', async () => {
    const rows = await listOf('Ada', 'Bo', 'Adam');
    const page = await rows.list({ limit: 1, query: "Name LIKE 'ada%'", incTotal: true });
    expect(page.total).toBe(2);
    expect(names(await all(rows, { limit: 1, query: 'ada' }))).toEqual(['Ada', 'Adam']);
  });

  it('shows the bin when asked', async () => {
    const rows = await listOf('a', 'b');
    const [a] = (await rows.list({ limit: 1 })).rows;
    await rows.remove(a?.recordID ?? '', '7');
    const listed = async (deleted: 0 | 1 | 2): Promise<unknown> => {
      const page = await rows.list({ limit: 10, deleted, incTotal: true });
      const byPosition = await rows.list({ limit: 10, deleted, offset: 0 });
      expect(names(byPosition.rows)).toEqual(names(page.rows));
      expect(byPosition.total).toBe(page.total);
      return [names(page.rows), page.total];
    };
    expect(await listed(0)).toEqual([['b'], 1]);
    expect(await listed(1)).toEqual([['a', 'b'], 2]);
    expect(await listed(2)).toEqual([['a'], 1]);
  });

  it.each([
    [{ limit: 0 }],
    [{ limit: 1001 }],
    [{ limit: 1.5 }],
    [{ limit: 10, offset: -1 }],
    [{ limit: 10, offset: 0, cursor: 'x' }],
    [{ limit: 10, cursor: 'x' }],
    [{ limit: 10, cursor: Buffer.from('["id ASC","1",[]]x').toString('base64url') }],
    [{ limit: 10, sort: 'Nope' }],
    [{ limit: 10, sort: 'Name sideways' }],
    [{ limit: 10, sort: 'Name,,City' }],
    [{ limit: 10, query: "Nope = 'x'" }],
  ])('refuses %j as malformed', async (options) => {
    const rows = await listOf('a');
    await expect(rows.list(options)).rejects.toMatchObject({ kind: 'malformed' });
  });

  it('refuses a cursor with another sort than it was made for', async () => {
    const rows = await listOf('a', 'b');
    const { nextPage = '' } = await rows.list({ limit: 1, sort: 'Name' });
    await expect(rows.list({ limit: 1, sort: 'City', cursor: nextPage })).rejects.toMatchObject({
      kind: 'malformed',
    });
    expect(names((await rows.list({ limit: 1, cursor: nextPage })).rows)).toEqual(['b']);
  });

  it('a view that is kept up to date equals one that is made anew, whatever happens in between', async () => {
    const setup = await testLists();
    const action = fc.oneof(
      fc.record({ do: fc.constant('add' as const), name: fc.constantFrom('a', 'B', 'c1', 'c10', 'ä') }),
      fc.record({ do: fc.constantFrom('edit', 'remove', 'restore', 'receive'), at: fc.nat(20) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 12 }), fc.nat(), async (actions, salt) => {
        const { rows } = await makeList(setup, undefined, `List ${salt}`);
        const ids: string[] = [];
        for (const [step, next] of actions.entries()) {
          const id = 'at' in next ? ids[next.at % Math.max(1, ids.length)] : undefined;
          if ('name' in next) ids.push((await rows.create(values({ Name: next.name }), '7')).recordID);
          else if (next.do === 'receive') {
            const row = incoming(String(next.at), step, { Name: `c${next.at}` });
            await rows.receive({ nodeID: '900', rows: [row], mappedColumns: ['Name'] });
          } else if (id === undefined) continue;
          else if (next.do === 'remove') await rows.remove(id, '7');
          else if (next.do === 'restore') await rows.restore(id, '7');
          else await rows.patch(id, values({ Name: `b${step}` }), '7').catch(() => undefined);
          const kept = await rows.list({
            limit: 100,
            offset: 0,
            sort: 'Name DESC',
            query: "Name LIKE '%c%' OR id > 0",
          });
          const fresh: Row[] = [];
          for await (const page of rows.scan()) fresh.push(...page);
          expect(new Set(kept.rows.map((row) => row.recordID))).toEqual(
            new Set(fresh.map((row) => row.recordID)),
          );
          const bySort = await rows.list({
            limit: 100,
            offset: 0,
            sort: 'Name DESC',
            query: `id != ${step}`,
          });
          expect(kept.rows.map((row) => row.recordID)).toEqual(bySort.rows.map((row) => row.recordID));
          expect((await rows.counts()).total).toBe(fresh.length);
        }
      }),
      { numRuns: 15 },
    );
  });

  it('changes come in the order of their writing, and stamps never go back with the clock', async () => {
    const setup = await testLists();
    const { rows } = await makeList(setup);
    const a = await rows.create(values({ Name: 'a' }), '7');
    setup.clock.set('2020-01-01T00:00:00Z');
    const b = await rows.create(values({ Name: 'b' }), '7');
    expect(b.updatedAt >= a.updatedAt).toBe(true);
    const again = await (await setup.reopen()).lists.rows(rows.moduleID);
    const c = await again.create(values({ Name: 'c' }), '7');
    expect(c.updatedAt >= a.updatedAt).toBe(true);
    // A stale change is known by its time, also while that does not go on.
    expect(new Set([a, b, c].map(({ updatedAt }) => updatedAt)).size).toBe(3);
    const edited = await again.patch(c.recordID, values({ City: 'Oslo' }), '7', { updatedAt: c.updatedAt });
    expect(edited.updatedAt > edited.createdAt).toBe(true);
    await expect(
      again.patch(c.recordID, values({ City: 'Rome' }), '7', { updatedAt: c.updatedAt }),
    ).rejects.toMatchObject({
      code: 'data.stale',
    });
    const since = await again.changesSince({ sinceTime: Date.parse(a.updatedAt) }, 10);
    expect(names(since.map(({ value }) => value))).toEqual(['a', 'b', 'c']);
    expect(
      names((await again.changesSince({ afterSeq: since[1]?.seq ?? 0 }, 10)).map((e) => e.value)),
    ).toEqual(['c']);
  });
});

describe('a page by its place, in the order in which rows were made', () => {
  it('is the same near and far, with rows in the bin, emptied from it, and without any', async () => {
    const { rows } = await makeList(await testLists());
    const made: string[] = [];
    for (let at = 0; at < 5; at++) {
      const batch = Array.from({ length: 900 }, (_, n) => values({ Name: `Fjellheim ${at * 900 + n}` }));
      made.push(...(await rows.createMany(batch, '0')).map(({ recordID }) => recordID));
    }
    const at = async (offset: number, deleted: 0 | 2 = 0): Promise<string[]> => {
      const page = await rows.list({ offset, limit: 7, deleted });
      expect(page.total).toBe(deleted === 0 ? left.length : gone.length);
      return page.rows.map(({ recordID }) => recordID);
    };
    let left: readonly string[] = made;
    let gone: readonly string[] = [];
    const same = async (): Promise<void> => {
      for (const offset of [0, 3, 1995, 2600, 4400, left.length - 3, left.length, left.length + 40])
        expect(await at(offset), String(offset)).toEqual(left.slice(offset, offset + 7));
      for (const offset of [0, 2, gone.length])
        expect(await at(offset, 2)).toEqual(gone.slice(offset, offset + 7));
    };
    await same();
    gone = made.filter((_, place) => place % 300 === 5);
    left = made.filter((recordID) => !gone.includes(recordID));
    await rows.removeMany([...gone], '0');
    await same();
    await rows.restoreMany([...gone], '0');
    [left, gone] = [made, []];
    await same();
  });
});
