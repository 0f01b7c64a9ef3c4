import { Router } from 'express';
import type { SharePreview } from '../../federation/sharing/share-preview.ts';
import type { DisconnectDeps } from '../../app/disconnect.ts';
import { readPartner } from '../../app/partner-reading.ts';
import { partnerDetail, partnerSummary } from '../../app/summary.ts';
import { handleCall } from './handle-call.ts';
import { ledgerRouter } from './ledger.ts';
import { offersRouter, type OffersDeps } from './offers.ts';
import { partnerActivityRouter, type PartnerActivityDeps } from './partner-activity.ts';
import { partnerPairingRouter } from './partner-pairing.ts';
import { partnerUpkeepRouter } from './partner-upkeep.ts';
import { sharesRouter } from './shares.ts';

export interface PartnersDeps extends PartnerActivityDeps, DisconnectDeps, OffersDeps {
  readonly eye: SharePreview;
}

/** Returns the router of `/app/partners`: partners with their shares, offers, pairing, sharing log and activity. */
export function partnersRouter(deps: PartnersDeps): Router {
  const { federation, sync } = deps;
  const { nodes } = federation;
  const router = Router();

  handleCall(router, 'GET /app/partners', async ({ say }) => {
    const all = await nodes.list();
    const arrived = await deps.today.arrived();
    return Promise.all(
      all.map(async (node) => partnerSummary(deps, await readPartner(deps, node), say, arrived)),
    );
  });
  handleCall(router, 'GET /app/partners/:n', async ({ params, say }) =>
    partnerDetail(deps, await nodes.get(params.n), say),
  );
  handleCall(router, 'PATCH /app/partners/:n', async ({ params, body, by, say }) => {
    const known = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    const node = await nodes.update(params.n, known, by);
    sync.poke(node.nodeID);
    return partnerDetail(deps, node, say);
  });

  router.use(partnerPairingRouter(deps));
  router.use(partnerUpkeepRouter(deps));
  router.use(partnerActivityRouter(deps));
  router.use(ledgerRouter(deps));
  router.use(sharesRouter(deps));
  router.use(offersRouter(deps));
  return router;
}
