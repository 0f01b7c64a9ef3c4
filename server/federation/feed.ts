import type { Lists } from '../lists/lists.ts';
import type { Row } from '../lists/model.ts';
import type { References } from '../lists/references.ts';
import { parseQuery } from '../lists/query.ts';
import { Refusal } from '../lists/refusal.ts';
import { said } from '../words/said.ts';
import { readCursor, writeCursor } from '../lists/row-cursor.ts';
import { positionBehind, type View } from '../lists/row-views.ts';
import { parseSort, type Order, type SortKey } from '../lists/sort.ts';
import { valuesOf } from '../lists/value-sets.ts';
import type { Clock } from '../store/clock.ts';
import type { Store } from '../store/store.ts';
import { followColumns } from './columns.ts';
import type { Exposures } from './exposures.ts';
import { createSelections } from './feed-selection.ts';
import type { Disclosure } from './ledger.ts';
import type { Exposure, Node } from './model.ts';
import type { RowTexts } from './row-texts.ts';

/** One value of an exposed column; several of one name are the values of a multi-value column, in order. */
export interface FeedValue {
  readonly name: string;
  readonly value: string;
}

/** A row as one partner sees it: exposed columns only, none at all when it is deleted. */
export interface FeedRow {
  readonly recordID: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly deletedAt?: string;
  readonly values: readonly FeedValue[];
}

/** A page by number from 1, a stretch by cursor, or everything. */
export type PageWindow =
  | { readonly page: number; readonly perPage: number }
  | { readonly limit: number; readonly cursor?: string }
  | 'all';

export interface RecordsRequest {
  /** Milliseconds; rows created, changed or deleted at or after it. */
  readonly since?: number;
  readonly deleted: boolean;
  /** As `parseSort` reads it; only exposed columns can be sorted by, as an order tells about values. */
  readonly sort: string;
  readonly query?: string;
  readonly window: PageWindow;
  /** Where the partner asked from, for the ledger; absent when our own user looks and nothing leaves. */
  readonly address?: string;
}

/** A page of rows, as objects or, for answers, as JSON bytes joined by commas. */
export interface RecordsPage<R = readonly FeedRow[]> {
  readonly exposure: Exposure;
  readonly rows: R;
  /** How many rows fit, on all pages. */
  readonly count: number;
  readonly sort: string;
  readonly nextPage?: string;
}

/** What an origin answers its partners with. */
export interface Feed {
  /** Exposures whose definition changed at or after `since` (milliseconds), all without it; oldest first. */
  modules(node: Node, since?: number): Promise<Exposure[]>;
  /** The exposure, with its columns as its list has them now. @throws Refusal `not-found`, `gone` */
  module(node: Node, moduleID: string): Promise<Exposure>;
  /** Exposures with at least one row that changed at or after `since`; with any row when there is no time. */
  modulesWithRecords(node: Node, since?: number): Promise<Exposure[]>;
  /** @throws Refusal `not-found`, `gone`; `malformed` for a sort, query or cursor that makes no sense */
  records(node: Node, moduleID: string, request: RecordsRequest): Promise<RecordsPage>;
  /** The same with each row written as `write` does; `dialect` names that way of writing. */
  recordBytes(
    node: Node,
    moduleID: string,
    request: RecordsRequest,
    dialect: string,
    write: (row: FeedRow, exposure: Exposure) => object,
  ): Promise<RecordsPage<Buffer>>;
}

export interface FeedDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly lists: Lists;
  readonly exposures: Exposures;
  readonly texts: RowTexts;
  /** Notes what is about to leave; rows go out after it has resolved. */
  readonly onServed: (disclosure: Disclosure) => Promise<void>;
}

