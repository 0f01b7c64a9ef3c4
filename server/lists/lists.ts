import type { Clock } from '../base/clock.ts';
import type { Ids } from '../base/ids.ts';
import type { Store } from '../store/store.ts';
import type { ListsChange, Module, Namespace, Row } from './definitions/model.ts';
import { createImportsUnderWay, type ImportsUnderWay } from './csv/imports-under-way.ts';
import { createChangeFollower, type ChangeFollower } from './definitions/follow-changes.ts';
import type { BinnedColumn } from './definitions/column-bin.ts';
import { Modules, type BinnedModule } from './definitions/modules.ts';
import type { Condition } from './query/condition.ts';
import { DerivedState } from './rows/derived-state.ts';
import { createNamespaces, type Namespaces } from './definitions/namespaces.ts';
import type { Age } from './rows/list-clock.ts';
import { OpenLists, type RestoredColumn } from './rows/open-lists.ts';
import {
  createPinnedTitles,
  type PinnedTitles,
  type ReadList,
  type TitlePins,
} from './rows/pinned-titles.ts';
import { omit } from '../base/omit.ts';
import { Refusal } from '../base/refusal.ts';
import { displayLens } from './values/displayed-rows.ts';
import { resolveReferences, type FindList, type References } from './rows/references.ts';
import { createTitleCache, type TitleCache } from './rows/title-cache.ts';
import type { Rows, ListAsOne } from './rows/rows.ts';
import { listPartition } from './rows/row-table.ts';
import type { TurnMatching } from './rows/undo.ts';
import { NO_ROWS, type RowCounts } from './rows/row-counts.ts';
import { freeTitle } from './definitions/names.ts';
import {
  copiedFields,
  salvageRows,
  writeSalvaged,
  type SalvageCounts,
  type SalvagedRows,
} from './definitions/salvage.ts';
import { recoverLists, type RecoveredList } from './definitions/recover-lists.ts';
import type { ListOptions, RowPage } from './rows/row-list.ts';
import { said } from '../words/said.ts';
import type { ModuleInput, NamespaceInput } from './definitions/inputs.ts';

/** A list as others see it: definition, rows and what its references are called, all of one version. */
export interface ListForOthers extends ListAsOne {
  titles(pins: TitlePins): PinnedTitles;
}

/** A list made of the readable rows of damaged files, and what went into it. */
export interface RecoveredRows extends SalvageCounts, Pick<SalvagedRows, 'damagedLines' | 'missing'> {
  readonly module: Module;
}

interface ListsDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly onChange: (change: ListsChange) => Promise<void> | void;
  readonly namespaces: Namespaces;
  readonly modules: Modules;
  readonly following: ChangeFollower;
  readonly beside: DerivedState;
  readonly open: OpenLists;
  readonly imports: ImportsUnderWay;
  readonly recovered: readonly RecoveredList[];
}

/**
 * Workspaces, lists, columns and rows of this office. A list is addressed by its id alone, as ids are unique
 * across workspaces. What is not there is a Refusal `not-found`, a name or handle in use one of `conflict`,
 * a definition that cannot be one of `impossible`.
 */
export class Lists {
  /** Those that were made again around their rows as they were opened. */
  readonly recovered: readonly RecoveredList[];
  /** Files that go into lists, and those of which a part did. */
  readonly imports: ImportsUnderWay;
  readonly #deps: ListsDeps;
  readonly #titles: TitleCache;
  readonly #pinned: TitleCache;

  constructor(deps: ListsDeps) {
    this.#deps = deps;
    this.recovered = deps.recovered;
    this.imports = deps.imports;
    this.#titles = createTitleCache(deps.clock);
    this.#pinned = createTitleCache(deps.clock);
  }

  namespaces(): Promise<Namespace[]> {
    return this.#deps.namespaces.all();
  }

  namespace(namespaceID: string): Promise<Namespace> {
    return this.#deps.namespaces.one(namespaceID);
  }

  createNamespace(input: NamespaceInput): Promise<Namespace> {
    return this.#withNotice(this.#deps.namespaces.create(input));
  }

  updateNamespace(namespaceID: string, change: Partial<NamespaceInput>): Promise<Namespace> {
    return this.#withNotice(this.#deps.namespaces.update(namespaceID, change));
  }

  /** @throws Refusal `conflict` while there are lists in it */
  async removeNamespace(namespaceID: string): Promise<void> {
    const { length } = await this.modules(namespaceID);
    if (length > 0) {
      throw new Refusal('conflict', 'workspace.not-empty', said('workspace.not-empty', { lists: length }));
    }
    await this.#withNotice(this.#deps.namespaces.remove(namespaceID));
  }

  /** The workspace that the window works in; made when first needed. */
  defaultNamespace(): Promise<Namespace> {
    return this.#deps.namespaces.default();
  }

  /** In the order in which they were made. */
  modules(namespaceID?: string): Promise<Module[]> {
    return this.#deps.modules.all(namespaceID);
  }

  module(moduleID: string): Promise<Module> {
    return this.#deps.modules.one(moduleID);
  }

