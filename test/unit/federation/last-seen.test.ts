import { describe, expect, it } from 'vitest';
import { createIncomingRequests } from '../../../server/federation/partners/incoming-requests.ts';
import { createLastSeen, GRACE_MS as ANSWER_MS } from '../../../server/federation/partners/last-seen.ts';
import { dueAt, GRACE_MS, isUnknown, type Status } from '../../../renderer/state/status.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';

const MINUTE = 60_000;

describe('what was heard grows old by itself', () => {
  it('after the usual interval and the time for an answer, without anybody looking', () => {
    const clock = manualClock('2026-11-20T10:42:00Z');
    let told = 0;
    const memory = createLastSeen(
      clock,
      () => MINUTE + ANSWER_MS,
      () => (told += 1),
    );
    expect(memory.lastContact()).toBeUndefined();
    memory.record();
    clock.advance(MINUTE);
    expect([memory.lastContact()?.fresh, told]).toEqual([true, 1]);
    clock.advance(ANSWER_MS + 100);
    expect([memory.lastContact()?.fresh, told]).toEqual([false, 2]);
    expect(memory.lastContact()?.at).toBe('2026-11-20T10:42:00.000Z');
    memory.record();
    expect([memory.lastContact()?.fresh, told]).toEqual([true, 3]);
  });

  it('while the computer slept, and however the clock on the wall is put back', () => {
    const clock = manualClock('2026-11-20T10:42:00Z');
    const memory = createLastSeen(clock, () => MINUTE);
    memory.record();
    clock.set('2026-11-20T18:00:00Z');
    expect(memory.lastContact()?.fresh).toBe(false);
    memory.record();
    clock.set('2026-11-20T08:00:00Z');
    expect(memory.lastContact()?.fresh).toBe(true);
    clock.advance(MINUTE + 1);
    expect(memory.lastContact()?.fresh).toBe(false);
  });

  it('of who asks: by the time for which it said it would wait, or by how often it came before', () => {
    const clock = manualClock();
    const overdue: string[] = [];
    const asking = createIncomingRequests(
      clock,
      () => MINUTE,
      (nodeID) => overdue.push(nodeID),
    );
    asking.record('waits');
    asking.recordLongPoll('waits', 20_000);
    asking.record('comes');
    clock.advance(2 * MINUTE);
    asking.record('comes');
    // What else it asks in the same round says nothing of how often it comes.
    clock.advance(300);
    asking.record('comes');
    overdue.length = 0;
    expect(asking.lastRequest('waits')?.fresh).toBe(false);
    clock.advance(2.5 * MINUTE);
    expect(asking.lastRequest('comes')?.fresh).toBe(true);
    clock.advance(MINUTE);
    expect([asking.lastRequest('comes')?.fresh, overdue]).toEqual([false, ['comes']]);
  });

  it('in the window too, when the node says nothing more', () => {
    const freshUntil = '2026-11-20T10:43:10.000Z';
    const standing: Status = { state: 'up-to-date', reason: '', also: [], awaited: false, freshUntil };
    const due = Date.parse(freshUntil);
    expect([dueAt(standing), isUnknown(standing, due)]).toEqual([due, false]);
    expect(isUnknown(standing, due + GRACE_MS + 1)).toBe(true);
    expect(isUnknown({ ...standing, state: 'error' }, due + GRACE_MS + 1)).toBe(false);
  });
});
