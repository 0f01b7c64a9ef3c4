import type { Row } from '../../lists/definitions/model.ts';
import { createYielder } from '../../base/yield.ts';
import type { MemberScope, Predicate } from '../../lists/query/predicate.ts';
import type { RowReader } from '../../lists/rows/row-reader.ts';
import { createViews, type Views } from '../../lists/rows/row-views.ts';
import { createViewOfKeys, type View } from '../../lists/rows/view.ts';
import type { Order, SortKey } from '../../lists/query/sort.ts';
import { lastChangeTime } from '../../lists/values/times.ts';
import type { Clock } from '../../base/clock.ts';
import type { ChangePoint, Entry } from '../../store/store.ts';
import type { ExposedList } from './exposed-list.ts';
import type { Comparing } from './outgoing.ts';
import type { Exposure, Node } from '../model.ts';
import { isSharedWith } from './visibility.ts';

export interface SelectionFilter {
  /** Milliseconds, inclusive: rows written or deleted since. */
  readonly since?: number | undefined;
  /** Replaces `since`: rows changed after this sequence number. */
  readonly after?: number | undefined;
  readonly deleted: boolean;
  /** Compares values as sent. */
  readonly comparing: Comparing;
  /** A query's text, language and predicate; default: all rows. */
  readonly query?: { readonly text: string; readonly scope: MemberScope; readonly fits: Predicate };
  readonly order: Order;
}

type Seen = Pick<ExposedList, 'exposure' | 'rows'>;

/** With more changes, the sorted list is cached. */
const MAX_SCANNED_CHANGES = 2000;
const LOOK = 200;

const LARGE = 10_000;

/** Returns whether a reader with pinned names sees no change since `after`; false under a condition. */
const hasSameValues = ({ valuesSeq }: Row, { condition }: Exposure, after = -1): boolean =>
  valuesSeq !== undefined && valuesSeq <= after && condition === undefined;

/** Yields changes above number `after`, in ordered batches; the last may be empty. */
async function* readChangesAfter(source: RowReader, after: number): AsyncGenerator<Entry<Row>[]> {
  for (let afterSeq = after; ;) {
    const changes = await source.changed({ afterSeq }, MAX_SCANNED_CHANGES);
    yield changes;
    const last = changes.at(-1);
    if (!last || changes.length < MAX_SCANNED_CHANGES) return;
    afterSeq = last.seq;
  }
}

/**
 * Returns the earliest time (ms) of visible changes after this number if there are more than `many`; else undefined.
 */
async function earliestTimeIfMany(
  { exposure, rows: { source } }: Seen,
  node: Node,
  after: number,
  many: number,
): Promise<number | undefined> {
  let [count, begin] = [0, Infinity];
  const pause = createYielder();
  for await (const changes of readChangesAfter(source, after)) {
    for (const { value } of changes) {
      await pause();
      if (hasSameValues(value, exposure, after) || !isSharedWith(value, exposure, node)) continue;
      count++;
      begin = Math.min(begin, Date.parse(lastChangeTime(value)));
    }
  }
  return count > many ? begin : undefined;
}

/** Finds and orders the rows that a partner may see and requests. */
export class Selections {
  readonly #views: Views;
  readonly #large: number;

  /** From `large` rows on, a store that can keeps the order. */
  constructor({ clock }: { clock: Clock }, large = LARGE) {
    this.#views = createViews(clock, large);
    this.#large = large;
  }

  /**
   * Returns a sorted view of visible rows that the filter selects. Very many changes are selected by time, which may
   * add a few earlier rows.
   */
  async get(list: Seen, node: Node, filter: SelectionFilter): Promise<View> {
    const { source } = list.rows;
    const { after } = filter;
    if (after === undefined || !source.ranking) return this.#readView(list, node, filter);
    const since = await earliestTimeIfMany(list, node, after, this.#large);
    return this.#readView(list, node, since === undefined ? filter : { ...filter, after: undefined, since });
  }

  /**
   * Returns a view of the rows that the partner sees and the filter selects: by reading changes after a mark, or a few
   * since a time; else by filtering the cached view of all rows.
   */
  async #readView({ exposure, rows: { source } }: Seen, node: Node, filter: SelectionFilter): Promise<View> {
    const { since, after, deleted, query, order: asked, comparing } = filter;
    /**
     * Returns whether the partner sees the row and the filter selects it, by time or number of the change, deletion
     * and query.
     */
    const fits = (row: Row): boolean =>
      (since === undefined || Date.parse(lastChangeTime(row)) >= since) &&
      !hasSameValues(row, exposure, after) &&
      (deleted || row.deletedAt === undefined) &&
      isSharedWith(row, exposure, node) &&
      (query === undefined || query.fits(comparing.toCompared(row), timedAsSeen(row)));
    const isByValues = asked.columns.length > 0;
    const order = {
      ...asked,
      keyOf: (row: Row): SortKey =>
        asked.keyOf(
          isByValues ? { ...timedAsSeen(row), values: comparing.toCompared(row) } : timedAsSeen(row),
        ),
    };
    const pause = createYielder();
    /** Returns sort keys of those changed rows that fit the filter. */
    async function sortKeysOf(changes: readonly Entry<Row>[]): Promise<SortKey[]> {
      const entries: SortKey[] = [];
      for (const { value } of changes) {
        if (fits(value)) entries.push(order.keyOf(value));
        await pause();
      }
      return entries;
    }
    if (after !== undefined) {
      const entries: SortKey[] = [];
      for await (const changes of readChangesAfter(source, after))
        entries.push(...(await sortKeysOf(changes)));
      return createViewOfKeys(entries.sort(order.compare), order);
    }
    if (since !== undefined) {
      const changes = await source.changed({ sinceTime: since }, MAX_SCANNED_CHANGES);
      if (changes.length < MAX_SCANNED_CHANGES)
        return createViewOfKeys((await sortKeysOf(changes)).sort(order.compare), order);
    }
    const key = [
      exposure.moduleID,
      node.installation,
      since,
      deleted,
      query && [query.scope, query.text],
      order.parts,
      exposure.fields,
      exposure.fieldIDs,
      exposure.titlePins,
      exposure.gaps,
      exposure.condition,
      comparing.key,
    ];
    return this.#views.view(source, { key: JSON.stringify(key), owner: exposure.moduleID, order, fits });
  }

  /**
   * Returns whether the partner may see any live row or, with `since` (milliseconds), one that changed or was deleted
   * since.
   */
  async hasVisible(
    { exposure, rows: { source } }: Seen,
    node: Node,
    since: number | undefined,
  ): Promise<boolean> {
    let point: ChangePoint = { sinceTime: since ?? 0 };
    for (;;) {
      const changes: Entry<Row>[] = await source.changed(point, LOOK);
      if (
        changes.some(
          ({ value }) => (since !== undefined || !value.deletedAt) && isSharedWith(value, exposure, node),
        )
      )
        return true;
      const last = changes.at(-1);
      if (!last || changes.length < LOOK) return false;
      point = { afterSeq: last.seq };
    }
  }
}

/** Sets `updatedAt` as partners see it: later if a shown title changed. */
function timedAsSeen(row: Row): Row {
  return row.retitledAt === undefined ? row : { ...row, updatedAt: lastChangeTime(row) };
}
