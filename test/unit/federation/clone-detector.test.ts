import { describe, expect, it } from 'vitest';
import {
  createCloneDetector,
  type CloneDetector,
} from '../../../server/federation/partners/clone-detector.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';

const clock = manualClock();

function copies(): { readonly copies: CloneDetector; readonly told: string[] } {
  const told: string[] = [];
  return { copies: createCloneDetector(clock, (nodeID) => void told.push(nodeID)), told };
}
const calls = ({ copies }: { copies: CloneDetector }, ...runs: readonly string[]): boolean[] =>
  runs.map((run) => copies.observe('7', run));

describe('one partner on two computers', () => {
  it('is noticed when they call in turn, and told once', () => {
    const all = copies();
    expect(calls(all, 'one', 'one', 'two', 'one', 'two')).not.toContain(true);
    expect(calls(all, 'one', 'two', 'one')).toEqual([true, true, true]);
    expect(all.told).toEqual(['7']);
    expect(all.copies.isCloned('8')).toBe(false);
  });

  it('is not one that is started again, even where a last request of before comes late', () => {
    const all = copies();
    expect(calls(all, 'one', 'one', 'two', 'one', 'two', 'two', 'three', 'four', 'four')).not.toContain(true);
  });

  it('is over a while after only one of them calls', () => {
    const all = copies();
    calls(all, 'one', 'two', 'one', 'two', 'one');
    expect(all.copies.isCloned('7')).toBe(true);
    clock.advance(20 * 60_000);
    expect(calls(all, 'one', 'one')).toEqual([false, false]);
  });

  it('remembers few names of a partner that gives itself a new one with every call', () => {
    const all = copies();
    calls(all, 'first', ...Array.from({ length: 2000 }, (_, at) => `run-${at}`));
    expect(calls(all, 'first', 'run-1999', 'first')).not.toContain(true);
  });
});
