import { isDeepStrictEqual } from 'node:util';
import { omit } from '../../base/omit.ts';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';

/**
 * Throws `data.stale` (409) for a change that was made against an earlier version (optimistic concurrency). A time in
 * whole seconds, as Corteza keeps, is compared by seconds.
 * @param expected the `updatedAt` (or, if it never changed, the `createdAt`) that the caller saw, ISO 8601; absent: no
 * check
 */
export function assertNotStale(
  expected: string | undefined,
  current: { readonly createdAt: string; readonly updatedAt?: string },
): void {
  if (expected === undefined) return;
  const digits = /\.(\d+)/.exec(expected)?.[1]?.length ?? 0;
  const unit = 10 ** Math.max(0, 3 - digits);
  const present = Date.parse(current.updatedAt ?? current.createdAt);
  if (Date.parse(expected) === Math.floor(present / unit) * unit) return;
  throw new Refusal('conflict', 'data.stale', said('data.stale'));
}

/** Returns the changed definition; the old one, with its `updatedAt`, if nothing else changed. */
export function changedDefinition<T extends { readonly updatedAt?: string }>(old: T, next: T): T {
  return isDeepStrictEqual(omit(next, 'updatedAt'), omit(old, 'updatedAt')) ? old : next;
}
