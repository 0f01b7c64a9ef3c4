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
import type { Check } from './definitions/undo-columns.ts';
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
import { resolveReferences, type FindList, type References } from './rows/references.ts';
import { createTitleCache, type TitleCache, createDisplayLens } from './rows/title-cache.ts';
import type { Rows, ListAsOne } from './rows/rows.ts';
import { listPartition } from './rows/row-table.ts';
import type { UndoMatching } from './rows/undo.ts';
import { NO_ROWS, ROW_COUNTS, ROW_COUNTS_KEY, type RowCounts } from './rows/row-counts.ts';
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

/** Consistent definition, rows and reference titles. */
export interface ListForOthers extends ListAsOne {
  titles(pins: TitlePins): PinnedTitles;
}

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
 * This office's workspaces, lists, columns and rows. List ids are unique across workspaces. Unknown ids throw
 * `workspace.unknown` or `list.unknown` (404).
 */
export class Lists {
  readonly recovered: readonly RecoveredList[];
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

  /** Returns all workspaces. */
  namespaces(): Promise<Namespace[]> {
    return this.#deps.namespaces.all();
  }

  /** Returns a workspace. Throws `workspace.unknown` (404). */
  namespace(namespaceID: string): Promise<Namespace> {
    return this.#deps.namespaces.one(namespaceID);
  }

  /** Stores and announces a workspace. Throws `workspace.taken` (slug) or `workspace.many`. */
  createNamespace(input: NamespaceInput): Promise<Namespace> {
    return this.#withNotice(this.#deps.namespaces.create(input));
  }

  /** Changes and announces a workspace. Throws `data.stale` or `workspace.taken`. */
  updateNamespace(namespaceID: string, change: Partial<NamespaceInput>): Promise<Namespace> {
    return this.#withNotice(this.#deps.namespaces.update(namespaceID, change));
  }

  /** Deletes a workspace and announces that. Throws `workspace.not-empty` if it has lists. */
  async removeNamespace(namespaceID: string): Promise<void> {
    const { namespaces, modules } = this.#deps;
    await this.#withNotice(namespaces.remove(namespaceID, (tx) => modules.refuseInUse(tx, namespaceID)));
  }

  /** Returns the oldest workspace, created if there is none. */
  defaultNamespace(): Promise<Namespace> {
    return this.#deps.namespaces.default();
  }

  /** Returns lists of one workspace or all, by id, without deleted ones. */
  modules(namespaceID?: string): Promise<Module[]> {
    return this.#deps.modules.list(namespaceID);
  }

  /** Returns a list outside the bin. Throws `list.unknown` (404) for others. */
  module(moduleID: string): Promise<Module> {
    return this.#deps.modules.get(moduleID);
  }

  /**
   * Returns the list with this handle, in any case; of several that of the default workspace, or else the first found.
   * Undefined without one.
   */
  async findModuleByHandle(handle: string): Promise<Module | undefined> {
    const found = await this.#deps.modules.byHandle(handle);
    if (found.length < 2) return found[0];
    const { namespaceID } = await this.defaultNamespace();
    return found.find((module) => module.namespaceID === namespaceID) ?? found[0];
  }

  /** Stores and announces a list. Throws `list.taken`, `list.many`, or a refusal of its title or columns. */
  async createModule(namespaceID: string, input: ModuleInput, check?: Check): Promise<Module> {
    const module = await this.#deps.open.create(namespaceID, input, check);
    await this.#deps.onChange({ kind: 'list', change: 'created', module });
    return module;
  }

  /**
   * Changes a list's definition and rows, and announces it. `fields`, if given, is the whole new set: omitted columns
   * go to the bin, changed kinds convert values. Throws `list.retype`, changing nothing, if values don't fit.
   * @param by user id, for an undo step; absent: no step
   */
  updateModule(moduleID: string, change: Partial<ModuleInput>, by?: string, check?: Check): Promise<Module> {
    return this.#deps.open.update(moduleID, change, { by, check });
  }

  /**
   * Bins a list with its rows and announces it; returns their number.
   * @param by user id
   */
  removeModule(moduleID: string, by = '0'): Promise<{ rows: number }> {
    return this.#deps.open.remove(moduleID, by);
  }

