import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import type { GridPage } from '../../server/contract/app/lists.ts';
import { startNode } from '../support/node-office.ts';

const MANY = 14;

/** As long as two of them go into one request; no two parts are alike. */
const long = (): string => randomBytes(330_000).toString('base64');

it('rows as large as they may be are given a few at a time, in their order, until all are there', async () => {
  const harbour = await startNode('Harbour Office');
  onTestFinished(() => harbour.stop());
  const list = await harbour.list('Scans', ['Number', 'Front', 'Back']);
  for (let n = 0; n < MANY; n++) {
    const values = { Number: [String(n)], Front: [long()], Back: [long()] };
    await harbour.app('POST', `/app/lists/${list}/rows`, { values });
  }
  const page = (offset: number): Promise<GridPage> =>
    harbour.app('GET', `/app/lists/${list}/rows?offset=${offset}&limit=100`);
  const numbers: string[] = [];
  let most = 0;
  for (let next = await page(0); next.rows.length > 0; next = await page(numbers.length)) {
    expect(next.total).toBe(MANY);
    most = Math.max(most, next.rows.length);
    numbers.push(...next.rows.map(({ values }) => values.Number?.[0] ?? ''));
  }
  expect(numbers).toEqual(Array.from({ length: MANY }, (_, n) => String(n)));
  // Some twelve megabytes, and not all of them in one answer.
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThan(MANY);
});
