import type { ListAddress, OffersPage, RecordsPage, TimePosition } from '../remote.ts';

/** Reads offers and rows by time, in one dialect. Calls throw PartnerError. */
export interface TimeFeed {
  offers(next: string | undefined, signal?: AbortSignal): Promise<OffersPage>;
  /** Returns rows changed since `since` (inclusive), with deletions. */
  records(list: ListAddress, position: TimePosition, signal?: AbortSignal): Promise<RecordsPage>;
  /** Returns whether a still offered list is deleted; absent if offers say so. */
  isDeleted?(list: ListAddress, signal?: AbortSignal): Promise<boolean>;
}

/** Large enough to be quick, small enough that a lost page costs little. */
export const PAGE_ROWS = 500;
