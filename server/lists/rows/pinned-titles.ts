import type { Field, Module, Row } from '../definitions/model.ts';
import type { ListAsOne } from './rows.ts';
import { createYielder } from '../../base/yield.ts';
import { isReferring } from './references.ts';
import { chooseTitleColumn, isNaming, titleIn } from './row-titles.ts';
import type { Naming, TitleCache, Titles } from './title-cache.ts';
import { valuesOf } from '../values/value-sets.ts';

/** By reference column id: the referenced list's column shown instead. Without it: no title. */
export type TitlePins = Readonly<Record<string, string>>;

export interface PinnedTitles {
  forRows(fields: readonly Field[], rows: readonly Row[]): Promise<ColumnTitles>;
  all(fields: readonly Field[]): Promise<{ readonly titles: ColumnTitles; readonly version: string }>;
  version(fields: readonly Field[]): Promise<string>;
}

/** By column name and row id; empty titles omitted. */
export type ColumnTitles = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Reads another list consistently; undefined if missing. */
export type ReadList = <R>(moduleID: string, body: (list: ListAsOne) => Promise<R>) => Promise<R | undefined>;

/** Reads titles as partners see them: the referenced row's text in the pinned column; without a pin there is none. */
export function createPinnedTitles(deps: {
  readonly read: ReadList;
  readonly cache: TitleCache;
  readonly pins: TitlePins;
}): PinnedTitles {
  const { read, cache, pins } = deps;

  /**
   * Calls `body` for each referring column with a valid pin; the referenced list can't change its columns meanwhile.
   */
  async function eachPinnedColumn(
    fields: readonly Field[],
    body: (field: Field, title: Field, list: ListAsOne) => Promise<void>,
  ): Promise<void> {
    for (const field of fields.filter(isReferring)) {
      const pin = pins[field.fieldID];
      if (pin === undefined) continue;
      await read(field.options.moduleID, async (list) => {
        const title = findPinnedField(list.module, pin);
        if (title) await body(field, title, list);
      });
    }
  }

  return {
    /** Returns titles of the rows that these refer to, by column name and row id; empty for binned rows. */
    async forRows(fields, rows) {
      const titles = new Map<string, Map<string, string>>();
      await eachPinnedColumn(fields, async ({ name }, title, list) => {
        const ids = new Set(rows.flatMap(({ values }) => valuesOf(values, name).filter(isRowID)));
        if (ids.size === 0) return;
        const byID = new Map<string, string>();
        const pause = createYielder();
        for (const row of await list.rows.entries([...ids])) {
          if (row) byID.set(row.key, titleIn(row.value, title));
          await pause();
        }
        titles.set(name, byID);
      });
      return titles;
    },

    /** Returns titles of all rows of the referenced lists, with a version that changes with any title. */
    async all(fields) {
      const titles = new Map<string, Titles['byID']>();
      const versions: string[] = [];
      await eachPinnedColumn(fields, async ({ name }, title, list) => {
        const { byID, version } = await cache.get(list.rows, pinnedNaming(title));
        titles.set(name, byID);
        versions.push(version);
      });
      return { titles, version: versions.join(' ') };
    },

    /** Returns a text that changes with pins, title columns and any write to the referenced lists. */
    async version(fields) {
      const versions: string[] = [];
      await eachPinnedColumn(fields, async ({ fieldID }, title, { rows }) => {
        versions.push(JSON.stringify([fieldID, title.fieldID, title.name, await rows.lastSeq()]));
      });
      return versions.join(' ');
    },
  };
}

/** Returns the pinned column; undefined without one, or if its kind can't be a title. */
export function findPinnedField(
  { fields }: Pick<Module, 'fields'>,
  pin: string | undefined,
): Field | undefined {
  return fields.find(({ fieldID, kind }) => fieldID === pin && isNaming(kind));
}

/** Returns the wished column if it can be a title, by default the first possible one; undefined if there is none. */
export function choosePin({ fields }: Pick<Module, 'fields'>, wished: string | undefined): Field | undefined {
  return wished === undefined ? chooseTitleColumn(fields) : findPinnedField({ fields }, wished);
}

/** Longer than people's numbers (server/base/ids.ts). */
const ROW_ID = /^\d{15,20}$/;
const isRowID = (text: string): boolean => ROW_ID.test(text);

/** Returns how titles are read from the pinned column, to cache them. */
const pinnedNaming = (title: Field): Naming => ({
  use: `pinned ${title.fieldID}`,
  layout: title.name,
  titleOf: (row) => titleIn(row, title),
});
