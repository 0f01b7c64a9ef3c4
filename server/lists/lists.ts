import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Store } from '../store/store.ts';
import type { ListsChange, Module, Namespace, Row } from './definitions/model.ts';
import { createImportsUnderWay, type ImportsUnderWay } from './csv/imports-under-way.ts';
import { createFollowing } from './definitions/following.ts';
import { Modules } from './definitions/modules.ts';
import type { Condition } from './query/condition.ts';
import type { Audience } from './rows/audience-table.ts';
import { createNamespaces } from './definitions/namespaces.ts';
import type { Age } from './rows/own-time.ts';
import { OpenLists } from './rows/open-lists.ts';
import {
  createPinnedTitles,
  type PinnedTitles,
  type ReadList,
  type TitlePins,
} from './rows/pinned-titles.ts';
import { Refusal } from '../base/refusal.ts';
import { lensFor } from './values/as-shown.ts';
import { resolveReferences, type FindList, type References } from './rows/references.ts';
import { createTitleCache } from './rows/title-cache.ts';
import type { Rows, ListAsOne } from './rows/rows.ts';
import { listPartition } from './rows/row-table.ts';
import { EMPTY_TALLY, type RowCounts } from './rows/tally.ts';
import { recoverLists, type RecoveredList } from './definitions/recover-lists.ts';
import type { ListOptions, RowPage } from './rows/row-list.ts';
import { said } from '../words/said.ts';
import type { ModuleInput, NamespaceInput } from './definitions/inputs.ts';

/** A list as others see it: definition, rows and what its references are called, all of one version. */
export interface ListForOthers extends ListAsOne {
  titles(pins: TitlePins): PinnedTitles;
}

/**
 * Workspaces, lists, columns and rows of this office. A list is addressed by its id alone, as ids are unique
 * across workspaces. What is not there is a Refusal `not-found`, a name or handle in use one of `conflict`,
 * a definition that cannot be one of `impossible`.
 */
export interface Lists {
  /** Those that were made again around their rows as they were opened. */
  readonly recovered: readonly RecoveredList[];
  /** Files that go into lists, and those of which a part did. */
  readonly imports: ImportsUnderWay;
  namespaces(): Promise<Namespace[]>;
  namespace(namespaceID: string): Promise<Namespace>;
  createNamespace(input: NamespaceInput): Promise<Namespace>;
  updateNamespace(namespaceID: string, change: Partial<NamespaceInput>): Promise<Namespace>;
  /** @throws Refusal `conflict` while there are lists in it */
  removeNamespace(namespaceID: string): Promise<void>;
  /** The workspace that the window works in; made when first needed. */
  defaultNamespace(): Promise<Namespace>;

  /** In the order in which they were made. */
  modules(namespaceID?: string): Promise<Module[]>;
  module(moduleID: string): Promise<Module>;
  /** By handle, case aside; the default workspace's list where several have it. */
  findModuleByHandle(handle: string): Promise<Module | undefined>;
  createModule(namespaceID: string, input: ModuleInput): Promise<Module>;
  /**
   * `fields`, when given, is the whole new set: a column that is left out goes, with its values; one that is
   * renamed keeps them; one that is retyped has them converted, references by what their rows are called.
   * @throws Refusal `impossible` when values do not fit the new kind, naming how many and one of them
   */
  updateModule(moduleID: string, change: Partial<ModuleInput>): Promise<Module>;
  /** Removes the list with all of its rows, for good. Answers how many rows went. */
  removeModule(moduleID: string): Promise<{ rows: number }>;

