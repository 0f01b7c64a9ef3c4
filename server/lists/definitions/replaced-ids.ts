import type { Table, Partition, Tx } from '../../store/store.ts';
import type { RowsByTitle } from '../rows/rows-by-title.ts';
import { isSurelyID } from '../rows/references.ts';
import { valuesOf } from '../values/value-sets.ts';
import type { Field, Provenance, Row, Values } from './model.ts';

/** By row id, without untitled rows. */
export type LookUpTitles = (
  moduleID: string,
  recordIDs: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

/** Stops referring to this list's rows. */
export interface FormerlyReferring {
  readonly fieldID: string;
  /** Key of its values. */
  readonly name: string;
  readonly moduleID: string;
  /** Undefined if nothing needs noting. */
  readonly named: RowsByTitle | undefined;
}

/**
 * Texts that became row ids when their column began to refer to a list. Converts ids of missing or untitled
 * rows back. Key: column id and row id.
 */
const REPLACED_TEXTS: Table<{ readonly fieldID: string; readonly recordID: string; readonly text: string }> =
  {
    name: 'stood-before',
  };
const PAGE = 1000;
const keyOf = (fieldID: string, recordID: string): string => `${fieldID} ${recordID}`;

/** Stores the text of a cell that `recordID` replaces, to convert the column back. */
export function recordReplacedText(tx: Tx, fieldID: string, recordID: string, text: string): void {
  tx.put(REPLACED_TEXTS, keyOf(fieldID, recordID), { fieldID, recordID, text });
}

export type Names = ReadonlyMap<string, ReadonlyMap<string, string>>;

export interface ReplacedIDs {
  replacementsFor(rows: readonly Row[]): Promise<Names>;
  deleteOutdated(tx: Tx, fields: readonly Field[]): void;
}

/**
 * Loads stored texts to turn ids back into.
 * @param columns those that no longer refer to rows
 */
export async function createReplacedIDs(
  partition: Partition,
  columns: readonly FormerlyReferring[],
  lookUpTitles: LookUpTitles,
): Promise<ReplacedIDs> {
  const stood = new Map<string, Map<string, string>>();
  let page = await partition.page(REPLACED_TEXTS, { limit: PAGE });
  while (page.length > 0) {
    for (const { value } of page) {
      const { fieldID, recordID, text } = value;
      stood.set(fieldID, (stood.get(fieldID) ?? new Map<string, string>()).set(recordID, text));
    }
    const after = page.at(-1)?.key ?? '';
    page = await partition.page(REPLACED_TEXTS, { limit: PAGE, after });
  }

  return {
    /** Returns by column name what to put for ids in these rows: titles, otherwise stored texts. */
    async replacementsFor(rows) {
      const names = new Map<string, ReadonlyMap<string, string>>();
      for (const { fieldID, name, moduleID } of columns) {
        const ids = [...new Set(rows.flatMap((row) => textsOf(row, name).filter(isSurelyID)))];
        if (ids.length === 0) continue;
        const called = await lookUpTitles(moduleID, ids);
        const texts = ids.map((id) => [id, called.get(id) ?? stood.get(fieldID)?.get(id)] as const);
        names.set(name, new Map(texts.flatMap(([id, text]) => (text === undefined ? [] : [[id, text]]))));
      }
      return names;
    },
    /** Deletes texts of columns that no longer refer to rows, or aren't in `fields`. */
    deleteOutdated(tx, fields) {
      const still = fields.filter(({ fieldID }) => columns.every((column) => column.fieldID !== fieldID));
      for (const [fieldID, texts] of stood) {
        if (still.some((field) => field.fieldID === fieldID)) continue;
        for (const recordID of texts.keys()) tx.delete(REPLACED_TEXTS, keyOf(fieldID, recordID));
      }
    },
  };
}

/** Returns the row with ids replaced by their texts, in received and earlier values too; the same row without any. */
export function replaceIDs(row: Row, names: Names): Row {
  const isNamed = [...names].some(([name, texts]) => textsOf(row, name).some((text) => texts.has(text)));
  if (!isNamed) return row;
  /** Returns the provenance with ids replaced by their texts, in `previous` and all sources too. */
  const withoutIDs = ({ values, previous, ways: sources, ...rest }: Provenance): Provenance => ({
    ...rest,
    values: replaceIDsIn(values, names),
    ...(previous && { previous: replaceIDsIn(previous, names) }),
    ...(sources && {
      ways: sources.map((source) => ({ ...source, values: replaceIDsIn(source.values, names) })),
    }),
  });
  return {
    ...row,
    values: replaceIDsIn(row.values, names),
    ...(row.received && { received: withoutIDs(row.received) }),
    ...(row.former && { former: withoutIDs(row.former) }),
  };
}

/** Returns all texts of a column, with received and earlier ones. */
function textsOf({ values, received, former }: Row, name: string): readonly string[] {
  const all = [received, former].flatMap((from) =>
    from ? [from.values, from.previous, ...(from.ways ?? []).map((source) => source.values)] : [],
  );
  return [values, ...all].flatMap((each) => (each ? valuesOf(each, name) : []));
}

/** Returns values with ids replaced by the texts in `names`, by column; others stay. */
function replaceIDsIn(values: Values, names: Names): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, texts]) => [
      name,
      texts.map((text) => names.get(name)?.get(text) ?? text),
    ]),
  );
}
