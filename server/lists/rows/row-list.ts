import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Language } from '../../base/vocabulary.ts';
import type { Partition } from '../../store/store.ts';
import type { Field, Module, Row, Values } from '../definitions/model.ts';
import { createYielder } from '../../base/yield.ts';
import { createSearch, parseQuery, searchWords } from '../query/query.ts';
import type { MemberScope, Predicate } from '../query/predicate.ts';
import { Refusal } from '../../base/refusal.ts';
import { cursorAfter, orderOfCursor, readCursor, type Cursor } from './row-cursor.ts';
import { takeWhileFitting, countRowChars } from './row-size.ts';
import { countRows, getRows, idAt, isAllListed, pageRows, rowEntries } from './row-table.ts';
import type { QuickDefinition } from './quick-rows.ts';
import type { RowReader } from './row-reader.ts';
import { type Views, findPinnedPlaces, sliceWithout } from './row-views.ts';
import type { RowCounts } from './row-counts.ts';
import { parseSort, type Order, type SortKey } from '../query/sort.ts';

/** Converts values for comparison. */
export interface Lens {
  /** Equal keys show the same. */
  readonly key: string;
  toCompared(values: Values): Values;
}

/** Compose's numbers: 0 without the bin, 1 with, 2 only the bin. */
export type DeletedFilter = 0 | 1 | 2;

export interface ListOptions {
  /** 1 to 1000. */
  readonly limit: number;
  /** The previous `nextPage`, including the sort. Excludes `offset`. */
  readonly cursor?: string;
  readonly offset?: number;
  readonly sort?: string;
  /** Collation; default: English. */
  readonly language?: Language;
  readonly query?: string;
  /** Members for `query` and `sort`; default: a feed's. */
  readonly scope?: MemberScope;
  /** For `NOW()`, ISO 8601; absent: such a query is refused. */
  readonly now?: string;
  readonly search?: string;
  /** For comparison only; rows are returned as stored. */
  readonly lens?: Lens;
  readonly deleted?: DeletedFilter;
  readonly incTotal?: boolean;
  /** Only these, in this order unless sorted; with `offset`, not `cursor`. The same array is scanned once. */
  readonly among?: readonly string[];
  /** Listed last, in order, even without matching. With `offset`, not with `cursor`. */
  readonly pinned?: readonly string[];
}

export interface RowPage {
  readonly rows: readonly Row[];
  readonly sort: string;
  /** Opaque; absent on the last page. */
  readonly nextPage?: string;
  /** Matching rows; with `incTotal` or `offset`. */
  readonly total?: number;
}

export interface RowListing {
  readonly list: (options: ListOptions) => Promise<RowPage>;
  /** Yields all rows by id, in pages. */
  scan(options?: { deleted?: DeletedFilter }): AsyncIterable<readonly Row[]>;
}

const MAX_LIMIT = 1000;
const PAGE = 200;
const NEAR = 2000;

