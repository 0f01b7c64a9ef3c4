import { Router } from 'express';
import { partnerChange } from '../../contract/app/pages.ts';
import type { PartnersEye } from '../../federation/sharing/partners-eye.ts';
import type { DisconnectDeps } from '../../app/disconnect.ts';
import { readPartner } from '../../app/partner-reading.ts';
import { partnerDetail, partnerSummary } from '../../app/summary.ts';
import { sayerFor } from '../listeners/language.ts';
import { pathID } from '../listeners/path-id.ts';
import { userOf } from './guard.ts';
import { ledgerRouter } from './ledger.ts';
import { offersRouter, type OffersDeps } from './offers.ts';
import { partnerActivityRouter, type PartnerActivityDeps } from './partner-activity.ts';
import { partnerPairingRouter } from './partner-pairing.ts';
import { partnerUpkeepRouter } from './partner-upkeep.ts';
import { sharesRouter } from './shares.ts';
import { arrivedToday } from '../../app/today.ts';

export interface PartnersDeps extends PartnerActivityDeps, DisconnectDeps, OffersDeps {
  readonly eye: PartnersEye;
}

/** `/app/partners`: each partner with what is shared, received, connected and has happened. */
export function partnersRouter(deps: PartnersDeps): Router {
  const { federation, sync, guard } = deps;
  const { nodes } = federation;
  const router = Router();

  router.get('/', guard.read, async (req, res) => {
    const all = await nodes.list();
    const say = sayerFor(req);
    const arrived = await arrivedToday(sync.history, deps.now());
    const response = await Promise.all(
      all.map(async (node) => partnerSummary(deps, await readPartner(deps, node), say, arrived)),
    );
    res.json({ response });
  });
  router.get('/:n', guard.read, async (req, res) => {
    res.json({ response: await partnerDetail(deps, await nodes.get(pathID(req, 'n')), sayerFor(req)) });
  });
  router.patch('/:n', guard.admin, async (req, res) => {
    const change = partnerChange.parse(req.body);
    const known = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const node = await nodes.update(pathID(req, 'n'), known, userOf(req));
    sync.poke(node.nodeID);
    res.json({ response: await partnerDetail(deps, node, sayerFor(req)) });
  });

  router.use('/:n', partnerPairingRouter(deps));
  router.use('/:n', partnerUpkeepRouter(deps));
  router.use('/:n', partnerActivityRouter(deps));
  router.use('/:n', ledgerRouter(deps));
  router.use('/:n/shares', sharesRouter(deps));
  router.use('/:n/offers', offersRouter(deps));
  return router;
}
