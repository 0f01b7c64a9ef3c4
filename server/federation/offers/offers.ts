import { omit } from '../../base/omit.ts';
import { plainName } from '../../base/plain-name.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Tx, Partition } from '../../store/store.ts';
import { parkUnlessOffered, descriptorOf, isOtherColumn } from '../sharing/columns.ts';
import { findNode, nowOf, type FederationContext } from '../context.ts';
import { createKnownOffers, firstModuleIDOf, type OfferedDefinition } from './known-offers.ts';
import type { FieldDescriptor } from '../../lists/definitions/model.ts';
import type { FieldMatch, Mapping, Node, OfferedList, SharedModule } from '../model.ts';
import { externalText, MAPPINGS, mappingKey, NODES, SHARED_MODULES } from '../tables.ts';
import { said } from '../../words/said.ts';

export interface OfferChange {
  readonly module: SharedModule;
  readonly added: readonly FieldDescriptor[];
  readonly removed: readonly FieldDescriptor[];
  /** They have the same name, but another kind, number of values, or column. */
  readonly retyped: readonly FieldDescriptor[];
  readonly renamed: boolean;
}

export interface Reconciliation {
  readonly added: readonly SharedModule[];
  readonly changed: readonly OfferChange[];
  readonly withdrawn: readonly SharedModule[];
  /** They are offered again after a withdrawal. */
  readonly returned: readonly SharedModule[];
  /** A live server was paired again and has offered nothing since: nothing counts as withdrawn. */
  readonly awaited?: true;
}

/** Our copies of partners' offers (protocol: shared module). */
export interface SharedModules {
  /** Returns a partner's current offers, oldest first; with `withdrawn` all, also those of a former installation. */
  list(ourOrSharedID: string, options?: { readonly withdrawn?: boolean }): Promise<SharedModule[]>;
  /** Finds an offer, withdrawn or not, by our id, else by the partner's. @throws Refusal `shared.unknown` */
  get(ourOrSharedID: string, moduleID: string): Promise<SharedModule>;
  /**
   * Sets or removes the user's dismissal, notifies listeners and returns the offer. @throws Refusal `shared.unknown`
   */
  dismiss(ourOrSharedID: string, moduleID: string, dismissed: boolean): Promise<SharedModule>;
  /** Updates our copies and mapped columns; returns what changed. `complete`: others than `offered` are withdrawn. */
  reconcile(
    nodeID: string,
    offered: readonly OfferedDefinition[],
    options: { readonly complete: boolean },
  ): Promise<Reconciliation>;
}