  /** Returns the lists in the bin. */
  binnedModules(): Promise<BinnedModule[]> {
    return this.#deps.modules.binned();
  }

  /** Returns the lists in the bin with rows from this partner outside their own bin, without unreadable ones. */
  async binnedModulesFrom(nodeID: string): Promise<Module[]> {
    const { store } = this.#deps;
    const found: Module[] = [];
    for (const { module } of await this.binnedModules()) {
      const name = listPartition(module.moduleID);
      if (await store.isUnreadable(name)) continue;
      const counts = await (await store.partition(name)).get(ROW_COUNTS, ROW_COUNTS_KEY);
      if (counts?.received[nodeID] !== undefined) found.push(module);
    }
    return found;
  }

  isBinned(moduleID: string): Promise<boolean> {
    return this.#deps.modules.isBinned(moduleID);
  }

  /**
   * Restores a list from the bin with the same ids, unshared, and announces it; into the default workspace if its own
   * is gone. Numbers a taken name or handle. Throws `list.not-in-bin` or `list.many`.
   * @param name its new name
   */
  async restoreModule(moduleID: string, name?: string, check?: Check): Promise<Module> {
    const { namespaceID } = await this.defaultNamespace();
    return this.#deps.open.restore(moduleID, { name, namespaceID }, check);
  }

  /** Purges a binned list and announces it; returns its number of rows. Throws `list.not-in-bin`. */
  purgeModule(moduleID: string): Promise<{ rows: number }> {
    return this.#deps.open.purge(moduleID);
  }

  /** Purges and announces lists deleted before a time (ms since the epoch); returns their number. */
  async purgeModules(before: number): Promise<number> {
    const old = (await this.binnedModules()).filter(({ deletedAt }) => Date.parse(deletedAt) < before);
    for (const { module } of old) await this.purgeModule(module.moduleID);
    return old.length;
  }

  /** Returns the list's deleted columns, the latest first. */
  binnedColumns(moduleID: string): Promise<BinnedColumn[]> {
    return this.#deps.open.binnedColumns(moduleID);
  }

  /** Restores a deleted column with its cells, unshared. Throws `list.column-not-in-bin`. */
  restoreColumn(moduleID: string, fieldID: string, as: RestoredColumn = {}): Promise<Module> {
    return this.#deps.open.restoreColumn(moduleID, fieldID, as);
  }

  /** Purges a deleted column with cells, history and all undo steps. Throws `list.column-not-in-bin`. */
  purgeColumn(moduleID: string, fieldID: string): Promise<void> {
    return this.#deps.open.purgeColumn(moduleID, fieldID);
  }