/** Creates the reader of a list's rows: a scan of all, and pages, by id as stored or by cached views. */
export function createRowList(deps: {
  partition: Partition;
  source: RowReader;
  module: () => Module;
  views: Views;
  counts: () => Promise<RowCounts>;
}): RowListing {
  const { partition, source, module, views, counts } = deps;
  let lastAmong:
    | { readonly among: readonly string[]; readonly key: string; readonly found: readonly string[] }
    | undefined;

  /** Yields pages of up to 200 rows, some perhaps empty; without the bin by default. */
  async function* scan(options?: {
    deleted?: DeletedFilter;
    after?: string;
  }): AsyncGenerator<readonly Row[]> {
    const pause = createYielder();
    let after = options?.after;
    for (;;) {
      const page = await pageRows(partition, PAGE, after);
      const last = page.at(-1);
      if (!last) return;
      after = last.recordID;
      yield page.filter((row) => isListed(row, options?.deleted ?? 0));
      await pause();
    }
  }

  /** Returns whether no row is deleted or purged; false also if rows change meanwhile. */
  async function hasNoDeletedRows(): Promise<boolean> {
    const { total } = await counts();
    return (await isAllListed(partition, total)) && (await counts()).total === total;
  }

  /**
   * Counts purged rows; repeats until no row was added, deleted or restored meanwhile. Keys of views contain this
   * number, as purging isn't announced.
   */
  async function countPurged(): Promise<number> {
    for (;;) {
      const { total, inBin } = await counts();
      const all = await countRows(partition, 0);
      const still = await counts();
      if (still.total === total && still.inBin === inBin) return all - total - inBin;
    }
  }

  /** Returns whether a page by id is quick: within the first 2,000 rows, or without a bin. */
  async function needsNoView({ offset = 0, limit, deleted = 0 }: ListOptions): Promise<boolean> {
    if (offset + limit <= NEAR) return true;
    return deleted === 0 && (await hasNoDeletedRows());
  }

  /** Returns the id of the row before the page, if any, and how many rows to skip from there. */
  async function pageStartByID(
    { offset = 0, deleted = 0 }: ListOptions,
    cursor: Cursor | undefined,
  ): Promise<{ readonly after?: string; readonly skip: number }> {
    if (cursor) return { after: cursor.key.recordID, skip: 0 };
    if (offset === 0) return { skip: 0 };
    if (deleted !== 0 || !(await hasNoDeletedRows())) return { skip: offset };
    const after = await idAt(partition, offset);
    return { ...(after === undefined ? {} : { after }), skip: 0 };
  }

  /** Lists matching rows by id, at most 4 Mi characters. A total, if wanted, counts rows that don't match too. */
  async function listByID(
    options: ListOptions,
    order: Order,
    fits: Predicate,
    cursor?: Cursor,
  ): Promise<RowPage> {
    const deleted = options.deleted ?? 0;
    const { skip, ...from } = await pageStartByID(options, cursor);
    const pause = createYielder();
    /** Yields listed rows that match, after those to skip. */
    async function* matchingRows(): AsyncGenerator<Row> {
      let skipped = 0;
      for await (const page of scan({ deleted, ...from })) {
        for (const row of page) {
          if (fits(row.values, row) && skipped++ >= skip) yield row;
          await pause();
        }
      }
    }
    const { first, more } = await takeWhileFitting(matchingRows(), countRowChars, options.limit);
    const last = more ? first.at(-1) : undefined;
    const isCounted = options.incTotal === true || options.offset !== undefined;
    const total = isCounted ? { total: totalOf(await counts(), deleted) } : {};
    return {
      rows: first,
      sort: order.text,
      ...total,
      ...nextPageMember(order, last && order.keyOf(last)),
    };
  }

  /** Returns a key that is equal for the same rows in the same order, while no row changes. */
  async function viewKey(options: ListOptions, order: Order, fields: readonly Field[]): Promise<string> {
    const deleted = options.deleted ?? 0;
    return JSON.stringify([
      deleted,
      deleted === 0 ? 0 : await countPurged(),
      order.parts,
      searchTexts(options),
      options.lens?.key ?? '',
      options.language ?? '',
      options.scope ?? '',
      // With `NOW()`, reused at the same time only.
      /\bNOW\b/i.test(options.query ?? '') ? options.now : '',
      fields,
    ]);
  }

  /**
   * Lists rows of a view by position or cursor, as they are now, without pinned and purged ones; a page is shorter if
   * rows are large.
   */
  async function listByView(
    options: ListOptions,
    order: Order,
    fits: Predicate,
    cursor?: Cursor,
  ): Promise<RowPage> {
    const deleted = options.deleted ?? 0;
    const { fields } = module();
    const view = await views.view(source, {
      key: await viewKey(options, order, fields),
      order,
      fits: (row) => isListed(row, deleted) && fits(row.values, row),
      ...fastPathFor(options, fields, hasNoDeletedRows),
    });
    const { limit, offset = 0, pinned = [] } = options;
    const held = pinned.length > 0 ? await findPinnedPlaces(partition, view, pinned, order) : [];
    // One more shows whether another page follows.
    const wanted = cursor
      ? await view.keysAfter(cursor.key, limit + 1)
      : await sliceWithout(view, held, offset, offset + limit + 1);
    const entries = wanted.slice(0, limit);
    const ids = entries.map(({ recordID }) => recordID);
    const pause = createYielder();
    /** Yields the page's rows as they are now, without purged ones. */
    async function* currentRows(): AsyncGenerator<Row> {
      for (const entry of await rowEntries(partition, ids)) {
        const row = entry?.value;
        // Purged rows may be in an earlier view.
        if (row && row.purged !== true) yield row;
        await pause();
      }
    }
    const { first, more } = await takeWhileFitting(currentRows(), countRowChars);
    const behind = wanted.length > limit ? entries.at(-1) : undefined;
    const last = more ? entries[ids.indexOf(first.at(-1)?.recordID ?? '')] : behind;
    const isCounted = options.incTotal === true || options.offset !== undefined;
    const total = isCounted ? { total: view.length - held.length } : {};
    return { rows: first, sort: order.text, ...total, ...nextPageMember(order, last) };
  }

  /**
   * Lists the rows of `among` that match, from an offset on, fewer than `limit` if they are large, with the number of
   * all. Caches their order for the next page.
   */
  async function listAmong(
    among: readonly string[],
    options: ListOptions,
    order: Order,
    fits: Predicate,
  ): Promise<RowPage> {
    const key = JSON.stringify([await partition.lastSeq(), await viewKey(options, order, module().fields)]);
    if (lastAmong?.among !== among || lastAmong.key !== key)
      lastAmong = { among, key, found: await matchingAmong(among, options, order, fits) };
    const { found } = lastAmong;
    const { offset = 0, limit } = options;
    const wanted = found.slice(offset, offset + limit);
    const rows = (await getRows(partition, wanted)).filter((row) => row !== undefined);
    rows.sort((a, b) => wanted.indexOf(a.recordID) - wanted.indexOf(b.recordID));
    const { first } = await takeWhileFitting(rows, countRowChars);
    return { rows: first, sort: order.text, total: found.length };
  }

  /** Returns the matching ids of `among`, sorted as requested, otherwise in the given order. */
  async function matchingAmong(
    among: readonly string[],
    { deleted = 0, sort }: ListOptions,
    order: Order,
    fits: Predicate,
  ): Promise<readonly string[]> {
    const pause = createYielder();
    const found: SortKey[] = [];
    for (const entry of await rowEntries(partition, among)) {
      const row = entry?.value;
      if (row && isListed(row, deleted) && fits(row.values, row)) found.push(order.keyOf(row));
      await pause();
    }
    const inOrder = new Map(among.map((recordID, at) => [recordID, at]));
    const place = ({ recordID }: SortKey): number => inOrder.get(recordID) ?? 0;
    found.sort((a, b) => (sort ? order.compare(a, b) : place(a) - place(b)));
    return found.map(({ recordID }) => recordID);
  }

  return {
    scan,
    /**
     * Lists a page of rows, cut at 4 Mi characters; `total` only with `incTotal`, `offset` or `among`. `pinned` needs
     * `offset`: these rows are counted and follow the last one, on further pages if there is no room; `among` ignores it.
     * Throws `page.…`, `sort.malformed` or `query.…`.
     */
    async list(options) {
      checkPaging(options);
      const cursor = options.cursor === undefined ? undefined : readCursor(options.cursor);
      const { fields } = module();
      const order = chooseOrder(options, cursor, fields);
      const fits = createPredicate(options, fields);
      if (options.among) return listAmong(options.among, options, order, fits);
      const narrowed = searchTexts(options).some((text) => text !== '');
      const isCounted = options.incTotal === true || options.offset !== undefined;
      const isSimple =
        order.parts.length === 0 &&
        !options.pinned &&
        !(narrowed && isCounted) &&
        (options.offset === undefined || (await needsNoView(options)));
      const list = isSimple ? listByID : listByView;
      const page = await list(options, order, fits, cursor);
      if (!options.pinned) return page;
      return withPinned(partition, page, options, (row) => isListed(row, options.deleted ?? 0));
    },
  };
}

