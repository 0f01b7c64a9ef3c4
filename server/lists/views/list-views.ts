import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import { isVisibleText, plainName } from '../../base/plain-name.ts';
import { Refusal } from '../../base/refusal.ts';
import type { FilterOperator } from '../../base/vocabulary.ts';
import type { Entry, Partition, Store, Table, Tx } from '../../store/store.ts';
import { said } from '../../words/said.ts';
import type { Field } from '../definitions/model.ts';
import type { Lists } from '../lists.ts';
import { listPartition } from '../rows/row-table.ts';

export interface ColumnsShown {
  readonly order: readonly string[];
  readonly hidden: readonly string[];
  readonly widths: Readonly<Record<string, number>>;
  readonly frozen: number;
}

export interface ViewDraft {
  readonly name: string;
  readonly filters: readonly {
    readonly fieldID: string;
    readonly operator: FilterOperator;
    readonly value: string;
  }[];
  readonly search: string;
  readonly sort?: { readonly fieldID: string; readonly descending: boolean } | undefined;
  readonly columns: ColumnsShown;
}

export interface View extends ViewDraft {
  readonly viewID: string;
  /** When saved, to name deleted columns. */
  readonly labels: Readonly<Record<string, string>>;
}

/** Deleted views are restorable for a while. */
interface KeptView {
  readonly view: View;
  readonly deletedAt?: number;
}

/** In the list's partition: deleted and backed up with it. */
const VIEWS: Table<KeptView> = { name: 'view' };
const COLUMNS: Table<ColumnsShown> = { name: 'columns-shown' };
const COLUMNS_KEY = 'list';

const MAX_VIEWS = 50;
const MAX_DELETED = 20;
const AS_THE_LIST: ColumnsShown = { order: [], hidden: [], widths: {}, frozen: 0 };

const isThere = ({ value }: Entry<KeptView>): boolean => value.deletedAt === undefined;

interface ListViewsDeps {
  readonly lists: Pick<Lists, 'module'>;
  readonly store: Pick<Store, 'partition'>;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly onChange: (moduleID: string) => void;
}

/** Shared by all windows. A missing list throws `list.unknown`. */
export class ListViews {
  readonly #deps: ListViewsDeps;

  constructor(deps: ListViewsDeps) {
    this.#deps = deps;
  }

  /**
   * Returns views by name, deleted ones latest first, and how columns are shown without a view. Throws `list.unknown`.
   */
  async get(moduleID: string): Promise<{
    readonly columns: ColumnsShown;
    readonly views: readonly View[];
    readonly deleted: readonly Pick<View, 'viewID' | 'name'>[];
  }> {
    await this.#deps.lists.module(moduleID);
    const partition = await this.#deps.store.partition(listPartition(moduleID));
    const all = await readStoredViews(partition);
    const views = all.filter(isThere).map(({ value }) => value.view);
    const columns = (await partition.get(COLUMNS, COLUMNS_KEY)) ?? AS_THE_LIST;
    return {
      columns,
      views: views.sort((one, other) => one.name.localeCompare(other.name)),
      deleted: latestDeleted(all).map(({ view: { viewID, name } }) => ({ viewID, name })),
    };
  }

  /** Stores how columns are shown without a view, except unknown ones; announces the change. */
  saveLayout(moduleID: string, columns: ColumnsShown): Promise<void> {
    return this.#changeViews(moduleID, (tx, _, fields) =>
      tx.put(COLUMNS, COLUMNS_KEY, withoutUnknownColumns(fields, columns)),
    );
  }

  /**
   * Stores and announces a view. Throws `view.name-taken`, `view.name` for an empty one, `view.many` (over 50), or
   * `view.column` if it filters or sorts by an unknown column.
   */
  add(moduleID: string, draft: ViewDraft): Promise<View> {
    return this.#changeViews(moduleID, (tx, all, fields) => {
      const name = checkName(draft.name, all);
      return this.#put(tx, { ...withLabels(draft, fields), name, viewID: this.#deps.ids.next() });
    });
  }

  /**
   * Replaces and announces a view. Throws `view.unknown`, `view.name-taken`, `view.name` for an empty one, or
   * `view.column` if it filters or sorts by an unknown column.
   */
  change(moduleID: string, viewID: string, draft: ViewDraft): Promise<View> {
    return this.#changeViews(moduleID, (tx, all, fields) => {
      const before = findView(all.filter(isThere), viewID);
      const name = checkName(
        draft.name,
        all.filter(({ key }) => key !== viewID),
      );
      return this.#put(tx, { ...withLabels(draft, fields, before.labels), name, viewID });
    });
  }

  /** Deletes a view and announces it; the last 20 can be restored. Throws `view.unknown`. */
  remove(moduleID: string, viewID: string): Promise<void> {
    return this.#changeViews(moduleID, (tx, all) => {
      const view = findView(all.filter(isThere), viewID);
      tx.put(VIEWS, viewID, { view, deletedAt: this.#deps.clock.now() });
      for (const old of latestDeleted(all).slice(MAX_DELETED - 1)) tx.delete(VIEWS, old.view.viewID);
    });
  }

  /** Restores and announces a deleted view. Throws `view.unknown`, `view.name-taken` or `view.many`. */
  restore(moduleID: string, viewID: string): Promise<View> {
    return this.#changeViews(moduleID, (tx, all) => {
      const view = findView(all, viewID);
      return this.#put(tx, {
        ...view,
        name: checkName(
          view.name,
          all.filter(({ key }) => key !== viewID),
        ),
      });
    });
  }

  /**
   * Calls `body` with all stored views, deleted ones too, and the list's columns in an exclusive transaction; then
   * announces the change and returns the result of `body`.
   */
  async #changeViews<R>(
    moduleID: string,
    body: (tx: Tx, all: readonly Entry<KeptView>[], fields: readonly Field[]) => R | Promise<R>,
  ): Promise<R> {
    const { fields } = await this.#deps.lists.module(moduleID);
    const partition = await this.#deps.store.partition(listPartition(moduleID));
    const result = await partition.transaction(
      async (tx) => body(tx, await readStoredViews(partition), fields),
      'alone',
    );
    this.#deps.onChange(moduleID);
    return result;
  }

  #put(tx: Tx, view: View): View {
    tx.put(VIEWS, view.viewID, { view });
    return view;
  }
}

