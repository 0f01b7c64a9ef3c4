import { ListDeletedError, ProtocolViolationError, RequestRefusedError } from '../guard/errors.ts';
import type { Exchange } from '../transport/exchange.ts';
import { PAGE_ROWS, type TimeFeed } from './feed.ts';
import { readListing } from './listing.ts';
import { readPage } from './records.ts';
import type { RecordsPage } from '../remote.ts';

/**
 * Returns a feed for a live server with a broken federation feed, by its ordinary records interface
 * (docs/live-servers.md: Past a broken feed). Its pages have all rows, whatever `since` is, and all columns; the
 * reader drops those not offered.
 */
export function createComposeFeed(
  exchange: Exchange,
  baseURL: string,
  live: Pick<TimeFeed, 'offers'>,
): TimeFeed {
  const api = exchange.withBaseURL(baseURL.replace(/\/federation$/, ''));
  const { limits } = exchange;
  const feed: TimeFeed = {
    offers: live.offers,
    /** Returns whether the server deleted the list, by requesting its rows. Throws all other errors. */
    async isDeleted(list, signal) {
      try {
        (await feed.records(list, {}, signal)).rows.release();
        return false;
      } catch (error) {
        if (error instanceof ListDeletedError) return true;
        throw error;
      }
    },
    /**
     * Returns a page of all rows, deleted ones included, whatever `since` is. Throws ListDeletedError;
     * ProtocolViolationError for a list without the server's own ids.
     */
    async records({ composeModuleID, composeNamespaceID }, { next }, signal) {
      if (composeModuleID === undefined || composeNamespaceID === undefined) {
        throw new ProtocolViolationError('it does not say which of its lists this is.');
      }
      const path = `compose/namespace/${composeNamespaceID}/module/${composeModuleID}/record/`;
      const query = { limit: PAGE_ROWS, pageCursor: next, deleted: 1, sort: 'id' };
      const options = { query, deadline: limits.pageTime, signal };
      const page: Promise<RecordsPage> = api.getRows(path, options, async ({ data, rows, wire }) => {
        const { nextPage } = readListing(data, rows);
        return {
          rows: await readPage(rows, new Set([composeModuleID]), limits),
          ...(nextPage === undefined ? {} : { next: nextPage }),
          isWhole: true,
          resumable: false,
          ...(wire.date === undefined ? {} : { originTime: wire.date }),
        };
      });
      return page.catch((error: unknown) => {
        throw isDeletedThere(error) ? new ListDeletedError() : error;
      });
    },
  };
  return feed;
}

/** Returns whether the server refused because it deleted the list. */
function isDeletedThere(error: unknown): boolean {
  return error instanceof RequestRefusedError && /\bmodel \S+ does not exist/.test(error.said);
}
