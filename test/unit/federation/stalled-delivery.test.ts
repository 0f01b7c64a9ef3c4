import { expect, it } from 'vitest';
import { createStalledDelivery } from '../../../server/federation/offers/destinations.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';

const BOUND = 70_000;

it('is so once changes have waited for longer than the bound, and not any more once some were taken in', () => {
  const clock = manualClock(Date.parse('2026-11-22T12:00:00Z'));
  const told: string[] = [];
  const untaken = createStalledDelivery(
    clock,
    () => BOUND,
    (nodeID) => told.push(nodeID),
  );
  expect(untaken.isStalled('7', 3, 'up to 40')).toBe(false);
  clock.advance(BOUND - 1000);
  // More of them does not make it younger.
  expect(untaken.isStalled('7', 5, 'up to 40')).toBe(false);
  expect(told).toEqual([]);
  clock.advance(2000);
  expect(told).toEqual(['7']);
  expect(untaken.isStalled('7', 5, 'up to 40')).toBe(true);
  expect(untaken.isStalled('8', 5, 'up to 40')).toBe(false);

  expect(untaken.isStalled('7', 2, 'up to 43')).toBe(false);
  clock.advance(BOUND + 1000);
  expect(untaken.isStalled('7', 2, 'up to 43')).toBe(true);
  expect(untaken.isStalled('7', 0, 'up to 45')).toBe(false);
  clock.advance(BOUND * 3);
  // What waits from now on is new.
  expect(untaken.isStalled('7', 1, 'up to 45')).toBe(false);
});

it('is told when it becomes so, also where the bound has grown since the changes began to wait', () => {
  const clock = manualClock(Date.parse('2026-11-22T12:00:00Z'));
  let bound = BOUND;
  const told: boolean[] = [];
  const untaken = createStalledDelivery(
    clock,
    () => bound,
    (nodeID) => told.push(untaken.isStalled(nodeID, 3, 'up to 40')),
  );
  untaken.isStalled('7', 3, 'up to 40');
  clock.advance(BOUND / 2);
  bound = BOUND * 10;
  clock.advance(BOUND * 9);
  expect(told).toEqual([]);
  clock.advance(BOUND);
  expect(told).toEqual([true]);
});
