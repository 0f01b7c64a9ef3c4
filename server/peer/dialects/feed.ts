import type { ListAddress, OffersPage, RecordsPage, TimePosition } from '../remote.ts';

/** Reading a partner's offers and rows by time, in one dialect. Each dialect has a file of this form. */
export interface TimeFeed {
  /** @throws PartnerError */
  offers(next: string | undefined, signal?: AbortSignal): Promise<OffersPage>;
  /** Rows changed at or after `since`, deletions included. @throws PartnerError */
  records(list: ListAddress, position: TimePosition, signal?: AbortSignal): Promise<RecordsPage>;
  /** Whether the origin has deleted the list that it still offers; absent where offers always say so. @throws PartnerError */
  isDeleted?(list: ListAddress, signal?: AbortSignal): Promise<boolean>;
}

/** Rows asked for at once: large enough to be quick, small enough that a lost page costs little. */
export const PAGE_ROWS = 500;