  /** Returns a list's rows, opened if needed. Throws `list.unknown`, or `list.unreadable` for a damaged file. */
  async rows(moduleID: string): Promise<Rows> {
    return (await this.#deps.open.get(moduleID)).rows;
  }

  /** Returns the list's numbers of rows; zero for an unreadable list. */
  async counts(moduleID: string): Promise<RowCounts> {
    return (await this.isUnreadable(moduleID)) ? NO_ROWS : (await this.rows(moduleID)).counts();
  }

  /** Returns whether the list's file is damaged. */
  isUnreadable(moduleID: string): Promise<boolean> {
    return this.#deps.store.isUnreadable(listPartition(moduleID));
  }

  /** Reads what damaged files still hold; undefined if none is damaged. Throws `list.unknown`. */
  async salvage(moduleID: string): Promise<SalvagedRows | undefined> {
    await this.module(moduleID);
    return salvageRows(this.#deps.store, moduleID);
  }

  /**
   * Writes a damaged list's readable rows into a new one with its columns. Throws `list.nothing-salvaged` if there are
   * none.
   * @param name of the new list, numbered if taken
   * @param by user id
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

  /** Calls {@link Rows.recordClock} for each list in use. */
  recordListClocks(seen: number): Promise<void> {
    return this.#deps.open.recordListClocks(seen);
  }

  /** Purges old binned rows and columns of lists in use; returns the number of rows. */
  emptyBins(age: Age): Promise<number> {
    return this.#deps.open.emptyBins(age);
  }

  /** Deletes old row versions of lists in use; returns the number of rows. */
  forgetHistories(age: Age): Promise<number> {
    return this.#deps.open.forgetHistories(age);
  }

  /** Filters and sorts cells as shown: references by title, choices by text. */
  async listAsShown(moduleID: string, options: ListOptions): Promise<RowPage> {
    const lens = await createDisplayLens(await this.module(moduleID), options, this.#titles, this.#find);
    return (await this.rows(moduleID)).list(lens ? { ...options, lens } : options);
  }

  /** Returns titles by the ids in these rows. */
  async references(moduleID: string, rows: readonly Row[]): Promise<References> {
    return resolveReferences((await this.module(moduleID)).fields, rows, this.#find);
  }

  /**
   * Runs `body` while the list's columns can't change, after shares and mappings followed earlier changes; throws what
   * prevents that. `body` may use the list only through its argument: anything else would deadlock.
   */
  async withStableColumns<R>(moduleID: string, body: (list: ListForOthers) => Promise<R>): Promise<R> {
    const { open, modules } = this.#deps;
    await this.caughtUp();
    return open.withStableColumns(moduleID, (list) => {
      /** Locks another list likewise; undefined if there is none. This one is locked already. */
      const readList: ReadList = async (other, inner) => {
        if (other === moduleID) return inner(list);
        return (await modules.find(other)) && open.withStableColumns(other, inner);
      };
      return body({
        ...list,
        titles: (pins) => createPinnedTitles({ read: readList, cache: this.#pinned, pins }),
      });
    });
  }

  /** Records changed titles in this column, for {@link Rows.changedTitles}. Call it at each start. */
  keepTitles(moduleID: string, fieldID: string): void {
    this.#deps.beside.keepTitles(moduleID, fieldID);
  }

  /**
   * Sets or removes a row filter's condition, which its index follows. Call it at each start before the first write,
   * later only within `Rows.whileStill`.
   */
  setRowFilter(moduleID: string, filterID: string, condition: Condition | undefined): void {
    this.#deps.beside.setRowFilter(moduleID, filterID, condition);
  }

  /** Sets what prepares a list's rows before their first use; it must not use that list otherwise. */
  beforeUse(prepare: (moduleID: string, rows: Rows) => Promise<void>): void {
    this.#deps.beside.beforeUse = prepare;
  }

  /** Sets what takes part in undoing an import's matching of rows. */
  onUndoMatching(turn: UndoMatching): void {
    this.#deps.beside.undoMatching = turn;
  }

  /** Lets shares and mappings follow pending column changes; throws what prevents it. */
  caughtUp(): Promise<void> {
    return this.#deps.following.retryPending();
  }

  /** Waits for a running change of columns, then returns the rows' definition. Throws `list.unknown`. */
  settledModule(moduleID: string): Promise<Module> {
    return this.#deps.open.definition(moduleID);
  }

  /** Returns the definition like {@link Lists.settledModule}, after {@link Lists.caughtUp}. */
  async definitionForOthers(moduleID: string): Promise<Module> {
    await this.caughtUp();
    return this.#deps.open.definition(moduleID);
  }

  /** Finds a referenced list; undefined if missing, `unreadable` if damaged. */
  readonly #find: FindList = async (moduleID) => {
    const module = await this.#deps.modules.find(moduleID);
    if (!module) return undefined;
    return (await this.isUnreadable(moduleID)) ? 'unreadable' : { module, rows: await this.rows(moduleID) };
  };

  /** Awaits the change, then announces that workspaces changed. */
  async #withNotice<R>(change: Promise<R>): Promise<R> {
    const result = await change;
    await this.#deps.onChange({ kind: 'workspaces' });
    return result;
  }
}

/**
 * Completes changes that a crash interrupted, rebuilds lists that lost their definitions.
 * @param onChange called after each durable change. If it rejects for a column change, it is called again before the
 * next one, and {@link Lists.caughtUp} throws until it succeeds. For others it must not reject
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
