import { Router } from 'express';
import type { SharePreview } from '../../federation/sharing/share-preview.ts';
import { type DisconnectDeps, disconnect, disconnectEffect } from '../../app/disconnect.ts';
import { readPartner } from '../../app/partner-reading.ts';
import { describePartner, summarizePartner, type SummaryDeps } from '../../app/summary.ts';
import { handleCall } from './handle-call.ts';
import { ledgerRouter } from './ledger.ts';
import { offersRouter, type OffersDeps } from './offers.ts';
import { sharesRouter } from './shares.ts';
import type { Ledger } from '../../federation/sharing/ledger.ts';
import { activityPage, allActivity, createChart, toFailedRow } from '../../app/activity.ts';
import { servedEntries } from '../../app/sharing-log.ts';
import { parseRoute } from '../../base/routes.ts';
import { areCallableFromElsewhere } from '../../federation/partners/invites.ts';
import { mustBeWhole, parseNodeURI, type NodeURI } from '../../federation/partners/node-uri.ts';

export interface PartnersDeps extends PartnerActivityDeps, DisconnectDeps, OffersDeps {
  readonly eye: SharePreview;
}

/** Serves partners: all, one, and changes of one; also their shares, offers, pairing, sharing log and activity. */
export function partnersRouter(deps: PartnersDeps): Router {
  const { federation, sync } = deps;
  const { nodes } = federation;
  const router = Router();

  handleCall(router, 'GET /app/partners', async ({ say }) => {
    const all = await nodes.list();
    const arrived = await deps.today.countArrived();
    return Promise.all(
      all.map(async (node) => summarizePartner(deps, await readPartner(deps, node), say, arrived)),
    );
  });
  handleCall(router, 'GET /app/partners/:n', async ({ params, say }) =>
    describePartner(deps, await nodes.getCurrent(params.n), say),
  );
  handleCall(router, 'PATCH /app/partners/:n', async ({ params, body, by, say }) => {
    const known = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    const node = await nodes.update(params.n, known, by);
    sync.poke(node.nodeID);
    return describePartner(deps, node, say);
  });

  router.use(partnerPairingRouter(deps));
  router.use(partnerUpkeepRouter(deps));
  router.use(partnerActivityRouter(deps));
  router.use(ledgerRouter(deps));
  router.use(sharesRouter(deps));
  router.use(offersRouter(deps));
  return router;
}

interface PartnerActivityDeps extends SummaryDeps {
  readonly ledger: Ledger;
  readonly now: () => number;
}

/** Serves a partner's activity, failed rows, their retry, and the chart of received rows. */
function partnerActivityRouter(deps: PartnerActivityDeps): Router {
  const { federation, sync } = deps;
  const { nodes } = federation;
  const router = Router();

  handleCall(router, 'GET /app/partners/:n/activity', async ({ params, query, say }) => {
    const node = await nodes.get(params.n);
    const partner = { nodeID: node.nodeID, served: await servedEntries(deps.ledger, node) };
    return activityPage(sync, query, say, partner);
  });
  handleCall(router, 'GET /app/partners/:n/failed', async ({ params, query, say }) => {
    const { nodeID } = await nodes.get(params.n);
    return (await sync.failedRows.list(nodeID, query.sharedModuleID)).map((row) => toFailedRow(row, say));
  });
  handleCall(router, 'POST /app/partners/:n/failed/retry', async ({ params }) => {
    const { nodeID } = await nodes.get(params.n);
    await sync.failedRows.retry(nodeID);
    return { waiting: await sync.failedRows.count(nodeID) };
  });
  handleCall(router, 'GET /app/partners/:n/chart', async ({ params, query }) => {
    const { nodeID } = await nodes.get(params.n);
    const pulls = (await allActivity(sync, nodeID)).map(({ at, counts }) => ({
      at,
      rows: counts ? counts.created + counts.updated + counts.deleted : 0,
    }));
    return createChart(pulls, query.days, deps.now());
  });
  return router;
}

/** Serves the approval or refusal of a pairing, the comparison of its words, requests to pair and new invites. */
function partnerPairingRouter(deps: SummaryDeps): Router {
  const { federation, sync } = deps;
  const { nodes, pairing, disconnects } = federation;
  const router = Router();

  handleCall(router, 'POST /app/partners/:n/approve', async ({ params, say }) => {
    const node = await pairing.confirm(params.n);
    sync.poke(node.nodeID);
    return describePartner(deps, node, say);
  });
  handleCall(router, 'POST /app/partners/:n/decline', async ({ params, by }) => {
    await disconnects.declinePairing(params.n, by);
  });
  handleCall(router, 'POST /app/partners/:n/words', async ({ params, body, by, say }) => {
    const { nodeID } = await nodes.get(params.n);
    const { words, same, name, spokeTo } = body;
    const who = { ...(name ? { name } : {}), ...(spokeTo ? { spokeTo } : {}) };
    return describePartner(deps, await disconnects.applyWordsComparison(nodeID, words, same, by, who), say);
  });
  handleCall(router, 'POST /app/partners/:n/pair', async ({ params, say }) =>
    describePartner(deps, await pairing.pair(params.n), say),
  );
  handleCall(router, 'POST /app/partners/:n/reinvite', async ({ params }) => {
    const { nodeID } = await nodes.get(params.n);
    return { nodeID, ...(await federation.invites.create(nodeID)) };
  });
  return router;
}

