import { expect, it } from 'vitest';
import type { Row } from '../../../server/lists/definitions/model.ts';
import { parseSort } from '../../../server/lists/query/sort.ts';
import type { RowReader } from '../../../server/lists/rows/row-reader.ts';
import { createViews } from '../../../server/lists/rows/row-views.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';

it('views of lists with few rows are made once, however many tabs count them, and not without end', async () => {
  let reads = 0;
  const source: RowReader = {
    name: 'list',
    lastSeq: () => Promise.resolve(1),
    changed: () => Promise.resolve([]),
    async *all(): AsyncGenerator<readonly Row[]> {
      reads++;
      yield await Promise.resolve([]);
    },
  };
  const views = createViews(manualClock());
  const look = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at++)
      await views.view(source, { key: String(at), order: parseSort('', []), fits: () => true });
  };
  await look(20);
  await look(20);
  expect(reads).toBe(20);
  await look(100);
  expect(reads).toBe(100);
  await look(20);
  expect(reads).toBe(120);
});

it('a view that takes longer to make than views are kept is made once, whoever asks for it meanwhile', async () => {
  let reads = 0;
  let go = (): void => undefined;
  const waiting = new Promise<void>((resolve) => (go = resolve));
  const source: RowReader = {
    name: 'list',
    lastSeq: () => Promise.resolve(1),
    changed: () => Promise.resolve([]),
    async *all(): AsyncGenerator<readonly Row[]> {
      reads++;
      await waiting;
      yield [];
    },
  };
  const clock = manualClock();
  const views = createViews(clock);
  const look = (): Promise<unknown> =>
    views.view(source, { key: 'by name', order: parseSort('', []), fits: () => true });
  const first = look();
  clock.advance(11 * 60_000);
  const second = look();
  go();
  await Promise.all([first, second]);
  expect(reads).toBe(1);
  clock.advance(11 * 60_000);
  await look();
  expect(reads).toBe(2);
});
