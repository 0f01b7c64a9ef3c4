import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import type { Partition, Store } from '../../store/store.ts';
import { createReadWriteLock, type ReadWriteLock } from '../../base/concurrency/read-write-lock.ts';
import type { ModuleInput } from '../definitions/inputs.ts';
import type { Field, Module, ListsChange } from '../definitions/model.ts';
import type { ChangeFollower } from '../definitions/follow-changes.ts';
import type { Intent, Modules, RestoreTo } from '../definitions/modules.ts';
import { freeTitle } from '../definitions/names.ts';
import type { RowFilter } from './row-filter-table.ts';
import type { DerivedState } from './derived-state.ts';
import {
  readBinnedColumn,
  readBinnedColumns,
  purgeColumns,
  type BinnedColumn,
} from '../definitions/column-bin.ts';
import { createTitleLookup } from './title-cache.ts';
import { createRowsByTitle, type RowsByTitle } from './rows-by-title.ts';
import { reconcileDefinition } from '../definitions/recover-lists.ts';
import { isReferring } from './references.ts';
import {
  isSameTarget,
  compareColumns,
  rewriteRows,
  wasRewritten,
  type NamedByColumn,
} from '../definitions/restructure.ts';
import type { LookUpTitles } from '../definitions/replaced-ids.ts';
import { createColumnStep, type ChangeAs, type Check } from '../definitions/undo-columns.ts';
import type { UndoCounts } from './undo.ts';
import type { DefinitionStep, StepBegun } from './undo-log.ts';
import { readSteps } from './undo-log.ts';
import type { Age } from './list-clock.ts';
import { createRowWriter, type RowWriter, type Written } from './row-batch.ts';
import { listPartition } from './row-table.ts';
import { isNaming } from './row-titles.ts';
import { createViews, type Views } from './row-views.ts';
import { createRows, type ListAsOne, type Rows } from './rows.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { createMutex } from '../../base/concurrency/mutex.ts';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import { UNREADABLE } from '../definitions/model.ts';

interface OpenList {
  /** Definition for stored rows and checks of writes. */
  readonly current: { module: Module; isSaved: boolean };
  /** Exclusive for column changes, shared by consistent readers. */
  readonly layout: ReadWriteLock;
  readonly partition: Partition;
  readonly writer: RowWriter;
  readonly lookUpTitles: LookUpTitles;
  readonly rows: Rows;
}

/** Concerns this list only, also towards a partner. */
const unreadableList = (): Refusal => new Refusal('impossible', UNREADABLE, said('list.unreadable'));

/** Returns the old columns, in the new order, without converted ones: their values may be no titles afterwards. */
function columnsKeepingKind(before: readonly Field[], after: readonly Field[]): readonly Field[] {
  return after.flatMap(({ fieldID, kind }) =>
    before.filter((old) => old.fieldID === fieldID && old.kind === kind),
  );
}

type Draft = (list: { readonly module: Module; readonly partition: Partition }) => Module | Promise<Module>;

export interface RestoredColumn {
  /** Default: a number is added to a taken title. */
  readonly label?: string | undefined;
  readonly by?: string | undefined;
}

interface OpenListsDeps {
  store: Store;
  clock: Clock;
  ids: Ids;
  modules: Modules;
  beside: DerivedState;
  onChange: (change: ListsChange) => Promise<void> | void;
  /** A column change waits until followed or failed; the next one until that succeeds. */
  following: ChangeFollower;
}

/** Lists in use; changes definition and rows together. */
export class OpenLists {
  readonly #deps: OpenListsDeps;
  readonly #views: Views;
  readonly #lookUpTitles: LookUpTitles;
  readonly #lists = new Map<string, Promise<OpenList>>();
  readonly #changeInTurn = createMutex();

  constructor(deps: OpenListsDeps) {
    this.#deps = deps;
    this.#views = createViews(deps.clock);
    this.#lookUpTitles = createTitleLookup({ store: deps.store, modules: deps.modules });
  }