  /** By handle, case aside; the default workspace's list where several have it. */
  async findModuleByHandle(handle: string): Promise<Module | undefined> {
    const found = await this.#deps.modules.byHandle(handle);
    if (found.length < 2) return found[0];
    const { namespaceID } = await this.defaultNamespace();
    return found.find((module) => module.namespaceID === namespaceID) ?? found[0];
  }

  async createModule(namespaceID: string, input: ModuleInput): Promise<Module> {
    await this.namespace(namespaceID);
    const module = await this.#deps.modules.create(namespaceID, input);
    await this.#deps.onChange({ kind: 'list', change: 'created', module });
    return module;
  }

  /**
   * `fields`, when given, is the whole new set: a column that is left out goes to the bin, with its values; one that is
   * renamed keeps them; one that is retyped has them converted, references by what their rows are called.
   * @param by id of the user, for whom it is a step of the undo log
   * @throws Refusal `impossible` when values do not fit the new kind, naming how many and one of them
   */
  updateModule(moduleID: string, change: Partial<ModuleInput>, by?: string): Promise<Module> {
    return this.#deps.open.update(moduleID, change, by);
  }

  /** Moves the list to the bin, with rows, views and history. Returns how many rows that are. */
  removeModule(moduleID: string, by = '0'): Promise<{ rows: number }> {
    return this.#deps.open.remove(moduleID, by);
  }

  /** Deleted lists, in the order in which they were made. */
  binnedModules(): Promise<BinnedModule[]> {
    return this.#deps.modules.binned();
  }

  /** Whether the list was deleted and can be restored. */
  isBinned(moduleID: string): Promise<boolean> {
    return this.#deps.modules.isBinned(moduleID);
  }

  /**
   * Moves a list out of the bin, as it was and under its ids. What was shared of it is not shared again by that.
   * @param name its new name; without one, a name that is taken gets a number
   * @throws Refusal `not-found` where it is not in the bin
   */
  async restoreModule(moduleID: string, name?: string): Promise<Module> {
    const { namespaceID } = await this.defaultNamespace();
    return this.#deps.open.restore(moduleID, { name, namespaceID });
  }

  /** Removes a list in the bin for good. Returns how many rows went. @throws Refusal `not-found` */
  purgeModule(moduleID: string): Promise<{ rows: number }> {
    return this.#deps.open.purge(moduleID);
  }

  /** Removes lists for good that were deleted before that time, in milliseconds. Returns how many. */
  async purgeModules(before: number): Promise<number> {
    const old = (await this.binnedModules()).filter(({ deletedAt }) => Date.parse(deletedAt) < before);
    for (const { module } of old) await this.purgeModule(module.moduleID);
    return old.length;
  }

  /** Deleted columns of a list, those that were deleted last first. */
  binnedColumns(moduleID: string): Promise<BinnedColumn[]> {
    return this.#deps.open.binnedColumns(moduleID);
  }

  /**
   * Puts a deleted column back in its place, with what its cells held. It is not shared again by that.
   * @throws Refusal `not-found` where it is not in the bin
   */
  restoreColumn(moduleID: string, fieldID: string, as: RestoredColumn = {}): Promise<Module> {
    return this.#deps.open.restoreColumn(moduleID, fieldID, as);
  }

  /** Removes a deleted column for good, with its cells and their history. @throws Refusal `not-found` */
  purgeColumn(moduleID: string, fieldID: string): Promise<void> {
    return this.#deps.open.purgeColumn(moduleID, fieldID);
  }

