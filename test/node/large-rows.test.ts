import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import type { GridPage } from '../../server/contract/app/lists.ts';
import { pairNodes, shareAndReceive, startNode } from '../support/harness/node.ts';

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

it('of rows as large as they may be, all that are asked for by their ids come, in more than one answer', async () => {
  const [harbour, yard] = [await startNode('Harbour Office'), await startNode('Boat Yard')];
  onTestFinished(async () => {
    await Promise.all([harbour.stop(), yard.stop()]);
  });
  const pair = await pairNodes(harbour, yard);
  const list = await harbour.list('Scans', ['Number', 'Front', 'Back']);
  const ids: string[] = [];
  for (let n = 0; n < MANY; n++) {
    const values = { Number: [String(n)], Front: [long()], Back: [long()] };
    const row = await harbour.app<{ recordID: string }>('POST', `/app/lists/${list}/rows`, { values });
    ids.push(row.recordID);
  }
  const received = await shareAndReceive(
    { office: harbour, partner: pair.atInviter, list },
    ['Number', 'Front', 'Back'],
    { office: yard, partner: pair.atInvited },
  );
  const offer = `/app/partners/${pair.atInvited}/offers/${received.sharedModuleID}`;
  const again = await yard.app('POST', `${offer}/repull`, { recordIDs: ids });
  expect(again).toEqual({ created: 0, updated: 0, deleted: 0, unchanged: MANY, failed: 0 });
  const page = await yard.app<GridPage>('GET', `/app/lists/${received.list}/rows?offset=0&limit=1`);
  expect(page.total).toBe(MANY);
});
