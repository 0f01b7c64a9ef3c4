import { Router } from 'express';
import { z } from 'zod';
import { makeListRequest } from '../../contract/app/sharing.ts';
import { matchingRequest } from '../../contract/app/pages.ts';
import { id } from '../../contract/common.ts';
import type { Federation } from '../../federation/federation.ts';
import type { SharedModule } from '../../federation/model.ts';
import type { Lists } from '../../lists/lists.ts';
import type { RemoteRecord } from '../../peer/remote.ts';
import type { Sync } from '../../sync/sync.ts';
import { makeListLike, offersOf } from '../../app/offers.ts';
import type { Guard } from './guard.ts';
import { suggestionsFor } from '../../app/suggestions.ts';
import { sayerFor } from '../listeners/language.ts';
import { offerRowsRouter } from './offer-rows.ts';
import { pathID } from '../listeners/path-id.ts';

export interface OffersDeps {
  readonly federation: Federation;
  readonly lists: Lists;
  readonly sync: Sync;
  /** A few rows of an offered list, for the matching screen. */
  readonly samples: (offered: SharedModule) => Promise<readonly RemoteRecord[]>;
  readonly guard: Guard;
}

const suggestQuery = z.object({ moduleID: id });

/** `/app/partners/{n}/offers`: what a partner offers, and how it is matched onto our lists. */
export function offersRouter(deps: OffersDeps): Router {
  const { federation, lists, sync, guard } = deps;
  const router = Router({ mergeParams: true });

  router.get('/', guard.read, async (req, res) => {
    res.json({ response: await offersOf(deps, pathID(req, 'n'), sayerFor(req)) });
  });

  router.get('/:s/suggest', guard.read, async (req, res) => {
    const { moduleID } = suggestQuery.parse(req.query);
    const offered = await federation.shared.get(pathID(req, 'n'), pathID(req, 's'));
    const module = await lists.module(moduleID);
    const samples = await deps.samples(offered);
    res.json({ response: suggestionsFor(offered.fields, module.fields, samples, sayerFor(req)) });
  });

  router.put('/:s/matching', guard.write, async (req, res) => {
    const { moduleID, matches } = matchingRequest.parse(req.body);
    const n = pathID(req, 'n');
    await federation.mappings.set(n, pathID(req, 's'), {
      composeModuleID: moduleID,
      fields: matches.map(({ origin, destination }) => ({
        origin: { name: origin },
        destination: { name: destination },
      })),
      shape: 1,
    });
    sync.poke(n);
    res.json({});
  });

  router.delete('/:s/matching', guard.write, async (req, res) => {
    await federation.mappings.remove(pathID(req, 'n'), pathID(req, 's'));
    res.json({});
  });

  router.post('/:s/list', guard.write, async (req, res) => {
    const { name } = makeListRequest.parse(req.body ?? {});
    const [n, s] = [pathID(req, 'n'), pathID(req, 's')];
    const { moduleID, namespaceID } = await makeListLike(deps, n, s, name);
    sync.poke(n);
    res.json({ response: { moduleID, namespaceID } });
  });

  for (const [path, dismissed] of [
    ['/:s/dismiss', true],
    ['/:s/recall', false],
  ] as const) {
    router.post(path, guard.write, async (req, res) => {
      await federation.shared.dismiss(pathID(req, 'n'), pathID(req, 's'), dismissed);
      res.json({});
    });
  }

  router.use('/:s', offerRowsRouter(deps));
  return router;
}
