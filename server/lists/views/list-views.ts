import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import { isSeen, plainName } from '../../base/plain-name.ts';
import { Refusal } from '../../base/refusal.ts';
import type { FilterOperator } from '../../base/vocabulary.ts';
import type { Entry, Partition, Store, Table, Tx } from '../../store/store.ts';
import { said } from '../../words/said.ts';
import type { Field } from '../definitions/model.ts';
import type { Lists } from '../lists.ts';
import { listPartition } from '../rows/row-table.ts';

/** How columns stand in the grid, by their ids: {@link columnsShown} of the contract says what each part means. */
export interface ColumnsShown {
  readonly order: readonly string[];
  readonly hidden: readonly string[];
  readonly widths: Readonly<Record<string, number>>;
  readonly frozen: number;
}

/** Which rows are looked at, in which order, and how: by ids of columns, which may be renamed. */
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
  /** What the columns of filters and order were called when it was saved: one that is gone can still be named. */
  readonly labels: Readonly<Record<string, string>>;
}

/** As it is kept: one that was deleted can be had back for a while. */
interface KeptView {
  readonly view: View;
  readonly deletedAt?: number;
}

/** In the partition of the list: they go with it, and are in a backup with it. */
const VIEWS: Table<KeptView> = { name: 'view' };
const COLUMNS: Table<ColumnsShown> = { name: 'columns-shown' };
const COLUMNS_KEY = 'list';

const MOST = 50;
/** Of those that were deleted. */
const MOST_DELETED = 20;
const AS_THE_LIST: ColumnsShown = { order: [], hidden: [], widths: {}, frozen: 0 };

const isThere = ({ value }: Entry<KeptView>): boolean => value.deletedAt === undefined;

interface ListViewsDeps {
  readonly lists: Pick<Lists, 'module'>;
  readonly store: Pick<Store, 'partition'>;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly onChange: (moduleID: string) => void;
}

/** How people look at lists, the same for all windows of the office. Nothing that is shared goes by it. */
export class ListViews {
  readonly #deps: ListViewsDeps;

  constructor(deps: ListViewsDeps) {
    this.#deps = deps;
  }

  /** @throws Refusal `not-found`, as all of these do */
  async of(moduleID: string): Promise<{ readonly columns: ColumnsShown; readonly views: readonly View[] }> {
    await this.#deps.lists.module(moduleID);
    const partition = await this.#deps.store.partition(listPartition(moduleID));
    const views = (await allOf(partition)).filter(isThere).map(({ value }) => value.view);
    const columns = (await partition.get(COLUMNS, COLUMNS_KEY)) ?? AS_THE_LIST;
    return { columns, views: views.sort((one, other) => one.name.localeCompare(other.name)) };
  }

