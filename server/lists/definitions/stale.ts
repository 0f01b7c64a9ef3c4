import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../base/clock.ts';
import { omit } from '../../base/omit.ts';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';

interface Version {
  readonly createdAt: string;
  readonly updatedAt?: string;
}

/**
 * Throws `data.stale` (409) unless `expected` is the version's time (optimistic concurrency), in its own precision, as
 * Corteza keeps whole seconds; exactly if the version's time is in the future, as then many changes have one second.
 * @param expected the `updatedAt`, else `createdAt`, that the caller saw, ISO 8601; undefined: no check
 * @param now ms since the epoch, by the system clock
 */
export function assertNotStale(expected: string | undefined, current: Version, now: number): void {
  if (expected === undefined) return;
  const digits = /\.(\d+)/.exec(expected)?.[1]?.length ?? 0;
  const present = Date.parse(current.updatedAt ?? current.createdAt);
  const unit = present > now + SLACK_MS ? 1 : 10 ** Math.max(0, 3 - digits);
  if (Date.parse(expected) === Math.floor(present / unit) * unit) return;
  throw new Refusal('conflict', 'data.stale', said('data.stale'));
}

/** Many writes in one millisecond run ahead of the clock. */
const SLACK_MS = 1000;

const MINUTE_MS = 60_000;

/**
 * Returns the present time (ISO 8601), later than the version's. While the clock is behind, adds a random part of a
 * minute: a restored backup must not give out the same times again.
 */
export function timeAfter(old: Version, clock: Clock): string {
  const now = clock.now();
  const before = Date.parse(old.updatedAt ?? old.createdAt);
  const step = before > now + SLACK_MS ? randomInt(1, MINUTE_MS) : 1;
  return new Date(Math.max(now, before + step)).toISOString();
}

/** Returns the old definition if only `updatedAt` differs, otherwise the new one. */
export function changedDefinition<T extends { readonly updatedAt?: string }>(old: T, next: T): T {
  return isDeepStrictEqual(omit(next, 'updatedAt'), omit(old, 'updatedAt')) ? old : next;
}
