import { expect, it } from 'vitest';
import { createIds } from '../../../server/base/ids.ts';
import { openHistory, type History } from '../../../server/sync/status/history.ts';
import { said } from '../../../server/words/said.ts';
import { testLists } from '../../support/test-lists.ts';

async function history(): Promise<{ history: History; add: (count: number) => Promise<unknown> }> {
  const { store, clock } = await testLists();
  const system = await store.partition('system');
  const made = await openHistory({ system, clock, ids: createIds(clock), onActivity: () => undefined });
  let number = 0;
  const add = (count: number): Promise<unknown> =>
    Promise.all(
      Array.from({ length: count }, () => {
        clock.advance(1000);
        const about = { nodeID: String(number % 7), partner: `Office ${number % 7}` };
        return made.add({
          ...about,
          kind: 'pull',
          outcome: 'ok',
          message: said('history.new', { count: ++number }),
        });
      }),
    );
  return { history: made, add };
}

it('keeps 10,000 entries and not many more, the latest, also where many partners have news at once', async () => {
  const { history: kept, add } = await history();
  for (let round = 0; round < 12; round++) await add(1000);
  const { entries } = await kept.held();
  expect(entries).toBeGreaterThanOrEqual(10_000);
  expect(entries).toBeLessThan(10_200);
  const [latest] = await kept.list({ limit: 1 });
  expect(latest?.message).toMatchObject({ with: { count: 12_000 } });
});

it('forgets what is older, and says of when the oldest is', async () => {
  const { history: kept, add } = await history();
  await add(350);
  const [, , ...rest] = await kept.list({ limit: 102 });
  const since = rest.at(-1)?.at ?? '';
  expect(await kept.forget(Date.parse(since))).toBe(248);
  expect(await kept.held()).toMatchObject({ entries: 102, since });
  expect(await kept.forget(Date.parse(since))).toBe(0);
});
