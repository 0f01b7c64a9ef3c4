import { isDeepStrictEqual } from 'node:util';
import { omit } from '../../base/omit.ts';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';

/**
 * Throws `data.stale` (409) unless `expected` is the version's time (optimistic concurrency). Compares in the
 * precision of `expected`, as Corteza keeps whole seconds.
 * @param expected the `updatedAt`, or `createdAt` if never changed, that the caller saw, ISO 8601; absent: no
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

/** Returns the changed definition; the old one if only `updatedAt` differs. */
export function changedDefinition<T extends { readonly updatedAt?: string }>(old: T, next: T): T {
  return isDeepStrictEqual(omit(next, 'updatedAt'), omit(old, 'updatedAt')) ? old : next;
}
