import { Router } from 'express';
import { wordsRequest } from '../../contract/app/pages.ts';
import { partnerDetail, type DetailDeps } from '../../app/summary.ts';
import { sayerFor } from '../listeners/language.ts';
import { pathID } from '../listeners/path-id.ts';
import { userOf, type Guard } from './guard.ts';

/** The steps of pairing under `/app/partners/{n}`: the yes, the words compared, another try, another invite. */
export function partnerPairingRouter(deps: DetailDeps & { readonly guard: Guard }): Router {
  const { federation, sync, guard } = deps;
  const { nodes } = federation;
  const router = Router({ mergeParams: true });

  router.post('/approve', guard.admin, async (req, res) => {
    const node = await nodes.confirm(pathID(req, 'n'));
    sync.poke(node.nodeID);
    res.json({ response: await partnerDetail(deps, node, sayerFor(req)) });
  });
  router.post('/decline', guard.admin, async (req, res) => {
    await nodes.decline(pathID(req, 'n'), userOf(req));
    res.json({});
  });
  router.post('/words', guard.admin, async (req, res) => {
    const { words, same, name, spokeTo } = wordsRequest.parse(req.body);
    const { nodeID } = await nodes.get(pathID(req, 'n'));
    const who = { ...(name ? { name } : {}), ...(spokeTo ? { spokeTo } : {}) };
    const node = await nodes.wordsCompared(nodeID, words, same, userOf(req), who);
    res.json({ response: await partnerDetail(deps, node, sayerFor(req)) });
  });
  router.post('/pair', guard.admin, async (req, res) => {
    res.json({ response: await partnerDetail(deps, await nodes.pair(pathID(req, 'n')), sayerFor(req)) });
  });
  router.post('/reinvite', guard.admin, async (req, res) => {
    const { nodeID } = await nodes.get(pathID(req, 'n'));
    const { uri, expiresAt } = await federation.invites.create(nodeID);
    res.json({ response: { nodeID, uri, expiresAt } });
  });
  return router;
}
