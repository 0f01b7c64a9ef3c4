import type { Lists } from '../../lists/lists.ts';
import type { Module, ListsChange, Field } from '../../lists/definitions/model.ts';
import { Refusal } from '../../base/refusal.ts';
import { compareKeys } from '../../base/sorted-list.ts';
import {
  parkUnlessOffered,
  findColumn,
  toOfferedColumn,
  descriptorOf,
  parkMatch,
} from '../sharing/columns.ts';
import { findNode, nowOf, type FederationContext } from '../context.ts';
import { everyValue } from '../../store/every-entry.ts';
import type { Partition, Tx } from '../../store/store.ts';
import type { FieldMatch, Mapping, MatchedColumn, OfferedColumn, SharedModule } from '../model.ts';
import { firstModuleIDOf } from './known-offers.ts';
import type { SharedModules } from './offers.ts';
import {
  BINNED_MAPPINGS,
  externalText,
  FORMER_MAPPINGS,
  MAPPINGS,
  mappingKey,
  SHARED_MODULES,
} from '../tables.ts';
import { said, type Words } from '../../words/said.ts';
import { omit } from '../../base/omit.ts';

export interface MappingInput {
  /** Default (shape 2): the mapped list, else that of the offer's handle. */
  readonly composeModuleID?: string;
  readonly composeNamespaceID?: string;
  /** Only names count. */
  readonly fields: readonly { readonly origin: { name: string }; readonly destination: { name: string } }[];
  /** Deleted columns of the list, whose matches are stored out of use. */
  readonly binned?: readonly Field[];
  readonly shape: 1 | 2;
}

/** Received the same offer before; columns to match again, by name. */
export interface FormerList {
  readonly module: Module;
  readonly matches: readonly { readonly origin: string; readonly destination: string }[];
}

/** Stores which offered columns fill ours (protocol: module mapping). */
export class Mappings {
  readonly #context: FederationContext;
  readonly #lists: Lists;
  readonly #shared: SharedModules;

  constructor(context: FederationContext, lists: Lists, shared: SharedModules) {
    this.#context = context;
    this.#lists = lists;
    this.#shared = shared;
  }

