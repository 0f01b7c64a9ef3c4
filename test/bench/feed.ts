import { Agent, request } from 'undici';
import { z } from 'zod';
import { NODES } from '../../server/federation/tables.ts';
import { systemClock } from '../../server/base/clock.ts';
import { openStore } from '../../server/store/engine/open-store.ts';
import { createFileSecretBox } from '../../server/store/files/secrets.ts';
import { startServer, type Watched } from './children.ts';
import type { Measured } from './measured.ts';
import { openDestination, openOrigin, type BenchOffice } from './offices.ts';
import { FEED_PAGE } from './rows.ts';

const RAW = 'node:http that writes out as many rows with JSON.stringify, no JWT check';
const WARM = 50;

const links = z.object({ response: z.object({ set: z.array(z.object({ href: z.string() })) }) });
const changes = z.object({
  response: z.object({ epoch: z.string(), next: z.number(), more: z.boolean() }),
});

/** Processor time that one page of 500 rows costs the origin, asked for by a partner with its token. */
export async function measureFeed(rows: number, requests: number): Promise<Measured[]> {
  const { origin, list } = await openOrigin(rows);
  const raw = await startServer('raw-feed-run.ts', [String(rows)]);
  try {
    const { destination, here } = await openDestination(origin, [list]);
    await destination.served.stop();
    const token = await tokenOf(destination, here);
    await destination.remove();
    const fetchPage = pageFetcher(token);
    const [link] = links.parse(await fetchPage(`${origin.federation}/federation/exposed/modules`)).response
      .set;
    const moduleID = /(\d+)\?/.exec(link?.href ?? '')?.[1] ?? '';
    const feed = `${origin.federation}/federation/footbridge/modules/${moduleID}/changes?limit=${FEED_PAGE}`;
    const shape1 = `${origin.federation}/federation/exposed/records/${moduleID}?limit=${FEED_PAGE}`;

    const perRequest = async (server: Watched, urls: readonly string[], count: number): Promise<number> => {
      await server.begin();
      for (let at = 0; at < count; at++) await fetchPage(urls[at % urls.length] ?? '');
      return (await server.end()).cpuMs / count;
    };
    await perRequest(origin, [feed], WARM);
    await origin.begin();
    const walk = await walkThrough(feed, fetchPage);
    const first = (await origin.end()).cpuMs / walk.length;
    const again = await perRequest(origin, walk, requests);
    await perRequest(origin, [shape1], WARM);
    const same = await perRequest(origin, [shape1], requests);
    const rawPages = walk.map((_, at) => `${raw.address}/${at}`);
    await perRequest(raw, rawPages, WARM);
    const theirs = await perRequest(raw, rawPages, requests);

    const line = (what: string, ours: number): Measured => ({
      what: `CPU a request, ${what}, ${FEED_PAGE} rows with JWT check`,
      reference: RAW,
      ours: `${ours.toFixed(2)} ms`,
      theirs: `${theirs.toFixed(2)} ms`,
      ratio: theirs / ours,
      toReach: 'at least 1.0×',
      reached: theirs / ours >= 1,
    });
    return [
      line('feed of shape 1, the same page again', same),
      line(`change feed, page after page of ${rows.toLocaleString('en')} rows, read before`, again),
      line(`change feed, page after page of ${rows.toLocaleString('en')} rows, the first time`, first),
    ];
  } finally {
    await origin.remove();
    await raw.stop();
  }
}

/** The node token that the destination holds; it has been stopped. */
async function tokenOf({ served }: BenchOffice, nodeID: string): Promise<string> {
  const store = await openStore({ dataDir: served.dataDir, clock: systemClock });
  try {
    const node = await (await store.partition('system')).get(NODES, nodeID);
    return await (await createFileSecretBox(served.dataDir)).open(node?.sealedToken ?? '');
  } finally {
    await store.close();
  }
}

/** Fetches a whole answer over a connection that stays open, and parses it. */
function pageFetcher(token: string): (url: string) => Promise<unknown> {
  const dispatcher = new Agent({ connections: 1 });
  return async (url) => {
    const { statusCode, body } = await request(url, {
      dispatcher,
      headers: { authorization: `Bearer ${token}` },
    });
    const text = await body.text();
    if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${text}`);
    return JSON.parse(text) as unknown;
  };
}

/** Reads the whole change feed; answers the addresses of its pages. */
async function walkThrough(feed: string, fetchPage: (url: string) => Promise<unknown>): Promise<string[]> {
  const addresses: string[] = [];
  for (let url: string | undefined = feed; url !== undefined;) {
    addresses.push(url);
    const answer: z.infer<typeof changes> = changes.parse(await fetchPage(url));
    const { epoch, next, more } = answer.response;
    url = more ? `${feed}&epoch=${epoch}&after=${next}` : undefined;
  }
  return addresses;
}
