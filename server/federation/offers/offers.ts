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
  /** Same name, other kind, number of values, or column. */
  readonly retyped: readonly FieldDescriptor[];
  readonly renamed: boolean;
}

export interface Reconciliation {
  readonly added: readonly SharedModule[];
  readonly changed: readonly OfferChange[];
  readonly withdrawn: readonly SharedModule[];
  /** Offered again after a withdrawal. */
  readonly returned: readonly SharedModule[];
  /** A live server hasn't offered since its new pairing: nothing counts as withdrawn. */
  readonly awaited?: true;
}

/** Our copies of partners' offers (protocol: shared module). */
export interface SharedModules {
  /** Returns the present installation's current offers, oldest first; with `withdrawn`, all. */
  list(ourOrSharedID: string, options?: { readonly withdrawn?: boolean }): Promise<SharedModule[]>;
  /**
   * Finds an offer, even withdrawn, by our or the partner's id.
   * @throws Refusal `shared.unknown`
   */
  get(ourOrSharedID: string, moduleID: string): Promise<SharedModule>;
  /**
   * Sets or clears the dismissal.
   * @throws Refusal `shared.unknown`
   */
  dismiss(ourOrSharedID: string, moduleID: string, dismissed: boolean): Promise<SharedModule>;
  /**
   * Updates our copies and mapped columns in one transaction; returns the changes. `complete`: others are
   * withdrawn. Returns only `awaited` for a newly paired live server without offers.
   */
  reconcile(
    nodeID: string,
    offered: readonly OfferedDefinition[],
    options: { readonly complete: boolean },
  ): Promise<Reconciliation>;
}

/**
 * Creates the store of partners' offers: lists and finds them, marks them as dismissed, and reconciles them with what a
 * partner offers.
 */
export function createSharedModules(context: FederationContext): SharedModules {
  const { system } = context;
  const read = createOffersRead(system);

  /**
   * In this transaction parks matches of columns that the offer lost, and resumes those of returned ones. Matches that
   * we parked stay.
   */
  async function updateMatches(tx: Tx, shared: SharedModule): Promise<void> {
    for (const { value: mapping } of await tx.find(MAPPINGS, 'shared', shared.moduleID)) {
      const fields = mapping.fields.map((match) =>
        match.parkedBy === 'us' ? match : parkUnlessOffered(match, shared.fields),
      );
      if (JSON.stringify(fields) === JSON.stringify(mapping.fields)) continue;
      // Mappings by name don't change by added marks.
      const isSame = JSON.stringify(fields.map(unmarked)) === JSON.stringify(mapping.fields.map(unmarked));
      const changed: Mapping = { ...mapping, fields, ...(isSame ? {} : { updatedAt: nowOf(context) }) };
      tx.put(MAPPINGS, mappingKey(mapping), changed);
    }
  }

  const shared: SharedModules = {
    /**
     * Returns the partner's present installation's offers in a new array; with `withdrawn` all that are stored. Throws
     * `node.unknown`.
     */
    async list(ourOrSharedID, options = {}) {
      const node = await findNode(system, ourOrSharedID);
      const all = await read(node.nodeID);
      if (options.withdrawn === true) return [...all];
      return all.filter((each) => each.withdrawnAt === undefined && isOfferedBy(each, offererOf(node)));
    },

    /**
     * Returns an offer by our id or the partner's, withdrawn ones too, preferably the present installation's. Throws
     * `node.unknown`, `shared.unknown`.
     */
    async get(ourOrSharedID, moduleID) {
      const node = await findNode(system, ourOrSharedID);
      const own = await system.get(SHARED_MODULES, moduleID);
      if (own?.nodeID === node.nodeID) return own;
      const theirs = await system.find(SHARED_MODULES, 'external', externalText(node.nodeID, moduleID));
      const found = theirs.find(({ value }) => isOfferedBy(value, offererOf(node))) ?? theirs[0];
      if (found) return found.value;
      throw new Refusal('not-found', 'shared.unknown', said('offer.unknown', { number: moduleID }));
    },

    /** Marks an offer as dismissed, or not any more; announces and returns it. Throws `shared.unknown`. */
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
     * In one transaction stores what the partner offers now (a changed offer is no longer dismissed), parks and resumes
     * matches, withdraws missing offers if `complete`, other installations' in any case, and deletes the oldest
     * withdrawn ones. Announces and returns the changes. `awaited`: nothing stored, as no offer came yet.
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
        /** Stores an offer, and updates matched columns to it. */
        const putOffer = async (module: SharedModule): Promise<void> => {
          tx.put(SHARED_MODULES, module.moduleID, module);
          await updateMatches(tx, module);
        };
        /**
         * Stores an offer as withdrawn, parks its matches, and adds it to the result; a no-op if it is withdrawn
         * already.
         */
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
        // Another installation's offers end, even if their ids are reused.
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

/** Returns whether a live server has offered nothing since its latest pairing. */
export const awaitsOffers = ({ dialect, tokenSince, offersSince }: Node): boolean =>
  dialect === 'live' && tokenSince !== offersSince;

/** Returns offers neither mapped nor dismissed nor withdrawn; none if the connection ended, or {@link awaitsOffers}. */
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

/** Returns the partner's installation, '' for other software, undefined if unknown. */
function offererOf(node: Pick<Node, 'installation' | 'footbridge'> | undefined): string | undefined {
  return node?.installation ?? (node?.footbridge === false ? '' : undefined);
}

/** Returns whether the offer is this offerer's, or records none. */
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

/** Returns whether the stable ids of lists and, in order, columns are equal; two missing ids count as equal. */
function isMarkedAlike(before: OfferedList, offer: OfferedList): boolean {
  const marks = [before, offer].map((each) =>
    JSON.stringify([firstModuleIDOf(each), ...each.fields.map(({ mark }) => mark ?? '')]),
  );
  return marks[0] === marks[1];
}

/**
 * Returns how an offer differs from the stored one; undefined if it doesn't. `renamed`: name or handle differ. If only
 * order or labels differ, the lists of columns are empty.
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

/** Returns an offer without invisible characters in names and labels, and without columns whose `name` has any. */
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

/** Returns a partner's offers, even withdrawn, oldest first. */
type OffersRead = (nodeID: string) => Promise<readonly SharedModule[]>;

const MAX_KEPT = 2000;

/**
 * Creates a reader of partners' offers, cached until the next write to `system`: the window asks repeatedly. Withdrawn
 * ones are included; callers share the array.
 */
export function createOffersRead(system: Pick<Partition, 'find' | 'lastSeq'>): OffersRead {
  const kept = new Map<string, { readonly seq: number; readonly offers: readonly SharedModule[] }>();
  /** Caches a partner's offers; evicts those cached longest ago beyond 2,000 offers. */
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
    // Taken first: after a change during the read, the next call reads again.
    const seq = await system.lastSeq();
    const known = kept.get(nodeID);
    if (known?.seq === seq) return known.offers;
    const offers = (await system.find(SHARED_MODULES, 'node', nodeID)).map(({ value }) => value);
    addToCache(nodeID, seq, offers);
    return offers;
  };
}