/** Adds pinned rows at the end of the list's last page, as far as it has room, and counts them. */
async function withPinned(
  partition: Partition,
  page: RowPage,
  { pinned = [], offset = 0, limit }: ListOptions,
  isListed: (row: Row) => boolean,
): Promise<RowPage> {
  const found = await getRows(partition, pinned);
  const listed = found.filter((row) => row !== undefined).filter(isListed);
  const others = page.total ?? 0;
  const isEnd = offset + page.rows.length >= others;
  const start = Math.max(0, offset - others);
  const last = isEnd ? listed.slice(start, start + limit - page.rows.length) : [];
  return { ...page, rows: [...page.rows, ...last], total: others + listed.length };
}

const searchTexts = ({ query = '', search = '' }: ListOptions): string[] => [query.trim(), search.trim()];

/** Returns how to build the view from bytes; empty if rows must be parsed: for a bin, query, lens or blank word. */
function fastPathFor(
  { query = '', search = '', lens, deleted = 0, language = 'en' }: ListOptions,
  fields: readonly Field[],
  areAllThere: () => Promise<boolean>,
): { quick?: QuickDefinition } {
  if (lens || deleted !== 0 || query.trim() !== '') return {};
  const words = searchWords(search);
  if (words.includes('')) return {};
  return {
    quick: { words, columns: fields.map(({ name }) => name), language, hasNoDeletedRows: areAllThere },
  };
}

