import type { Express, Request, Response } from 'express';
import { describe, expect, it } from 'vitest';
import { madeUpOrigin } from '../support/partners/made-up-origin.ts';
import { fill, matched, shownBy, WAYS } from '../support/partners/matched.ts';

const NUMBERED = WAYS.filter(([, { dialect, footbridge }]) => dialect !== 'live' && footbridge !== true);

interface Listing {
  readonly response: { readonly filter: Record<string, unknown>; readonly set: readonly unknown[] };
}

/** What the server makes of an honest listing of rows; undefined: 404. */
type Quirk = (listing: Listing, request: Request) => Listing | Refused | undefined;

/** An error of the server's own making, also with the status of success. */
interface Refused {
  readonly status: number;
  readonly error: { readonly message: string };
}

/** Stands before the honest answers about rows. */
const quirky =
  (quirk: Quirk) =>
  (app: Express): void => {
    app.use((request: Request, response: Response, next) => {
      if (request.path.includes('/records')) {
        const honest = response.json.bind(response);
        response.json = (listing: Listing) => {
          const given = quirk(listing, request);
          if (given && 'status' in given) response.status(given.status);
          return given ? honest(given) : response.status(404).type('html').send('<h1>no such page</h1>');
        };
      }
      next();
    });
  };

const countsThePage: Quirk = ({ response: { filter, set } }) => ({
  response: { filter: { ...filter, count: set.length }, set },
});

const failsBehind =
  (status: number): Quirk =>
  (listing) =>
    listing.response.set.length === 0 ? { status, error: { message: 'page out of range' } } : listing;

const knowsNoPageBehind: Quirk = (listing) => (listing.response.set.length === 0 ? undefined : listing);

/** Gives all that there is to whoever asks for the first 500, whatever page is asked for. */
const knowsNoPages = (echo: boolean): Quirk => {
  let first: Listing | undefined;
  return (listing, request) => {
    if (request.query.page === '1') first = listing;
    if (!first) return listing;
    const { filter, set } = first.response;
    const { page, ...rest } = filter;
    return { response: { filter: echo ? { ...rest, page } : rest, set } };
  };
};

describe.each(NUMBERED)('a partner of %s', (_, way) => {
  it.each([
    ['counts the rows of the page alone', 1230, countsThePage],
    ['counts the rows of the page alone, the last one full', 1000, countsThePage],
    ['refuses a page behind the last one, which is full', 1000, knowsNoPageBehind],
    ['fails behind its only page, which is full', 500, failsBehind(500)],
    ['says no with success behind its only page, which is full', 500, failsBehind(200)],
    ['fails behind the last of several pages, which is full', 1000, failsBehind(500)],
    ['gives the same page whatever is asked for', 500, knowsNoPages(false)],
    ['gives the same page whatever is asked for, and says so', 500, knowsNoPages(true)],
  ])('that %s: all of %i rows arrive', async (_quirk, rows, quirk) => {
    const origin = madeUpOrigin();
    fill(origin, 0, rows);
    const { office, nodeID, moduleID } = await matched(origin, way, { lies: quirky(quirk) });
    expect(await office.sync.syncNow(nodeID)).toMatchObject({ created: rows });
    expect(await office.received(moduleID)).toEqual(shownBy(origin));
    expect(await office.sync.status(nodeID)).toMatchObject({ state: 'up-to-date' });
  });

  it('that is reached in another way after two pages: the answer counts the rows before and after', async () => {
    const origin = madeUpOrigin();
    fill(origin, 0, 3);
    let pages: number | undefined;
    const { office, nodeID, moduleID } = await matched(origin, way, {
      lies: (app) =>
        app.use(async ({ path }, _response, next) => {
          if (path.includes('/records') && pages !== undefined && ++pages === 3)
            await office.federation.nodes.update(nodeID, { ownNetwork: true }, '0');
          next();
        }),
    });
    // Only a running engine follows changes of partners.
    await office.sync.start();
    await office.sync.syncNow(nodeID);
    office.activities.length = 0;
    fill(origin, 3, 1730);
    pages = 0;
    const { created, modules } = await office.sync.syncNow(nodeID);
    const counted = office.activities.flatMap(({ counts }) => (counts ? [counts.created] : []));
    expect(counted).toHaveLength(2);
    expect(counted.reduce((sum, each) => sum + each, 0)).toBe(1727);
    expect(created).toBe(1727);
    expect(modules).toMatchObject([{ created: 1727 }]);
    expect(await office.received(moduleID)).toEqual(shownBy(origin));
  });
});
