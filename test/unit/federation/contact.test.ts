import { describe, expect, it } from 'vitest';
import { createAsking } from '../../../server/federation/partners/asking.ts';
import { createContactMemory, SLACK } from '../../../server/federation/partners/contact.ts';
import { dueAt, GRACE_MS, isUnknown, type Standing } from '../../../renderer/state/standing.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';

const MINUTE = 60_000;

describe('what was heard grows old by itself', () => {
  it('after the usual interval and the time for an answer, without anybody looking', () => {
    const clock = manualClock('2026-11-20T10:42:00Z');
    let told = 0;
    const memory = createContactMemory(
      clock,
      () => MINUTE + SLACK,
      () => (told += 1),
    );
    expect(memory.contact()).toBeUndefined();
    memory.note();
    clock.advance(MINUTE);
    expect([memory.contact()?.fresh, told]).toEqual([true, 1]);
    clock.advance(SLACK + 100);
    expect([memory.contact()?.fresh, told]).toEqual([false, 2]);
    expect(memory.contact()?.at).toBe('2026-11-20T10:42:00.000Z');
    memory.note();
    expect([memory.contact()?.fresh, told]).toEqual([true, 3]);
  });

  it('while the computer slept, and however the clock on the wall is put back', () => {
    const clock = manualClock('2026-11-20T10:42:00Z');
    const memory = createContactMemory(clock, () => MINUTE);
    memory.note();
    clock.set('2026-11-20T18:00:00Z');
    expect(memory.contact()?.fresh).toBe(false);
    memory.note();
    clock.set('2026-11-20T08:00:00Z');
    expect(memory.contact()?.fresh).toBe(true);
    clock.advance(MINUTE + 1);
    expect(memory.contact()?.fresh).toBe(false);
  });

  it('of who asks: by the time for which it said it would wait, or by how often it came before', () => {
    const clock = manualClock();
    const overdue: string[] = [];
    const asking = createAsking(
      clock,
      () => MINUTE,
      (nodeID) => overdue.push(nodeID),
    );
    asking.note('waits');
    asking.waits('waits', 20_000);
    asking.note('comes');
    clock.advance(2 * MINUTE);
    asking.note('comes');
    // What else it asks in the same round says nothing of how often it comes.
    clock.advance(300);
    asking.note('comes');
    overdue.length = 0;
    expect(asking.last('waits')?.fresh).toBe(false);
    clock.advance(2.5 * MINUTE);
    expect(asking.last('comes')?.fresh).toBe(true);
    clock.advance(MINUTE);
    expect([asking.last('comes')?.fresh, overdue]).toEqual([false, ['comes']]);
  });

  it('in the window too, when the node says nothing more', () => {
    const freshUntil = '2026-11-20T10:43:10.000Z';
    const standing: Standing = { state: 'up-to-date', reason: '', also: [], awaited: false, freshUntil };
    const due = Date.parse(freshUntil);
    expect([dueAt(standing), isUnknown(standing, due)]).toEqual([due, false]);
    expect(isUnknown(standing, due + GRACE_MS + 1)).toBe(true);
    expect(isUnknown({ ...standing, state: 'error' }, due + GRACE_MS + 1)).toBe(false);
  });
});