  /** Opens a list on first use. Throws `list.unknown` or `list.unreadable`; the next call tries again. */
  get(moduleID: string): Promise<OpenList> {
    const known = this.#lists.get(moduleID);
    if (known) return known;
    const opening = this.#openList(moduleID);
    this.#lists.set(moduleID, opening);
    opening.catch(() => this.#lists.delete(moduleID));
    return opening;
  }

  /**
   * Runs `body` while columns can't change; reading the list otherwise within it deadlocks with a waiting change.
   * Throws `list.unreadable`, or `list.unknown`, also if the list is removed meanwhile.
   */
  async withStableColumns<R>(moduleID: string, body: (list: ListAsOne) => Promise<R>): Promise<R> {
    const list = await this.get(moduleID);
    return list.layout.shared(async () => {
      await this.#deps.modules.get(moduleID);
      return body({ module: list.current.module, rows: list.rows });
    });
  }

  /**
   * Returns the rows' definition, after a running change of columns; the saved one if the list isn't open. Throws
   * `list.unknown`.
   */
  async definition(moduleID: string): Promise<Module> {
    const list = await this.#lists.get(moduleID);
    return list
      ? list.layout.shared(() => Promise.resolve(list.current.module))
      : this.#deps.modules.get(moduleID);
  }

  /** Changes a list once earlier changes are done, and announces it; returns the new definition. */
  update(moduleID: string, change: Partial<ModuleInput>, as: ChangeAs): Promise<Module> {
    return this.#changeInTurn(() =>
      this.#updateList(moduleID, ({ module }) => this.#deps.modules.draftChange(module, change), as),
    );
  }

