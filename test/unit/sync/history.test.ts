import { expect, it } from 'vitest';
import { createIds } from '../../../server/base/ids.ts';
import { openHistory, type History } from '../../../server/sync/status/history.ts';
import { said } from '../../../server/words/said.ts';
import { testLists } from '../../support/harness/lists.ts';

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
  const { entries } = await kept.measureEntries();
  expect(entries).toBeGreaterThanOrEqual(10_000);
  expect(entries).toBeLessThan(10_200);
  const [latest] = await kept.list({ limit: 1 });
  expect(latest?.message).toMatchObject({ with: { count: 12_000 } });
});

it('tells what happens now as the latest, when the clock was put back over a start', async () => {
  const { store, clock } = await testLists();
  const system = await store.partition('system');
  const run = (): Promise<History> =>
    openHistory({ system, clock, ids: createIds(clock), onActivity: () => undefined });
  const entry = { nodeID: '7', partner: 'Kiel', kind: 'pull', outcome: 'ok' } as const;
  const told = async (kept: History, count: number): Promise<unknown> =>
    kept.add({ ...entry, message: said('history.new', { count }) });
  clock.advance(365 * 86_400_000);
  await told(await run(), 1);
  clock.set(clock.now() - 365 * 86_400_000);
  const kept = await run();
  await told(kept, 2);
  await told(kept, 3);
  const counts = (await kept.list({ limit: 3 })).map(({ message }) => message);
  expect(counts).toMatchObject([{ with: { count: 3 } }, { with: { count: 2 } }, { with: { count: 1 } }]);
});

it('forgets what is older, also behind what a clock wrote that stood a year ahead', async () => {
  const { store, clock } = await testLists();
  const system = await store.partition('system');
  const kept = await openHistory({ system, clock, ids: createIds(clock), onActivity: () => undefined });
  const entry = { nodeID: '7', partner: 'Kiel', kind: 'pull', outcome: 'ok' } as const;
  const add = async (count: number): Promise<void> => {
    for (let each = 0; each < count; each++)
      await kept.add({ ...entry, message: said('history.new', { count: 1 }) });
  };
  const YEAR = 365 * 86_400_000;
  clock.set(clock.now() + YEAR);
  await add(250);
  clock.set(clock.now() - YEAR);
  await add(150);
  clock.advance(1000);
  await add(30);
  expect(await kept.deleteBefore(clock.now())).toBe(150);
  expect(await kept.measureEntries()).toMatchObject({ entries: 280 });
  clock.advance(YEAR + 1000);
  expect(await kept.deleteBefore(clock.now())).toBe(280);
});

it('forgets what is older, and, and says of when the oldest is', async () => {
  const { history: kept, add } = await history();
  await add(350);
  const [, , ...rest] = await kept.list({ limit: 102 });
  const since = rest.at(-1)?.at ?? '';
  expect(await kept.deleteBefore(Date.parse(since))).toBe(248);
  expect(await kept.measureEntries()).toMatchObject({ entries: 102, since });
  expect(await kept.deleteBefore(Date.parse(since))).toBe(0);
});
