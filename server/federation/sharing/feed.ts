import { createHash } from 'node:crypto';
import type { Lists } from '../../lists/lists.ts';
import type { Field } from '../../lists/definitions/model.ts';
import { Refusal } from '../../base/refusal.ts';
import { HOLDS_IDS } from '../../lists/query/operand.ts';
import type { QueryField } from '../../lists/query/predicate.ts';
import { parseQuery } from '../../lists/query/query.ts';
import { cursorAfter, orderOfCursor, readCursor } from '../../lists/rows/row-cursor.ts';
import type { VisibleRows } from '../../lists/rows/row-filter-index.ts';
import type { View } from '../../lists/rows/view.ts';
import { parseSort, type Order, type SortKey } from '../../lists/query/sort.ts';
import type { Clock } from '../../base/clock.ts';
import { createYielder } from '../../base/yield.ts';
import { followColumns } from './columns.ts';
import { otherDefinition } from './change-feed.ts';
import type { ExposedList, ReadExposed } from './exposed-list.ts';
import type { Exposures } from './exposures.ts';
import { Selections } from './feed-selection.ts';
import type { FeedRow } from './outgoing.ts';
import { takenBack, type Disclosure } from './ledger.ts';
import type { Exposure, Node } from '../model.ts';
import type { ServedPage } from './full-scans.ts';
import type { LiveDefinitions } from './live-definitions.ts';
import type { MarkedAnswer, PullerMarks } from './puller-marks.ts';
import type { RenderedPage } from './page-bytes.ts';
import type { RowTexts } from './row-texts.ts';
import type { VisibleChanges } from './visible-changes.ts';

/** A page from 1, a range by cursor, or everything. */
export type PageWindow =
  | { readonly page: number; readonly perPage: number }
  | { readonly limit: number; readonly cursor?: string }
  | 'all';

export interface RecordsRequest {
  /** Milliseconds, inclusive: rows written or deleted since. */
  readonly since?: number;
  /** Replaces `since` for pullers that only have their clock ({@link PullerMarks}). */
  readonly mark?: number;
  /** Absent if a proxy may share it ({@link PullerMarks}). */
  readonly connection?: object | undefined;
  /** Only pinned columns, under pinned names ({@link LiveDefinitions}). */
  readonly asPinned?: boolean;
  readonly deleted: boolean;
  /** Language of `sort` and `query`; default: ours. */
  readonly scope?: 'live';
  /** By exposed columns only, as an order discloses values. */
  readonly sort: string;
  readonly query?: string;
  readonly window: PageWindow;
  /** For the sharing log; absent if our own user looks. */
  readonly address?: string;
}

export interface RecordsPage {
  readonly exposure: Exposure;
  /** JSON, comma-separated; a large page's first part. */
  readonly rows: Buffer;
  /**
   * Further parts, on demand.
   * @throws as {@link Feed.recordBytes}, `conflict` if the share changed
   */
  readonly rest?: AsyncIterable<Buffer>;
  /** Matching rows of all pages; with a query only of this page, as a total would answer it without rows. */
  readonly count: number;
  readonly sort: string;
  readonly nextPage?: string;
  /** Records whether the whole answer was sent; always call it. */
  reportSent(whole: boolean): Promise<void>;
}

export interface FeedDeps {
  readonly clock: Clock;
  readonly lists: Lists;
  readonly exposures: Exposures;
  readonly readExposed: ReadExposed;
  readonly texts: RowTexts;
  readonly visibleChanges: VisibleChanges;
  readonly marks: PullerMarks;
  readonly liveDefinitions: Pick<LiveDefinitions, 'asPinned'>;
  /** Records what will be sent; rows wait for it. */
  readonly onServed: (disclosure: Disclosure) => Promise<void>;
  /** Receives each completely sent page, for partners that read by page. */
  readonly onPageSent: (
    exposure: Exposure,
    node: Node,
    page: ServedPage & { readonly since?: number },
  ) => Promise<void>;
  /** A puller asked by its mark: more may have arrived. */
  readonly onMarked: (nodeID: string) => void;
}

export class Feed {
  readonly #deps: FeedDeps;
  readonly #selections: Selections;

  constructor(deps: FeedDeps) {
    this.#deps = deps;
    this.#selections = new Selections({ clock: deps.clock });
  }