/** Serves syncs, pauses, the review of shares, the fallback and the disconnection of a partner. */
function partnerUpkeepRouter(deps: SummaryDeps & DisconnectDeps): Router {
  const { federation, sync } = deps;
  const { nodes } = federation;
  const router = Router();

  handleCall(router, 'POST /app/partners/:n/sync', async ({ params }) => {
    const { nodeID } = await nodes.get(params.n);
    const { created, updated, deleted, unchanged, failed } = await sync.syncNow(nodeID);
    return { created, updated, deleted, unchanged, failed };
  });
  handleCall(router, 'POST /app/partners/:n/pause', async ({ params, body }) => {
    await nodes.pause(params.n, body);
  });
  handleCall(router, 'POST /app/partners/:n/resume', async ({ params }) => {
    const { nodeID } = await nodes.resume(params.n);
    sync.poke(nodeID);
  });
  handleCall(router, 'POST /app/partners/:n/shares-seen', async ({ params }) => {
    const { nodeID } = await nodes.confirmShares(params.n);
    sync.poke(nodeID);
  });
  handleCall(router, 'PUT /app/partners/:n/fallback', async ({ params, body, say }) => {
    const node = await nodes.get(params.n);
    await sync.setFallback(node.nodeID, body.on);
    sync.poke(node.nodeID);
    return describePartner(deps, node, say);
  });
  handleCall(router, 'GET /app/partners/:n/disconnect', ({ params }) => disconnectEffect(deps, params.n));
  handleCall(router, 'POST /app/partners/:n/disconnect', async ({ params, body, by }) => {
    await disconnect(deps, params.n, { received: body.received, askRemoval: body.askRemoval ?? false, by });
  });
  return router;
}

/** Serves the making of invites, also as a reply to a partner's, and the checking and accepting of a partner's. */
export function invitesRouter({
  federation,
  routes: book,
}: Pick<SummaryDeps, 'federation' | 'routes'>): Router {
  const { invites, nodes, connecting } = federation;
  const relayIn = ({ routes }: NodeURI): ReturnType<NonNullable<typeof book>['findCallableRelay']> =>
    book?.findCallableRelay(routes?.texts ?? []);
  const router = Router();

  handleCall(router, 'POST /app/invites', async ({ body: { name, contact, replyTo }, by }) => {
    const answered = replyTo === undefined ? undefined : await invites.inspect(replyTo);
    const made = { name, ...(contact === undefined ? {} : { contact }) };
    const known = answered && (answered.alreadyKnown ?? (await nodes.findUnanswered(name))?.nodeID);
    const nodeID = known ?? (await nodes.create(made, by)).nodeID;
    return { nodeID, ...(await invites.create(nodeID, answered?.uri)) };
  });
  handleCall(router, 'POST /app/invites/check', async ({ body }) => {
    mustBeWhole(body.uri);
    const { uri, secure, needsOwnNetworkConsent, alreadyKnown } = await invites.inspect(body.uri);
    const onlyNearby = invites.isOnlyNearby();
    const relay = relayIn(uri)?.host;
    const others = (uri.routes?.texts ?? []).filter((text) => parseRoute(text)?.kind !== 'relay');
    return {
      partner: uri.name,
      address: new URL(uri.baseURL).host,
      secure,
      needsOwnNetworkConsent,
      ...(relay === undefined ? {} : { relay }),
      ...(relay === undefined && !areCallableFromElsewhere(others)
        ? {}
        : { reachesElsewhere: true as const }),
      ...(onlyNearby ? { onlyNearby } : {}),
      ...(alreadyKnown === undefined ? {} : { alreadyKnown }),
      ...(alreadyKnown === undefined || uri.replyTo === undefined ? {} : { isReply: true as const }),
    };
  });
  handleCall(router, 'POST /app/invites/accept', async ({ body: { uri, name, ownNetwork, relay }, by }) => {
    mustBeWhole(uri);
    const allowed = relay === true ? relayIn(parseNodeURI(uri)) : undefined;
    const options = {
      ...(name ? { name } : {}),
      ...(ownNetwork === undefined ? {} : { ownNetwork }),
      ...(allowed ? { relay: allowed } : {}),
    };
    const { nodeID } = await connecting.connect(uri, options, by);
    return { nodeID };
  });
  return router;
}