/** Creates the service that stores partners' offers in the system partition. */
export function createSharedModules(context: FederationContext): SharedModules {
  const { system } = context;
  const read = createOffersRead(system);

  /** Parks matched columns that the offer no longer has, and resumes those that are back. */
  async function updateMatches(tx: Tx, shared: SharedModule): Promise<void> {
    for (const { value: mapping } of await tx.find(MAPPINGS, 'shared', shared.moduleID)) {
      const fields = mapping.fields.map((match) =>
        match.parkedBy === 'us' ? match : parkUnlessOffered(match, shared.fields),
      );
      if (JSON.stringify(fields) === JSON.stringify(mapping.fields)) continue;
      // Adding marks changes nothing for mappings by name.
      const isSame = JSON.stringify(fields.map(unmarked)) === JSON.stringify(mapping.fields.map(unmarked));
      const changed: Mapping = { ...mapping, fields, ...(isSame ? {} : { updatedAt: nowOf(context) }) };
      tx.put(MAPPINGS, mappingKey(mapping), changed);
    }
  }

  const shared: SharedModules = {
    /** Returns the present installation's current offers, oldest first; with `withdrawn` all. */
    async list(ourOrSharedID, options = {}) {
      const node = await findNode(system, ourOrSharedID);
      const all = await read(node.nodeID);
      if (options.withdrawn === true) return [...all];
      return all.filter((each) => each.withdrawnAt === undefined && isOfferedBy(each, offererOf(node)));
    },

    /** Returns the offer with our id, else the partner's; withdrawn ones too. Throws `shared.unknown`. */
    async get(ourOrSharedID, moduleID) {
      const node = await findNode(system, ourOrSharedID);
      const own = await system.get(SHARED_MODULES, moduleID);
      if (own?.nodeID === node.nodeID) return own;
      const theirs = await system.find(SHARED_MODULES, 'external', externalText(node.nodeID, moduleID));
      const found = theirs.find(({ value }) => isOfferedBy(value, offererOf(node))) ?? theirs[0];
      if (found) return found.value;
      throw new Refusal('not-found', 'shared.unknown', said('offer.unknown', { number: moduleID }));
    },

    /** Sets or removes an offer's dismissal, and notifies listeners. Throws `shared.unknown`. */
    async dismiss(ourOrSharedID, moduleID, dismissed) {
      const { moduleID: own } = await shared.get(ourOrSharedID, moduleID);
      const changed = await system.transaction(async (tx) => {
        const current = await tx.get(SHARED_MODULES, own);
        if (!current) throw new Refusal('not-found', 'shared.unknown', said('offer.gone'));
        const rest = omit(current, 'dismissedAt');
        const after: SharedModule = dismissed ? { ...rest, dismissedAt: nowOf(context) } : rest;
        tx.put(SHARED_MODULES, own, after);
        return after;
      });
      context.notifyChanged({ kind: 'shared', nodeID: changed.nodeID, moduleID: own });
      return changed;
    },

    /**
     * Stores what a partner offers now in one transaction. Returns only `awaited`, and withdraws nothing, if a live
     * server that was paired again offers nothing yet.
     */
    async reconcile(nodeID, asOffered, { complete }) {
      const offered = asOffered.map(withPlainNames);
      const now = nowOf(context);
      const result = { added: [], changed: [], withdrawn: [], returned: [] } as MutableReconciliation;
      await system.transaction(async (tx) => {
        const all = (await tx.find(SHARED_MODULES, 'node', nodeID)).map(({ value }) => value);
        const node = await tx.get(NODES, nodeID);
        const offerer = offererOf(node);
        if (node && complete && awaitsOffers(node)) {
          result.awaited = offered.length === 0 && all.some(({ withdrawnAt }) => withdrawnAt === undefined);
          if (result.awaited) return;
          const { tokenSince: offersSince } = node;
          if (offered.length > 0 && offersSince !== undefined)
            tx.put(NODES, nodeID, { ...node, offersSince });
        }
        const noted = offerer === undefined ? {} : { installation: offerer };
        const known = all.filter((module) => isOfferedBy(module, offerer));
        /** Stores an offer and updates the mappings that use it. */
        const putOffer = async (module: SharedModule): Promise<void> => {
          tx.put(SHARED_MODULES, module.moduleID, module);
          await updateMatches(tx, module);
        };
        /** Stores an offer as withdrawn, unless it is, and records it in the result. */
        const withdrawOffer = async (module: SharedModule): Promise<void> => {
          if (module.withdrawnAt !== undefined) return;
          const gone = { ...module, withdrawnAt: now };
          await putOffer(gone);
          result.withdrawn.push(gone);
        };
        const knownOffers = createKnownOffers(known, offered, complete);
        for (const offer of offered) {
          const { before, sameID } = knownOffers.findPrevious(offer);
          if (offer.deletedAt !== undefined) {
            if (before) await withdrawOffer(before);
            continue;
          }
          if (!before) {
            const module: SharedModule = {
              moduleID: context.ids.next(),
              nodeID,
              ...withoutDeletedAt(offer),
              ...noted,
              createdAt: now,
            };
            await putOffer(module);
            result.added.push(module);
            continue;
          }
          const difference = compareDefinitions(before, offer);
          const isBack = before.withdrawnAt !== undefined;
          if (!isBack && difference === undefined && sameID && isMarkedAlike(before, offer)) {
            if (before.installation !== offerer)
              tx.put(SHARED_MODULES, before.moduleID, { ...before, ...noted });
            continue;
          }
          const module: SharedModule = {
            ...omit(
              before,
              ...(['withdrawnAt', 'externalFirstModuleID'] as const),
              ...(difference ? (['dismissedAt'] as const) : []),
            ),
            ...withoutDeletedAt(offer),
            ...noted,
            updatedAt: now,
          };
          await putOffer(module);
          if (isBack) result.returned.push(module);
          if (difference) result.changed.push({ ...difference, module });
        }
        // Offers of another installation end, even if the new one uses their ids.
        const others = all.filter((module) => !known.includes(module));
        for (const module of [...(complete ? knownOffers.withdrawn() : []), ...others])
          await withdrawOffer(module);
        await deleteOldestWithdrawn(tx, nodeID);
      });
      const announced = [...result.added, ...result.withdrawn, ...result.returned];
      for (const { moduleID } of [...announced, ...result.changed.map(({ module }) => module)])
        context.notifyChanged({ kind: 'shared', nodeID, moduleID });
      const { awaited, ...reconciled } = result;
      return awaited ? { ...reconciled, awaited } : reconciled;
    },
  };
  return shared;
}

/** Returns whether a live server has offered no list since its latest pairing. */
export const awaitsOffers = ({ dialect, tokenSince, offersSince }: Node): boolean =>
  dialect === 'live' && tokenSince !== offersSince;

/**
 * Returns the offers that our user has neither mapped nor dismissed, without withdrawn ones; none if the connection
 * ended, or while we await a live server's offers after a new pairing.
 */
export function undecidedOffers(
  node: Node,
  offers: readonly SharedModule[],
  mappings: readonly Mapping[],
): readonly SharedModule[] {
  if (node.status === 'unpaired' || awaitsOffers(node)) return [];
  const mapped = new Set(mappings.map(({ federationModuleID }) => federationModuleID));
  return offers.filter(
    ({ moduleID, withdrawnAt, dismissedAt }) =>
      withdrawnAt === undefined && dismissedAt === undefined && !mapped.has(moduleID),
  );
}

/** A partner could offer others at each request. */
const MAX_WITHDRAWN = 500;

