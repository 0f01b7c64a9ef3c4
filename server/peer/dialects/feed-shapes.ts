import { hasStatus, RequestRefusedError, ProtocolViolationError } from '../guard/errors.ts';
import type { Exchange, Query } from '../transport/exchange.ts';
import { PAGE_ROWS, type TimeFeed } from './feed.ts';
import { pageAfter, parsePageNumber, readListing, toUnixSeconds, type PageNumber } from './listing.ts';
import { readOffer } from './offers.ts';
import { singlePiecePage, readPage, remoteID } from './records.ts';
import type { OffersPage, RecordsPage, RemoteOffer } from '../remote.ts';
import { z } from 'zod';

/** Includes deletions, so paged rows only grow. */
const FIRST_SECOND = 1;

/** Returns the feed of shape 1: rows below the node's address. `footbridge` asks for stable column ids. */
export function createShape1Feed(exchange: Exchange, sharedNodeID: string, footbridge: boolean): TimeFeed {
  return {
    offers: (next, signal) => fetchLinkedOffers(exchange, footbridge, next, signal),
    records: (list, position, signal) =>
      fetchNumberedRecords(
        exchange,
        `nodes/${sharedNodeID}/modules/${list.moduleID}/records`,
        { lastSync: toUnixSeconds(position.since ?? FIRST_SECOND * 1000) },
        position.next,
        signal,
      ),
  };
}

/**
 * Returns the feed of shape 2: rows at the interface's address (beside the base), or at one of its change links.
 * `footbridge` asks for stable column ids.
 */
export function createShape2Feed(exchange: Exchange, baseURL: string, footbridge: boolean): TimeFeed {
  const beside = exchange.withBaseURL(baseURL.replace(/\/federation$/, ''));
  const addresses: readonly ((moduleID: string) => [Exchange, string])[] = [
    (id) => [beside, `exposed/modules/${id}/records`],
    (id) => [exchange, `exposed/records/${id}`],
    (id) => [exchange, `exposed/modules/${id}/records`],
  ];
  let known: number | undefined;
  return {
    offers: (next, signal) => fetchLinkedOffers(exchange, footbridge, next, signal),
    /**
     * Returns a page of rows. The first address that answers serves all later pages. Tries the next after 404 only, and
     * throws the first 404 if none answers.
     */
    async records(list, position, signal) {
      const query = { after: toUnixSeconds(position.since ?? FIRST_SECOND * 1000) };
      let refusal: unknown;
      for (const index of known === undefined ? addresses.keys() : [known]) {
        const [at, path] = addresses[index]?.(list.moduleID) ?? [exchange, ''];
        try {
          const page = await fetchNumberedRecords(at, path, query, position.next, signal);
          known = index;
          return page;
        } catch (error) {
          if (!hasStatus(error, 404)) throw error;
          refusal ??= error;
        }
      }
      throw refusal;
    },
  };
}

/**
 * Requests a page of change links, then each linked list's definition; without lists withdrawn meanwhile, and without
 * any if a page beyond the last counted one is refused.
 */
async function fetchLinkedOffers(
  exchange: Exchange,
  footbridge: boolean,
  next: string | undefined,
  signal: AbortSignal | undefined,
): Promise<OffersPage> {
  const asked = parsePageNumber(next, 100);
  const answer = await undefinedIfNoSuchPage(
    asked,
    exchange.get('exposed/modules', {
      query: { page: asked.page, perPage: asked.perPage },
      bytes: exchange.limits.structureBytes,
      signal,
    }),
  );
  if (!answer) return { offers: [] };
  const { data } = answer;
  const listing = readListing(data);
  const offers: RemoteOffer[] = [];
  for (const moduleID of new Set(listing.set.map(readLinkedModuleID))) {
    try {
      const query = footbridge ? { marked: 1 } : {};
      const { data: definition } = await exchange.get(`exposed/modules/${moduleID}`, { query, signal });
      offers.push(readOffer(definition, exchange.limits, footbridge));
    } catch (error) {
      // Withdrawn since the listing.
      if (!(error instanceof RequestRefusedError) || !hasStatus(error, 404, 410)) throw error;
    }
  }
  const following = pageAfter(listing, asked);
  return {
    offers,
    ...(asked.isExtra ? { mayRepeat: true as const } : {}),
    ...(following === undefined ? {} : { next: following }),
  };
}

/**
 * Requests a page of rows by its number, in the partner's default order by creation; no rows if a page beyond the last
 * is refused. Not resumable, as deletions shift page numbers.
 */
async function fetchNumberedRecords(
  exchange: Exchange,
  path: string,
  time: Query,
  next: string | undefined,
  signal: AbortSignal | undefined,
): Promise<RecordsPage> {
  const { limits } = exchange;
  const asked = parsePageNumber(next, PAGE_ROWS);
  const query = { ...time, page: asked.page, perPage: asked.perPage };
  const options = { query, deadline: limits.pageTime, signal };
  const answer = exchange.getRows(path, options, async ({ data, rows, wire }) => {
    const listing = readListing(data, rows);
    const following = pageAfter(listing, asked);
    const names = listing.moduleID === undefined ? undefined : new Set([listing.moduleID]);
    return {
      rows: await readPage(rows, names, limits),
      ...(following === undefined ? {} : { next: following }),
      resumable: false,
      ...(asked.isExtra ? { mayRepeat: true as const } : {}),
      ...(listing.count === undefined ? {} : { total: listing.count }),
      ...(wire.date === undefined ? {} : { originTime: wire.date }),
    };
  });
  return (await undefinedIfNoSuchPage(asked, answer)) ?? { rows: NO_ROWS, resumable: false };
}

const NO_ROWS = singlePiecePage({ records: [], bad: [], letters: 0 });

/**
 * Returns the answer; undefined if a page beyond the last (`isExtra`) is refused. Throws other errors, such as a
 * refused token or a rate limit.
 */
async function undefinedIfNoSuchPage<T>({ isExtra }: PageNumber, answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    const ofUs = hasStatus(error, 401, 403, 429, 502, 503, 504);
    const refused = error instanceof RequestRefusedError || hasStatus(error, 400, 404, 410, 416, 422);
    if (isExtra && refused && !ofUs) return undefined;
    throw error;
  }
}

const link = z.object({ href: z.string().max(4096) });

/**
 * Returns the module id in a change link's path; no other part counts, as we call no address that a partner writes.
 * Throws ProtocolViolationError.
 */
export function readLinkedModuleID(item: unknown): string {
  const parsed = link.safeParse(item);
  if (!parsed.success) throw new ProtocolViolationError('a change link has no address.');
  const path = parsed.data.href.replace(/[?#].*$/, '');
  const found = /\/(?:modules|records)\/(\d+)(?:\/records)?\/?$/.exec(path)?.[1];
  const id = remoteID.safeParse(found);
  if (!id.success) throw new ProtocolViolationError('a change link names no list.');
  return id.data;
}
