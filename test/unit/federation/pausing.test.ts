import { expect, it } from 'vitest';
import { pauseOf, stopsFetching, stopsServing } from '../../../server/federation/pausing.ts';

it('a pause that an older version kept stops fetching, as it did', () => {
  expect(stopsFetching({ paused: {} })).toBe(true);
  expect(stopsServing({ paused: { until: '2026-01-01T00:00:00.000Z' } })).toBe(false);
});

it.each([
  [{}, { fetch: true, serve: true }],
  [{ fetch: true }, { fetch: true, serve: false }],
  [{ serve: true }, { fetch: false, serve: true }],
  [
    { fetch: true, serve: false },
    { fetch: true, serve: false },
  ],
])('a pause of %j is one of %j', (wish, kept) => {
  const paused = pauseOf(wish);
  expect({ fetch: stopsFetching({ paused }), serve: stopsServing({ paused }) }).toEqual(kept);
});
