import { z } from 'zod';
import { ProtocolViolationError } from '../guard/errors.ts';
import type { RawRows } from '../transport/exchange.ts';

const count = z.number().int().nonnegative().nullish().catch(undefined);

const listing = z.object({
  filter: z
    .object({
      moduleID: z.string().nullish().catch(undefined),
      page: count,
      perPage: count,
      count,
      total: count,
      nextPage: z.string().max(8192).nullish(),
    })
    .nullish(),
  // Its absence doesn't mean that nothing exists.
  set: z.array(z.unknown()).nullable(),
});

/** Filter-and-set answer of any dialect. */
export interface Listing {
  readonly set: readonly unknown[];
  /** In `set`, or beside it. */
  readonly size: number;
  readonly page: number | undefined;
  readonly perPage: number | undefined;
  readonly count: number | undefined;
  /** The rows' list, by the partner's id. */
  readonly moduleID: string | undefined;
  readonly nextPage: string | undefined;
}

/**
 * Returns filter and items of an answer; a `set` of `null` is empty (live servers). `rows` arrived separately. Throws
 * ProtocolViolationError without `set`: taken for the end, it would omit all that follows.
 */
export function readListing(data: unknown, rows?: Pick<RawRows, 'count'>): Listing {
  const parsed = listing.safeParse(data);
  const hidden = rows !== undefined && (parsed.data?.set?.length ?? 0) > 0;
  if (!parsed.success || hidden)
    throw new ProtocolViolationError('a list in the answer is not what it should be.');
  const { filter, set } = parsed.data;
  return {
    set: set ?? [],
    size: rows?.count ?? set?.length ?? 0,
    page: filter?.page ?? undefined,
    perPage: filter?.perPage ?? undefined,
    count: filter?.count ?? filter?.total ?? undefined,
    moduleID: filter?.moduleID ?? undefined,
    nextPage: filter?.nextPage === '' ? undefined : (filter?.nextPage ?? undefined),
  };
}

/** Page to request, and the server's page size; `next` has both. */
export interface PageNumber {
  readonly page: number;
  readonly perPage: number;
  /** By the server's count all has arrived: there may be no such page. */
  readonly isExtra: boolean;
}

/** Ends `next` if the server's count is reached. */
const EXTRA = '/+';

/** Returns the page that {@link pageAfter} named; default: the first, of `perPage` items. */
export function parsePageNumber(next: string | undefined, perPage: number): PageNumber {
  const [page = 1, given = perPage] = (next ?? '').replace(EXTRA, '').split('/').filter(Boolean).map(Number);
  return { page, perPage: given, isExtra: next?.endsWith(EXTRA) === true };
}

/**
 * Returns `next` for the following page; undefined at the end. Accepts shorter pages than requested, one page, no
 * count, or a count of the page only. Throws ProtocolViolationError for another page than requested, or nothing where
 * it counts more. An extra page (`isExtra`) may be refused or empty.
 */
export function pageAfter(listing: Listing, asked: PageNumber): string | undefined {
  const { size, count } = listing;
  if (listing.page !== undefined && listing.page !== asked.page) {
    if (asked.isExtra) return undefined;
    throw new ProtocolViolationError(`it gives page ${listing.page} where page ${asked.page} was asked for.`);
  }
  if (size === 0) {
    if (asked.isExtra) return undefined;
    if (count === undefined || (asked.page - 1) * asked.perPage >= count) return undefined;
    throw new ProtocolViolationError(`it counts ${count} and gives none of them on page ${asked.page}.`);
  }
  const isShort = asked.page === 1 && count !== undefined && size < count;
  const perPage = ifPositive(listing.perPage) ?? (isShort ? size : asked.perPage);
  const soFar = (asked.page - 1) * perPage + size;
  // A count below the returned rows is partial.
  const isCounted = count !== undefined && soFar <= count;
  const following = `${asked.page + 1}/${perPage}`;
  if (isCounted && soFar < count) return following;
  // From the second page on, a fitting count isn't the page's alone.
  if (isCounted ? size !== perPage || asked.page > 1 : size < perPage) return undefined;
  return count === undefined ? following : `${following}${EXTRA}`;
}

/** Returns the number if it is above 0, else undefined. */
function ifPositive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}

export function toUnixSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000);
}
