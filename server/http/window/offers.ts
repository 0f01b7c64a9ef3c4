import { Router } from 'express';
import { z } from 'zod';
import { makeListRequest, type Comparison, type Offer } from '../../contract/app/sharing.ts';
import { brakeRequest, matchingRequest, repullRequest } from '../../contract/app/pages.ts';
import { id } from '../../contract/common.ts';
import type { Federation } from '../../federation/federation.ts';
import type { Mapping, SharedModule } from '../../federation/model.ts';
import type { Lists } from '../../lists/lists.ts';
import type { RemoteRecord } from '../../peer/remote.ts';
import { listKey, type ListState } from '../../sync/status/list-states.ts';
import type { PartnerStatus, Sync } from '../../sync/sync.ts';
import type { Guard } from './guard.ts';
import { suggestionsFor } from '../../app/suggestions.ts';
import { sayerFor } from '../listeners/language.ts';
import type { Say } from '../../words/said.ts';
import { heldCsv } from './held-file.ts';
import { pathID } from '../listeners/path-id.ts';
import { sendPieces } from '../listeners/send-pieces.ts';

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
    const n = pathID(req, 'n');
    const offered = await federation.shared.get(n, pathID(req, 's'));
    const { namespaceID } = await lists.defaultNamespace();
    const module = await lists.createModule(namespaceID, {
      name: name ?? offered.name,
      fields: offered.fields.map(({ kind, name: column, label, isMulti }) => ({
        kind: likeKind(kind),
        name: column,
        label: label || column,
        isMulti,
      })),
    });
    await federation.mappings.set(n, offered.moduleID, {
      composeModuleID: module.moduleID,
      fields: offered.fields.map((field) => ({ origin: field, destination: field })),
      shape: 1,
    });
    sync.poke(n);
    res.json({ response: { moduleID: module.moduleID, namespaceID } });
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

  router.post('/:s/compare', guard.write, async (req, res) => {
    const { nodeID } = await federation.nodes.get(pathID(req, 'n'));
    const { differing, ...found } = await sync.compare(nodeID, pathID(req, 's'));
    const response = { ...found, differing: differing.map((row) => ({ ...row, columns: [...row.columns] })) };
    res.json({ response } satisfies { response: Comparison });
  });

  router.post('/:s/repull', guard.write, async (req, res) => {
    const { recordIDs } = repullRequest.parse(req.body);
    const { nodeID } = await federation.nodes.get(pathID(req, 'n'));
    const { created, updated, deleted, unchanged, failed } = await sync.repull(
      nodeID,
      pathID(req, 's'),
      recordIDs,
    );
    res.json({ response: { created, updated, deleted, unchanged, failed } });
  });

  router.get('/:s/waiting.csv', guard.read, async (req, res) => {
    const [n, s] = [pathID(req, 'n'), pathID(req, 's')];
    const { name } = await federation.shared.get(n, s);
    res.attachment(`${name.replace(/[^\p{L}\p{N} _-]+/gu, '')}.csv`).type('text/csv');
    await sendPieces(res, heldCsv(deps, n, s));
  });

  router.post('/:s/brake', guard.write, async (req, res) => {
    const { go } = brakeRequest.parse(req.body);
    await sync.decideHeld(pathID(req, 'n'), pathID(req, 's'), go ? 'apply' : 'keep');
    res.json({});
  });

  return router;
}

/** References mean nothing here, so a list like the offered one keeps them as the text that arrives. */
function likeKind(kind: SharedModule['fields'][number]['kind']): typeof kind {
  return kind === 'User' || kind === 'Record' || kind === 'File' ? 'String' : kind;
}

/** What a partner offers, each with how it is matched and how far that has come. */
export async function offersOf(
  deps: Pick<OffersDeps, 'federation' | 'lists' | 'sync'>,
  n: string,
  say: Say,
): Promise<Offer[]> {
  const { federation } = deps;
  const { nodeID } = await federation.nodes.get(n);
  const [mappings, offered, status] = await Promise.all([
    federation.mappings.list(nodeID),
    federation.shared.list(nodeID, { withdrawn: true }),
    deps.sync.status(nodeID),
  ]);
  const mappingOf = oldestOf(mappings);
  const pullOf = new Map(
    status.lists.map((list) => [listKey(list.sharedModuleID, list.moduleID), list] as const),
  );
  return Promise.all(
    offered.map((module) =>
      offerOf(deps.lists, module, mappingOf.get(module.moduleID), { pullOf, progress: status.progress }, say),
    ),
  );
}

/** By the offer, the mapping that was made first. */
function oldestOf(mappings: readonly Mapping[]): ReadonlyMap<string, Mapping> {
  return new Map(mappings.toReversed().map((mapping) => [mapping.federationModuleID, mapping]));
}

/** How the lists of a partner stand. */
interface Standing {
  readonly progress: PartnerStatus['progress'] | undefined;
  readonly pullOf: ReadonlyMap<string, ListState>;
}

async function offerOf(
  lists: Lists,
  offered: SharedModule,
  mapping: Mapping | undefined,
  standing: Standing,
  say: Say,
): Promise<Offer> {
  const matched = new Set(mapping?.fields.map(({ origin }) => origin.name));
  const offer: Offer = {
    sharedModuleID: offered.moduleID,
    name: offered.name,
    handle: offered.handle,
    fields: offered.fields.map((field) => ({ ...field })),
    state: stateOf(offered, mapping),
    matches: (mapping?.fields ?? []).map(({ origin, destination, parked }) => ({
      origin: origin.name,
      destination: destination.name,
      ...(parked === undefined ? {} : { parked: say(parked) }),
    })),
    unmatched: offered.fields.map(({ name }) => name).filter((name) => !matched.has(name)),
    rows: 0,
    couldNotApply: 0,
    inBin: 0,
  };
  if (!mapping) return offer;
  const module = await lists.module(mapping.composeModuleID);
  const counts = await (await lists.rows(module.moduleID)).counts();
  const pull = standing.pullOf.get(listKey(offered.moduleID, module.moduleID));
  const progress = standing.progress?.moduleID === module.moduleID ? standing.progress : undefined;
  return {
    ...offer,
    moduleID: module.moduleID,
    listName: module.name,
    rows: counts.received[offered.nodeID] ?? 0,
    couldNotApply: pull?.couldNotApply ?? 0,
    inBin: counts.inBin,
    ...(pull?.brake ? { brake: pull.brake } : {}),
    ...(pull?.lastPulledAt === undefined ? {} : { lastPulledAt: pull.lastPulledAt }),
    ...(progress ? { progress } : {}),
  };
}

function stateOf(offered: SharedModule, mapping: Mapping | undefined): Offer['state'] {
  if (offered.withdrawnAt !== undefined) return 'withdrawn';
  if (mapping) return 'matched';
  return offered.dismissedAt === undefined ? 'new' : 'dismissed';
}
