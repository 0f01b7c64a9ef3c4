import type { ListState } from './list-states.ts';

type Kept = Pick<ListState, 'kept' | 'settled'>;

/** Counts rows that the user kept although the partner deleted them, and that differ without anybody's consent. */
export const unsettled = ({ kept = 0, settled = 0 }: Kept): number => Math.max(0, kept - settled);

/** Counts those that differ as the user wants. */
export const settled = ({ kept = 0, settled: wanted = 0 }: Kept): number => Math.min(kept, wanted);
