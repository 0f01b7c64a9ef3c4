import { RequestRefusedError, RECORDS_BROKEN } from '../guard/errors.ts';
import type { Exchange } from '../transport/exchange.ts';
import { PAGE_ROWS, type TimeFeed } from './feed.ts';
import { readListing, toUnixSeconds } from './listing.ts';
import { readOffer } from './offers.ts';
import { readPage } from './records.ts';
import type { ListAddress } from '../remote.ts';

/**
 * Returns the feed of live servers (docs/live-servers.md: Addresses and answers). Each cursor goes with `lastSync`,
 * which the server forgets otherwise.
 */
export function createLiveFeed(exchange: Exchange, sharedNodeID: string): TimeFeed {
  const { limits } = exchange;
  return {
    /** Returns a page of offers, at most 100. */
    async offers(next, signal) {
      const query = { limit: 100, pageCursor: next };
      const path = `nodes/${sharedNodeID}/modules/exposed/`;
      const { data } = await exchange.get(path, { query, bytes: limits.structureBytes, signal });
      const { set, nextPage } = readListing(data);
      return {
        offers: set.map((item) => readOffer(item, limits)),
        ...(nextPage === undefined ? {} : { next: nextPage }),
      };
    },

    /**
     * Returns a page of rows changed at or after `since`, deletions included. Throws RequestRefusedError with code
     * `RECORDS_BROKEN` if the server's feed is broken.
     */
    async records(list, { since, next }, signal) {
      const lastSync = since === undefined ? undefined : toUnixSeconds(since);
      const path = `nodes/${sharedNodeID}/modules/${list.moduleID}/records/`;
      const options = {
        query: { limit: PAGE_ROWS, pageCursor: next, lastSync },
        deadline: limits.pageTime,
        signal,
      };
      return exchange
        .getRows(path, options, async ({ data, rows, wire }) => {
          const { moduleID, nextPage } = readListing(data, rows);
          return {
            rows: await readPage(rows, acceptedListIDs(list, moduleID), limits),
            ...(nextPage === undefined ? {} : { next: nextPage }),
            resumable: true,
            ...(wire.date === undefined ? {} : { originTime: wire.date }),
          };
        })
        .catch((error: unknown) => {
          throw isBrokenFeed(error) ? new RequestRefusedError(200, MISSING, RECORDS_BROKEN) : error;
        });
    },
  };
}

const MISSING = 'module does not exist';

/** Returns whether this is the error that servers from 2022.9 on give for every page of rows (docs/live-servers.md). */
function isBrokenFeed(error: unknown): boolean {
  return error instanceof RequestRefusedError && error.status === 200 && error.said === MISSING;
}

/** Returns the ids by which rows may name their list; undefined for any. Live rows name the list itself. */
function acceptedListIDs(list: ListAddress, filterID: string | undefined): ReadonlySet<string> | undefined {
  if (list.composeModuleID !== undefined) return new Set([list.composeModuleID, list.moduleID]);
  return filterID === undefined ? undefined : new Set([filterID, list.moduleID]);
}
