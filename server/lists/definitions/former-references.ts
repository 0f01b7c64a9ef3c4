import { valuesOf } from '../values/value-sets.ts';
import type { Partition, Table, Tx } from '../../store/store.ts';
import type { Field, Row } from './model.ts';
import type { LookUpTitles, FormerlyReferring, Names } from './replaced-ids.ts';

/**
 * Row ids that became ambiguous texts: several rows have the title, or the row is binned. Key: column id and
 * row id.
 */
interface FormerReference {
  readonly fieldID: string;
  readonly recordID: string;
  readonly moduleID: string;
  readonly recordIDs: readonly string[];
  readonly texts: readonly string[];
}

const FORMER_REFERENCES: Table<FormerReference> = { name: 'linked-before' };
const PAGE = 1000;
const keyOf = (fieldID: string, recordID: string): string => `${fieldID} ${recordID}`;

export interface FormerReferences {
  get(recordID: string, field: Field, text: string, at: number): string | undefined;
  deleteOutdated(tx: Tx, pointing: readonly Field[], all: readonly Field[]): void;
}

/** Loads stored references of columns that no longer refer to rows. Leaves out rows that are gone by now. */
export async function openFormerReferences(
  partition: Partition,
  lookUpTitles: LookUpTitles,
): Promise<FormerReferences> {
  const notes = new Map<string, FormerReference>();
  let page = await partition.page(FORMER_REFERENCES, { limit: PAGE });
  while (page.length > 0) {
    for (const { key, value } of page) notes.set(key, value);
    page = await partition.page(FORMER_REFERENCES, { limit: PAGE, after: page.at(-1)?.key ?? '' });
  }
  const wanted = new Map<string, Set<string>>();
  for (const { moduleID, recordIDs } of notes.values()) {
    const ids = wanted.get(moduleID) ?? new Set();
    wanted.set(moduleID, ids);
    for (const id of recordIDs) ids.add(id);
  }
  const there = new Set<string>();
  for (const [moduleID, ids] of wanted)
    for (const id of (await lookUpTitles(moduleID, [...ids])).keys()) there.add(id);

  return {
    /**
     * Returns the id of the row that `text` stood for as value number `at` of a row's cell; undefined for another title
     * there, another list, or if that row was gone at opening.
     */
    get(recordID, { fieldID, options }, text, at) {
      const { moduleID, recordIDs, texts } = notes.get(keyOf(fieldID, recordID)) ?? {};
      const row = moduleID === options.moduleID && texts?.[at] === text ? recordIDs?.[at] : undefined;
      return row !== undefined && there.has(row) ? row : undefined;
    },
    /** Deletes entries of columns that refer to rows again (`pointing`), or aren't in `all`. */
    deleteOutdated(tx, pointing, all) {
      const isOver = (id: string): boolean =>
        pointing.some(({ fieldID }) => fieldID === id) || all.every(({ fieldID }) => fieldID !== id);
      for (const [key, { fieldID }] of notes) if (isOver(fieldID)) tx.delete(FORMER_REFERENCES, key);
    },
  };
}

/**
 * Stores a cell's row ids unless its titles lead to the same rows again.
 * @param row before the change, with ids
 * @param names the titles that replace them
 */
export function recordFormerReferences(tx: Tx, row: Row, column: FormerlyReferring, names: Names): void {
  const { fieldID, name, moduleID, named } = column;
  const recordIDs = valuesOf(row.values, name);
  const texts = recordIDs.map((id) => names.get(name)?.get(id) ?? id);
  /** Returns whether the title leads to the same row again; true also where look-ups aren't needed. */
  const leadsBack = (text: string, at: number): boolean => {
    const found = named?.find(text);
    return found === undefined || ('recordID' in found && found.recordID === recordIDs[at]);
  };
  if (texts.every((text, at) => text === recordIDs[at] || leadsBack(text, at))) return;
  const { recordID } = row;
  tx.put(FORMER_REFERENCES, keyOf(fieldID, recordID), { fieldID, recordID, moduleID, recordIDs, texts });
}
