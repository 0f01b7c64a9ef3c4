import type { ListAddress, OffersPage, RecordsPage, TimePosition } from '../remote.ts';

/** Reads a partner's offers and rows by time, in one dialect. Each dialect has a file of this form. */
export interface TimeFeed {
  /** @throws PartnerError */
  offers(next: string | undefined, signal?: AbortSignal): Promise<OffersPage>;
  /** Returns rows changed at or after `since`, deletions included. @throws PartnerError */
  records(list: ListAddress, position: TimePosition, signal?: AbortSignal): Promise<RecordsPage>;
  /**
   * Returns whether the origin has deleted the list that it still offers; absent if offers always say so.
   * @throws PartnerError
   */
  isDeleted?(list: ListAddress, signal?: AbortSignal): Promise<boolean>;
}

/** Rows requested at once: large enough to be quick, small enough that a lost page costs little. */
export const PAGE_ROWS = 500;
