import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import type { Partition, Store } from '../../store/store.ts';
import { createReadWriteLock, type ReadWriteLock } from '../../base/concurrency/read-write-lock.ts';
import type { ModuleInput } from '../definitions/inputs.ts';
import type { Field, Module, ListsChange } from '../definitions/model.ts';
import type { Following } from '../definitions/following.ts';
import type { Intent, Modules } from '../definitions/modules.ts';
import { createCallRows } from './called-rows.ts';
import { createNamedRows, type NamedRows } from './named-rows.ts';
import { realign } from '../definitions/realign.ts';
import { isReferring } from './references.ts';
import {
  isSameTarget,
  restructuring,
  rewriteRows,
  wasRewritten,
  type NamedByColumn,
} from '../definitions/restructure.ts';
import type { CallRows } from '../definitions/spelled-out.ts';
import { createRowWriter, type RowWriter } from './row-batch.ts';
import { listPartition } from './row-table.ts';
import { isNaming } from './row-titles.ts';
import { createViews } from './row-views.ts';
import { createRows, type ListAsOne, type Rows } from './rows.ts';
import { createMutex } from '../../base/concurrency/mutex.ts';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import { UNREADABLE } from '../definitions/model.ts';

/** A list in use. */
interface OpenList {
  /** The definition that the rows are in, and that writes are checked against. */
  readonly current: { module: Module; isSaved: boolean };
  /** Changes of columns go alone; who reads definition and rows as one version goes together. */
  readonly layout: ReadWriteLock;
  readonly partition: Partition;
  readonly writer: RowWriter;
  readonly callRows: CallRows;
  readonly rows: Rows;
}

/** Lists whose rows are in use, and the changes that touch a list's definition and its rows together. */
export interface OpenLists {
  /** @throws Refusal `not-found` */
  get(moduleID: string): Promise<{ readonly rows: Rows }>;
  /**
   * While `body` runs, the list's columns stay as they are: a change of them waits. So keep it short, and do not read
   * the same list inside of it: that would wait for a change that waits for it. @throws Refusal `not-found`
   */
  asOne<R>(moduleID: string, body: (list: ListAsOne) => Promise<R>): Promise<R>;
  /** The definition alone, as of no moment in which its columns change; the rows need not be loaded for it. */
  definition(moduleID: string): Promise<Module>;
  update(moduleID: string, change: Partial<ModuleInput>): Promise<Module>;
  remove(moduleID: string): Promise<{ rows: number }>;
  /** {@link Rows.emptyBin} of all lists whose rows are in use. */
  emptyBins(before: number): Promise<number>;
  /** {@link Rows.forgetHistory} of all lists whose rows are in use. */
  forgetHistories(before: number): Promise<number>;
  /** Completes changes that a crash interrupted between the list's definition and its rows. */
  finishIntents(): Promise<void>;
}

/** A refusal that concerns this list only, also to a partner. */
const unreadableList = (): Refusal => new Refusal('impossible', UNREADABLE, said('list.unreadable'));

/**
 * The columns, under the names that they have, by which rows of the list are called after a change as well. A column that
 * begins to refer to the list's own rows is none: a text that is its own row's name would be nowhere any more.
 */
function stillNaming(before: readonly Field[], after: readonly Field[]): readonly Field[] {
  return after.flatMap(({ fieldID, kind }) =>
    before.filter((old) => old.fieldID === fieldID && old.kind === kind),
  );
}

