import { describe, expect, it } from 'vitest';
import type { Ledger, LedgerLine } from '../../../server/federation/sharing/ledger.ts';
import { servedEntries } from '../../../server/app/sharing-log.ts';
import { english } from '../../../server/words/said.ts';

const line = (time: string, recordIDs: readonly string[], more: Partial<LedgerLine> = {}): LedgerLine => ({
  at: `2026-11-20T${time}Z`,
  nodeID: '7',
  moduleID: '40',
  listName: 'customers',
  fields: ['Name'],
  recordIDs,
  address: '10.0.0.7',
  ...more,
});

type LedgerPage = Awaited<ReturnType<Ledger['page']>>;
const pageOf =
  (lines: readonly LedgerLine[]) =>
  (_nodeID: string, { page, perPage }: { page: number; perPage: number }): Promise<LedgerPage> =>
    Promise.resolve({ total: lines.length, lines: lines.slice((page - 1) * perPage, page * perPage) });

async function told(lines: readonly LedgerLine[]): Promise<string[]> {
  const entries = await servedEntries({ page: pageOf(lines) }, { nodeID: '7', name: 'Berlin' });
  expect(new Set(entries.map(({ activityID }) => activityID)).size).toBe(entries.length);
  return entries.map(({ at, listName, message }) => `${at.slice(11, 19)} ${listName}: ${english(message)}`);
}

describe('what a partner fetched', () => {
  it('is told once for all pages of a fetch, each row counted once', async () => {
    const lines = [
      line('12:00:40', ['5', '4']),
      line('12:00:20', ['3', '2'], { moduleID: '41', listName: 'orders' }),
      line('12:00:10', ['3', '4']),
      line('11:00:00', ['1']),
    ];
    expect(await told(lines)).toEqual([
      '12:00:40 customers: 3 rows sent',
      '12:00:20 orders: 2 rows sent',
      '11:00:00 customers: 1 row sent',
    ]);
  });

  it('is told with all of its rows, however many pages it had, and so is what went before', async () => {
    const ids = (page: number): string[] => Array.from({ length: 200 }, (_, at) => String(page * 200 + at));
    const large = Array.from({ length: 650 }, (_, page) =>
      line(`12:00:${String(59 - Math.floor(page / 20)).padStart(2, '0')}`, ids(page)),
    );
    expect(await told([...large, line('11:00:00', ['1', '2']), line('10:00:00', ['3'])])).toEqual([
      '12:00:59 customers: 130,000 rows sent',
      '11:00:00 customers: 2 rows sent',
      '10:00:00 customers: 1 row sent',
    ]);
  });

  it('is told behind lines that are missing, too', async () => {
    const lines = [...Array.from({ length: 600 }, () => line('12:00:00', ['1'])), line('11:00:00', ['2'])];
    const page = async (_: string, options: { page: number; perPage: number }): Promise<LedgerPage> => {
      const { lines: found, total } = await pageOf(lines)(_, options);
      return { total, lines: options.page === 1 ? found.slice(1) : found };
    };
    const entries = await servedEntries({ page }, { nodeID: '7', name: 'Berlin' });
    expect(entries.map(({ at }) => at.slice(11, 19))).toEqual(['12:00:00', '11:00:00']);
  });

  it('tells comparing by fingerprints from rows that left', async () => {
    const lines = [line('12:00:40', ['1', '2'], { digests: true }), line('12:00:39', ['1'])];
    expect(await told(lines)).toEqual([
      '12:00:40 customers: 2 rows compared by their fingerprints',
      '12:00:39 customers: 1 row sent',
    ]);
  });
});