  /** Stores a list once earlier changes are done, unless `check` throws; the caller announces it. */
  create(namespaceID: string, input: ModuleInput, check: Check | undefined): Promise<Module> {
    return this.#changeInTurn(async () => {
      await check?.();
      return this.#deps.modules.create(namespaceID, input);
    });
  }

  /** Restores a column with its cells once earlier changes are done, and announces it; returns the new definition. */
  restoreColumn(moduleID: string, fieldID: string, { label, by }: RestoredColumn): Promise<Module> {
    return this.#changeInTurn(() =>
      this.#updateList(
        moduleID,
        async ({ module, partition }) =>
          this.#deps.modules.withColumn(module, await readBinnedColumn(partition, fieldID), label),
        { by },
      ),
    );
  }

  /**
   * Undoes or redoes a column change within its step, and announces it; counts columns that changed, and that couldn't.
   */
  undoColumns(moduleID: string, begun: StepBegun, change: DefinitionStep): Promise<UndoCounts> {
    return this.#changeInTurn(async () => {
      let counts: UndoCounts = { done: 0, left: 0 };
      /** Drafts the undone definition, with a number behind a list name taken since; sets `counts`. */
      const draftUndone: Draft = async ({ module, partition }) => {
        const { modules } = this.#deps;
        const { module: next, ...counted } = modules.draftUndo(
          module,
          change,
          await readBinnedColumns(partition),
        );
        counts = counted;
        if (next.name === module.name) return next;
        const others = (await modules.list(module.namespaceID)).filter(
          (other) => other.moduleID !== moduleID,
        );
        return {
          ...next,
          name: freeTitle(
            next.name,
            others.map(({ name }) => name),
          ),
        };
      };
      await this.#updateList(moduleID, draftUndone, { by: begun.by, begun, turns: change.cells });
      return counts;
    });
  }

  async binnedColumns(moduleID: string): Promise<BinnedColumn[]> {
    return readBinnedColumns((await this.get(moduleID)).partition);
  }

  /** Purges a deleted column with cells, history and all undo steps. Throws `list.column-not-in-bin`. */
  async purgeColumn(moduleID: string, fieldID: string): Promise<void> {
    const list = await this.get(moduleID);
    const purged = await this.#purgeColumns(list, ({ field }) => field.fieldID === fieldID);
    if (purged === 0) await readBinnedColumn(list.partition, fieldID);
  }

  /**
   * Purges the columns that are over, once earlier changes are done; returns their number. Announces it if there are
   * any, as undo steps go with them.
   */
  #purgeColumns(
    { partition, current }: OpenList,
    isOver: (column: BinnedColumn) => boolean,
  ): Promise<number> {
    return this.#changeInTurn(async () => {
      const purged = await purgeColumns(partition, () => current.module.fields, isOver);
      const { module } = current;
      if (purged > 0)
        await this.#deps.following.enqueue({ kind: 'list', change: 'changed', module, before: module });
      return purged;
    });
  }

  /** Bins a list once earlier changes are done, and announces it; returns its number of rows. */
  remove(moduleID: string, userID: string): Promise<{ rows: number }> {
    return this.#changeInTurn(() => this.#binList(moduleID, userID));
  }

  /** Restores a list once earlier changes are done, unless `check` throws; announces it. */
  restore(moduleID: string, to: RestoreTo, check: Check | undefined): Promise<Module> {
    return this.#changeInTurn(async () => {
      await check?.();
      const module = await this.#deps.modules.restore(moduleID, to);
      await this.#deps.following.enqueue({ kind: 'list', change: 'restored', module });
      return module;
    });
  }

  /** Purges a list once earlier changes are done, and announces it; returns its number of rows. */
  purge(moduleID: string): Promise<{ rows: number }> {
    return this.#changeInTurn(async () => {
      const { module, rows } = await this.#deps.modules.purge(moduleID);
      await this.#dropPartition(moduleID);
      await this.#deps.following.enqueue({ kind: 'list', change: 'purged', module });
      return { rows };
    });
  }

  /** Calls {@link Rows.recordClock} for all open lists. */
  async recordListClocks(seen: number): Promise<void> {
    await this.#sumOverOpenLists(({ rows }) => rows.recordClock(seen).then(() => 0));
  }

  /**
   * Purges rows and columns that have been in the bin for longer than `age`, in all open lists; returns the number of
   * rows.
   */
  emptyBins(age: Age): Promise<number> {
    return this.#sumOverOpenLists(async (list) => {
      const { rows } = list;
      const before = await rows.listTimeOf(age);
      const isOver = ({ deletedAt }: BinnedColumn): boolean => Date.parse(deletedAt) < before;
      await this.#purgeColumns(list, isOver);
      return rows.emptyBin(before);
    });
  }

  /** Deletes older history of all open lists; returns the number of rows. */
  forgetHistories(age: Age): Promise<number> {
    return this.#sumOverOpenLists(async ({ rows }) => rows.forgetHistory(await rows.listTimeOf(age)));
  }

  /** Completes or drops changes that a crash interrupted between definition and rows. */
  async finishIntents(): Promise<void> {
    for (const intent of await this.#deps.modules.intents()) await this.#finishIntent(intent);
  }

  /**
   * Reconciles definition and rows, announcing a change by that, and runs {@link DerivedState.beforeUse}. Throws
   * `list.unknown` or `list.unreadable`.
   */
  async #openList(moduleID: string): Promise<OpenList> {
    const current = { module: await this.#deps.modules.get(moduleID), isSaved: true };
    if (await this.#deps.store.isUnreadable(listPartition(moduleID))) throw unreadableList();
    const partition = await this.#deps.store.partition(listPartition(moduleID));
    /** Announces a write; not while the new definition is unsaved, as the list's own event follows. */
    const onWritten = (written: Written): void => {
      if (current.isSaved) void this.#deps.onChange({ kind: 'rows', moduleID, ...written });
    };
    /** Returns title columns that other lists display. */
    const namingFields = (): Field[] =>
      current.module.fields.filter(
        ({ fieldID, kind }) => isNaming(kind) && this.#deps.beside.keptTitles(moduleID).has(fieldID),
      );
    const fields = (): readonly Field[] => current.module.fields;
    const filters = (): readonly RowFilter[] => this.#deps.beside.rowFilters(moduleID);
    const { clock, ids } = this.#deps;
    const writer = createRowWriter({
      partition,
      clock,
      ids,
      onWritten,
      naming: namingFields,
      fields,
      filters,
    });
    // Step ids must rise even if the clock went back.
    ids.next((await readSteps(partition)).at(-1)?.stepID);
    const followed = await reconcileDefinition(
      { modules: this.#deps.modules, partition, writer, lookUpTitles: this.#lookUpTitles },
      current.module,
    );
    if (followed) {
      void this.#deps.following.enqueue({
        kind: 'list',
        change: 'changed',
        module: followed,
        before: current.module,
      });
      current.module = followed;
    }
    const rows = createRows({
      moduleID,
      partition,
      module: () => current.module,
      writer,
      views: this.#views,
      ...{ ids, clock },
      filters,
      undoColumns: (begun, change) => this.undoColumns(moduleID, begun, change),
      undoMatching: (of, change) => this.#deps.beside.undoMatching(of, change),
      undoImportKey: async ({ was, became }) => {
        const { importKey = [] } = current.module;
        if (isDeepStrictEqual(importKey, was)) await this.update(moduleID, { importKey: became }, {});
      },
    });
    await this.#deps.beside.beforeUse(moduleID, rows);
    return {
      current,
      layout: createReadWriteLock(),
      partition,
      writer,
      lookUpTitles: this.#lookUpTitles,
      rows,
    };
  }

  /**
   * Changes a list after shares and mappings followed earlier changes; announces it, and returns the new definition.
   * Does nothing if `draft` returns the present one.
   */
  async #updateList(moduleID: string, draft: Draft, as: ChangeAs): Promise<Module> {
    const list = await this.get(moduleID);
    await this.#saveUnsaved(list);
    await this.#deps.following.retryPending();
    const before = list.current.module;
    await as.check?.();
    const module = await draft({ module: before, partition: list.partition });
    if (module === before) return before;
    // A self-referring list can't be read while locked.
    const named = await this.#rowsByTitleFor(before, module);
    await list.layout.exclusive(() => this.#writeChange(list, before, module, named, as));
    // Shares must see each change: columns may change and change back.
    await this.#deps.following.enqueue({ kind: 'list', change: 'changed', module, before });
    return module;
  }

  /** Returns the rows that titles lead to, by column that begins or ceases to refer to a list. */
  async #rowsByTitleFor(before: Module, { fields }: Module): Promise<NamedByColumn> {
    const begins = new Map<string, RowsByTitle>();
    const ceases = new Map<string, RowsByTitle>();
    for (const field of fields) {
      const old = before.fields.find(({ fieldID }) => fieldID === field.fieldID);
      if (!old || isSameTarget(old, field)) continue;
      if (isReferring(old)) await this.#addRowsByTitle(ceases, field.fieldID, old.options.moduleID);
      if (!isReferring(field)) continue;
      const { moduleID } = field.options;
      const naming = moduleID === before.moduleID ? columnsKeepingKind(before.fields, fields) : undefined;
      await this.#addRowsByTitle(begins, field.fieldID, moduleID, naming);
    }
    return { begins, ceases };
  }

  /** Adds the list's rows for the column; skips an unknown list. */
  async #addRowsByTitle(
    rowsByColumn: Map<string, RowsByTitle>,
    fieldID: string,
    moduleID: string,
    naming?: readonly Field[],
  ): Promise<void> {
    if (await this.#deps.modules.find(moduleID))
      rowsByColumn.set(
        fieldID,
        await this.withStableColumns(moduleID, (list) => createRowsByTitle(list, naming)),
      );
  }

  /**
   * Writes a changed definition and its undo step. If rows must change, writes an intent and the rows first. If rows
   * can't be written, the former definition stays and the error is thrown.
   */
  async #writeChange(
    list: OpenList,
    before: Module,
    module: Module,
    named: NamedByColumn,
    as: ChangeAs,
  ): Promise<void> {
    const isNew = ({ fieldID }: Field): boolean => before.fields.every((field) => field.fieldID !== fieldID);
    const added = module.fields.filter(isNew);
    // A new column's id is in no bin.
    const returns =
      added.length > 0 &&
      (await readBinnedColumns(list.partition)).some(({ field }) =>
        added.some(({ fieldID }) => fieldID === field.fieldID),
      );
    const plan = compareColumns(before, module, named, returns);
    const step = createColumnStep(before, module, as, this.#deps.ids);
    if (step && !plan)
      await list.writer.write(({ steps }) => steps?.recordDefinition(step.was, step.became), {
        step: step.begun,
      });
    if (plan) {
      const intent: Intent = { kind: 'restructure', module, token: this.#deps.ids.next() };
      await this.#deps.modules.writeIntent(intent);
      try {
        const { token } = intent;
        const layout = {
          ...{ token, fields: module.fields, before: before.fields },
          ...omitUndefined({ step, turns: as.turns, check: as.check }),
        };
        await rewriteRows(list, plan, layout, () => Object.assign(list.current, { module, isSaved: false }));
      } catch (error) {
        Object.assign(list.current, { module: before, isSaved: true });
        await this.#deps.modules.dropIntent(module.moduleID);
        throw error;
      }
    }
    await this.#deps.modules.save(module);
    Object.assign(list.current, { module, isSaved: true });
  }

  /** Saves a definition whose rows are rewritten, but which couldn't be written then; nothing otherwise. */
  async #saveUnsaved({ current }: OpenList): Promise<void> {
    if (!current.isSaved) await this.#deps.modules.save(current.module);
    current.isSaved = true;
  }

  /** Bins a list; returns its number of rows, 0 if unreadable. Throws `list.unknown`. */
  async #binList(moduleID: string, userID: string): Promise<{ rows: number }> {
    if (await this.#deps.store.isUnreadable(listPartition(moduleID)))
      return this.#moveToBin(await this.#deps.modules.get(moduleID), userID, 0);
    const { current, layout, rows } = await this.get(moduleID);
    const count = await rows.count();
    return layout.exclusive(() => this.#moveToBin(current.module, userID, count));
  }

  /** Moves the definition to the bin, closes the list, and announces it; returns `rows`. */
  async #moveToBin(module: Module, userID: string, rows: number): Promise<{ rows: number }> {
    await this.#deps.modules.remove(module, userID, rows);
    this.#lists.delete(module.moduleID);
    // Refuses later writers: nobody would see their writes.
    await this.#deps.store.release(listPartition(module.moduleID));
    await this.#deps.following.enqueue({ kind: 'list', change: 'removed', module });
    return { rows };
  }

  /** Deletes the list's file, then its intent. */
  async #dropPartition(moduleID: string): Promise<void> {
    await this.#deps.store.drop(listPartition(moduleID));
    await this.#deps.modules.dropIntent(moduleID);
  }

  /** Sums the results of `body`, called with one open list after the other. */
  async #sumOverOpenLists(body: (list: OpenList) => Promise<number>): Promise<number> {
    let sum = 0;
    for (const list of await Promise.all(this.#lists.values())) sum += await body(list);
    return sum;
  }

  /** Completes an interrupted purge, or a column change whose rows were written; drops others. */
  async #finishIntent({ kind, module, token }: Intent): Promise<void> {
    if (kind === 'remove') return this.#dropPartition(module.moduleID);
    const partition = await this.#deps.store.partition(listPartition(module.moduleID));
    if (await wasRewritten(partition, token)) await this.#deps.modules.save(module);
    else await this.#deps.modules.dropIntent(module.moduleID);
  }
}
