import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { Field, Row, Module, Values } from '../definitions/model.ts';
import { titleOf } from './row-titles.ts';
import type { Rows } from './rows.ts';
import { ownMember } from '../../base/own-member.ts';
import { isReferring, type FindList } from './references.ts';
import type { Lens, ListOptions } from './row-list.ts';
import type { Partition, Store } from '../../store/store.ts';
import type { Modules } from '../definitions/modules.ts';
import { readLayout } from '../definitions/restructure.ts';
import type { LookUpTitles } from '../definitions/replaced-ids.ts';
import { getRows, listPartition } from './row-table.ts';

export interface Titles {
  readonly byID: ReadonlyMap<string, string>;
  /** Changes with any known title and each start, as stored orders may survive. */
  readonly version: string;
}

export interface Naming {
  /** Cache key per list and use. */
  readonly use: string;
  /** Equal layouts: equal titles. */
  readonly layout: string;
  /** Undefined for unreferenced rows. */
  readonly titleOf: (row: Row) => string | undefined;
}

/** Returns how users of this office see a row's title. Purged rows have none. */
export function ownNaming(fields: readonly Field[]): Naming {
  return {
    use: 'own',
    layout: JSON.stringify(fields.map(({ name, kind }) => [name, kind])),
    titleOf: (row) => (row.purged ? undefined : titleOf(fields, row.values)),
  };
}

export interface TitleCache {
  get(rows: Rows, naming: Naming): Promise<Titles>;
}

interface Kept {
  readonly byID: Map<string, string>;
  readonly layout: string;
  seq: number;
  version: number;
}

const IDLE_MS = 5 * 60_000;
const MAX_CATCH_UP = 20_000;

/** Caches the titles of lists; empties itself after five minutes without use. */
export function createTitleCache(clock: Clock): TitleCache {
  const kept = new Map<string, Promise<Kept>>();
  const run = randomUUID();
  let versions = 0;
  let cancelSweep = (): void => undefined;

  /** Reads the titles of all rows, bin included; leaves out those without a title. */
  async function readTitles(rows: Rows, { layout, titleOf }: Naming): Promise<Kept> {
    const seq = await rows.lastSeq();
    const byID = new Map<string, string>();
    for await (const page of rows.scan({ deleted: 1 })) {
      for (const row of page) {
        const title = titleOf(row);
        if (title !== undefined) byID.set(row.recordID, title);
      }
    }
    return { byID, layout, seq, version: ++versions };
  }

  /**
   * Updates titles by the changed rows, as a new version if a known one changed; reads all again after 20,000 changes.
   */
  async function refreshTitles(known: Kept, rows: Rows, naming: Naming): Promise<Kept> {
    if ((await rows.lastSeq()) === known.seq) return known;
    const changes = await rows.changesSince({ afterSeq: known.seq }, MAX_CATCH_UP);
    if (changes.length >= MAX_CATCH_UP) return readTitles(rows, naming);
    for (const { value: row, seq } of changes) {
      const before = known.byID.get(row.recordID);
      const now = naming.titleOf(row);
      if (now === undefined) known.byID.delete(row.recordID);
      else known.byID.set(row.recordID, now);
      if (before !== undefined && before !== now) known.version = ++versions;
      known.seq = seq;
    }
    return known;
  }

  return {
    /** Returns titles as of the last durable change, built, or refreshed at the cost of what changed. */
    async get(rows, naming) {
      cancelSweep();
      cancelSweep = clock.after(IDLE_MS, () => kept.clear());
      const key = `${rows.moduleID} ${naming.use}`;
      const before = kept.get(key);
      const next = (async () => {
        const known = await before?.catch(() => undefined);
        return known?.layout === naming.layout
          ? refreshTitles(known, rows, naming)
          : readTitles(rows, naming);
      })();
      kept.set(key, next);
      next.catch(() => kept.delete(key));
      const { byID, version } = await next;
      return { byID, version: `${key}:${run}:${version}` };
    },
  };
}

/** Undefined: unchanged. */
type Show = (stored: string) => string | undefined;

/**
 * Returns a lens that shows references as titles and choices by their texts, in the columns that sort, query or search
 * compare; undefined if none needs it. References to unknown or unreadable lists stay ids.
 */
export async function createDisplayLens(
  { fields }: Module,
  { sort = '', query = '', search = '' }: Pick<ListOptions, 'sort' | 'query' | 'search'>,
  titles: TitleCache,
  find: FindList,
): Promise<Lens | undefined> {
  const compared = (field: Field): boolean =>
    search.trim() !== '' || `${sort} ${query}`.split(/[^\w.-]+/).includes(field.name);
  const shows = new Map<string, Show>();
  const keys: string[] = [];
  for (const field of fields.filter(compared)) {
    if (isReferring(field)) {
      const list = await find(field.options.moduleID);
      if (!list || list === 'unreadable') continue;
      const { byID, version } = await titles.get(list.rows, ownNaming(list.module.fields));
      shows.set(field.name, (stored) => byID.get(stored));
      keys.push(version);
    } else if (field.options.optionTexts) {
      const { optionTexts } = field.options;
      shows.set(field.name, (stored) => ownMember(optionTexts, stored));
    }
  }
  return shows.size === 0
    ? undefined
    : { key: keys.join(' '), toCompared: (values) => toDisplayed(values, shows) };
}

/** Returns the values as displayed; a text that displays as nothing stays as stored. */
function toDisplayed(values: Values, shows: ReadonlyMap<string, Show>): Values {
  const result: Record<string, readonly string[]> = { ...values };
  for (const [name, show] of shows) {
    const stored = ownMember(values, name);
    if (!stored) continue;
    result[name] = stored.map((text) => {
      const shown = show(text) ?? '';
      return shown === '' ? text : shown;
    });
  }
  return result;
}

/**
 * Returns a look-up of a list's row titles by id, bin included; purged and untitled rows are absent. It opens no list,
 * so it never waits for a change of columns.
 */
export function createTitleLookup({ store, modules }: { store: Store; modules: Modules }): LookUpTitles {
  return async (moduleID, recordIDs) => {
    const module = await modules.find(moduleID);
    if (!module) return new Map();
    const partition = await store.partition(listPartition(moduleID));
    const fields = await findStoredColumns(modules, partition, module);
    const titles = (await getRows(partition, recordIDs)).flatMap((row) => {
      const title = row && !row.purged ? titleOf(fields, row.values) : '';
      return row && title !== '' ? [[row.recordID, title] as const] : [];
    });
    return new Map(titles);
  };
}

/** Returns the columns by which the rows are stored: earlier ones if rows or definition were restored. */
async function findStoredColumns(
  modules: Modules,
  partition: Partition,
  { moduleID, fields }: Module,
): Promise<readonly Field[]> {
  const [rows, known] = await Promise.all([readLayout(partition), modules.layouts(moduleID)]);
  const token = rows?.token ?? '';
  if (token === (known?.token ?? '')) return fields;
  return known?.earlier.find((layout) => layout.token === token)?.fields ?? rows?.fields ?? fields;
}
