import { beforeEach, describe, expect, it } from 'vitest';
import { createSlowReaders, type SlowReaders } from '../../../server/federation/sharing/slow-readers.ts';
import { manualClock, type ManualClock } from '../../support/harness/manual-clock.ts';

let clock: ManualClock;
let changes: string[];
let warned: unknown[];
let unread: SlowReaders;
beforeEach(() => {
  clock = manualClock();
  changes = [];
  warned = [];
  const log = { info: () => undefined, warn: (details: unknown) => void warned.push(details) } as never;
  unread = createSlowReaders({ clock, log, onChange: (nodeID) => void changes.push(nodeID) });
});

describe('partners that do not read what they asked for', () => {
  it('are known from the first answer that stands until the last such question is answered', () => {
    expect(unread.since('7')).toBeUndefined();
    const first = clock.now();
    unread.stalled('7', '/rows/1');
    clock.advance(60_000);
    unread.stalled('7', '/rows/2');
    unread.stalled('7', '/rows/1');
    expect(unread.since('7')).toBe(first);
    expect(unread.since('8')).toBeUndefined();
    expect(warned).toContainEqual({ nodeID: '7', question: '/rows/2' });

    unread.resumed('7', '/rows/1');
    expect(unread.since('7')).toBe(first + 60_000);
    unread.resumed('7', '/rows/2');
    expect(unread.since('7')).toBeUndefined();
    expect(changes).toEqual(['7', '7']);
  });

  it('are remembered by a hundred questions at most, however a path is written', () => {
    for (let at = 0; at < 1000; at++) unread.stalled('7', `/federation/exposed/records/%3${at}`);
    for (let at = 0; at < 100; at++) unread.resumed('7', `/federation/exposed/records/%3${at}`);
    expect(unread.since('7')).toBeUndefined();
  });

  it('are not cleared of it by an answer to something else', () => {
    unread.stalled('7', '/rows/1');
    unread.resumed('7', '/structure');
    unread.resumed('8', '/rows/1');
    expect(unread.since('7')).toBeDefined();
    expect(changes).toEqual(['7']);
  });
});
