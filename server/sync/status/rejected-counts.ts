import type { ListState } from './list-states.ts';

type Kept = Pick<ListState, 'kept' | 'settled'>;

/** Returns how many rows the user kept still count as different. */
export const countUnsettled = ({ kept = 0, settled: countSettled = 0 }: Kept): number =>
  Math.max(0, kept - countSettled);

/** Returns how many rows the user kept are accepted and no longer count as different. */
export const settled = ({ kept = 0, settled: wanted = 0 }: Kept): number => Math.min(kept, wanted);