const readStoredViews = (partition: Partition): Promise<Entry<KeptView>[]> =>
  partition.page(VIEWS, { limit: MAX_VIEWS + MAX_DELETED });

/** Returns deleted views, the latest first. */
const latestDeleted = (all: readonly Entry<KeptView>[]): KeptView[] =>
  all
    .filter((entry) => !isThere(entry))
    .map(({ value }) => value)
    .sort((one, other) => (other.deletedAt ?? 0) - (one.deletedAt ?? 0));

/** Returns a view, deleted ones too. Throws `view.unknown` (404). */
function findView(all: readonly Entry<KeptView>[], viewID: string): View {
  const found = all.find(({ key }) => key === viewID);
  if (!found) throw new Refusal('not-found', 'view.unknown', said('view.unknown'));
  return found.value.view;
}

/**
 * Returns the trimmed name. Throws `view.name` if it is empty, `view.name-taken`, or `view.many` at 50 views.
 * @param others the other stored views
 */
function checkName(given: string, others: readonly Entry<KeptView>[]): string {
  const name = plainName(given).trim();
  if (!isVisibleText(name)) throw new Refusal('impossible', 'view.name', said('view.no-name'));
  const there = others.filter(isThere);
  if (there.some(({ value }) => value.view.name.toLowerCase() === name.toLowerCase()))
    throw new Refusal('conflict', 'view.name-taken', said('view.name-taken', { name }));
  if (there.length >= MAX_VIEWS)
    throw new Refusal('conflict', 'view.many', said('view.too-many', { most: MAX_VIEWS }));
  return name;
}

/**
 * Returns the draft with labels of columns that it filters or sorts by, and without unknown ones in `columns`. Throws
 * `view.column` for an unknown filter or sort column.
 * @param before labels of columns deleted since
 */
function withLabels(
  draft: ViewDraft,
  fields: readonly Field[],
  before: View['labels'] = {},
): Omit<View, 'viewID'> {
  const { name, filters, search, sort, columns } = draft;
  /** Returns the present or former label. Throws `view.column` without either. */
  const labelOf = (fieldID: string): string => {
    const field = fields.find((candidate) => candidate.fieldID === fieldID);
    const label = field?.label ?? before[fieldID];
    if (label === undefined) throw new Refusal('impossible', 'view.column', said('view.no-column'));
    return label;
  };
  const used = [...filters, ...(sort ? [sort] : [])].map(({ fieldID }) => fieldID);
  return {
    ...{ name, filters, search, columns: withoutUnknownColumns(fields, columns) },
    ...(sort ? { sort } : {}),
    labels: Object.fromEntries(used.map((fieldID) => [fieldID, labelOf(fieldID)])),
  };
}

/** Returns the layout without columns that the list lacks, and repeated ones. */
function withoutUnknownColumns(
  fields: readonly Field[],
  { order, hidden, widths, frozen }: ColumnsShown,
): ColumnsShown {
  const ids = new Set(fields.map(({ fieldID }) => fieldID));
  const known = (named: readonly string[]): string[] => [...new Set(named)].filter((id) => ids.has(id));
  const kept = Object.entries(widths).filter(([fieldID]) => ids.has(fieldID));
  return { order: known(order), hidden: known(hidden), widths: Object.fromEntries(kept), frozen };
}
