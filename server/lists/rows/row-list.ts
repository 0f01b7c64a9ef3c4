import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Language } from '../../base/vocabulary.ts';
import type { Partition } from '../../store/store.ts';
import type { Field, Module, Row, Values } from '../definitions/model.ts';
import { createYielder } from '../../base/yield.ts';
import { createSearch, parseQuery, searchWords } from '../query/query.ts';
import type { MemberScope, Predicate } from '../query/predicate.ts';
import { Refusal } from '../../base/refusal.ts';
import { orderOfCursor, readCursor, writeCursor, type Cursor } from './row-cursor.ts';
import { placesOf, sliceWithout, withPinned } from './pinned-rows.ts';
import { takeUpToSize, rowChars } from './row-size.ts';
import { countRows, getRows, idAt, isAllListed, pageRows, rowEntries } from './row-table.ts';
import type { QuickDefinition } from './quick-rows.ts';
import type { RowReader } from './row-reader.ts';
import type { Views } from './row-views.ts';
import type { RowCounts } from './row-counts.ts';
import { parseSort, type Order, type SortKey } from '../query/sort.ts';

/** How values are compared where that is not as they are stored. */
export interface Lens {
  /** Two lenses of one key show the same. */
  readonly key: string;
  see(values: Values): Values;
}

/** Which rows a listing holds, as Compose counts it: 0 without the bin, 1 with it, 2 the bin alone. */
export type DeletedFilter = 0 | 1 | 2;

export interface ListOptions {
  /** 1 to 1000. */
  readonly limit: number;
  /** The `nextPage` of the answer before; carries its own sort. Not together with `offset`. */
  readonly cursor?: string;
  /** Position of the first row, from 0. */
  readonly offset?: number;
  /** `Name ASC, createdAt DESC`; by id when absent. */
  readonly sort?: string;
  /** Whose order texts are sorted in; English when absent. */
  readonly language?: Language;
  /** Comparisons or plain text, see `parseQuery`. */
  readonly query?: string;
  /** Members of the row that `query` and `sort` may name; those of a feed unless given. */
  readonly scope?: MemberScope;
  /** What `NOW()` in `query` stands for, ISO 8601; without it such a query is refused. */
  readonly now?: string;
  /** Words to look for besides, whatever they look like. */
  readonly search?: string;
  /** Rows are compared as they are seen through it; they are given as they are stored. */
  readonly lens?: Lens;
  readonly deleted?: DeletedFilter;
  readonly incTotal?: boolean;
  /**
   * Only these rows, and in this order where no sort is asked for. With `offset`, and not with `cursor`. Given as the same
   * array for the next page, they are not gone through again.
   */
  readonly among?: readonly string[];
  /** Rows that are listed last, in this order, even if they do not fit. With `offset`, and not with `cursor`. */
  readonly pinned?: readonly string[];
}

export interface RowPage {
  readonly rows: readonly Row[];
  /** The sort that was applied, in one spelling. */
  readonly sort: string;
  /** Opaque; absent on the last page. */
  readonly nextPage?: string;
  /** How many rows fit the query; present with `incTotal` or `offset`. */
  readonly total?: number;
}

/** What reads many rows of a list. */
export interface RowListing {
  /** Fewer rows than `limit` where they are large. @throws Refusal `malformed`: limit, cursor, sort or query make no sense */
  readonly list: (options: ListOptions) => Promise<RowPage>;
  /** All rows in order of their ids, a page at a time, for exports and checks. */
  scan(options?: { deleted?: DeletedFilter }): AsyncIterable<readonly Row[]>;
}

const MAX_LIMIT = 1000;
const PAGE = 200;
/** Rows from the first on that are read to get to a page. */
const NEAR = 2000;

