import type { Field, Module, Row } from '../definitions/model.ts';
import type { ListAsOne } from './rows.ts';
import { createYielder } from '../../base/yield.ts';
import { isReferring } from './references.ts';
import { firstNaming, isNaming, titleIn } from './row-titles.ts';
import type { Naming, TitleCache, Titles } from './title-cache.ts';
import { valuesOf } from '../values/value-sets.ts';

/**
 * What references leave as: by the id of a column that refers to rows of another list, the id of the one column of
 * that list that names them. Nothing takes its place where it is missing, empty or gone.
 */
export type TitlePins = Readonly<Record<string, string>>;

/** Titles of rows of other lists for people elsewhere: only what was pinned, and only of rows that are there. */
export interface PinnedTitles {
  /** What these rows' references leave as, by column name and stored id. Reads only the rows that are referred to. */
  of(fields: readonly Field[], rows: readonly Row[]): Promise<ColumnTitles>;
  /** The same for all rows there are, for sorting and searching; with a version that differs when a title does. */
  all(fields: readonly Field[]): Promise<{ readonly titles: ColumnTitles; readonly version: string }>;
  /** Differs as soon as {@link PinnedTitles.of} may answer otherwise for the same rows. */
  version(fields: readonly Field[]): Promise<string>;
}

/** By column name: the title of a row by its id; none where there is nothing to say. */
export type ColumnTitles = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Reads another list as one version; undefined where there is no such list. */
export type ReadList = <R>(moduleID: string, body: (list: ListAsOne) => Promise<R>) => Promise<R | undefined>;

export function createPinnedTitles(deps: {
  readonly read: ReadList;
  readonly cache: TitleCache;
  readonly pins: TitlePins;
}): PinnedTitles {
  const { read, cache, pins } = deps;

  /** Goes through the columns whose references have a title; the others are left out, and so is what they refer to. */
  async function each(
    fields: readonly Field[],
    body: (field: Field, title: Field, list: ListAsOne) => Promise<void>,
  ): Promise<void> {
    for (const field of fields.filter(isReferring)) {
      const pin = pins[field.fieldID];
      if (pin === undefined) continue;
      await read(field.options.moduleID, async (list) => {
        const title = pinnedField(list.module, pin);
        if (title) await body(field, title, list);
      });
    }
  }

  return {
    async of(fields, rows) {
      const titles = new Map<string, Map<string, string>>();
      await each(fields, async ({ name }, title, list) => {
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

    async all(fields) {
      const titles = new Map<string, Titles['byID']>();
      const versions: string[] = [];
      await each(fields, async ({ name }, title, list) => {
        const { byID, version } = await cache.of(list.rows, naming(title));
        titles.set(name, byID);
        versions.push(version);
      });
      return { titles, version: versions.join(' ') };
    },

    async version(fields) {
      const versions: string[] = [];
      await each(fields, async ({ fieldID }, title, { rows }) => {
        versions.push(JSON.stringify([fieldID, title.fieldID, title.name, await rows.lastSeq()]));
      });
      return versions.join(' ');
    },
  };
}

/** The column that a pin names, as long as it is there and holds something that names a row. */
export function pinnedField({ fields }: Pick<Module, 'fields'>, pin: string | undefined): Field | undefined {
  return fields.find(({ fieldID, kind }) => fieldID === pin && isNaming(kind));
}

/** The pin of a column that refers to `target`: the one that is wished for, else what names that list's rows by itself. */
export function choosePin({ fields }: Pick<Module, 'fields'>, wished: string | undefined): Field | undefined {
  return wished === undefined ? firstNaming(fields) : pinnedField({ fields }, wished);
}

/** Ids of rows are longer than whatever numbers people write (store/ids.ts). */
const ROW_ID = /^\d{15,20}$/;
const isRowID = (text: string): boolean => ROW_ID.test(text);

const naming = (title: Field): Naming => ({
  use: `pinned ${title.fieldID}`,
  layout: title.name,
  titleOf: (row) => titleIn(row, title),
});
