import { omit } from '../../base/omit.ts';
import { plainName } from '../../base/plain-name.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Tx, Partition } from '../../store/store.ts';
import { parkUnlessOffered, descriptorOf, isOtherColumn } from '../sharing/columns.ts';
import { findNode, nowOf, type FederationContext } from '../context.ts';
import { createKnownOffers, type OfferedDefinition } from './known-offers.ts';
import type { FieldDescriptor } from '../../lists/definitions/model.ts';
import type { FieldMatch, Mapping, Node, SharedModule } from '../model.ts';
import { externalText, MAPPINGS, mappingKey, NODES, SHARED_MODULES } from '../tables.ts';
import { said } from '../../words/said.ts';

/** How a known offer differs now. */
export interface OfferChange {
  readonly module: SharedModule;
  readonly added: readonly FieldDescriptor[];
  readonly removed: readonly FieldDescriptor[];
  /** Same name, but another kind, number of values, or column. */
  readonly retyped: readonly FieldDescriptor[];
  readonly renamed: boolean;
}

export interface Reconciliation {
  readonly added: readonly SharedModule[];
  readonly changed: readonly OfferChange[];
  readonly withdrawn: readonly SharedModule[];
  /** Offered again after a withdrawal. */
  readonly returned: readonly SharedModule[];
  /** A live server was paired again and has offered nothing since: nothing counts as withdrawn. */
  readonly awaited?: true;
}

/** Our copies of partners' offers (protocol: shared module). */
export interface SharedModules {
  /** Returns a partner's current offers, oldest first; with `withdrawn` also those no longer offered. */
  list(ourOrSharedID: string, options?: { readonly withdrawn?: boolean }): Promise<SharedModule[]>;
  /** Finds by our id, else by the partner's. @throws Refusal `not-found` */
  get(ourOrSharedID: string, moduleID: string): Promise<SharedModule>;
  /** Sets or removes the user's dismissal of an offer. @throws Refusal `not-found` */
  dismiss(ourOrSharedID: string, moduleID: string, dismissed: boolean): Promise<SharedModule>;
  /** Updates our copies to what a partner offers. `complete`: lists missing in `offered` are withdrawn. */
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
    /**
     * Returns a partner's offers, oldest first: those of its present installation that aren't withdrawn, or with
     * `withdrawn` all.
     */
    async list(ourOrSharedID, options = {}) {
      const node = await findNode(system, ourOrSharedID);
      const all = await read(node.nodeID);
      if (options.withdrawn === true) return [...all];
      return all.filter((each) => each.withdrawnAt === undefined && isOfferedBy(each, offererOf(node)));
    },

    /** Returns the partner's offer with our id, else its own; withdrawn ones too. Throws `shared.unknown`. */
    async get(ourOrSharedID, moduleID) {
      const node = await findNode(system, ourOrSharedID);
      const own = await system.get(SHARED_MODULES, moduleID);
      if (own?.nodeID === node.nodeID) return own;
      const theirs = await system.find(SHARED_MODULES, 'external', externalText(node.nodeID, moduleID));
      const found = theirs.find(({ value }) => isOfferedBy(value, offererOf(node))) ?? theirs[0];
      if (found) return found.value;
      throw new Refusal('not-found', 'shared.unknown', said('offer.unknown', { number: moduleID }));
    },