  /** The columns where no view is chosen. */
  arrange(moduleID: string, columns: ColumnsShown): Promise<void> {
    return this.#changing(moduleID, (tx, _, fields) =>
      tx.put(COLUMNS, COLUMNS_KEY, ofThese(fields, columns)),
    );
  }

  /** @throws Refusal `conflict` where another view has the name, or there are too many */
  add(moduleID: string, draft: ViewDraft): Promise<View> {
    return this.#changing(moduleID, (tx, all, fields) => {
      const name = freeName(draft.name, all);
      return this.#put(tx, { ...settled(draft, fields), name, viewID: this.#deps.ids.next() });
    });
  }

  /** @throws Refusal `conflict` where another view has the name */
  change(moduleID: string, viewID: string, draft: ViewDraft): Promise<View> {
    return this.#changing(moduleID, (tx, all, fields) => {
      const before = oneOf(all.filter(isThere), viewID);
      const name = freeName(
        draft.name,
        all.filter(({ key }) => key !== viewID),
      );
      return this.#put(tx, { ...settled(draft, fields, before.labels), name, viewID });
    });
  }

  remove(moduleID: string, viewID: string): Promise<void> {
    return this.#changing(moduleID, (tx, all) => {
      const view = oneOf(all.filter(isThere), viewID);
      tx.put(VIEWS, viewID, { view, deletedAt: this.#deps.clock.now() });
      const deleted = all.filter((entry) => !isThere(entry)).map(({ value }) => value);
      deleted.sort((one, other) => (other.deletedAt ?? 0) - (one.deletedAt ?? 0));
      for (const old of deleted.slice(MOST_DELETED - 1)) tx.delete(VIEWS, old.view.viewID);
    });
  }

  /** One of the last that were deleted, as it was. @throws Refusal as {@link ListViews.add} does */
  restore(moduleID: string, viewID: string): Promise<View> {
    return this.#changing(moduleID, (tx, all) => {
      const view = oneOf(all, viewID);
      return this.#put(tx, {
        ...view,
        name: freeName(
          view.name,
          all.filter(({ key }) => key !== viewID),
        ),
      });
    });
  }

  /** One change of the views of a list after the other. */
  async #changing<R>(
    moduleID: string,
    body: (tx: Tx, all: readonly Entry<KeptView>[], fields: readonly Field[]) => R | Promise<R>,
  ): Promise<R> {
    const { fields } = await this.#deps.lists.module(moduleID);
    const partition = await this.#deps.store.partition(listPartition(moduleID));
    const result = await partition.transaction(
      async (tx) => body(tx, await allOf(partition), fields),
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

const allOf = (partition: Partition): Promise<Entry<KeptView>[]> =>
  partition.page(VIEWS, { limit: MOST + MOST_DELETED });

function oneOf(all: readonly Entry<KeptView>[], viewID: string): View {
  const found = all.find(({ key }) => key === viewID);
  if (!found) throw new Refusal('not-found', 'view.unknown', said('view.unknown'));
  return found.value.view;
}

/** @param others what there is beside it. @throws Refusal `conflict`; `impossible` where nothing of it is to be seen */
function freeName(given: string, others: readonly Entry<KeptView>[]): string {
  const name = plainName(given).trim();
  if (!isSeen(name)) throw new Refusal('impossible', 'view.name', said('view.no-name'));
  const there = others.filter(isThere);
  if (there.some(({ value }) => value.view.name.toLowerCase() === name.toLowerCase()))
    throw new Refusal('conflict', 'view.name-taken', said('view.name-taken', { name }));
  if (there.length >= MOST) throw new Refusal('conflict', 'view.many', said('view.too-many', { most: MOST }));
  return name;
}

/**
 * With what its columns are called.
 * @param before of those that are gone from the list
 * @throws Refusal `impossible` where a filter or the order is by a column that nobody knows
 */
function settled(
  draft: ViewDraft,
  fields: readonly Field[],
  before: View['labels'] = {},
): Omit<View, 'viewID'> {
  const { name, filters, search, sort, columns } = draft;
  const labelOf = (fieldID: string): string => {
    const field = fields.find((candidate) => candidate.fieldID === fieldID);
    const label = field?.label ?? before[fieldID];
    if (label === undefined) throw new Refusal('impossible', 'view.column', said('view.no-column'));
    return label;
  };
  const used = [...filters, ...(sort ? [sort] : [])].map(({ fieldID }) => fieldID);
  return {
    ...{ name, filters, search, columns: ofThese(fields, columns) },
    ...(sort ? { sort } : {}),
    labels: Object.fromEntries(used.map((fieldID) => [fieldID, labelOf(fieldID)])),
  };
}

/** Without columns that the list does not have, and each named once. */
function ofThese(fields: readonly Field[], { order, hidden, widths, frozen }: ColumnsShown): ColumnsShown {
  const ids = new Set(fields.map(({ fieldID }) => fieldID));
  const known = (named: readonly string[]): string[] => [...new Set(named)].filter((id) => ids.has(id));
  const kept = Object.entries(widths).filter(([fieldID]) => ids.has(fieldID));
  return { order: known(order), hidden: known(hidden), widths: Object.fromEntries(kept), frozen };
}
