import { beforeEach, describe, expect, it } from 'vitest';
import { findArrivedRows } from '../../../server/app/arrived-rows.ts';
import { rowChoices, findValuesInUse } from '../../../server/app/search-lists.ts';
import type { Row } from '../../../server/lists/definitions/model.ts';
import type { Rows } from '../../../server/lists/rows/rows.ts';
import { makeList, testLists, text } from '../../support/harness/lists.ts';

const MANY = 30;
const LETTERS = 500_000;
const PARTNER = '41';

let office: Awaited<ReturnType<typeof testLists>>;
let list: string;
let rows: Rows;
beforeEach(async () => {
  office = await testLists();
  const made = await makeList(office, [text('Name'), text('Scan')]);
  list = made.module.moduleID;
  rows = made.rows;
  const at = new Date(office.clock.now()).toISOString();
  for (let n = 0; n < MANY; n++) {
    const long = `${n} `.padEnd(LETTERS, 'abcdefghij');
    const row = {
      recordID: String(900 + n),
      createdAt: at,
      updatedAt: at,
      values: { Name: [long], Scan: [long] },
    };
    await rows.receive({ nodeID: PARTNER, rows: [row], mappedColumns: ['Name', 'Scan'], overrule: true });
  }
});

describe('rows as large as they may be', () => {
  it.each(['id', 'Name', 'updatedAt DESC'])(
    'are listed by %s a few at a time, by cursors that pass none over',
    async (sort) => {
      const seen: Row[] = [];
      let pages = 0;
      for (let cursor: string | undefined; ; pages++) {
        const page = await rows.list({ limit: 500, sort, ...(cursor === undefined ? {} : { cursor }) });
        seen.push(...page.rows);
        cursor = page.nextPage;
        if (cursor === undefined) break;
      }
      expect(new Set(seen.map(({ recordID }) => recordID)).size).toBe(MANY);
      expect(seen).toHaveLength(MANY);
      expect(pages).toBeGreaterThan(4);
    },
  );

  it('are not all in one answer of what arrived, which says that there are others', async () => {
    const when = { nodeID: PARTNER, from: 0, until: Date.parse('2200-01-01'), did: undefined, limit: 500 };
    const arrived = await findArrivedRows({ lists: office.lists }, list, when);
    expect(arrived.more).toBe(true);
    expect(arrived.rows.length).toBeGreaterThan(0);
    expect(arrived.rows.length).toBeLessThan(10);
  });

  it('are offered to choose from by the beginnings of what they hold, and long values not at all', async () => {
    expect(JSON.stringify(await rowChoices(office.lists, list, '')).length).toBeLessThan(100_000);
    expect(await findValuesInUse(rows, 'Name', 500)).toEqual([]);
  });

  it('are scanned a few at a time', async () => {
    const sizes: number[] = [];
    for await (const page of rows.scan()) sizes.push(page.length);
    expect(Math.max(...sizes)).toBeLessThan(10);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(MANY);
  });

  it('give what others call them the beginning of their names', async () => {
    const { references } = await withReferences();
    for (const { text: name } of references.values()) expect(name.length).toBeLessThanOrEqual(1000);
    expect(references.size).toBe(1);
  });

  async function withReferences(): Promise<{
    references: Awaited<ReturnType<typeof office.lists.references>>;
  }> {
    const [first] = (await rows.list({ limit: 1 })).rows;
    const other = await makeList(office, [{ kind: 'Record', name: 'Of', options: { moduleID: list } }]);
    const row = await other.rows.create({ Of: [first?.recordID ?? ''] }, '1');
    return { references: await office.lists.references(other.module.moduleID, [row]) };
  }
});
