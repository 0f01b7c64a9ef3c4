import { Router } from 'express';
import { partnerDetail, type SummaryDeps } from '../../app/summary.ts';
import { handleCall } from './handle-call.ts';

/** Returns the router of the steps of pairing, under `/app/partners/{n}`. */
export function partnerPairingRouter(deps: SummaryDeps): Router {
  const { federation, sync } = deps;
  const { nodes, pairing, disconnects } = federation;
  const router = Router();

  handleCall(router, 'POST /app/partners/:n/approve', async ({ params, say }) => {
    const node = await pairing.confirm(params.n);
    sync.poke(node.nodeID);
    return partnerDetail(deps, node, say);
  });
  handleCall(router, 'POST /app/partners/:n/decline', async ({ params, by }) => {
    await disconnects.decline(params.n, by);
  });
  handleCall(router, 'POST /app/partners/:n/words', async ({ params, body, by, say }) => {
    const { nodeID } = await nodes.get(params.n);
    const { words, same, name, spokeTo } = body;
    const who = { ...(name ? { name } : {}), ...(spokeTo ? { spokeTo } : {}) };
    return partnerDetail(deps, await disconnects.wordsCompared(nodeID, words, same, by, who), say);
  });
  handleCall(router, 'POST /app/partners/:n/pair', async ({ params, say }) =>
    partnerDetail(deps, await pairing.pair(params.n), say),
  );
  handleCall(router, 'POST /app/partners/:n/reinvite', async ({ params }) => {
    const { nodeID } = await nodes.get(params.n);
    return { nodeID, ...(await federation.invites.create(nodeID)) };
  });
  return router;
}