export function createFeed({ store, clock, lists, exposures, texts, onServed }: FeedDeps): Feed {
  const selections = createSelections({ store, clock });

  /** The stored exposure follows its list a moment after the change; what is served never lags behind. */
  async function asListIs(exposure: Exposure): Promise<Exposure> {
    const { fields } = await lists.module(exposure.composeModuleID);
    return { ...exposure, ...followColumns(exposure, fields) };
  }

  const feed: Feed = {
    async modules(node, since) {
      const all = await exposures.list(node.nodeID);
      const changed = all.filter(
        ({ updatedAt, createdAt }) => since === undefined || Date.parse(updatedAt ?? createdAt) >= since,
      );
      return Promise.all(changed.map(asListIs));
    },

    module: async (node, moduleID) => asListIs(await exposures.get(node.nodeID, moduleID)),

    async modulesWithRecords(node, since) {
      const all = await exposures.list(node.nodeID);
      const have = await Promise.all(all.map((exposure) => selections.any(exposure, node, since)));
      return all.filter((_exposure, at) => have[at]);
    },

    async records(node, moduleID, request) {
      const { ids, ...page } = await select(node, moduleID, request);
      const { exposure } = page;
      const found = await (await lists.rows(exposure.composeModuleID)).getMany(ids);
      const rows = found.filter((row) => row !== undefined);
      const references = await lists.references(exposure.composeModuleID, rows);
      return { ...page, rows: rows.map((row) => projected(row, exposure, references)) };
    },

    async recordBytes(node, moduleID, request, dialect, write) {
      const { ids, ...page } = await select(node, moduleID, request);
      const { exposure } = page;
      const rows = await lists.rows(exposure.composeModuleID);
      const version = await lists.referencesVersion(exposure.composeModuleID);
      const key = JSON.stringify([dialect, exposure.moduleID, exposure.fields, version]);
      const render = async (found: readonly Row[]): Promise<object[]> => {
        const references = await lists.references(exposure.composeModuleID, found);
        return found.map((row) => write(projected(row, exposure, references), exposure));
      };
      return { ...page, rows: (await texts.joined(rows, ids, { key, keeps: 'rows', render })).bytes };
    },
  };

  /** The ids of a page; what a partner is about to get is noted. */
  async function select(
    node: Node,
    moduleID: string,
    request: RecordsRequest,
  ): Promise<Omit<RecordsPage, 'rows'> & { readonly ids: readonly string[] }> {
    const exposure = await feed.module(node, moduleID);
    const { window, query = '' } = request;
    const cursor =
      window !== 'all' && 'limit' in window && window.cursor !== undefined
        ? readCursor(window.cursor)
        : undefined;
    const order = parseSort(cursor?.sort ?? request.sort, exposure.fields);
    const fits = parseQuery(query, exposure.fields);
    const view = await selections.of(exposure, node, {
      since: request.since,
      deleted: request.deleted,
      order,
      ...(query.trim() === '' ? {} : { query: { text: query, fits } }),
    });
    const { part, more } = cut(view, window, order, cursor?.key);
    const ids = part.map(({ recordID }) => recordID);
    if (request.address !== undefined) await note(node, exposure, ids, request.address);
    const last = part.at(-1);
    return {
      exposure,
      ids,
      count: view.entries.length,
      sort: order.text,
      ...(more && last ? { nextPage: writeCursor({ sort: order.text, key: last }) } : {}),
    };
  }

  async function note(
    { nodeID }: Node,
    { moduleID, name, fields }: Exposure,
    recordIDs: readonly string[],
    address: string,
  ): Promise<void> {
    if (recordIDs.length === 0) return;
    const columns = fields.map((field) => field.name);
    await onServed({ nodeID, moduleID, listName: name, fields: columns, recordIDs, address });
  }

  return feed;
}

/**
 * A partner whose pairing our side has not agreed to sees nothing, whatever token it holds. Neither does one that
 * does not accept ours any more: what we show as ended is closed.
 * @throws Refusal `forbidden`
 */
export function mustBeConnected(node: Node): void {
  if (node.status === 'paired') return;
  if (node.status === 'unpaired')
    throw new Refusal(
      'forbidden',
      'node.closed',
      said`This side of the connection is closed, since yours did not accept it any more. Pair again, or have it tried again here.`,
    );
  throw new Refusal(
    'forbidden',
    'node.not-paired',
    said`The pairing is not complete yet. Wait until both sides have confirmed it.`,
  );
}

function cut(
  { entries }: View,
  window: PageWindow,
  order: Order,
  behind: SortKey | undefined,
): { part: readonly SortKey[]; more: boolean } {
  if (window === 'all') return { part: entries, more: false };
  if ('page' in window) {
    const start = (window.page - 1) * window.perPage;
    return { part: entries.slice(start, start + window.perPage), more: false };
  }
  const start = behind ? positionBehind({ entries }, order, behind) : 0;
  const end = start + window.limit;
  return { part: entries.slice(start, end), more: end < entries.length };
}

/**
 * What of a row leaves: exposed columns, in the exposure's order. A row of another list leaves as what it is called
 * here: its id says nothing elsewhere, or something wrong. One that is gone is left out.
 */
export function projected(row: Row, { fields }: Pick<Exposure, 'fields'>, references: References): FeedRow {
  const { recordID, createdAt, updatedAt, deletedAt } = row;
  if (deletedAt !== undefined) return { recordID, createdAt, updatedAt, deletedAt, values: [] };
  const values: { name: string; value: string }[] = [];
  for (const { name, kind } of fields) {
    for (const stored of valuesOf(row.values, name)) {
      const value = kind === 'Record' ? (references.get(stored)?.text ?? stored) : stored;
      if (value !== '' || kind !== 'Record') values.push({ name, value });
    }
  }
  return { recordID, createdAt, updatedAt, values };
}
