import type { ListState } from './list-states.ts';

type Kept = Pick<ListState, 'kept' | 'settled'>;

/** Rows that the user kept against the partner's word and that differ since, with nobody having said that they may. */
export const unsettled = ({ kept = 0, settled = 0 }: Kept): number => Math.max(0, kept - settled);

/** Those that differ as the user wants them to. */
export const settled = ({ kept = 0, settled: wanted = 0 }: Kept): number => Math.min(kept, wanted);
