import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';

/**
 * Optimistic concurrency: refuses a change that was made against an earlier version.
 * @param expected the `updatedAt` (or, if it never changed, the `createdAt`) that the caller saw, ISO 8601; absent: no check
 * @throws Refusal `conflict`, code `data.stale`
 */
export function assertNotStale(
  expected: string | undefined,
  current: { readonly createdAt: string; readonly updatedAt?: string },
): void {
  if (expected === undefined) return;
  if (Date.parse(expected) === Date.parse(current.updatedAt ?? current.createdAt)) return;
  throw new Refusal('conflict', 'data.stale', said('data.stale'));
}
