import { Router } from 'express';
import type { Federation } from '../../federation/federation.ts';
import type { Clock } from '../../base/clock.ts';
import type { Nearby } from '../../nearby/nearby.ts';
import type { Sync } from '../../sync/sync.ts';
import type { EventStream } from '../listeners/event-stream.ts';
import { languageOf, localeOf } from '../listeners/language.ts';
import { activityPage } from '../../app/activity.ts';
import type { Dismissals } from '../../app/dismissals.ts';
import { handleCall, routeOf } from './handle-call.ts';
import type { OverviewSource } from '../../app/overview.ts';
import { checkReachability, type ReachabilityFacts } from '../../app/reachability.ts';
import { syncAll } from '../../app/sync-all.ts';

export interface HomeDeps {
  readonly federation: Federation;
  readonly sync: Sync;
  readonly overview: OverviewSource;
  readonly dismissals: Dismissals;
  readonly events: EventStream;
  readonly clock: Clock;
  readonly nearby: Pick<Nearby, 'refresh'>;
  readonly ownRoutes: () => Pick<ReachabilityFacts, 'router' | 'relay'>;
}

/**
 * Serves overview, events, activity, dismissal in the inbox, sync, pause and resumption of all partners, offices nearby
 * and the reachability check.
 */
export function homeRouter(deps: HomeDeps): Router {
  const { federation, sync, events } = deps;
  const { nodes } = federation;
  const router = Router();

  handleCall(router, 'GET /app/overview', ({ req }) =>
    deps.overview.overview(languageOf(req), localeOf(req)),
  );
  const { path, may } = routeOf('GET /app/events');
  router.get(path, may, events.handler);

  handleCall(router, 'GET /app/activity', ({ query, say }) => activityPage(sync, query, say));
  handleCall(router, 'POST /app/inbox/:itemID/dismiss', async ({ params }) => {
    await deps.dismissals.add(params.itemID, new Date(deps.clock.now()).toISOString());
    events.send({ type: 'overview' });
  });

  handleCall(router, 'POST /app/sync', () => syncAll(deps));
  handleCall(router, 'POST /app/pause', async ({ body }) => {
    for (const { nodeID } of await nodes.list()) await nodes.pause(nodeID, body);
  });
  handleCall(router, 'POST /app/resume', async () => {
    for (const { nodeID } of await nodes.list()) await nodes.resume(nodeID);
  });

  handleCall(router, 'POST /app/nearby', () => {
    const { looking, offices } = deps.nearby.refresh();
    return Promise.resolve({ looking, offices: [...offices] });
  });
  handleCall(router, 'GET /app/reachability', async ({ req, say }) => {
    const { addresses, reachable } = await deps.overview.overview(languageOf(req));
    const facts = { addresses, open: reachable, pin: federation.invites.ownPin(), ...deps.ownRoutes() };
    return checkReachability(facts, say);
  });
  return router;
}