/** Deletes the oldest withdrawn offers beyond 500, except mapped ones. */
async function deleteOldestWithdrawn(tx: Tx, nodeID: string): Promise<void> {
  const all = (await tx.find(SHARED_MODULES, 'node', nodeID)).map(({ value }) => value);
  const withdrawn = all.filter(({ withdrawnAt }) => withdrawnAt !== undefined);
  if (withdrawn.length <= MAX_WITHDRAWN) return;
  withdrawn.sort((one, other) => ((one.withdrawnAt ?? '') < (other.withdrawnAt ?? '') ? -1 : 1));
  for (const { moduleID } of withdrawn.slice(0, -MAX_WITHDRAWN))
    if ((await tx.find(MAPPINGS, 'shared', moduleID)).length === 0) tx.delete(SHARED_MODULES, moduleID);
}

/** Returns who offers a partner's lists: its installation, '' for other software, undefined if unknown. */
function offererOf(node: Pick<Node, 'installation' | 'footbridge'> | undefined): string | undefined {
  return node?.installation ?? (node?.footbridge === false ? '' : undefined);
}

/** Returns whether the offer is from this offerer, or doesn't record one. */
const isOfferedBy = ({ installation }: SharedModule, offerer: string | undefined): boolean =>
  installation === undefined || installation === offerer;

interface MutableReconciliation {
  awaited?: boolean;
  readonly added: SharedModule[];
  readonly changed: OfferChange[];
  readonly withdrawn: SharedModule[];
  readonly returned: SharedModule[];
}

function withoutDeletedAt(offer: OfferedDefinition): Omit<OfferedDefinition, 'deletedAt'> {
  return omit(offer, 'deletedAt');
}

const unmarked = (match: FieldMatch): FieldMatch => ({ ...match, origin: descriptorOf(match.origin) });

/** Returns whether the offered lists and their columns have the same stable ids, the columns in the same order. */
function isMarkedAlike(before: OfferedList, offer: OfferedList): boolean {
  const marks = [before, offer].map((each) =>
    JSON.stringify([firstModuleIDOf(each), ...each.fields.map(({ mark }) => mark ?? '')]),
  );
  return marks[0] === marks[1];
}

/**
 * Returns how an offer's definition differs from the stored one; undefined if it doesn't. Without a difference of
 * columns, but of their order or labels, the lists of columns are empty.
 */
function compareDefinitions(
  before: SharedModule,
  offer: OfferedDefinition,
): Omit<OfferChange, 'module'> | undefined {
  const old = new Map(before.fields.map((field) => [field.name, field]));
  if (
    JSON.stringify([before.name, before.handle, before.fields.map(descriptorOf)]) ===
      JSON.stringify([offer.name, offer.handle, offer.fields.map(descriptorOf)]) &&
    !offer.fields.some((field) => isOtherColumn(old.get(field.name) ?? field, field))
  )
    return undefined;
  const now = new Map(offer.fields.map((field) => [field.name, field]));
  return {
    added: offer.fields.filter(({ name }) => !old.has(name)),
    removed: before.fields.filter(({ name }) => !now.has(name)),
    retyped: offer.fields.filter((field) => {
      const was = old.get(field.name);
      return (
        was !== undefined &&
        (was.kind !== field.kind || was.isMulti !== field.isMulti || isOtherColumn(was, field))
      );
    }),
    renamed: before.name !== offer.name || before.handle !== offer.handle,
  };
}

/** Returns the offer without invisible characters in names, and without columns whose `name` has any. */
function withPlainNames(offer: OfferedDefinition): OfferedDefinition {
  return {
    ...offer,
    name: plainName(offer.name),
    handle: plainName(offer.handle),
    fields: offer.fields
      .filter(({ name }) => name === plainName(name))
      .map((field) => ({ ...field, label: plainName(field.label) })),
  };
}

/** Returns a partner's offers, withdrawn ones included, oldest first. */
type OffersRead = (nodeID: string) => Promise<readonly SharedModule[]>;

const MAX_KEPT = 2000;

/** Returns a reader of a partner's offers, which caches them until the next write: the window asks repeatedly. */
export function createOffersRead(system: Pick<Partition, 'find' | 'lastSeq'>): OffersRead {
  const kept = new Map<string, { readonly seq: number; readonly offers: readonly SharedModule[] }>();
  /** Caches a partner's offers; evicts the least recently used partners beyond 2,000 offers. */
  const addToCache = (nodeID: string, seq: number, offers: readonly SharedModule[]): void => {
    kept.delete(nodeID);
    kept.set(nodeID, { seq, offers });
    let sum = [...kept.values()].reduce((all, each) => all + each.offers.length, 0);
    for (const [oldest, { offers: theirs }] of kept) {
      if (sum <= MAX_KEPT) break;
      kept.delete(oldest);
      sum -= theirs.length;
    }
  };
  return async (nodeID) => {
    // A change while the offers are read makes the next call read them again.
    const seq = await system.lastSeq();
    const known = kept.get(nodeID);
    if (known?.seq === seq) return known.offers;
    const offers = (await system.find(SHARED_MODULES, 'node', nodeID)).map(({ value }) => value);
    addToCache(nodeID, seq, offers);
    return offers;
  };
}
