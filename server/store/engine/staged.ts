import type { Slot } from './slot.ts';
import type { IndexTexts } from '../store.ts';

/** An entry that is put; null stands for one that is deleted. */
export type StagedEntry = { readonly slot: Slot; readonly texts: IndexTexts } | null;

/** Changes that are not on the disk yet: of one transaction, or of all that will share the next fsync. */
export interface Staged {
  /** Undefined when nothing is staged for the entry. */
  entry(table: string, key: string): StagedEntry | undefined;
  /** Keys that were staged under this text of an index at some time; the caller checks. */
  keysUnder(table: string, index: string, text: string): readonly string[];
  set(table: string, key: string, entry: StagedEntry): void;
  /** Takes over what `later` holds. */
  merge(later: Staged): void;
  tables(): Iterable<readonly [string, ReadonlyMap<string, StagedEntry>]>;
}

/** Nearly always a text has one key, which then needs no set around it. */
type KeysByText = Map<string, Set<string> | string>;

const NONE: readonly string[] = [];

/** Nothing staged. */
export function createStaged(): Staged {
  const tables = new Map<string, Map<string, StagedEntry>>();
  /** By table and index: keys by text. */
  const hints = new Map<string, Map<string, KeysByText>>();
  const hintsOf = (table: string, index: string): KeysByText => {
    const ofTable = hints.get(table) ?? new Map<string, KeysByText>();
    if (ofTable.size === 0) hints.set(table, ofTable);
    const known = ofTable.get(index);
    if (known) return known;
    const made: KeysByText = new Map();
    ofTable.set(index, made);
    return made;
  };

  const set = (name: string, key: string, entry: StagedEntry): void => {
    let table = tables.get(name);
    if (!table) tables.set(name, (table = new Map<string, StagedEntry>()));
    table.set(key, entry);
    for (const index in entry?.texts) {
      const text = entry.texts[index];
      if (text === undefined) continue;
      const byText = hintsOf(name, index);
      const keys = byText.get(text);
      if (keys === undefined) byText.set(text, key);
      else if (typeof keys !== 'string') keys.add(key);
      else if (keys !== key) byText.set(text, new Set([keys, key]));
    }
  };
  return {
    entry: (table, key) => tables.get(table)?.get(key),
    keysUnder(table, index, text) {
      const keys = hints.get(table)?.get(index)?.get(text) ?? NONE;
      return typeof keys === 'string' ? [keys] : [...keys];
    },
    set,
    merge(later) {
      for (const [name, entries] of later.tables()) {
        for (const [key, entry] of entries) set(name, key, entry);
      }
    },
    tables: () => tables,
  };
}
