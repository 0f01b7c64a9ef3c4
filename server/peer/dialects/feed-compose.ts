import { PartnerFaulty } from '../guard/errors.ts';
import type { Exchange } from '../transport/exchange.ts';
import { PAGE_ROWS, type TimeFeed } from './feed.ts';
import { readListing } from './listing.ts';
import { readPage } from './records.ts';

/**
 * Rows of a live server whose own feed is broken (2022.9 and later), read through its ordinary interface for records,
 * which a partner's token opens as well (docs/live-servers.md: Past a broken feed). It knows nothing of exposures:
 * every column comes, and dropping those that were not offered is the reader's business. There is no way to ask for
 * changes only that all versions understand, so all rows come every time.
 */
export function createComposeFeed(
  exchange: Exchange,
  baseURL: string,
  live: Pick<TimeFeed, 'offers'>,
): TimeFeed {
  const api = exchange.at(baseURL.replace(/\/federation$/, ''));
  const { limits } = exchange;
  return {
    offers: live.offers,
    async records({ composeModuleID, composeNamespaceID }, { next }, signal) {
      if (composeModuleID === undefined || composeNamespaceID === undefined) {
        throw new PartnerFaulty('it does not say which of its lists this is.');
      }
      const path = `compose/namespace/${composeNamespaceID}/module/${composeModuleID}/record/`;
      const query = { limit: PAGE_ROWS, pageCursor: next, deleted: 1, sort: 'id' };
      const options = { query, deadline: limits.pageTime, signal };
      return api.getRows(path, options, async ({ data, rows, wire }) => {
        const { nextPage } = readListing(data, rows);
        return {
          rows: await readPage(rows, new Set([composeModuleID]), limits),
          ...(nextPage === undefined ? {} : { next: nextPage }),
          resumable: false,
          ...(wire.date === undefined ? {} : { originTime: wire.date }),
        };
      });
    },
  };
}