  /**
   * Returns open shares with their present columns, oldest first; with `since` (ms) those changed since. Leaves out
   * shares of lists deleted meanwhile.
   */
  async modules(node: Node, since?: number): Promise<Exposure[]> {
    const all = await this.#deps.exposures.list(node.nodeID);
    const changed = all.filter(
      ({ updatedAt, createdAt }) => since === undefined || Date.parse(updatedAt ?? createdAt) >= since,
    );
    const present = await Promise.all(
      changed.map((exposure) =>
        this.#withPresentColumns(exposure).catch((error: unknown) => {
          // Deleted meanwhile: the share is about to end.
          if (error instanceof Refusal && error.code === 'list.unknown') return undefined;
          throw error;
        }),
      ),
    );
    return present.filter((exposure) => exposure !== undefined);
  }

  /** Returns an exposure with present columns. Throws `not-found`, `gone`. */
  async module(node: Node, moduleID: string): Promise<Exposure> {
    return this.#withPresentColumns(await this.#deps.exposures.get(node.nodeID, moduleID));
  }

  /** Returns the partner's open shares with a visible row; with `since` (milliseconds), one that changed since. */
  async modulesWithRecords(node: Node, since?: number): Promise<Exposure[]> {
    const all = await this.#deps.exposures.list(node.nodeID);
    const have = await Promise.all(all.map((exposure) => this.#hasRows(exposure, node, since)));
    return all.filter((_exposure, at) => have[at]);
  }

  /**
   * Returns a page's rows encoded by `write`, a large page in parts, once they are in the sharing log if a partner
   * asks. Its `reportSent` must be called. Throws `not-found`, `gone`, `forbidden`; `malformed` for a wrong sort, query
   * or cursor.
   * @param dialect names the encoding, for the cache
   */
  async recordBytes(
    node: Node,
    moduleID: string,
    request: RecordsRequest,
    dialect: string,
    write: (row: FeedRow, exposure: Exposure) => object,
  ): Promise<RecordsPage> {
    const reader = request.address === undefined ? 'user' : 'partner';
    const { page, seq, disclosure, answer } = await this.#deps.readExposed(
      node,
      moduleID,
      reader,
      async (list) => {
        const { exposure, rows } = list;
        const { recordIDs, asked, answer, ...page } = await this.#selectPage(node, list, request);
        const pinned =
          request.asPinned === true ? await this.#deps.liveDefinitions.asPinned(exposure) : exposure;
        assertComparesPinned(list, pinned, request);
        const { moduleID, name: listName, condition } = exposure;
        const seq = await rows.lastSeq();
        const writing =
          pinned === exposure ? { dialect, write } : writingAsPinned({ dialect, write }, exposure, pinned);
        const { bytes, taken } = await this.#firstRows(list, recordIDs, writing);
        const columns = pinnedNames(exposure, pinned);
        const { since, mark, deleted } = request;
        // A first reader has nothing to retract.
        const isOfChanges = deleted && (since !== undefined || mark !== undefined);
        const gone = isOfChanges ? takenBack(await countDeleted(rows, recordIDs)) : {};
        const others = recordIDs.slice(taken);
        const state = await digestContent(bytes, rows, others);
        const what = { fields: columns, ...(condition ? { condition } : {}), recordIDs, state, ...gone };
        const disclosure = { nodeID: node.nodeID, moduleID, listName, ...what, ...asked };
        const rest =
          others.length > 0 ? { rest: this.#renderRest(node, reader, exposure, others, writing) } : {};
        const read = { ...page, exposure, rows: bytes, ...rest };
        return { page: read, seq, disclosure, answer };
      },
    );
    const isRead = request.address !== undefined && (request.query ?? '').trim() === '';
    if (request.address !== undefined) await this.#deps.onServed({ ...disclosure, address: request.address });
    await answer?.storeRange();
    if (answer) this.#deps.onMarked(node.nodeID);
    return {
      ...page,
      reportSent: async (whole) => {
        if (answer) await answer.finishAnswer(whole);
        else if (isRead && whole)
          await this.#deps.onPageSent(page.exposure, node, describeServedPage(request, page, seq));
      },
    };
  }

  /** Returns the share with its list's present columns, which the stored one soon follows. Throws `list.unknown`. */
  async #withPresentColumns(exposure: Exposure): Promise<Exposure> {
    const { fields } = await this.#deps.lists.definitionForOthers(exposure.composeModuleID);
    return { ...exposure, ...followColumns(exposure, fields) };
  }

  /** Returns whether the partner may see a row, changed since `since` (ms); false if reading the share is refused. */
  async #hasRows(exposure: Exposure, node: Node, since: number | undefined): Promise<boolean> {
    try {
      return await this.#deps.readExposed(node, exposure.moduleID, 'user', (list) =>
        this.#selections.hasVisible(list, node, since),
      );
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  }

  /** Returns the first rows, as many as one part of an answer holds. Uses the cache. */
  async #firstRows(
    { exposure, rows, outgoing }: ExposedList,
    recordIDs: readonly string[],
    { dialect, write }: Writing,
  ): Promise<RenderedPage> {
    return this.#deps.texts.firstRows(rows, recordIDs.slice(0, MAX_AT_ONCE), {
      key: JSON.stringify([dialect, sendingKey(exposure), await outgoing.version()]),
      render: async (found) =>
        (await outgoing.rows(found.map(({ value }) => value))).map((row) => write(row, exposure)),
    });
  }

  /**
   * Yields the rows after the first part in parts, each as its rows are by then. Throws `feed.definition` if the share
   * changed.
   */
  async *#renderRest(
    node: Node,
    reader: 'partner' | 'user',
    exposure: Exposure,
    recordIDs: readonly string[],
    writing: Writing,
  ): AsyncGenerator<Buffer> {
    for (let left = recordIDs; left.length > 0;) {
      const { bytes, taken } = await this.#deps.readExposed(node, exposure.moduleID, reader, async (list) => {
        if (sendingKey(list.exposure) !== sendingKey(exposure)) throw otherDefinition();
        return this.#firstRows(list, left, writing);
      });
      yield bytes;
      left = left.slice(taken);
    }
  }

  /**
   * Returns the page's row ids, the next cursor, and the count of all rows (with a query, of the page only). Throws
   * `malformed` for a wrong sort, query or cursor. With a mark, begins the answer under it.
   */
  async #selectPage(node: Node, list: ExposedList, request: RecordsRequest): Promise<Selected> {
    const { exposure, outgoing } = list;
    const { window, query = '', scope = 'feed' } = request;
    const allowed = queryFields(exposure, list.columns);
    const cursor =
      window !== 'all' && 'limit' in window && window.cursor !== undefined
        ? readCursor(window.cursor)
        : undefined;
    const parse = (sort: string): Order => parseSort(sort, allowed, { scope });
    const order = cursor ? orderOfCursor(cursor, parse) : parse(request.sort);
    const fits = parseQuery(query, allowed, { scope });
    const isAsked = query.trim() !== '';
    const columns = isAsked ? exposure.fields.map(({ name }) => name) : order.columns;
    const answer =
      request.mark === undefined
        ? undefined
        : await this.#deps.marks.beginAnswer(exposure, node, {
            mark: request.mark,
            lastSeq: await list.rows.lastSeq(),
            countSince: async (seq) =>
              (await this.#deps.visibleChanges.findSince(list.rows, exposure, node, seq)).count,
            connection: request.connection,
          });
    const view = await this.#selections.get(list, node, {
      since: request.since,
      after: answer?.after,
      deleted: request.deleted,
      order,
      comparing: await outgoing.comparing(columns),
      ...(isAsked ? { query: { text: query, scope, fits } } : {}),
    });
    const { recordIDs, last } = await sliceView(view, window, cursor?.key);
    return {
      recordIDs,
      asked: { ...(isAsked ? { query } : {}), ...(order.columns.length > 0 ? { sort: order.text } : {}) },
      count: isAsked ? recordIDs.length : view.length,
      sort: order.text,
      ...(last ? { nextPage: cursorAfter(order, last) } : {}),
      ...(answer ? { answer } : {}),
    };
  }
}

