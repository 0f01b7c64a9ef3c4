import { Router } from 'express';
import { disconnect, disconnectEffect, type DisconnectDeps } from '../../app/disconnect.ts';
import { partnerDetail, type SummaryDeps } from '../../app/summary.ts';
import { handleCall } from './handle-call.ts';

/** Returns the router of the calls that sync, pause, resume and end a connection, under `/app/partners/{n}`. */
export function partnerUpkeepRouter(deps: SummaryDeps & DisconnectDeps): Router {
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
    return partnerDetail(deps, node, say);
  });
  handleCall(router, 'GET /app/partners/:n/disconnect', ({ params }) => disconnectEffect(deps, params.n));
  handleCall(router, 'POST /app/partners/:n/disconnect', async ({ params, body, by }) => {
    await disconnect(deps, params.n, { received: body.received, askRemoval: body.askRemoval ?? false, by });
  });
  return router;
}
