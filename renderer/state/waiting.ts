import type { PartnerSummary } from '../../server/contract/app.ts';

/** Not connected yet, and it is the other office's turn: to use the invite, or to approve. */
export const isAwaited = ({ state, status }: Pick<PartnerSummary, 'state' | 'status'>): boolean =>
  state === 'offline' && status !== 'paired';
