import { describe, expect, it } from 'vitest';
import { PAGE_BYTES } from '../../../server/federation/sharing/page-bytes.ts';
import { RowTexts, type Rendering } from '../../../server/federation/sharing/row-texts.ts';
import type { Row } from '../../../server/lists/definitions/model.ts';
import type { Rows } from '../../../server/lists/rows/rows.ts';
import type { Entry } from '../../../server/store/store.ts';
import { makeList, testLists, text, values } from '../../support/harness/lists.ts';

const each =
  (body: (row: Row) => object | undefined): Rendering['render'] =>
  (found) =>
    Promise.resolve(found.map(({ value }) => body(value)));

const byName: Rendering = { key: 'name', render: each((row) => row.values.Name) };

async function setup(
  count: number,
): Promise<{ rows: Rows; ids: string[]; shown: (ids: string[]) => Promise<string> }> {
  const office = await testLists();
  const { rows } = await makeList(office, [text('Name')]);
  const names = Array.from({ length: count }, (_, i) => values({ Name: `n${i}` }));
  const ids = (await rows.createMany(names, '1')).map(({ recordID }) => recordID);
  const texts = new RowTexts(office.clock);
  return {
    rows,
    ids,
    shown: async (wanted) => (await texts.firstRows(rows, wanted, byName)).bytes.toString(),
  };
}

describe('kept row texts', () => {
  it('give the rows as they are now, whatever was kept before', async () => {
    const { rows, ids, shown } = await setup(3);
    expect(await shown(ids)).toBe('["n0"],["n1"],["n2"]');
    expect(await shown(ids)).toBe('["n0"],["n1"],["n2"]');
    await rows.patch(ids[1] ?? '', values({ Name: 'new' }), '1');
    expect(await shown(ids)).toBe('["n0"],["new"],["n2"]');
    expect(await shown([...ids].reverse())).toBe('["n2"],["new"],["n0"]');
    expect(await shown(['77', ids[0] ?? ''])).toBe('["n0"]');
  });

  it('leave out rows that are not for who asks, also when kept, and tell which are in', async () => {
    const { rows, ids } = await setup(3);
    const texts = new RowTexts((await testLists()).clock);
    const odd: Rendering = {
      key: 'without n1',
      render: each((row) => (row.values.Name?.[0] === 'n1' ? undefined : row.values.Name)),
    };
    const [first, , third] = ids;
    for (const time of ['read', 'kept']) {
      const { bytes, recordIDs } = await texts.firstRows(rows, ids, odd);
      expect(bytes.toString(), time).toBe('["n0"],["n2"]');
      expect(recordIDs, time).toEqual([first, third]);
    }
    expect((await texts.firstRows(rows, ids.slice(1), odd)).bytes.toString()).toBe('["n2"]');
  });

  it('keep nothing but pages where these are all that is asked for again', async () => {
    const { rows, ids } = await setup(3);
    const texts = new RowTexts((await testLists()).clock);
    let rendered = 0;
    const pages: Rendering = {
      key: 'pages',
      render: each((row) => {
        rendered++;
        return row.values.Name;
      }),
    };
    const wanted = async (): Promise<Entry<Row>[]> =>
      (await rows.entries(ids)).filter((entry) => entry !== undefined);
    for (const from of [0, 0, 1]) await texts.page(rows, (await wanted()).slice(from), pages);
    expect(rendered).toBe(3 + 0 + 2);
    await rows.patch(ids[1] ?? '', values({ Name: 'new' }), '1');
    expect((await texts.page(rows, await wanted(), pages)).bytes.toString()).toBe('["n0"],["new"],["n2"]');
  });

  it('know of a page that is kept what is gone in it and whether others brought of it, and read no row for it', async () => {
    const { rows, ids } = await setup(3);
    const texts = new RowTexts((await testLists()).clock);
    const pages: Rendering = { key: 'pages', render: each((row) => [row.recordID]) };
    let read = 0;
    const page = async (of: readonly string[]): Promise<{ gone: number; ofOthers: boolean }> => {
      const wanted = (await rows.entries(of)).flatMap((entry) => (entry ? [entry] : []));
      const seen = wanted.map(({ key, bytes, value }) => ({
        key,
        bytes,
        get value() {
          read++;
          return value;
        },
      }));
      const { gone, ofOthers } = await texts.page(rows, seen, pages);
      return { gone, ofOthers };
    };
    await rows.remove(ids[1] ?? '', '1');
    const at = '2026-01-01T00:00:00.000Z';
    const came = { recordID: '77', createdAt: at, updatedAt: at, values: values({ Name: 'far' }) };
    await rows.receive({ nodeID: '5', rows: [came], mappedColumns: ['Name'] });
    const [far] = await rows.findReceived('5', ['77']);
    const all = [...ids, far?.recordID ?? ''];
    expect(await page(ids)).toEqual({ gone: 1, ofOthers: false });
    expect(await page(all)).toEqual({ gone: 1, ofOthers: true });
    expect(read).toBeGreaterThan(0);
    read = 0;
    expect(await page(ids)).toEqual({ gone: 1, ofOthers: false });
    expect(await page(all)).toEqual({ gone: 1, ofOthers: true });
    expect(read).toBe(0);
    await rows.remove(ids[0] ?? '', '1');
    expect(await page(all)).toEqual({ gone: 2, ofOthers: true });
  });

  it('never keep what changed while it was read', async () => {
    const { rows, ids, shown } = await setup(50);
    for (let i = 0; i < 30; i++) {
      const id = ids[i % 5] ?? '';
      await Promise.all([rows.patch(id, values({ Name: `v${i}` }), '1'), shown(ids), shown(ids.slice(0, 7))]);
      expect(await shown([id])).toBe(`["v${i}"]`);
    }
  });

  it('stay within their size, and still give every row', async () => {
    const office = await testLists();
    const { rows } = await makeList(office, [text('Name')]);
    const big = Array.from({ length: 60 }, (_, i) => values({ Name: String(i).padStart(900_000, 'x') }));
    const ids = (await rows.createMany(big, '1')).map(({ recordID }) => recordID);
    const texts = new RowTexts(office.clock);
    for (const id of [...ids, ...ids])
      expect((await texts.firstRows(rows, [id], byName)).bytes.length).toBe(900_004);
  });

  it('are given a page at a time where they are large, in the order of the ids and none twice', async () => {
    const office = await testLists();
    const { rows } = await makeList(office, [text('Name')]);
    const big = Array.from({ length: 30 }, (_, i) => values({ Name: String(i).padStart(900_000, 'x') }));
    const ids = (await rows.createMany(big, '1')).map(({ recordID }) => recordID);
    await rows.remove(ids[3] ?? '', '1');
    const texts = new RowTexts(office.clock);
    const named: Rendering = { key: 'id', render: each((row) => [row.recordID, row.values.Name]) };
    const pages: string[][] = [];
    for (let left = ['77', ...ids]; left.length > 0;) {
      const { bytes, recordIDs, taken } = await texts.firstRows(rows, left, named);
      expect(bytes.length).toBeLessThan(2 * PAGE_BYTES);
      expect((JSON.parse(`[${bytes.toString()}]`) as [string][]).map(([id]) => id)).toEqual(recordIDs);
      pages.push([...recordIDs]);
      left = left.slice(taken);
    }
    expect(pages.flat()).toEqual(ids);
    expect(pages.length).toBeGreaterThan(2);
  });
});
