import { Router, type Request, type Response } from 'express';
import type { z } from 'zod';
import * as contract from '../../../contract/wire/footbridge.ts';
import type { ChangedRow } from '../../../federation/sharing/change-feed.ts';
import type { Federation } from '../../../federation/federation.ts';
import type { Node } from '../../../federation/model.ts';
import { Refusal } from '../../../base/refusal.ts';
import { said } from '../../../words/said.ts';
import type { FailedLoginLimiter } from '../../auth/failed-login-limiter.ts';
import { countFailure } from '../../auth/auth.ts';
import { revalidateCaller } from '../../auth/caller.ts';
import { handshakeBody, jsonBody } from './bodies.ts';
import { activePartner, pairedPartner } from './feeds.ts';
import type { Guards } from './guards.ts';
import { limitAnnouncements } from '../../listeners/rate-limits.ts';
import { originOf, routeOf } from '../../listeners/routed-streams.ts';
import { pathID } from '../../listeners/path-id.ts';
import { whileInTurn } from '../../listeners/per-partner-queue.ts';
import { leaveUncompressed, sendRows } from './rows-answer.ts';

export interface FootbridgeRouterDeps {
  readonly federation: Federation;
  readonly guards: Guards;
  readonly attempts: FailedLoginLimiter;
  /** At each beat of a partner's long poll. */
  readonly called: (nodeID: string, route: string | undefined) => void;
}

/** Serves the calls between Footbridges. */
export function footbridgeRouter(deps: FootbridgeRouterDeps): Router {
  const router = Router();
  router.get('/hello', (req, res) => {
    const { token, challenge } = contract.helloQuery.parse(req.query);
    const isAsked = token !== undefined && challenge !== undefined;
    const proof = isAsked ? { proof: deps.federation.tokens.proveIssued(token, challenge) } : {};
    const response: z.infer<typeof contract.hello> = { footbridge: 1, ...proof };
    res.json({ response });
  });

  addWaitRoute(router, deps);
  addRowRoutes(router, deps);
  addConnectionRoutes(router, deps);
  return router;
}

/**
 * Adds `GET /wait`, a long poll of `timeout` seconds for changes; with `hold` it sends a blank at each timeout and goes
 * on up to that long. It records the partner's activity, reports clones, and answers early if newer polls replace it.
 * It cuts the connection if the node stops or, after a blank, the partner is paused.
 */
function addWaitRoute(router: Router, { federation, guards, called }: FootbridgeRouterDeps): void {
  const { watch, incomingRequests, cloneDetector } = federation;
  router.get('/wait', guards.wait, async (req, res) => {
    const { since, timeout, hold = 0, run } = contract.waitQuery.parse(req.query);
    const gone = new AbortController();
    res.once('close', () => gone.abort());
    const ends = performance.now() + hold * 1000;
    for (;;) {
      const node = await activePartnerOrDisconnect(req, res);
      if (!node) return;
      const began = performance.now();
      incomingRequests.recordLongPoll(node.nodeID, timeout * 1000);
      const twice = run !== undefined && cloneDetector.observe(node.nodeID, run);
      const news = await watch.wait(node, since, timeout * 1000, gone.signal);
      if (gone.signal.aborted) return;
      if (!news) {
        res.destroy();
        return;
      }
      if (!(await activePartnerOrDisconnect(req, res))) return;
      const now = performance.now();
      // An early end: replaced by a newer wait.
      const isQuiet = !news.structure && news.modules.length === 0 && now - began >= timeout * 1000 - 50;
      if (twice || !isQuiet || timeout < MIN_BEAT || now + timeout * 1000 > ends) {
        const response = twice ? { ...news, twice } : news;
        if (res.headersSent) res.end(JSON.stringify({ response }));
        else res.json({ response });
        return;
      }
      if (!res.headersSent) {
        leaveUncompressed(res);
        res.type('json');
      }
      res.write(' ');
      called(node.nodeID, routeOf(req.socket));
    }
  });
}

/** Minimum seconds between heartbeats. */
const MIN_BEAT = 5;

/**
 * Returns the calling partner if it is active. Otherwise throws 401 or 403; once the answer has begun, cuts the
 * connection and returns undefined.
 */
async function activePartnerOrDisconnect(req: Request, res: Response): Promise<Node | undefined> {
  try {
    return await activePartner(req);
  } catch (error) {
    if (!res.headersSent) throw error;
    res.destroy();
    return undefined;
  }
}

/**
 * Adds the calls for changed, named and digested rows, and for the partner's progress reports. Rows of several authors
 * are sent uncompressed (CRIME/BREACH guard).
 */