    /** Sets or removes the offer's dismissal, notifies listeners and returns the offer. Throws `shared.unknown`. */
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
      context.changed({ kind: 'shared', nodeID: changed.nodeID, moduleID: own });
      return changed;
    },

    /**
     * Stores what a partner offers now, in one transaction: adds, updates, revives and withdraws our copies; parks or
     * resumes mapped columns. Returns what changed, or only `awaited` if a live server that was paired again offers
     * nothing yet: then nothing is withdrawn.
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
        const put = async (module: SharedModule): Promise<void> => {
          tx.put(SHARED_MODULES, module.moduleID, module);
          await updateMatches(tx, module);
        };
        /** Stores an offer as withdrawn and records it in the result; does nothing if it is withdrawn already. */
        const withdraw = async (module: SharedModule): Promise<void> => {
          if (module.withdrawnAt !== undefined) return;
          const gone = { ...module, withdrawnAt: now };
          await put(gone);
          result.withdrawn.push(gone);
        };
        const knownOffers = createKnownOffers(known, offered, complete);
        for (const offer of offered) {
          const { before, sameID } = knownOffers.findPrevious(offer);
          if (offer.deletedAt !== undefined) {
            if (before) await withdraw(before);
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
            await put(module);
            result.added.push(module);
            continue;
          }
          const difference = differenceOf(before, offer);
          const isBack = before.withdrawnAt !== undefined;
          if (!isBack && difference === undefined && sameID && isMarkedAlike(before, offer)) {
            if (before.installation !== offerer)
              tx.put(SHARED_MODULES, before.moduleID, { ...before, ...noted });
            continue;
          }
          const module: SharedModule = {
            ...omit(before, 'withdrawnAt', ...(difference ? (['dismissedAt'] as const) : [])),
            ...withoutDeletedAt(offer),
            ...noted,
            updatedAt: now,
          };
          await put(module);
          if (isBack) result.returned.push(module);
          if (difference) result.changed.push({ ...difference, module });
        }
        // Offers of another installation end, even if the new one uses their ids.
        const others = all.filter((module) => !known.includes(module));
        for (const module of [...(complete ? knownOffers.withdrawn() : []), ...others])
          await withdraw(module);
        await forgetWithdrawn(tx, nodeID);
      });
      const announced = [...result.added, ...result.withdrawn, ...result.returned];
      for (const { moduleID } of [...announced, ...result.changed.map(({ module }) => module)])
        context.changed({ kind: 'shared', nodeID, moduleID });
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
 * Returns the offers that our user has neither mapped nor dismissed, without withdrawn ones. Empty if the connection
 * ended, as nothing would arrive, and for a live server that was paired again and has yet to offer anything.
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

/** Withdrawn offers kept for one partner: it could offer others at each request. */
const MAX_WITHDRAWN = 500;

/** Deletes the oldest withdrawn offers beyond {@link MAX_WITHDRAWN}, except mapped ones. */
async function forgetWithdrawn(tx: Tx, nodeID: string): Promise<void> {
  const all = (await tx.find(SHARED_MODULES, 'node', nodeID)).map(({ value }) => value);
  const withdrawn = all.filter(({ withdrawnAt }) => withdrawnAt !== undefined);
  if (withdrawn.length <= MAX_WITHDRAWN) return;
  withdrawn.sort((one, other) => ((one.withdrawnAt ?? '') < (other.withdrawnAt ?? '') ? -1 : 1));
  for (const { moduleID } of withdrawn.slice(0, -MAX_WITHDRAWN))
    if ((await tx.find(MAPPINGS, 'shared', moduleID)).length === 0) tx.delete(SHARED_MODULES, moduleID);
}

/** Returns who offers a partner's lists: its installation, empty for other software, undefined if unknown. */
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

/** Returns the offer without `deletedAt`, as it is stored. */
function withoutDeletedAt(offer: OfferedDefinition): Omit<OfferedDefinition, 'deletedAt'> {
  return omit(offer, 'deletedAt');
}

const unmarked = (match: FieldMatch): FieldMatch => ({ ...match, origin: descriptorOf(match.origin) });

/** Returns whether the offered columns have the same stable ids (column marks), in the same order. */
function isMarkedAlike(
  before: Pick<SharedModule, 'fields'>,
  offer: Pick<OfferedDefinition, 'fields'>,
): boolean {
  const marks = [before, offer].map(({ fields }) => JSON.stringify(fields.map(({ mark }) => mark ?? '')));
  return marks[0] === marks[1];
}

/**
 * Returns how an offer's definition differs from the stored one; undefined if it doesn't. If only the order or labels
 * of columns changed, the lists of columns are empty.
 */
function differenceOf(
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

/** Offers cached, for the partners used last. */
const MAX_KEPT = 2000;

/** Returns a reader of a partner's offers. It caches them until the next write, as the window asks repeatedly. */
export function createOffersRead(system: Pick<Partition, 'find' | 'lastSeq'>): OffersRead {
  const kept = new Map<string, { readonly seq: number; readonly offers: readonly SharedModule[] }>();
  /** Caches a partner's offers; evicts the least recently used partners beyond {@link MAX_KEPT} offers. */
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
    // Read before the offers: a change in between makes the next call read them again.
    const seq = await system.lastSeq();
    const known = kept.get(nodeID);
    if (known?.seq === seq) return known.offers;
    const offers = (await system.find(SHARED_MODULES, 'node', nodeID)).map(({ value }) => value);
    addToCache(nodeID, seq, offers);
    return offers;
  };
}