export function createOpenLists(deps: {
  store: Store;
  clock: Clock;
  ids: Ids;
  modules: Modules;
  /** Columns of a list, by their ids, whose texts stand for its rows elsewhere. */
  keptTitles: (moduleID: string) => ReadonlySet<string>;
  onChange: (change: ListsChange) => Promise<void> | void;
  /** What is done to the rows of a list before anybody uses them, and fails nobody. */
  beforeUse: (moduleID: string, rows: Rows) => Promise<void>;
  /** A change of columns waits until it is followed, or could not be; the next one until it is. */
  following: Following;
}): OpenLists {
  const { store, clock, ids, modules, keptTitles, onChange, beforeUse, following } = deps;
  const views = createViews(clock);
  const callRows = createCallRows({ store, modules });
  const lists = new Map<string, Promise<OpenList>>();

  async function open(moduleID: string): Promise<OpenList> {
    const current = { module: await modules.one(moduleID), isSaved: true };
    if (await store.isUnreadable(listPartition(moduleID))) throw unreadableList();
    const partition = await store.partition(listPartition(moduleID));
    // Who reads rows upon this must find their definition. That it changed is told once it is written, rows included.
    const onWritten = (): void => {
      if (current.isSaved) void onChange({ kind: 'rows', moduleID });
    };
    const naming = (): Field[] =>
      current.module.fields.filter(
        ({ fieldID, kind }) => isNaming(kind) && keptTitles(moduleID).has(fieldID),
      );
    const fields = (): readonly Field[] => current.module.fields;
    const writer = createRowWriter({ partition, clock, ids, onWritten, naming, fields });
    const followed = await realign({ modules, partition, writer, callRows }, current.module);
    if (followed) {
      void following.follow({ kind: 'list', change: 'changed', module: followed, before: current.module });
      current.module = followed;
    }
    const rows = createRows({ moduleID, partition, module: () => current.module, writer, views, ids });
    await beforeUse(moduleID, rows);
    return { current, layout: createReadWriteLock(), partition, writer, callRows, rows };
  }

  function get(moduleID: string): Promise<OpenList> {
    const known = lists.get(moduleID);
    if (known) return known;
    const opening = open(moduleID);
    lists.set(moduleID, opening);
    opening.catch(() => lists.delete(moduleID));
    return opening;
  }

  async function asOne<R>(moduleID: string, body: (list: ListAsOne) => Promise<R>): Promise<R> {
    const list = await get(moduleID);
    return list.layout.shared(async () => {
      // It may have been removed while this waited.
      await modules.one(moduleID);
      return body({ module: list.current.module, rows: list.rows });
    });
  }

  /** Changes of definitions run one after the other. */
  const inTurn = createMutex();

  async function update(moduleID: string, change: Partial<ModuleInput>): Promise<Module> {
    const list = await get(moduleID);
    await settle(list);
    await following.caughtUp();
    const before = list.current.module;
    const module = modules.draft(before, change);
    // Read before, as a list that refers to itself could not be read while it is alone.
    const named = await namedFor(before, module);
    await list.layout.exclusive(() => rearrange(list, before, module, named));
    // What is shared must have seen each of several changes: a column may become another one and back.
    await following.follow({ kind: 'list', change: 'changed', module, before });
    return module;
  }

  /** The rows of the lists that columns begin to refer to, and of those that they cease to refer to. */
  async function namedFor(before: Module, { fields }: Module): Promise<NamedByColumn> {
    const begins = new Map<string, NamedRows>();
    const ceases = new Map<string, NamedRows>();
    for (const field of fields) {
      const old = before.fields.find(({ fieldID }) => fieldID === field.fieldID);
      if (!old || isSameTarget(old, field)) continue;
      if (isReferring(old)) await addNamed(ceases, field.fieldID, old.options.moduleID);
      if (!isReferring(field)) continue;
      const { moduleID } = field.options;
      const naming = moduleID === before.moduleID ? stillNaming(before.fields, fields) : undefined;
      await addNamed(begins, field.fieldID, moduleID, naming);
    }
    return { begins, ceases };
  }

  async function addNamed(
    to: Map<string, NamedRows>,
    fieldID: string,
    moduleID: string,
    naming?: readonly Field[],
  ): Promise<void> {
    if (await modules.find(moduleID))
      to.set(fieldID, await asOne(moduleID, (list) => createNamedRows(list, naming)));
  }

  async function rearrange(
    list: OpenList,
    before: Module,
    module: Module,
    named: NamedByColumn,
  ): Promise<void> {
    const plan = restructuring(before, module, named);
    if (plan) {
      const intent: Intent = { kind: 'restructure', module, token: ids.next() };
      await modules.intend(intent);
      try {
        await rewriteRows(list, plan, { token: intent.token, fields: module.fields }, () =>
          Object.assign(list.current, { module, isSaved: false }),
        );
      } catch (error) {
        Object.assign(list.current, { module: before, isSaved: true });
        await modules.forget(module.moduleID);
        throw error;
      }
    }
    await modules.save(module);
    Object.assign(list.current, { module, isSaved: true });
  }

  /** Writes a definition that could not be written when its rows were, before another intent takes its place. */
  async function settle({ current }: OpenList): Promise<void> {
    if (!current.isSaved) await modules.save(current.module);
    current.isSaved = true;
  }

  async function remove(moduleID: string): Promise<{ rows: number }> {
    if (await store.isUnreadable(listPartition(moduleID)))
      return removeUnreadable(await modules.one(moduleID));
    const {
      current: { module },
      layout,
      rows,
    } = await get(moduleID);
    const count = await rows.count();
    await layout.exclusive(async () => {
      await modules.remove(module);
      lists.delete(moduleID);
      await drop(moduleID);
    });
    await following.follow({ kind: 'list', change: 'removed', module });
    return { rows: count };
  }

  async function removeUnreadable(module: Module): Promise<{ rows: number }> {
    await modules.remove(module);
    await drop(module.moduleID);
    await following.follow({ kind: 'list', change: 'removed', module });
    return { rows: 0 };
  }

  async function drop(moduleID: string): Promise<void> {
    await store.drop(listPartition(moduleID));
    await modules.forget(moduleID);
  }

  /** Of all lists whose rows are in use, one after the other. */
  async function inEach(body: (rows: Rows) => Promise<number>): Promise<number> {
    let sum = 0;
    for (const { rows } of await Promise.all(lists.values())) sum += await body(rows);
    return sum;
  }

  async function finish({ kind, module, token }: Intent): Promise<void> {
    if (kind === 'remove') return drop(module.moduleID);
    const partition = await store.partition(listPartition(module.moduleID));
    if (await wasRewritten(partition, token)) await modules.save(module);
    else await modules.forget(module.moduleID);
  }

  return {
    get,
    asOne,
    async definition(moduleID) {
      const list = await lists.get(moduleID);
      return list ? list.layout.shared(() => Promise.resolve(list.current.module)) : modules.one(moduleID);
    },
    update: (moduleID, change) => inTurn(() => update(moduleID, change)),
    remove: (moduleID) => inTurn(() => remove(moduleID)),
    emptyBins: (before) => inEach((rows) => rows.emptyBin(before)),
    forgetHistories: (before) => inEach((rows) => rows.forgetHistory(before)),
    async finishIntents() {
      for (const intent of await modules.intents()) await finish(intent);
    },
  };
}
