import type { Table, Partition, Tx } from '../../store/store.ts';
import type { NamedRows } from '../rows/named-rows.ts';
import { isSurelyID } from '../rows/references.ts';
import { valuesOf } from '../values/value-sets.ts';
import type { Field, Provenance, Row, Values } from './model.ts';

/** What rows of a list are called, by their ids; one that is called nothing, or is gone, is left out. */
export type CallRows = (
  moduleID: string,
  recordIDs: readonly string[],
) => Promise<ReadonlyMap<string, string>>;

/** A column that does not refer to the rows of this list any more. */
export interface FormerlyReferring {
  readonly fieldID: string;
  /** By which its values are found. */
  readonly name: string;
  readonly moduleID: string;
  /** These rows by what they are called; undefined where nothing is to be noted by which they would be found again. */
  readonly named: NamedRows | undefined;
}

/**
 * Texts that became the ids of rows when their column began to refer to a list: for when the column is turned back and
 * the row is not there any more, or has no name. They lie beside the rows and are written with them. Key: the ids of
 * column and row.
 */
const STOOD: Table<{ readonly fieldID: string; readonly recordID: string; readonly text: string }> = {
  name: 'stood-before',
};
const PAGE = 1000;
const keyOf = (fieldID: string, recordID: string): string => `${fieldID} ${recordID}`;

/** Notes what stood where the id of a row stands now. */
export function noteStood(tx: Tx, fieldID: string, recordID: string, text: string): void {
  tx.put(STOOD, keyOf(fieldID, recordID), { fieldID, recordID, text });
}

/** By column name: what takes the place of the id of a row. */
export type Names = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Finds what takes the place of ids in columns that do not refer to rows any more. */
export interface SpellOut {
  /** What people saw there, else what stood there before. */
  names(rows: readonly Row[]): Promise<Names>;
  /** Leaves nothing of what stood in these columns, and in those that are not among the list's any more. */
  forget(tx: Tx, fields: readonly Field[]): void;
}

export async function createSpellOut(
  partition: Partition,
  columns: readonly FormerlyReferring[],
  callRows: CallRows,
): Promise<SpellOut> {
  const stood = new Map<string, Map<string, string>>();
  let page = await partition.page(STOOD, { limit: PAGE });
  while (page.length > 0) {
    for (const { value } of page) {
      const { fieldID, recordID, text } = value;
      stood.set(fieldID, (stood.get(fieldID) ?? new Map<string, string>()).set(recordID, text));
    }
    const after = page.at(-1)?.key ?? '';
    page = await partition.page(STOOD, { limit: PAGE, after });
  }

  return {
    async names(rows) {
      const names = new Map<string, ReadonlyMap<string, string>>();
      for (const { fieldID, name, moduleID } of columns) {
        const ids = [...new Set(rows.flatMap((row) => textsOf(row, name).filter(isSurelyID)))];
        if (ids.length === 0) continue;
        const called = await callRows(moduleID, ids);
        const texts = ids.map((id) => [id, called.get(id) ?? stood.get(fieldID)?.get(id)] as const);
        names.set(name, new Map(texts.flatMap(([id, text]) => (text === undefined ? [] : [[id, text]]))));
      }
      return names;
    },
    forget(tx, fields) {
      const still = fields.filter(({ fieldID }) => columns.every((column) => column.fieldID !== fieldID));
      for (const [fieldID, texts] of stood) {
        if (still.some((field) => field.fieldID === fieldID)) continue;
        for (const recordID of texts.keys()) tx.delete(STOOD, keyOf(fieldID, recordID));
      }
    },
  };
}

/** The row with names in the place of ids, received and earlier values included; the same one where there are none. */
export function spelledOut(row: Row, names: Names): Row {
  const isNamed = [...names].some(([name, texts]) => textsOf(row, name).some((text) => texts.has(text)));
  if (!isNamed) return row;
  const received = ({ values, previous, ways, ...rest }: Provenance): Provenance => ({
    ...rest,
    values: withNames(values, names),
    ...(previous && { previous: withNames(previous, names) }),
    ...(ways && { ways: ways.map((way) => ({ ...way, values: withNames(way.values, names) })) }),
  });
  return {
    ...row,
    values: withNames(row.values, names),
    ...(row.received && { received: received(row.received) }),
    ...(row.former && { former: received(row.former) }),
  };
}

/** Everything that a row holds or held in a column. */
function textsOf({ values, received, former }: Row, name: string): readonly string[] {
  const all = [received, former].flatMap((from) =>
    from ? [from.values, from.previous, ...(from.ways ?? []).map((way) => way.values)] : [],
  );
  return [values, ...all].flatMap((each) => (each ? valuesOf(each, name) : []));
}

function withNames(values: Values, names: Names): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, texts]) => [
      name,
      texts.map((text) => names.get(name)?.get(text) ?? text),
    ]),
  );
}