/**
 * Returns the shared columns, with options, that a partner's query or sort may name; columns of ids are of kind
 * `String`, as names are sent in their place.
 */
const queryFields = ({ fields, fieldIDs }: Exposure, columns: readonly Field[]): QueryField[] =>
  fields.map((field, at) => {
    const fieldID = fieldIDs[at] ?? '';
    const options = columns.find((column) => column.fieldID === fieldID)?.options ?? {};
    // Compares names, which are sent in place of ids.
    return { ...field, fieldID, options, ...(HOLDS_IDS.includes(field.kind) && { kind: 'String' as const }) };
  });

interface Writing {
  readonly dialect: string;
  readonly write: (row: FeedRow, exposure: Exposure) => object;
}

const pinnedNames = ({ fields, fieldIDs }: Exposure, pinned: Exposure): string[] =>
  fields.filter((_, at) => pinned.fieldIDs.includes(fieldIDs[at] ?? '')).map(({ name }) => name);

/**
 * Throws for a query or sort by columns that aren't pinned; `query.unsupported` (malformed) if any was renamed since. A
 * sort by id or time always passes, and everything without a pin.
 */
function assertComparesPinned(
  { exposure: { fields, fieldIDs }, columns }: ExposedList,
  pinned: Exposure,
  { query = '', sort, scope }: RecordsRequest,
): void {
  if (pinned.fieldIDs === fieldIDs) return;
  if (query.trim() === '' && /^(id|createdAt|updatedAt)?(\s+(asc|desc))?$/i.test(sort.trim())) return;
  const isRenamed = fields.some(({ name }, at) => {
    const known = pinned.fields[pinned.fieldIDs.indexOf(fieldIDs[at] ?? '')]?.name;
    return known !== undefined && known !== name;
  });
  if (!isRenamed) {
    const language = { ...(scope && { scope }) };
    const allowed = queryFields(pinned, columns);
    parseSort(sort, allowed, language);
    parseQuery(query, allowed, language);
    return;
  }
  const message = 'Columns of this list have other names here by now. Leave out `query` and `sort`.';
  throw new Refusal('malformed', 'query.unsupported', message);
}

