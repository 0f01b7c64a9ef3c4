import { Router } from 'express';
import { fallbackRequest } from '../../contract/app/pages.ts';
import { disconnectRequest } from '../../contract/app/sharing.ts';
import { pauseRequest } from '../../contract/wire/upkeep.ts';
import { disconnect, disconnectEffect, type DisconnectDeps } from '../../app/disconnect.ts';
import { partnerDetail, type DetailDeps } from '../../app/summary.ts';
import { sayerFor } from '../listeners/language.ts';
import { pathID } from '../listeners/path-id.ts';
import { userOf, type Guard } from './guard.ts';

/** What keeps a connection going or ends it, under `/app/partners/{n}`. */
export function partnerUpkeepRouter(deps: DetailDeps & DisconnectDeps & { readonly guard: Guard }): Router {
  const { federation, sync, guard } = deps;
  const { nodes } = federation;
  const router = Router({ mergeParams: true });

  router.post('/sync', guard.write, async (req, res) => {
    const { nodeID } = await nodes.get(pathID(req, 'n'));
    const { created, updated, deleted, unchanged, failed } = await sync.syncNow(nodeID);
    res.json({ response: { created, updated, deleted, unchanged, failed } });
  });
  router.post('/pause', guard.admin, async (req, res) => {
    await nodes.pause(pathID(req, 'n'), pauseRequest.parse(req.body ?? {}));
    res.json({});
  });
  router.post('/resume', guard.admin, async (req, res) => {
    const { nodeID } = await nodes.resume(pathID(req, 'n'));
    sync.poke(nodeID);
    res.json({});
  });

  router.put('/fallback', guard.admin, async (req, res) => {
    const { on } = fallbackRequest.parse(req.body);
    const node = await nodes.get(pathID(req, 'n'));
    await sync.setFallback(node.nodeID, on);
    sync.poke(node.nodeID);
    res.json({ response: await partnerDetail(deps, node, sayerFor(req)) });
  });

  router.get('/disconnect', guard.read, async (req, res) => {
    res.json({ response: await disconnectEffect(deps, pathID(req, 'n')) });
  });
  router.post('/disconnect', guard.admin, async (req, res) => {
    const { received, askRemoval = false } = disconnectRequest.parse(req.body);
    await disconnect(deps, pathID(req, 'n'), { received, askRemoval, by: userOf(req) });
    res.json({});
  });
  return router;
}
