import { entryOf, valueOf, type RecordRef } from './record-ref.ts';
import { compareKeys } from '../../base/sorted-list.ts';
import type { Entry, Table } from '../store.ts';
import { indexText } from './table-state.ts';

/** Durable entries, perhaps below staged ones. */
export interface View {
  slot(table: string, key: string): RecordRef | undefined;
  /** Returns keys that may have `text`, unordered, possibly repeated. */
  keysUnder(table: string, index: string, text: string): readonly string[];
}

/** Returns the entry's decoded value; undefined if missing. */
export function getValue<T>(view: View, table: Table<T>, key: string): T | undefined {
  const slot = view.slot(table.name, key);
  return slot && valueOf(slot, table.form);
}

/** Returns up to `limit` entries, in key order, with this text in an index that is prepared. */
export function findByIndex<T>(
  view: View,
  table: Table<T>,
  index: string,
  text: string,
  limit = Infinity,
): Entry<T>[] {
  const keys = view.keysUnder(table.name, index, text);
  if (keys.length === 0) return [];
  const found: Entry<T>[] = [];
  for (const key of sortUnique(keys)) {
    const slot = view.slot(table.name, key);
    const entry = slot && entryOf(slot, table.form);
    if (entry && indexText(table, index, entry.value) === text) found.push(entry);
    if (found.length >= limit) break;
  }
  return found;
}

/** Returns the different keys in key order. */
function sortUnique(keys: readonly string[]): readonly string[] {
  return keys.length > 1 ? [...new Set(keys)].sort(compareKeys) : keys;
}