export function createRowList(deps: {
  partition: Partition;
  source: RowReader;
  module: () => Module;
  views: Views;
  counts: () => Promise<RowCounts>;
}): RowListing {
  const { partition, source, module, views, counts } = deps;
  /** What was found of rows that were named last: one looks at a page after the other. */
  let lastAmong:
    | { readonly among: readonly string[]; readonly key: string; readonly found: readonly string[] }
    | undefined;

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

  /** Whether no row is in the bin or gone for good; where rows go or come while that is asked, it is not said. */
  async function isAllThere(): Promise<boolean> {
    const { total } = await counts();
    return (await isAllListed(partition, total)) && (await counts()).total === total;
  }

  /**
   * How many rows are gone for good. That they went is no change that anybody is told of, so views that showed them in the
   * bin are not brought up to date by it.
   */
  async function goneForGood(): Promise<number> {
    for (;;) {
      const { total, inBin } = await counts();
      const all = await countRows(partition, 0);
      const still = await counts();
      if (still.total === total && still.inBin === inBin) return all - total - inBin;
    }
  }

  /**
   * Whether the rows at a place in the order of their ids are found without a view of the list, in which each row is read:
   * none of those before is left out, or they are few.
   */
  async function isSoonFound({ offset = 0, limit, deleted = 0 }: ListOptions): Promise<boolean> {
    if (offset + limit <= NEAR) return true;
    return deleted === 0 && (await isAllThere());
  }

  /** The row behind which a page begins, and how many that are listed are to be left out behind that one. */
  async function startOf(
    { offset = 0, deleted = 0 }: ListOptions,
    cursor: Cursor | undefined,
  ): Promise<{ readonly after?: string; readonly skip: number }> {
    if (cursor) return { after: cursor.key.recordID, skip: 0 };
    if (offset === 0) return { skip: 0 };
    if (deleted !== 0 || !(await isAllThere())) return { skip: offset };
    const after = await idAt(partition, offset);
    return { ...(after === undefined ? {} : { after }), skip: 0 };
  }

  /** By id, without a view: reads on from where the page begins until it is full. */
  async function listByID(
    options: ListOptions,
    order: Order,
    fits: Predicate,
    cursor?: Cursor,
  ): Promise<RowPage> {
    const deleted = options.deleted ?? 0;
    const { skip, ...from } = await startOf(options, cursor);
    const pause = createYielder();
    async function* fitting(): AsyncGenerator<Row> {
      let skipped = 0;
      for await (const page of scan({ deleted, ...from })) {
        for (const row of page) {
          if (fits(row.values, row) && skipped++ >= skip) yield row;
          await pause();
        }
      }
    }
    const { first, more } = await takeUpToSize(fitting(), rowChars, options.limit);
    const last = more ? first.at(-1) : undefined;
    const isCounted = options.incTotal === true || options.offset !== undefined;
    const total = isCounted ? { total: totalOf(await counts(), deleted) } : {};
    return {
      rows: first,
      sort: order.text,
      ...total,
      ...nextPage(order, last && order.keyOf(last)),
    };
  }

  /** Says the same for the same rows in the same order, as long as none is changed. */
  async function keyOf(options: ListOptions, order: Order, fields: readonly Field[]): Promise<string> {
    const deleted = options.deleted ?? 0;
    return JSON.stringify([
      deleted,
      deleted === 0 ? 0 : await goneForGood(),
      order.parts,
      asked(options),
      options.lens?.key ?? '',
      options.language ?? '',
      options.scope ?? '',
      // A view of a moment serves only who asks with the same one.
      /\bNOW\b/i.test(options.query ?? '') ? options.now : '',
      fields,
    ]);
  }

  async function listByView(
    options: ListOptions,
    order: Order,
    fits: Predicate,
    cursor?: Cursor,
  ): Promise<RowPage> {
    const deleted = options.deleted ?? 0;
    const { fields } = module();
    const view = await views.view(source, {
      key: await keyOf(options, order, fields),
      order,
      fits: (row) => isListed(row, deleted) && fits(row.values, row),
      ...quickOf(options, fields, isAllThere),
    });
    const { limit, offset = 0, pinned = [] } = options;
    const held = pinned.length > 0 ? await placesOf(partition, view, pinned, order) : [];
    // One more, to know whether anything follows: rows may change while they are looked for.
    const wanted = cursor
      ? await view.behind(cursor.key, limit + 1)
      : await sliceWithout(view, held, offset, offset + limit + 1);
    const entries = wanted.slice(0, limit);
    const ids = entries.map(({ recordID }) => recordID);
    const pause = createYielder();
    async function* found(): AsyncGenerator<Row> {
      for (const entry of await rowEntries(partition, ids)) {
        const row = entry?.value;
        // A row whose time in the bin is over may still stand in a view that was made before.
        if (row && row.purged !== true) yield row;
        await pause();
      }
    }
    const { first, more } = await takeUpToSize(found(), rowChars);
    const behind = wanted.length > limit ? entries.at(-1) : undefined;
    const last = more ? entries[ids.indexOf(first.at(-1)?.recordID ?? '')] : behind;
    const isCounted = options.incTotal === true || options.offset !== undefined;
    const total = isCounted ? { total: view.length - held.length } : {};
    return { rows: first, sort: order.text, ...total, ...nextPage(order, last) };
  }

  /** Of rows that are named one by one. */
  async function listAmong(
    among: readonly string[],
    options: ListOptions,
    order: Order,
    fits: Predicate,
  ): Promise<RowPage> {
    const key = JSON.stringify([await partition.lastSeq(), await keyOf(options, order, module().fields)]);
    if (lastAmong?.among !== among || lastAmong.key !== key)
      lastAmong = { among, key, found: await foundAmong(among, options, order, fits) };
    const { found } = lastAmong;
    const { offset = 0, limit } = options;
    const wanted = found.slice(offset, offset + limit);
    const rows = (await getRows(partition, wanted)).filter((row) => row !== undefined);
    rows.sort((a, b) => wanted.indexOf(a.recordID) - wanted.indexOf(b.recordID));
    const { first } = await takeUpToSize(rows, rowChars);
    return { rows: first, sort: order.text, total: found.length };
  }

  /** The ids of those that are listed, in order. */
  async function foundAmong(
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
    async list(options) {
      check(options);
      const cursor = options.cursor === undefined ? undefined : readCursor(options.cursor);
      const { fields } = module();
      const order = orderOf(options, cursor, fields);
      const fits = predicateOf(options, fields);
      if (options.among) return listAmong(options.among, options, order, fits);
      const narrowed = asked(options).some((text) => text !== '');
      const isCounted = options.incTotal === true || options.offset !== undefined;
      const isSimple =
        order.parts.length === 0 &&
        !options.pinned &&
        !(narrowed && isCounted) &&
        (options.offset === undefined || (await isSoonFound(options)));
      const list = isSimple ? listByID : listByView;
      const page = await list(options, order, fits, cursor);
      if (!options.pinned) return page;
      return withPinned(partition, page, options, (row) => isListed(row, options.deleted ?? 0));
    },
  };
}

