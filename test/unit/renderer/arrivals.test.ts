import { expect, it } from 'vitest';
import { groupArrivals } from '../../../renderer/places/home/arrivals.ts';
import type { Activity } from '../../../server/contract/app/overview.ts';

const none = { created: 0, updated: 0, deleted: 0, unchanged: 0, failed: 0 };

function pull(second: number, moduleID: string, counts: Partial<typeof none>): Activity {
  const at = new Date(Date.UTC(2031, 4, 6, 9, 30, second)).toISOString();
  return {
    activityID: `${moduleID}-${second}`,
    at,
    nodeID: '7',
    partner: 'Harbour Office',
    kind: 'pull',
    moduleID,
    listName: moduleID,
    outcome: 'ok',
    counts: { ...none, ...counts },
    message: '',
  };
}

it('tells rows that came for a list in many small pulls as one number', () => {
  const [group, ...more] = groupArrivals([
    pull(31, 'customers', { deleted: 15 }),
    pull(30, 'orders', { created: 2 }),
    pull(29, 'customers', { deleted: 5 }),
    { ...pull(28, 'customers', {}), outcome: 'failed', counts: undefined, message: 'It waits.' },
    pull(27, 'customers', { updated: 1, deleted: 23 }),
  ]);
  expect(more).toEqual([]);
  expect(group?.entries.map(({ listName, counts }) => [listName, counts?.deleted, counts?.updated])).toEqual([
    ['customers', 43, 1],
    ['orders', 0, 0],
    ['customers', undefined, undefined],
  ]);
});

it('keeps apart what came at other times', () => {
  expect(
    groupArrivals([pull(59, 'customers', { created: 3 }), pull(-30, 'customers', { created: 4 })]),
  ).toHaveLength(2);
});

it('says since when the rows of an entry came, the pulls that were told as one together', () => {
  const took = (second: number, milliseconds: number): Activity => ({
    ...pull(second, 'customers', { updated: 1 }),
    milliseconds,
  });
  const [group] = groupArrivals([took(50, 4000), took(30, 2000)]);
  expect(group?.entries.map(({ since, at }) => [since, at])).toEqual([
    ['2031-05-06T09:30:27.000Z', '2031-05-06T09:30:50.000Z'],
  ]);
});
