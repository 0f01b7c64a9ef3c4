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
    expect(unread.stalledSince('7')).toBeUndefined();
    const first = clock.now();
    unread.recordStalled('7', '/rows/1');
    clock.advance(60_000);
    unread.recordStalled('7', '/rows/2');
    unread.recordStalled('7', '/rows/1');
    expect(unread.stalledSince('7')).toBe(first);
    expect(unread.stalledSince('8')).toBeUndefined();
    expect(warned).toContainEqual({ nodeID: '7', question: '/rows/2' });

    unread.recordResumed('7', '/rows/1');
    expect(unread.stalledSince('7')).toBe(first + 60_000);
    unread.recordResumed('7', '/rows/2');
    expect(unread.stalledSince('7')).toBeUndefined();
    expect(changes).toEqual(['7', '7']);
  });

  it('are remembered by a hundred questions at most, however a path is written', () => {
    for (let at = 0; at < 1000; at++) unread.recordStalled('7', `/federation/exposed/records/%3${at}`);
    for (let at = 0; at < 100; at++) unread.recordResumed('7', `/federation/exposed/records/%3${at}`);
    expect(unread.stalledSince('7')).toBeUndefined();
  });

  it('are not cleared of it by an answer to something else', () => {
    unread.recordStalled('7', '/rows/1');
    unread.recordResumed('7', '/structure');
    unread.recordResumed('8', '/rows/1');
    expect(unread.stalledSince('7')).toBeDefined();
    expect(changes).toEqual(['7']);
  });
});
