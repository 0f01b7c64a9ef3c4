import type { ListAddress, OffersPage, RecordsPage, TimePosition } from '../remote.ts';

/** Reads a partner's offers and rows by time, in one dialect. All calls throw PartnerError. */
export interface TimeFeed {
  offers(next: string | undefined, signal?: AbortSignal): Promise<OffersPage>;
  /** Returns rows changed at or after `since`, deletions included. */
  records(list: ListAddress, position: TimePosition, signal?: AbortSignal): Promise<RecordsPage>;
  /** Returns whether the origin deleted a list it still offers; absent if the offers say so. */
  isDeleted?(list: ListAddress, signal?: AbortSignal): Promise<boolean>;
}

/** Large enough to be quick, small enough that a lost page costs little. */
export const PAGE_ROWS = 500;