  /** @throws Refusal `impossible` where they cannot be read, as their file is damaged */
  rows(moduleID: string): Promise<Rows>;
  /** {@link Rows.counts}, of a list that cannot be read as of one without rows. */
  counts(moduleID: string): Promise<RowCounts>;
  /** Whether its rows cannot be read, as their file is damaged. */
  isUnreadable(moduleID: string): Promise<boolean>;
  /** {@link Rows.noteOwnTime} of all lists whose rows are in use. */
  noteOwnTimes(seen: number): Promise<void>;
  /** {@link Rows.emptyBin} of all lists whose rows are in use; another list's is emptied when it is. */
  emptyBins(age: Age): Promise<number>;
  /** {@link Rows.forgetHistory} of all lists whose rows are in use; of another list it goes when it is. */
  forgetHistories(age: Age): Promise<number>;
  /**
   * {@link Rows.list} for people: references are sorted, searched and compared by what they show instead of by
   * their ids, choices by their texts.
   */
  listAsShown(moduleID: string, options: ListOptions): Promise<RowPage>;
  /** What the references in these rows of a list lead to; only rows that are named there are read. */
  references(moduleID: string, rows: readonly Row[]): Promise<References>;
  /**
   * For everything that leaves, and for what comes in under names of before: while `body` runs, the columns of the list stay as they are, so that no value is read
   * under the name of another column. A change of columns waits meanwhile; `body` must not use the list in another way.
   */
  forOthers<R>(moduleID: string, body: (list: ListForOthers) => Promise<R>): Promise<R>;
  /**
   * From now on it is kept with each change of a row what this column calls it, until that was told where others refer
   * to it ({@link Rows.retitled}). To be said anew in each run of the node.
   */
  keepTitles(moduleID: string, fieldID: string): void;
  /**
   * From now on what an audience sees of a list is kept up with each change of a row; undefined: no more. To be said
   * anew in each run of the node, before a row is written, and else by `Rows.whileStill`.
   */
  setAudience(moduleID: string, audienceID: string, condition: Condition | undefined): void;
  /** From now on this is done to the rows of each list before anybody uses them; it must not use the list in another way. */
  beforeUse(done: (moduleID: string, rows: Rows) => Promise<void>): void;
  /**
   * Shares and matches have followed all changes of columns. What leaves by {@link Lists.forOthers} waits for that, and so
   * does the next change. @throws what keeps them from it
   */
  caughtUp(): Promise<void>;
  /** The definition alone, for others: a change of columns is over before it is given. */
  definitionForOthers(moduleID: string): Promise<Module>;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Opens the lists of a store, and finishes what a crash had left half done.
 * @param onChange told of every change after it is durable. A change of columns is over when what it answers is, and no
 * other one comes before; where that fails it is told again, and nothing leaves until it is well. Else it must not throw
 */
export async function openLists(deps: {
  store: Store;
  clock: Clock;
  ids: Ids;
  onChange?: (change: ListsChange) => Promise<void> | void;
}): Promise<Lists> {
  const { store, clock, ids, onChange = () => undefined } = deps;
  const system = await store.partition('system');
  const namespaces = createNamespaces({ system, clock, ids });
  const modules = new Modules({ system, clock, ids });
  const kept = new Map<string, Set<string>>();
  const keptTitles = (moduleID: string): ReadonlySet<string> => kept.get(moduleID) ?? NONE;
  const audiences = new Map<string, readonly Audience[]>();
  const following = createFollowing(onChange);
  let beforeUse: (moduleID: string, rows: Rows) => Promise<void> = () => Promise.resolve();
  const open = new OpenLists({
    ...{ store, clock, ids, modules, keptTitles, onChange, following },
    audiences: (moduleID) => audiences.get(moduleID) ?? [],
    beforeUse: (moduleID, rows) => beforeUse(moduleID, rows),
  });
  await open.finishIntents();
  const recovered = await recoverLists({ store, modules, namespaces, clock, ids });

  const told = async <R>(change: Promise<R>): Promise<R> => {
    const result = await change;
    await onChange({ kind: 'workspaces' });
    return result;
  };

  const isUnreadable = (moduleID: string): Promise<boolean> => store.isUnreadable(listPartition(moduleID));
  const titles = createTitleCache(clock);
  const pinned = createTitleCache(clock);
  const find: FindList = async (moduleID) => {
    const module = await modules.find(moduleID);
    if (!module) return undefined;
    return (await isUnreadable(moduleID)) ? 'unreadable' : { module, rows: (await open.get(moduleID)).rows };
  };

  const isThere = async (moduleID: string): Promise<boolean> => (await modules.find(moduleID)) !== undefined;

  return {
    recovered,
    imports: createImportsUnderWay({ store, system, clock, ids, isThere }),
    namespaces: () => namespaces.all(),
    namespace: (namespaceID) => namespaces.one(namespaceID),
    createNamespace: (input) => told(namespaces.create(input)),
    updateNamespace: (namespaceID, change) => told(namespaces.update(namespaceID, change)),
    async removeNamespace(namespaceID) {
      const { length } = await modules.all(namespaceID);
      if (length > 0) {
        throw new Refusal('conflict', 'workspace.not-empty', said('workspace.not-empty', { lists: length }));
      }
      await told(namespaces.remove(namespaceID));
    },
    defaultNamespace: () => namespaces.default(),

    modules: (namespaceID) => modules.all(namespaceID),
    module: (moduleID) => modules.one(moduleID),
    async findModuleByHandle(handle) {
      const found = await modules.byHandle(handle);
      if (found.length < 2) return found[0];
      const { namespaceID } = await namespaces.default();
      return found.find((module) => module.namespaceID === namespaceID) ?? found[0];
    },
    async createModule(namespaceID, input) {
      await namespaces.one(namespaceID);
      const module = await modules.create(namespaceID, input);
      await onChange({ kind: 'list', change: 'created', module });
      return module;
    },
    updateModule: (moduleID, change) => open.update(moduleID, change),
    removeModule: (moduleID) => open.remove(moduleID),
    rows: async (moduleID) => (await open.get(moduleID)).rows,
    async counts(moduleID) {
      return (await isUnreadable(moduleID)) ? EMPTY_TALLY : (await open.get(moduleID)).rows.counts();
    },
    isUnreadable,
    noteOwnTimes: (seen) => open.noteOwnTimes(seen),
    emptyBins: (age) => open.emptyBins(age),
    forgetHistories: (age) => open.forgetHistories(age),
    async listAsShown(moduleID, options) {
      const lens = await lensFor(await modules.one(moduleID), options, titles, find);
      return (await open.get(moduleID)).rows.list(lens ? { ...options, lens } : options);
    },
    async references(moduleID, rows) {
      return resolveReferences((await modules.one(moduleID)).fields, rows, find);
    },
    beforeUse: (done) => void (beforeUse = done),
    keepTitles: (moduleID, fieldID) =>
      void kept.set(moduleID, (kept.get(moduleID) ?? new Set()).add(fieldID)),
    setAudience(moduleID, audienceID, condition) {
      const others = (audiences.get(moduleID) ?? []).filter(({ id }) => id !== audienceID);
      audiences.set(moduleID, condition ? [...others, { id: audienceID, condition }] : others);
    },
    caughtUp: () => following.caughtUp(),
    async definitionForOthers(moduleID) {
      await following.caughtUp();
      return open.definition(moduleID);
    },
    async forOthers(moduleID, body) {
      await following.caughtUp();
      return open.asOne(moduleID, (list) => {
        // A list that refers to itself is held already: to wait for it again would be to wait for ever.
        const read: ReadList = async (other, inner) => {
          if (other === moduleID) return inner(list);
          return (await modules.find(other)) && open.asOne(other, inner);
        };
        return body({ ...list, titles: (pins) => createPinnedTitles({ read, cache: pinned, pins }) });
      });
    },
  };
}
