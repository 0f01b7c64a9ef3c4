import type { Lists } from '../../lists/lists.ts';
import type { Module, ListsChange } from '../../lists/definitions/model.ts';
import { Refusal } from '../../base/refusal.ts';
import { compareKeys } from '../../base/sorted.ts';
import { findColumn, offeredColumn } from '../sharing/columns.ts';
import { findNode, nowOf, type FederationContext } from '../context.ts';
import { everyValue } from '../every-value.ts';
import type { FieldMatch, Mapping } from '../model.ts';
import { byName, followColumn, matchedColumn } from './our-columns.ts';
import type { SharedModules } from './offers.ts';
import { MAPPINGS, mappingKey, SHARED_MODULES } from '../tables.ts';
import { said, type Words } from '../../words/said.ts';

export interface MappingInput {
  /** Absent (shape 2): the list matched already, else the one with the offer's handle. */
  readonly composeModuleID?: string;
  readonly composeNamespaceID?: string;
  /** Only the names count; what the columns are is known on either side. */
  readonly fields: readonly { readonly origin: { name: string }; readonly destination: { name: string } }[];
  readonly shape: 1 | 2;
}

/** Which offered columns go into which of ours (protocol: module mapping). */
export interface Mappings {
  /** Costs what there are, however many lists the partner offers. */
  list(n: string): Promise<Mapping[]>;
  /** The one into `composeModuleID`, else the oldest. @throws Refusal `not-found` */
  get(n: string, sharedModuleID: string, composeModuleID?: string): Promise<Mapping>;
  /**
   * Makes or replaces a mapping. @throws Refusal `not-found` for an unknown offer, `impossible` for a list or
   * column that is not there, or one of ours that would be filled twice
   */
  set(n: string, sharedModuleID: string, input: MappingInput): Promise<Mapping>;
  /** All mappings of the offer when no list is named. @throws Refusal `not-found` when there is none */
  remove(n: string, sharedModuleID: string, composeModuleID?: string): Promise<Mapping[]>;
  /** Keeps matches true to our lists: renamed columns stay matched, those that are gone are parked. */
  follow(change: ListsChange): Promise<void>;
  /** The same for changes that a crash kept from being followed. */
  followAll(): Promise<void>;
}

