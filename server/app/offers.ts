import type { Offer } from '../contract/app/sharing.ts';
import type { Federation } from '../federation/federation.ts';
import type { Mapping, SharedModule } from '../federation/model.ts';
import { descriptorOf } from '../federation/sharing/columns.ts';
import type { Module } from '../lists/definitions/model.ts';
import type { Lists } from '../lists/lists.ts';
import { listKey, type ListState } from '../sync/status/list-states.ts';
import type { Sync } from '../sync/sync.ts';
import type { PartnerStatus } from '../sync/status/partner-status.ts';
import type { Say } from '../words/said.ts';

interface OffersDeps {
  readonly federation: Pick<Federation, 'nodes' | 'shared' | 'mappings'>;
  readonly lists: Lists;
  readonly sync: Pick<Sync, 'status'>;
}

/**
 * Creates a list in the default workspace (`name`: by default the offer's) with all of an offer's columns, maps them,
 * and returns it. Throws `Refusal`; if the mapping fails, the list stays.
 */
export async function createListFromOffer(
  { federation, lists }: Pick<OffersDeps, 'federation' | 'lists'>,
  ourOrSharedID: string,
  offer: string,
  name: string | undefined,
): Promise<Module> {
  const offered = await federation.shared.get(ourOrSharedID, offer);
  const { namespaceID } = await lists.defaultNamespace();
  const module = await lists.createModule(namespaceID, {
    name: name ?? offered.name,
    fields: offered.fields.map(({ kind, name: column, label, isMulti }) => ({
      kind: ownKind(kind),
      name: column,
      label: label || column,
      isMulti,
    })),
  });
  await federation.mappings.set(ourOrSharedID, offered.moduleID, {
    composeModuleID: module.moduleID,
    fields: offered.fields.map((field) => ({ origin: field, destination: field })),
    shape: 1,
  });
  return module;
}

/** Returns our column's kind: text for references to rows, users and files, which have no meaning here. */
function ownKind(kind: SharedModule['fields'][number]['kind']): typeof kind {
  return kind === 'User' || kind === 'Record' || kind === 'File' ? 'String' : kind;
}

/** Returns a partner's offers, even withdrawn, each with its oldest mapping and progress. Throws `node.unknown`. */
export async function listOffers(deps: OffersDeps, ourOrSharedID: string, say: Say): Promise<Offer[]> {
  const { federation } = deps;
  const { nodeID } = await federation.nodes.get(ourOrSharedID);
  const [mappings, offered, status] = await Promise.all([
    federation.mappings.list(nodeID),
    federation.shared.list(nodeID, { withdrawn: true }),
    deps.sync.status(nodeID),
  ]);
  const mappingOf = oldestMappingByOffer(mappings);
  const pullOf = new Map(
    status.lists.map((list) => [listKey(list.sharedModuleID, list.moduleID), list] as const),
  );
  return Promise.all(
    offered.map((module) =>
      describeOffer(deps, module, mappingOf.get(module.moduleID), { pullOf, progress: status.progress }, say),
    ),
  );
}

/** Returns each offer's first mapping, by our id of the offer: the oldest, as mappings are listed by age. */
function oldestMappingByOffer(mappings: readonly Mapping[]): ReadonlyMap<string, Mapping> {
  return new Map(mappings.toReversed().map((mapping) => [mapping.federationModuleID, mapping]));
}

interface OfferSyncState {
  readonly progress: PartnerStatus['progress'] | undefined;
  readonly pullOf: ReadonlyMap<string, ListState>;
}

/** Describes an offer for the window; if mapped, with its list, row counts and last pull, else with a former list. */
async function describeOffer(
  { federation, lists }: OffersDeps,
  offered: SharedModule,
  mapping: Mapping | undefined,
  sync: OfferSyncState,
  say: Say,
): Promise<Offer> {
  const matched = new Set(mapping?.fields.map(({ origin }) => origin.name));
  const offer: Offer = {
    sharedModuleID: offered.moduleID,
    name: offered.name,
    handle: offered.handle,
    fields: offered.fields.map(descriptorOf),
    state: offerState(offered, mapping),
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
  if (!mapping) return { ...offer, ...(await describeFormer(federation, offered)) };
  const module = await lists.module(mapping.composeModuleID);
  const counts = await lists.counts(module.moduleID);
  const pull = sync.pullOf.get(listKey(offered.moduleID, module.moduleID));
  const progress = sync.progress?.moduleID === module.moduleID ? sync.progress : undefined;
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

/**
 * Returns the list that received an offer before both offices paired again; {} if there is none or the offer is
 * withdrawn.
 */
async function describeFormer(
  { mappings }: Pick<Federation, 'mappings'>,
  offered: SharedModule,
): Promise<Pick<Offer, 'former'>> {
  const former = offered.withdrawnAt === undefined ? await mappings.findFormer(offered) : undefined;
  if (!former) return {};
  const { module, matches } = former;
  return { former: { moduleID: module.moduleID, listName: module.name, matches: [...matches] } };
}

/** Returns whether an offer is withdrawn, matched, dismissed or new; the first that applies. */
function offerState(offered: SharedModule, mapping: Mapping | undefined): Offer['state'] {
  if (offered.withdrawnAt !== undefined) return 'withdrawn';
  if (mapping) return 'matched';
  return offered.dismissedAt === undefined ? 'new' : 'dismissed';
}
