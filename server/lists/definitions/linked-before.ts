import { valuesOf } from '../values/value-sets.ts';
import type { Partition, Table, Tx } from '../../store/store.ts';
import type { Field, Row } from './model.ts';
import type { CallRows, FormerlyReferring, Names } from './spelled-out.ts';

/**
 * A cell whose references became names that do not lead back to them, as several rows are called so or a row lies in the
 * bin: for when its column is made to refer to the same list again. Key: the ids of column and row.
 */
interface Linked {
  readonly fieldID: string;
  readonly recordID: string;
  /** The list that it referred to. */
  readonly moduleID: string;
  readonly recordIDs: readonly string[];
  /** What took their places. */
  readonly texts: readonly string[];
}

const LINKED: Table<Linked> = { name: 'linked-before' };
const PAGE = 1000;
const keyOf = (fieldID: string, recordID: string): string => `${fieldID} ${recordID}`;

/** Which rows cells referred to before their column held names. */
export interface LinkedBefore {
  /** The row that the text at this place of a cell stands for; undefined where none did, or it is gone. */
  of(recordID: string, field: Field, text: string, at: number): string | undefined;
  /** Leaves nothing of these columns, and of those that are not among the list's any more. */
  forget(tx: Tx, pointing: readonly Field[], all: readonly Field[]): void;
}

export async function openLinkedBefore(partition: Partition, callRows: CallRows): Promise<LinkedBefore> {
  const notes = new Map<string, Linked>();
  let page = await partition.page(LINKED, { limit: PAGE });
  while (page.length > 0) {
    for (const { key, value } of page) notes.set(key, value);
    page = await partition.page(LINKED, { limit: PAGE, after: page.at(-1)?.key ?? '' });
  }
  const wanted = new Map<string, Set<string>>();
  for (const { moduleID, recordIDs } of notes.values()) {
    const ids = wanted.get(moduleID) ?? new Set();
    wanted.set(moduleID, ids);
    for (const id of recordIDs) ids.add(id);
  }
  const there = new Set<string>();
  for (const [moduleID, ids] of wanted)
    for (const id of (await callRows(moduleID, [...ids])).keys()) there.add(id);

  return {
    of(recordID, { fieldID, options }, text, at) {
      const { moduleID, recordIDs, texts } = notes.get(keyOf(fieldID, recordID)) ?? {};
      const row = moduleID === options.moduleID && texts?.[at] === text ? recordIDs?.[at] : undefined;
      return row !== undefined && there.has(row) ? row : undefined;
    },
    forget(tx, pointing, all) {
      const isOver = (id: string): boolean =>
        pointing.some(({ fieldID }) => fieldID === id) || all.every(({ fieldID }) => fieldID !== id);
      for (const [key, { fieldID }] of notes) if (isOver(fieldID)) tx.delete(LINKED, key);
    },
  };
}

/**
 * Notes of a row which others it referred to, where their names alone do not lead back to them.
 * @param row as it was, with ids
 */
export function noteLinked(tx: Tx, row: Row, column: FormerlyReferring, names: Names): void {
  const { fieldID, name, moduleID, named } = column;
  const recordIDs = valuesOf(row.values, name);
  const texts = recordIDs.map((id) => names.get(name)?.get(id) ?? id);
  const leadsBack = (text: string, at: number): boolean => {
    const found = named?.find(text);
    return found === undefined || ('recordID' in found && found.recordID === recordIDs[at]);
  };
  if (texts.every((text, at) => text === recordIDs[at] || leadsBack(text, at))) return;
  const { recordID } = row;
  tx.put(LINKED, keyOf(fieldID, recordID), { fieldID, recordID, moduleID, recordIDs, texts });
}