export function createMappings(context: FederationContext, lists: Lists, shared: SharedModules): Mappings {
  const { system } = context;

  const told = (mapping: Mapping): void =>
    context.changed({ kind: 'mapping', nodeID: mapping.nodeID, moduleID: mapping.federationModuleID });

  async function ofShared(n: string, sharedModuleID: string): Promise<Mapping[]> {
    const { moduleID } = await shared.get(n, sharedModuleID);
    const all = (await system.find(MAPPINGS, 'shared', moduleID)).map(({ value }) => value);
    return all.sort((a, b) => a.createdAt.localeCompare(b.createdAt));
  }

  async function localList(
    input: MappingInput,
    offer: { moduleID: string; nodeID: string; handle: string },
  ): Promise<Module> {
    // What is owed to a change of columns from before was never meant for this match.
    await lists.caughtUp();
    const wanted =
      input.composeModuleID ?? (await ofShared(offer.nodeID, offer.moduleID))[0]?.composeModuleID;
    const module =
      wanted === undefined
        ? await lists.findModuleByHandle(offer.handle)
        : (await lists.modules()).find(({ moduleID }) => moduleID === wanted);
    if (!module)
      throw impossible(
        'mapping.no-list',
        wanted === undefined ? said('match.which-list') : said('list.unknown-number', { number: wanted }),
      );
    if (input.composeNamespaceID !== undefined && input.composeNamespaceID !== module.namespaceID)
      throw impossible('list.other-workspace', said('list.other-workspace'));
    return module;
  }

  async function put(mapping: Mapping): Promise<Mapping> {
    await system.transaction((tx) => tx.put(MAPPINGS, mappingKey(mapping), mapping));
    told(mapping);
    return mapping;
  }

  /** All or none of them; those of lists that are gone end. */
  async function followEach(
    keys: readonly string[],
    lists: { readonly moduleOf: (mapping: Mapping) => Module | undefined; readonly madeAgain?: Set<string> },
  ): Promise<void> {
    const { moduleOf, madeAgain = new Set() } = lists;
    const changed: Mapping[] = [];
    await system.transaction(async (tx) => {
      for (const key of keys) {
        const mapping = await tx.get(MAPPINGS, key);
        if (!mapping) continue;
        const module = moduleOf(mapping);
        const offer = await tx.get(SHARED_MODULES, mapping.federationModuleID);
        const known = madeAgain.has(mapping.composeModuleID) ? mapping.fields.map(byName) : mapping.fields;
        const fields = known.map((match) => followColumn(match, module?.fields ?? [], offer?.fields ?? []));
        if (isSame(fields, mapping.fields) && module) continue;
        // That ids are noted from now on changes nothing for anybody who matched by names.
        const isTold = !isSame(fields.map(byName), mapping.fields.map(byName));
        if (!module) tx.delete(MAPPINGS, key);
        else tx.put(MAPPINGS, key, { ...mapping, fields, ...(isTold ? { updatedAt: nowOf(context) } : {}) });
        if (!module || isTold) changed.push(mapping);
      }
    });
    changed.forEach(told);
  }

  return {
    async list(n) {
      const { nodeID } = await findNode(system, n);
      const all = (await system.find(MAPPINGS, 'node', nodeID)).map(({ value }) => value);
      return all.sort(byOfferThenAge);
    },

    async get(n, sharedModuleID, composeModuleID) {
      const all = await ofShared(n, sharedModuleID);
      const found = all.find(
        (each) => composeModuleID === undefined || each.composeModuleID === composeModuleID,
      );
      if (found) return found;
      throw new Refusal('not-found', 'mapping.unknown', said('match.none'));
    },

    async set(n, sharedModuleID, input) {
      const offer = await shared.get(n, sharedModuleID);
      const module = await localList(input, offer);
      if (input.fields.length === 0) throw impossible('mapping.empty', said('match.no-column'));
      const filled = new Set<string>();
      const fields: FieldMatch[] = input.fields.map(({ origin, destination }) => {
        if (filled.has(destination.name))
          throw impossible('mapping.filled-twice', said('match.filled-twice', { column: destination.name }));
        filled.add(destination.name);
        return {
          origin: offeredColumn(findColumn(origin.name, offer.fields)),
          destination: matchedColumn(findColumn(destination.name, module.fields)),
        };
      });
      const now = nowOf(context);
      const key = { federationModuleID: offer.moduleID, composeModuleID: module.moduleID };
      const before = await system.get(MAPPINGS, mappingKey(key));
      return put({
        nodeID: offer.nodeID,
        ...key,
        composeNamespaceID: module.namespaceID,
        fields,
        shape: input.shape,
        createdAt: before?.createdAt ?? now,
        ...(before ? { updatedAt: now } : {}),
      });
    },

    async remove(n, sharedModuleID, composeModuleID) {
      const all = await ofShared(n, sharedModuleID);
      const going = all.filter(
        (each) => composeModuleID === undefined || each.composeModuleID === composeModuleID,
      );
      if (going.length === 0) throw new Refusal('not-found', 'mapping.unknown', said('match.none'));
      await system.transaction((tx) => {
        for (const mapping of going) tx.delete(MAPPINGS, mappingKey(mapping));
      });
      going.forEach(told);
      return going;
    },

    async follow(change) {
      if (change.kind !== 'list' || change.change === 'created') return;
      const { module } = change;
      const affected = await system.find(MAPPINGS, 'compose', module.moduleID);
      const keys = affected.map(({ key }) => key);
      await followEach(keys, { moduleOf: () => (change.change === 'removed' ? undefined : module) });
    },

    async followAll() {
      const modules = new Map((await lists.modules()).map((module) => [module.moduleID, module]));
      const keys: string[] = [];
      for await (const mapping of everyValue(system, MAPPINGS)) keys.push(mappingKey(mapping));
      await followEach(keys, {
        moduleOf: ({ composeModuleID }) => modules.get(composeModuleID),
        madeAgain: new Set(lists.recovered.map(({ module }) => module.moduleID)),
      });
    },
  };
}

/** As the offers themselves are listed; of one offer, the oldest first. */
function byOfferThenAge(a: Mapping, b: Mapping): number {
  return compareKeys(a.federationModuleID, b.federationModuleID) || a.createdAt.localeCompare(b.createdAt);
}

const impossible = (code: string, message: Words): Refusal => new Refusal('impossible', code, message);

const isSame = (one: readonly FieldMatch[], other: readonly FieldMatch[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