function addRowRoutes(router: Router, { federation, guards }: FootbridgeRouterDeps): void {
  const { changeFeed, digests, destinations } = federation;
  router.get('/modules/:m/changes', guards.feed, async (req, res) => {
    const request = { ...contract.changesQuery.parse(req.query), address: addressOf(req) };
    const node = await activePartner(req);
    const changes = await whileInTurn(req, () =>
      changeFeed.changes(node, pathID(req, 'm'), request, rowAnswer),
    );
    const { rows, ofSeveralHands, behind, ...position } = changes;
    destinations.recordFetched(node.nodeID, pathID(req, 'm'), behind);
    if (ofSeveralHands) leaveUncompressed(res);
    await sendRows(res, position, { rows });
  });

  router.post('/modules/:m/rows', guards.feed, jsonBody, async (req, res) => {
    const { recordIDs, parts = false } = contract.rowsRequest.parse(req.body);
    const [node, m] = [await activePartner(req), pathID(req, 'm')];
    const wanted = { recordIDs, inParts: parts, address: addressOf(req) };
    const { taken, rows, ofSeveralHands } = await whileInTurn(req, () =>
      changeFeed.rows(node, m, wanted, rowAnswer),
    );
    if (ofSeveralHands) leaveUncompressed(res);
    await sendRows(res, { taken }, { rows });
  });

  router.post('/modules/:m/digest', guards.feed, jsonBody, async (req, res) => {
    const { fields, blocks, block } = contract.digestRequest.parse(req.body);
    const [node, m] = [await activePartner(req), pathID(req, 'm')];
    const wanted = { fields, blocks, address: addressOf(req) };
    if (block === undefined)
      res.json({ response: { blocks: await whileInTurn(req, () => digests.blocks(node, m, wanted)) } });
    else if (block < blocks)
      res.json({
        response: { set: await whileInTurn(req, () => digests.rows(node, m, { ...wanted, block })) },
      });
    else throw new Refusal('malformed', 'digest.block', 'There is no block with that number.');
  });

  router.post('/standing', guards.feed, jsonBody, async (req, res) => {
    const { nodeID } = await activePartner(req);
    destinations.recordReport(nodeID, contract.standingRequest.parse(req.body).lists);
    res.json({});
  });
}

/** Adds the calls that renew a token, pair, announce routes and say goodbye, which paused partners may make too. */
function addConnectionRoutes(router: Router, { federation, guards, attempts }: FootbridgeRouterDeps): void {
  const { announcements, handshakes, disconnects, tokens } = federation;
  router.post('/token', guards.feed, async (req, res) => {
    // Paused partners too: a long pause must not end the connection.
    const response = await tokens.renew((await pairedPartner(req)).nodeID);
    res.json({ response } satisfies { response: z.infer<typeof contract.tokenAnswer> });
  });

  router.post('/pairing', handshakeBody, async (req, res) => {
    const { nodeID, proof } = contract.pairingRequest.parse(req.body);
    try {
      res.json({ response: await handshakes.collect(nodeID, proof) });
    } catch (error) {
      if (error instanceof Refusal && error.kind === 'unauthenticated') countFailure(attempts, req);
      throw error;
    }
  });

  router.post('/routes', guards.feed, handshakeBody, limitAnnouncements(isAnnouncement), async (req, res) => {
    const announcement = contract.routesRequest.parse(req.body);
    // Paused partners too, to be found afterwards.
    const { nodeID } = await pairedPartner(req);
    const newer = await announcements.storeReceived(nodeID, announcement);
    const response: z.infer<typeof contract.routesAnswer> = {
      newer,
      carried: announcements.carriedAs(nodeID),
    };
    res.json({ response });
  });

  router.post('/goodbye', guards.answer, handshakeBody, async (req, res) => {
    const farewell = contract.goodbyeRequest.parse(req.body ?? {});
    const who = await revalidateCaller(req);
    if (who.kind === 'node') await disconnects.recordEndedByPartner(who.node.nodeID, farewell, true);
    if (who.kind === 'asked') await handshakes.recordDeclined(who.node.nodeID, DECLINED, who.token);
    res.json({});
  });
}

const isAnnouncement = (body: unknown): boolean => contract.routesRequest.safeParse(body).success;

const DECLINED = said('pairing.not-approved');

const addressOf = (req: Request): string => originOf(req) ?? '';

type Sent<T> = { readonly [K in keyof T]: NonNullable<T[K]> extends (infer E)[] ? readonly E[] : T[K] };

/**
 * Returns a row as sent to a Footbridge. Only tombstones have `deletedAt`; those of a version never sent have neither
 * `via` nor `origin`.
 */
function rowAnswer({
  recordID,
  createdAt,
  updatedAt,
  deletedAt,
  via,
  origin,
  values,
  unsent,
}: ChangedRow): Sent<z.infer<typeof contract.changedRow>> {
  const answer = { recordID, createdAt, updatedAt, ...(unsent ? {} : { via, origin }), values };
  return deletedAt === undefined ? answer : { ...answer, deletedAt };
}
