import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createNotices } from '../../../renderer/state/notices.svelte.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('lets what went wrong go once the user does the next thing, but not before it could be read', () => {
  const notices = createNotices();
  notices.fail('The file is empty.');
  notices.closeErrors();
  expect(notices.all).toHaveLength(1);
  vi.advanceTimersByTime(5_000);
  notices.say('Saved.');
  notices.closeErrors();
  expect(notices.all.map(({ text }) => text)).toEqual(['Saved.']);
});

it('lets every message go by itself, and none while it is being read', () => {
  const notices = createNotices();
  notices.say('Saved.');
  notices.fail('The disk is full.');
  vi.advanceTimersByTime(10_000);
  expect(notices.all.map(({ text }) => text)).toEqual(['The disk is full.']);
  notices.hold(true);
  vi.advanceTimersByTime(120_000);
  expect(notices.all).toHaveLength(1);
  notices.hold(false);
  vi.advanceTimersByTime(10_000);
  expect(notices.all).toEqual([]);
});

it('closes the offer to undo a step once that is undone in another way', () => {
  const notices = createNotices();
  const run = (): void => undefined;
  notices.say('“Phone” is in the bin.', { label: 'Undo', run, undoes: '7' });
  notices.say('2 rows changed.', { label: 'Undo', run, undoes: '8' });
  notices.closeUndo('7');
  expect(notices.all.map(({ text }) => text)).toEqual(['2 rows changed.']);
});
