import { describe, expect, it } from 'vitest';
import { PAGE_BYTES, renderPage, type RenderedPage } from '../../../server/federation/sharing/page-bytes.ts';
import type { Row } from '../../../server/lists/definitions/model.ts';
import { seeded } from '../../support/data/seeded.ts';

const by = { createdAt: '', createdBy: '1', updatedAt: '', updatedBy: '1' };
const rowOf = (recordID: string, size: number, hidden: number): Row => ({
  ...{ recordID, ...by },
  values: { Name: ['ø'.repeat(size)], Notes: ['n'.repeat(hidden)] },
});

/** A page of these rows as it leaves with their names alone; rows without a name are not for who asks. */
async function pageOf(all: readonly Row[]): Promise<RenderedPage & { reads: number[] }> {
  const reads: number[] = [];
  const wanted = all.map((value) => ({
    key: value.recordID,
    bytes: Buffer.byteLength(JSON.stringify(value)),
    value,
  }));
  const page = await renderPage(wanted, (entries) => {
    const found = entries.map(({ value }) => value);
    reads.push(found.reduce((sum, row) => sum + Buffer.byteLength(JSON.stringify(row)), 0));
    return Promise.resolve(
      found.map(({ recordID, values: { Name = [] } }) => (Name[0] ? { recordID, Name } : undefined)),
    );
  });
  return { ...page, reads };
}

const KB = 1000;

describe('a page of rows that leave', () => {
  it('ends where what leaves is too much, wherever it begins, and loses no row', async () => {
    const random = seeded(611);
    const all = Array.from({ length: 60 }, (_, at) =>
      rowOf(String(at), random.happens(0.1) ? 0 : random.below(500 * KB), random.below(900 * KB)),
    );
    const seen: string[] = [];
    for (let at = 0; at < all.length;) {
      const { bytes, recordIDs, taken } = await pageOf(all.slice(at));
      expect(bytes.length).toBeLessThanOrEqual(PAGE_BYTES);
      const parsed = JSON.parse(`[${bytes.toString()}]`) as { recordID: string }[];
      expect(parsed).toHaveLength(recordIDs.length);
      seen.push(...parsed.map(({ recordID }) => recordID));
      expect(taken).toBeGreaterThan(0);
      at += taken;
    }
    expect(seen).toEqual(all.flatMap((row) => (row.values.Name?.[0] === '' ? [] : [row.recordID])));
  });

  it('ends at the same row whatever the columns hold that do not leave', async () => {
    const sizes = Array.from({ length: 40 }, (_, at) => 150 * KB + at * 7 * KB);
    const pages = await Promise.all(
      [0, 1, 300 * KB, 2000 * KB].map((hidden) =>
        pageOf(sizes.map((size, at) => rowOf(String(at), size, at % 3 === 0 ? 0 : hidden))),
      ),
    );
    const [first] = pages;
    expect(first?.taken).toBeGreaterThan(5);
    expect(first?.taken).toBeLessThan(40);
    for (const { bytes, taken } of pages) {
      expect(taken).toBe(first?.taken);
      expect(bytes.equals(first?.bytes ?? Buffer.alloc(0))).toBe(true);
    }
  });

  it('holds one row however large, and goes past those that are not for who asks', async () => {
    const large = rowOf('0', PAGE_BYTES, 0);
    expect(await pageOf([large, rowOf('1', 5, 0)])).toMatchObject({ taken: 1, recordIDs: ['0'] });
    const none = Array.from({ length: 30 }, (_, at) => rowOf(String(at), 0, 900 * KB));
    expect(await pageOf([...none, rowOf('30', 5, 0)])).toMatchObject({ taken: 31, recordIDs: ['30'] });
  });

  it('is made of no more rows at a time than memory is meant for, though little of them leaves', async () => {
    const { reads, taken } = await pageOf(
      Array.from({ length: 50 }, (_, at) => rowOf(String(at), 20, 990 * KB)),
    );
    expect(taken).toBe(50);
    expect(Math.max(...reads)).toBeLessThanOrEqual(8 * 1024 * 1024);
  });

  it('ends where it is full, however much larger rows leave than they are stored, as they name others', async () => {
    const title = 'ø'.repeat(PAGE_BYTES / 10);
    const wanted = Array.from({ length: 400 }, (_, at) => ({
      key: String(at),
      bytes: 80,
      value: rowOf(String(at), 1, 0),
    }));
    const page = await renderPage(wanted, (rows) =>
      Promise.resolve(rows.map(({ key: recordID }) => ({ recordID, title }))),
    );
    expect(page.taken).toBe(4);
    expect(page.bytes.length).toBeLessThanOrEqual(PAGE_BYTES);
    expect(JSON.parse(`[${page.bytes.toString()}]`)).toHaveLength(4);
  });
});