const asked = ({ query = '', search = '' }: ListOptions): readonly string[] => [query.trim(), search.trim()];

/** What is looked for as words in rows outside of the bin can be found in them as they are stored. */
function quickOf(
  { query = '', search = '', lens, deleted = 0, language = 'en' }: ListOptions,
  fields: readonly Field[],
  areAllThere: () => Promise<boolean>,
): { quick?: QuickDefinition } {
  if (lens || deleted !== 0 || query.trim() !== '') return {};
  const words = searchWords(search);
  if (words.includes('')) return {};
  return { quick: { words, columns: fields.map(({ name }) => name), language, areAllThere } };
}

function orderOf(
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
  return lens ? { ...order, keyOf: (row) => order.keyOf({ ...row, values: lens.see(row.values) }) } : order;
}

function predicateOf(
  { query = '', search = '', lens, scope, now }: ListOptions,
  fields: readonly Field[],
): Predicate {
  const compared = parseQuery(query, fields, omitUndefined({ scope, now }));
  const found = search.trim() === '' ? undefined : createSearch(search, fields);
  const fits: Predicate = found ? (values, row) => compared(values, row) && found(values, row) : compared;
  return lens ? (values, row) => fits(lens.see(values), row) : fits;
}

function check({ limit, offset, cursor }: ListOptions): void {
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

function isListed(row: Row, deleted: DeletedFilter): boolean {
  if (row.purged) return false;
  return deleted === 1 || (row.deletedAt === undefined) === (deleted === 0);
}

function totalOf({ total, inBin }: RowCounts, deleted: DeletedFilter): number {
  return (deleted === 2 ? 0 : total) + (deleted === 0 ? 0 : inBin);
}

function nextPage(order: Order, last: SortKey | undefined): { nextPage?: string } {
  return last ? { nextPage: writeCursor({ sort: order.text, key: last }) } : {};
}