/**
 * Returns the requested order, or the cursor's, by values through the lens. Throws `page.cursor` if they differ or the
 * cursor is stale, `sort.malformed` for an invalid sort.
 */
function chooseOrder(
  { sort, lens, language, scope }: ListOptions,
  cursor: Cursor | undefined,
  fields: readonly Field[],
): Order {
  const parse = (text: string): Order => parseSort(text, fields, omitUndefined({ language, scope }));
  const order = cursor ? orderOfCursor(cursor, parse) : parse(sort ?? '');
  if (cursor && sort !== undefined && parse(sort).text !== order.text) {
    const message = 'The page cursor belongs to another sort. Start again without it.';
    throw new Refusal('malformed', 'page.cursor', message);
  }
  return lens
    ? { ...order, keyOf: (row) => order.keyOf({ ...row, values: lens.toCompared(row.values) }) }
    : order;
}

/** Returns a test by query and search, of values through the lens. Throws `query.malformed` or `query.column`. */
function createPredicate(
  { query = '', search = '', lens, scope, now }: ListOptions,
  fields: readonly Field[],
): Predicate {
  const compared = parseQuery(query, fields, omitUndefined({ scope, now }));
  const found = search.trim() === '' ? undefined : createSearch(search, fields);
  const fits: Predicate = found ? (values, row) => compared(values, row) && found(values, row) : compared;
  return lens ? (values, row) => fits(lens.toCompared(values), row) : fits;
}

/** Throws `page.limit` (1 to 1,000), `page.offset` or `page.mixed` (offset and cursor) for invalid options. */
function checkPaging({ limit, offset, cursor }: ListOptions): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw new Refusal('malformed', 'page.limit', `The limit is a whole number from 1 to ${MAX_LIMIT}.`);
  }
  if (offset !== undefined && (!Number.isSafeInteger(offset) || offset < 0)) {
    throw new Refusal('malformed', 'page.offset', 'The offset is a whole number from 0.');
  }
  if (offset !== undefined && cursor !== undefined) {
    throw new Refusal('malformed', 'page.mixed', 'A page is asked for by cursor or by offset, not by both.');
  }
}

/** Returns whether the listing contains the row; none contains purged ones. */
function isListed(row: Row, deleted: DeletedFilter): boolean {
  if (row.purged) return false;
  return deleted === 1 || (row.deletedAt === undefined) === (deleted === 0);
}

/** Counts listed rows: without the bin (0), with it (1), or the bin alone (2). */
function totalOf({ total, inBin }: RowCounts, deleted: DeletedFilter): number {
  return (deleted === 2 ? 0 : total) + (deleted === 0 ? 0 : inBin);
}

/** Returns the cursor behind the last row; none without one. */
function nextPageMember(order: Order, last: SortKey | undefined): { nextPage?: string } {
  return last ? { nextPage: cursorAfter(order, last) } : {};
}
