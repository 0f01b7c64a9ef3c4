import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createLive, type Live } from '../../../renderer/state/live.svelte.ts';
import type { AppEvent } from '../../../server/contract/app/overview.ts';

/** A browser's stream of events that does what the test says. */
class StandIn extends EventTarget {
  readyState: number = EventSource.CONNECTING;
  close(): void {
    this.readyState = EventSource.CLOSED;
  }
  /** The node is there (again): that is the first thing that it says. */
  hello(): void {
    this.readyState = EventSource.OPEN;
    this.dispatchEvent(new MessageEvent('hello', { data: '{"type":"hello","version":"1"}' }));
  }
  /** The node is about to close its listeners, and to open them again. */
  reopens(): void {
    this.dispatchEvent(new MessageEvent('reopening', { data: '{"type":"reopening"}' }));
  }
  /** The stream broke, and the browser opens it again by itself. */
  breaks(): void {
    this.readyState = EventSource.CONNECTING;
    this.dispatchEvent(new Event('error'));
  }
  /** The node does not answer: our protocol says 503, and for a browser that is the end. */
  isRefused(): void {
    this.readyState = EventSource.CLOSED;
    this.dispatchEvent(new Event('error'));
  }
}

let streams: StandIn[];
let live: Live;
let heard: AppEvent['type'][];
const last = (): StandIn => streams.at(-1)!;
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', { CONNECTING: 0, OPEN: 1, CLOSED: 2 });
  [streams, heard] = [[], []];
  live = createLive('/app/events', () => {
    const made = new StandIn();
    streams.push(made);
    return made as unknown as EventSource;
  });
  live.on(({ type }) => heard.push(type));
  live.start();
  last().hello();
});
afterEach(() => {
  live.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('shows nothing of a stream that breaks every three seconds and comes back, and has everything loaded anew each time', () => {
  for (let times = 1; times <= 20; times++) {
    vi.advanceTimersByTime(2000);
    last().breaks();
    vi.advanceTimersByTime(1000);
    expect(live.status).toBe('connected');
    last().hello();
    expect(heard, 'what happened meanwhile is loaded').toHaveLength(1 + times);
  }
  vi.advanceTimersByTime(10_000);
  expect(live.status).toBe('connected');
  expect(streams, 'the browser’s own, opened again by it').toHaveLength(1);
});

it('says that the node reopens its listeners, and that it is away only if it does not come back', () => {
  last().reopens();
  expect(live.status, 'it still answers').toBe('connected');
  last().isRefused();
  expect(live.status).toBe('reopening');
  vi.advanceTimersByTime(5_000);
  expect(live.status).toBe('reopening');
  last().hello();
  expect(live.status).toBe('connected');
  last().breaks();
  vi.advanceTimersByTime(1_500);
  expect(live.status, 'the next break is one like any other').toBe('away');
  last().hello();
  last().reopens();
  last().isRefused();
  vi.advanceTimersByTime(20_000);
  expect(live.status).toBe('away');
});

it('opens another stream where the node refused one, closes what it had, and says after a while that it is away', () => {
  last().isRefused();
  vi.advanceTimersByTime(1000);
  expect(streams).toHaveLength(2);
  expect(live.status).toBe('connected');
  last().isRefused();
  vi.advanceTimersByTime(1000);
  expect(live.status).toBe('away');
  expect(streams).toHaveLength(3);
  expect(streams.slice(0, 2).map(({ readyState }) => readyState)).toEqual([2, 2]);
  last().hello();
  expect(live.status).toBe('connected');
  expect(heard).toEqual(['hello', 'hello']);
});

it('says no longer that the node is away once a request is answered after one that was not', () => {
  live.reportStatus(0);
  live.reportStatus(200);
  vi.advanceTimersByTime(20_000);
  expect(live.status).toBe('connected');
  live.reportStatus(0);
  vi.advanceTimersByTime(1_500);
  expect(live.status).toBe('away');
  live.reportStatus(404);
  expect(live.status).toBe('connected');
  last().breaks();
  vi.advanceTimersByTime(1_500);
  live.reportStatus(200);
  expect(live.status, 'what happens is not heard of').toBe('away');
});
