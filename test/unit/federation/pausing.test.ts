import { expect, it } from 'vitest';
import type { Node } from '../../../server/federation/model.ts';
import {
  mergePauses,
  toStoredPause,
  stopsFetching,
  stopsServing,
} from '../../../server/federation/partners/pausing.ts';
import { pairedNode } from '../../support/data/paired-node.ts';

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
  const paused = toStoredPause(wish);
  expect({ fetch: stopsFetching({ paused }), serve: stopsServing({ paused }) }).toEqual(kept);
});

const [past, soon, later] = [
  '2026-11-22T08:00:00.000Z',
  '2026-11-22T10:00:00.000Z',
  '2026-11-24T10:00:00+01:00',
];
const both = { fetch: true, serve: true };
const reading = { fetch: false, serve: true };
const fetching = { fetch: true, serve: false };

it.each([
  [undefined, reading, reading],
  [{ ...both, until: soon }, both, both],
  [{ ...both, until: past }, reading, reading],
  [
    { ...both, until: soon },
    { ...both, until: later },
    { ...both, until: later },
  ],
  [
    { ...both, until: later },
    { ...both, until: soon },
    { ...both, until: later },
  ],
  [both, { ...both, until: later }, both],
  [fetching, { ...reading, until: later }, { ...both, until: later }],
  [{ ...reading, until: soon }, fetching, { ...both, until: soon }],
  [
    { ...both, until: soon },
    { ...both, until: past },
    { ...both, until: soon },
  ],
  [both, undefined, both],
])('of a pause of %j and one of %j no part is open that one of them closed', (own, also, paused) => {
  const node = pairedNode({ createdAt: past, ...(own === undefined ? {} : { paused: own }) });
  const now = Date.parse('2026-11-22T09:00:00.000Z');
  const after = mergePauses(node, also, now);
  expect(after.paused).toEqual(paused);
  expect(mergePauses(after, also, now)).toBe(after);
});

it('one that is over by the clock alone is not dropped when older data comes back', () => {
  const since = { wall: Date.parse(past) - 1000, seen: 5 };
  const node = { paused: { ...both, until: past, since } } as Node;
  const now = Date.parse('2026-11-22T09:00:00.000Z');
  expect(mergePauses(node, fetching, now).paused).toMatchObject({ fetch: true, serve: true });
  expect(mergePauses({} as Node, { ...both, until: past, since }, now).paused).toMatchObject({ since });
});