  /** @throws Refusal `impossible` where they cannot be read, as their file is damaged */
  async rows(moduleID: string): Promise<Rows> {
    return (await this.#deps.open.get(moduleID)).rows;
  }

  /** {@link Rows.counts}, of a list that cannot be read as of one without rows. */
  async counts(moduleID: string): Promise<RowCounts> {
    return (await this.isUnreadable(moduleID)) ? NO_ROWS : (await this.rows(moduleID)).counts();
  }

  /** Whether its rows cannot be read, as their file is damaged. */
  isUnreadable(moduleID: string): Promise<boolean> {
    return this.#deps.store.isUnreadable(listPartition(moduleID));
  }

  /** Reads the rows that only damaged files of a list hold. Undefined where none of its files is damaged. */
  async salvage(moduleID: string): Promise<SalvagedRows | undefined> {
    await this.module(moduleID);
    return salvageRows(this.#deps.store, moduleID);
  }

  /**
   * Writes the rows that only damaged files of a list hold into a new list with the same columns.
   * @param name of the new list; one that is taken gets a number
   * @throws Refusal `not-found` where there are none
   */
  async recoverRows(moduleID: string, name: string, by: string): Promise<RecoveredRows> {
    const source = await this.module(moduleID);
    const found = await this.salvage(moduleID);
    if (!found || found.values.length === 0)
      throw new Refusal('not-found', 'list.nothing-salvaged', said('list.nothing-salvaged'));
    const taken = (await this.modules(source.namespaceID)).map((other) => other.name);
    const draft = { name: freeTitle(name, taken), fields: copiedFields(source) };
    const module = await this.createModule(source.namespaceID, draft);
    const rows = await this.rows(module.moduleID);
    const counts = await writeSalvaged(rows, module.fields, found.values, by);
    return { ...omit(found, 'values'), ...counts, module };
  }

  /** {@link Rows.recordListClock} of all lists whose rows are in use. */
  noteOwnTimes(seen: number): Promise<void> {
    return this.#deps.open.noteOwnTimes(seen);
  }

  /** {@link Rows.emptyBin} of all lists whose rows are in use, and their deleted columns; another list's when it is. */
  emptyBins(age: Age): Promise<number> {
    return this.#deps.open.emptyBins(age);
  }

  /** {@link Rows.forgetHistory} of all lists whose rows are in use; of another list it goes when it is. */
  forgetHistories(age: Age): Promise<number> {
    return this.#deps.open.forgetHistories(age);
  }

  /**
   * {@link Rows.list} for people: references are sorted, searched and compared by what they show instead of by
   * their ids, choices by their texts.
   */
  async listAsShown(moduleID: string, options: ListOptions): Promise<RowPage> {
    const lens = await displayLens(await this.module(moduleID), options, this.#titles, this.#find);
    return (await this.rows(moduleID)).list(lens ? { ...options, lens } : options);
  }

  /** What the references in these rows of a list lead to; only rows that are named there are read. */
  async references(moduleID: string, rows: readonly Row[]): Promise<References> {
    return resolveReferences((await this.module(moduleID)).fields, rows, this.#find);
  }

  /**
   * For everything that leaves, and for what comes in under names of before: while `body` runs, the columns of the list stay as they are, so that no value is read
   * under the name of another column. A change of columns waits meanwhile; `body` must not use the list in another way.
   */
  async forOthers<R>(moduleID: string, body: (list: ListForOthers) => Promise<R>): Promise<R> {
    const { open, modules } = this.#deps;
    await this.caughtUp();
    return open.asOne(moduleID, (list) => {
      // A list that refers to itself is held already: to wait for it again would be to wait for ever.
      const read: ReadList = async (other, inner) => {
        if (other === moduleID) return inner(list);
        return (await modules.find(other)) && open.asOne(other, inner);
      };
      return body({ ...list, titles: (pins) => createPinnedTitles({ read, cache: this.#pinned, pins }) });
    });
  }

  /**
   * From now on it is kept with each change of a row what this column calls it, until that was told where others refer
   * to it ({@link Rows.changedTitles}). To be said anew in each run of the node.
   */
  keepTitles(moduleID: string, fieldID: string): void {
    this.#deps.beside.keepTitles(moduleID, fieldID);
  }

  /**
   * From now on what an audience sees of a list is kept up with each change of a row; undefined: no more. To be said
   * anew in each run of the node, before a row is written, and else by `Rows.whileStill`.
   */
  setRowFilter(moduleID: string, filterID: string, condition: Condition | undefined): void {
    this.#deps.beside.setRowFilter(moduleID, filterID, condition);
  }

  /** From now on this is done to the rows of each list before anybody uses them; it must not use the list in another way. */
  beforeUse(done: (moduleID: string, rows: Rows) => Promise<void>): void {
    this.#deps.beside.beforeUse = done;
  }

  /** Sets what takes steps of the undo log back that matched offered lists. */
  onTurnMatching(turn: TurnMatching): void {
    this.#deps.beside.turnMatching = turn;
  }

  /**
   * Shares and matches have followed all changes of columns. What leaves by {@link Lists.forOthers} waits for that, and so
   * does the next change. @throws what keeps them from it
   */
  caughtUp(): Promise<void> {
    return this.#deps.following.caughtUp();
  }

  /** The definition alone, for others: a change of columns is over before it is given. */
  async definitionForOthers(moduleID: string): Promise<Module> {
    await this.caughtUp();
    return this.#deps.open.definition(moduleID);
  }

  readonly #find: FindList = async (moduleID) => {
    const module = await this.#deps.modules.find(moduleID);
    if (!module) return undefined;
    return (await this.isUnreadable(moduleID)) ? 'unreadable' : { module, rows: await this.rows(moduleID) };
  };

  async #withNotice<R>(change: Promise<R>): Promise<R> {
    const result = await change;
    await this.#deps.onChange({ kind: 'workspaces' });
    return result;
  }
}

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
  const beside = new DerivedState();
  const following = createChangeFollower(onChange);
  const open = new OpenLists({ store, clock, ids, modules, beside, onChange, following });
  await open.finishIntents();
  const recovered = await recoverLists({ store, modules, namespaces, clock, ids });
  const isThere = async (moduleID: string): Promise<boolean> => (await modules.find(moduleID)) !== undefined;
  const imports = createImportsUnderWay({ store, system, clock, ids, isThere });
  return new Lists({
    store,
    clock,
    onChange,
    namespaces,
    modules,
    following,
    beside,
    open,
    imports,
    recovered,
  });
}