  /** Returns a partner's mappings by offer, then age. Throws `node.unknown`. */
  async list(ourOrSharedID: string): Promise<Mapping[]> {
    const { nodeID } = await findNode(this.#context.system, ourOrSharedID);
    const all = (await this.#context.system.find(MAPPINGS, 'node', nodeID)).map(({ value }) => value);
    return all.sort(byOfferThenAge);
  }

  /**
   * Returns the offer's mapping into `composeModuleID`, or its oldest if none is given. Throws `mapping.unknown`,
   * `node.unknown`, `shared.unknown`.
   */
  async get(ourOrSharedID: string, sharedModuleID: string, composeModuleID?: string): Promise<Mapping> {
    const all = await this.#mappingsOf(ourOrSharedID, sharedModuleID);
    const found = all.find(
      (each) => composeModuleID === undefined || each.composeModuleID === composeModuleID,
    );
    if (found) return found;
    throw new Refusal('not-found', 'mapping.unknown', said('match.none'));
  }

  /**
   * Returns our latest list that received this list before the partner's record was removed, with matches whose
   * columns still exist; undefined without one.
   */
  async findFormer(offer: SharedModule): Promise<FormerList | undefined> {
    const { installation = '', fields } = offer;
    const origin = externalText(installation, firstModuleIDOf(offer));
    const former = (await this.#context.system.find(FORMER_MAPPINGS, 'origin', origin)).toReversed();
    if (former.length === 0) return undefined;
    const modules = await this.#lists.modules();
    for (const { value } of former) {
      const module = modules.find(({ moduleID }) => moduleID === value.composeModuleID);
      if (!module) continue;
      const matches = value.fields
        .map((match) => followColumn(match, module.fields, fields))
        .filter((match) => match.parkedBy !== 'us' && !parkUnlessOffered(match, fields).parkedBy)
        .map(({ origin: { name }, destination }) => ({ origin: name, destination: destination.name }));
      if (matches.length > 0) return { module, matches };
    }
    return undefined;
  }

  /**
   * Replaces the offer's mapping into that list and announces it. Throws `not-found`; `impossible` for an unknown list
   * or column, no column, or one of ours filled twice.
   */
  async set(ourOrSharedID: string, sharedModuleID: string, input: MappingInput): Promise<Mapping> {
    const offer = await this.#shared.get(ourOrSharedID, sharedModuleID);
    const module = await this.#localList(input, offer);
    if (input.fields.length === 0) throw impossible('mapping.empty', said('match.no-column'));
    const columns = [...module.fields, ...(input.binned ?? [])];
    const filled = new Set<string>();
    const fields: FieldMatch[] = input.fields.map(({ origin, destination }) => {
      if (filled.has(destination.name))
        throw impossible('mapping.filled-twice', said('match.filled-twice', { column: destination.name }));
      filled.add(destination.name);
      const match = {
        origin: toOfferedColumn(findColumn(origin.name, offer.fields)),
        destination: toMatchedColumn(findColumn(destination.name, columns)),
      };
      return followColumn(match, module.fields, offer.fields);
    });
    const now = nowOf(this.#context);
    const key = { federationModuleID: offer.moduleID, composeModuleID: module.moduleID };
    const before = await this.#context.system.get(MAPPINGS, mappingKey(key));
    return this.#putMapping({
      nodeID: offer.nodeID,
      ...key,
      composeNamespaceID: module.namespaceID,
      fields,
      shape: input.shape,
      createdAt: before?.createdAt ?? now,
      ...(before ? { updatedAt: now } : {}),
    });
  }

  /**
   * Removes the offer's mapping into this list (our id), by default all, and announces and returns them. Throws
   * `mapping.unknown`.
   */
  async remove(ourOrSharedID: string, sharedModuleID: string, composeModuleID?: string): Promise<Mapping[]> {
    const all = await this.#mappingsOf(ourOrSharedID, sharedModuleID);
    const going = all.filter(
      (each) => composeModuleID === undefined || each.composeModuleID === composeModuleID,
    );
    if (going.length === 0) throw new Refusal('not-found', 'mapping.unknown', said('match.none'));
    await this.#context.system.transaction((tx) => {
      for (const mapping of going) tx.delete(MAPPINGS, mappingKey(mapping));
    });
    going.forEach((mapping) => this.#notifyListeners(mapping));
    return going;
  }

  /**
   * Adapts mappings to a changed list: follows its columns, parks matches of deleted ones; sets mappings into a binned
   * list aside, restores them with it, deletes a purged one's.
   */
  async applyListChange(change: ListsChange): Promise<void> {
    if (change.kind !== 'list' || change.change === 'created') return;
    const { module } = change;
    if (change.change === 'purged') await this.#forgetBinned(module.moduleID);
    if (change.change === 'restored') await this.#restoreBinned(module.moduleID);
    const affected = await this.#context.system.find(MAPPINGS, 'compose', module.moduleID);
    const keys = affected.map(({ key }) => key);
    const isGone = change.change === 'removed' || change.change === 'purged';
    await this.#followEach(keys, {
      moduleOf: () => (isGone ? undefined : module),
      isBinned: () => change.change === 'removed',
    });
  }

  /**
   * Updates the mappings of all lists at a start, as a crash may have prevented it. Restores those of lists back from
   * the bin, and forgets those of purged ones.
   */
  async applyMissedChanges(): Promise<void> {
    const modules = new Map((await this.#lists.modules()).map((module) => [module.moduleID, module]));
    const binned = new Set((await this.#lists.binnedModules()).map(({ module }) => module.moduleID));
    for await (const { composeModuleID } of everyValue(this.#context.system, BINNED_MAPPINGS)) {
      if (modules.has(composeModuleID)) await this.#restoreBinned(composeModuleID);
      else if (!binned.has(composeModuleID)) await this.#forgetBinned(composeModuleID);
    }
    const keys: string[] = [];
    for await (const mapping of everyValue(this.#context.system, MAPPINGS)) keys.push(mappingKey(mapping));
    await this.#followEach(keys, {
      moduleOf: ({ composeModuleID }) => modules.get(composeModuleID),
      isBinned: ({ composeModuleID }) => binned.has(composeModuleID),
      madeAgain: new Set(this.#lists.recovered.map(({ module }) => module.moduleID)),
    });
  }

  /** Returns the present mappings (one each) of offers that went into a binned list, and fill another since. */
  async findReplacing(moduleID: string): Promise<Mapping[]> {
    const { system } = this.#context;
    const binned = await system.find(BINNED_MAPPINGS, 'compose', moduleID);
    return (await Promise.all(binned.map(({ value }) => findReplacement(system, value)))).filter(
      (replacing) => replacing !== undefined,
    );
  }

  /**
   * Restores mappings of a list that left the bin, updated to present offers. Drops those without an offer, and those
   * whose offer fills another list since, as it would arrive twice. They count as created now: a list restored later
   * finds its offer taken. Announces each.
   */
  async #restoreBinned(moduleID: string): Promise<void> {
    const now = nowOf(this.#context);
    const back = await this.#context.system.transaction(async (tx) => {
      const mappings: Mapping[] = [];
      for (const { key, value } of await tx.find(BINNED_MAPPINGS, 'compose', moduleID)) {
        tx.delete(BINNED_MAPPINGS, key);
        const offer = await tx.get(SHARED_MODULES, value.federationModuleID);
        if (!offer || (await findReplacement(tx, value))) continue;
        const fields = value.fields.map((match) =>
          match.parkedBy === 'us' ? match : parkUnlessOffered(match, offer.fields),
        );
        mappings.push({ ...value, fields, createdAt: now, updatedAt: now });
      }
      for (const mapping of mappings) tx.put(MAPPINGS, mappingKey(mapping), mapping);
      return mappings;
    });
    back.forEach((mapping) => this.#notifyListeners(mapping));
  }

  /** Deletes the mappings that were set aside for a binned list. */
  #forgetBinned(moduleID: string): Promise<void> {
    return this.#context.system.transaction(async (tx) => {
      for (const { key } of await tx.find(BINNED_MAPPINGS, 'compose', moduleID))
        tx.delete(BINNED_MAPPINGS, key);
    });
  }

  /** Announces a changed mapping by its partner and offer. */
  #notifyListeners(mapping: Mapping): void {
    this.#context.notifyChanged({
      kind: 'mapping',
      nodeID: mapping.nodeID,
      moduleID: mapping.federationModuleID,
    });
  }

  /** Returns one offer's mappings, oldest first. Throws `node.unknown`, `shared.unknown`. */
  async #mappingsOf(ourOrSharedID: string, sharedModuleID: string): Promise<Mapping[]> {
    const { moduleID } = await this.#shared.get(ourOrSharedID, sharedModuleID);
    const all = (await this.#context.system.find(MAPPINGS, 'shared', moduleID)).map(({ value }) => value);
    return all.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
  }

  /**
   * Returns the list in `input`, else the one mapped already, else the one with the offer's handle. Throws
   * `mapping.no-list`, `list.other-workspace` (impossible). Awaits pending column changes.
   */
  async #localList(
    input: MappingInput,
    offer: { moduleID: string; nodeID: string; handle: string },
  ): Promise<Module> {
    await this.#lists.caughtUp();
    const wanted =
      input.composeModuleID ?? (await this.#mappingsOf(offer.nodeID, offer.moduleID))[0]?.composeModuleID;
    const module =
      wanted === undefined
        ? await this.#lists.findModuleByHandle(offer.handle)
        : (await this.#lists.modules()).find(({ moduleID }) => moduleID === wanted);
    if (!module)
      throw impossible(
        'mapping.no-list',
        wanted === undefined ? said('match.which-list') : said('list.unknown-number', { number: wanted }),
      );
    if (input.composeNamespaceID !== undefined && input.composeNamespaceID !== module.namespaceID)
      throw impossible('list.other-workspace', said('list.other-workspace'));
    return module;
  }

  /** Stores a mapping, announces and returns it. */
  async #putMapping(mapping: Mapping): Promise<Mapping> {
    await this.#context.system.transaction((tx) => tx.put(MAPPINGS, mappingKey(mapping), mapping));
    this.#notifyListeners(mapping);
    return mapping;
  }

  /**
   * Updates mappings to our columns in one transaction and announces changes. Deletes a missing list's, to be restored
   * if it is binned. New columns of recovered lists (`madeAgain`) are matched by name.
   */
  async #followEach(
    keys: readonly string[],
    lists: {
      readonly moduleOf: (mapping: Mapping) => Module | undefined;
      readonly isBinned: (mapping: Mapping) => boolean;
      readonly madeAgain?: Set<string>;
    },
  ): Promise<void> {
    const { moduleOf, isBinned, madeAgain = new Set() } = lists;
    const changed: Mapping[] = [];
    await this.#context.system.transaction(async (tx) => {
      for (const key of keys) {
        const mapping = await tx.get(MAPPINGS, key);
        if (!mapping) continue;
        const module = moduleOf(mapping);
        const offer = await tx.get(SHARED_MODULES, mapping.federationModuleID);
        const known = madeAgain.has(mapping.composeModuleID)
          ? mapping.fields.map(withoutFieldID)
          : mapping.fields;
        const fields = known.map((match) => followColumn(match, module?.fields ?? [], offer?.fields ?? []));
        if (isSame(fields, mapping.fields) && module) continue;
        // Mappings by name don't change by added ids.
        const isNews = !isSame(fields.map(withoutFieldID), mapping.fields.map(withoutFieldID));
        if (!module) {
          tx.delete(MAPPINGS, key);
          if (isBinned(mapping))
            tx.put(BINNED_MAPPINGS, key, { ...mapping, updatedAt: nowOf(this.#context) });
        } else
          tx.put(MAPPINGS, key, {
            ...mapping,
            fields,
            ...(isNews ? { updatedAt: nowOf(this.#context) } : {}),
          });
        if (!module || isNews) changed.push(mapping);
      }
    });
    changed.forEach((mapping) => this.#notifyListeners(mapping));
  }
}

/** Returns the offer's mapping into a list made or restored after this one's list was binned; undefined without one. */
async function findReplacement(source: Tx | Partition, binned: Mapping): Promise<Mapping | undefined> {
  const { updatedAt: binnedAt = binned.createdAt } = binned;
  const others = await source.find(MAPPINGS, 'shared', binned.federationModuleID);
  return others.find(({ value }) => value.createdAt >= binnedAt)?.value;
}

/** Orders mappings by offer id, then by time of creation. */
function byOfferThenAge(a: Mapping, b: Mapping): number {
  return compareKeys(a.federationModuleID, b.federationModuleID) || a.createdAt.localeCompare(b.createdAt);
}

const impossible = (code: string, message: Words): Refusal => new Refusal('impossible', code, message);

const isSame = (one: readonly FieldMatch[], other: readonly FieldMatch[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Returns our column as a mapping stores it, with its id. */
const toMatchedColumn = ({ fieldID, ...column }: Field): MatchedColumn => ({
  ...descriptorOf(column),
  fieldID,
});

/** Returns the match without our column's id, so that only its name counts. */
const withoutFieldID = (match: FieldMatch): FieldMatch => ({
  ...match,
  destination: omit(match.destination, 'fieldID'),
});

/**
 * Returns the match adapted to our column (by its id, without one by its name): renamed, parked without the column, or
 * in use again if it is still offered.
 */
function followColumn(
  match: FieldMatch,
  ours: readonly Field[],
  offered: readonly OfferedColumn[],
): FieldMatch {
  const { fieldID, name } = match.destination;
  const namesake = ours.find((field) => field.name === name);
  const now = fieldID === undefined ? namesake : ours.find((field) => field.fieldID === fieldID);
  if (!now) {
    const parked = parkMatch(match, 'us', said('match.column-gone', { column: name }));
    return namesake ? parked : withoutFieldID(parked);
  }
  const followed = { ...match, destination: toMatchedColumn(now) };
  return match.parkedBy === 'us' ? parkUnlessOffered(followed, offered) : followed;
}