/** Returns an encoding that sends only pinned columns, under their pinned names. The cache key includes the names. */
function writingAsPinned({ dialect, write }: Writing, exposure: Exposure, pinned: Exposure): Writing {
  const pinnedNames = new Map(
    exposure.fields.flatMap(({ name }, at) => {
      const column = pinned.fields[pinned.fieldIDs.indexOf(exposure.fieldIDs[at] ?? '')];
      return column ? [[name, column.name] as const] : [];
    }),
  );
  return {
    dialect: JSON.stringify([dialect, [...pinnedNames]]),
    write: ({ values, ...row }, current) => {
      const named = values.flatMap(({ name, value }) => {
        const pinnedName = pinnedNames.get(name);
        return pinnedName === undefined ? [] : [{ name: pinnedName, value }];
      });
      return write({ ...row, values: named }, current);
    },
  };
}

const MAX_AT_ONCE = 10_000;

/** Returns, as text, all that decides what is sent of a row, except reference titles. */
const sendingKey = ({ moduleID, fields, fieldIDs, titlePins, condition }: Exposure): string =>
  JSON.stringify([moduleID, fields, fieldIDs, titlePins, condition]);

/**
 * Describes a sent page as a step of a scan of the whole list, for {@link FullScans}: the scan's parameters, its own
 * and the next cursor, and whether rows may move between pages (`shifts`).
 */
function describeServedPage(
  { since, deleted, window }: RecordsRequest,
  { sort, count, nextPage }: Pick<RecordsPage, 'sort' | 'count' | 'nextPage'>,
  seq: number,
): ServedPage & { since?: number } {
  const asked = [since, deleted, sort];
  const common = { seq, ...(since === undefined ? {} : { since }) };
  if (window === 'all' || 'limit' in window) {
    const place = window === 'all' ? undefined : window.cursor;
    return { ...common, scan: JSON.stringify(asked), cursor: place, next: nextPage, shifts: false };
  }
  const { page, perPage } = window;
  return {
    ...common,
    scan: JSON.stringify([...asked, perPage]),
    cursor: page === 1 ? undefined : String(page),
    next: page * perPage < count ? String(page + 1) : undefined,
    // Ordered by creation, rows only come at the end, unless deleted ones leave.
    shifts: !deleted || !/^(createdAt|id)\b/.test(sort),
  };
}

/** Returns a digest of an answer's first part, and of the last changes of the rows in further parts. */
async function digestContent(bytes: Buffer, rows: VisibleRows, others: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(bytes);
  const pause = createYielder();
  for (const row of await rows.entries(others)) {
    hash.update(`${row?.seq ?? ''},`);
    await pause();
  }
  return hash.digest('base64url');
}

/** Counts rows seen as deleted, also those that left the share's condition. */
async function countDeleted(rows: VisibleRows, recordIDs: readonly string[]): Promise<number> {
  const pause = createYielder();
  let gone = 0;
  for (const row of await rows.entries(recordIDs)) {
    if (row?.value.deletedAt !== undefined) gone++;
    await pause();
  }
  return gone;
}

type Selected = Omit<RecordsPage, 'rows' | 'rest' | 'exposure' | 'reportSent'> & {
  readonly answer?: MarkedAnswer;
  readonly recordIDs: readonly string[];
  readonly asked: Pick<Disclosure, 'query' | 'sort'>;
};

/** Returns the window's row ids, with a limit those after `behind` and, if more follow, the last sort key. */
async function sliceView(
  view: View,
  window: PageWindow,
  behind: SortKey | undefined,
): Promise<{ readonly recordIDs: readonly string[]; readonly last?: SortKey | undefined }> {
  if (window === 'all') return { recordIDs: await view.ids(0) };
  if ('page' in window) {
    const start = (window.page - 1) * window.perPage;
    return { recordIDs: await view.ids(start, start + window.perPage) };
  }
  const { limit } = window;
  // One more shows whether rows follow.
  const wanted = behind ? await view.keysAfter(behind, limit + 1) : await view.slice(0, limit + 1);
  const recordIDs = wanted.slice(0, limit).map(({ recordID }) => recordID);
  return { recordIDs, last: wanted.length > limit ? wanted[limit - 1] : undefined };
}
