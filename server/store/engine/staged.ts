import type { RecordRef } from './record-ref.ts';
import type { IndexTexts } from '../store.ts';

/** An entry to be put, with its index texts. */
interface Put {
  readonly texts: IndexTexts;
}

/** The same with its line in the file. */
export interface PutSlot extends Put {
  readonly slot: RecordRef;
}

/** Changes that aren't durable yet: of one transaction, or of all that share the next fsync. Null deletes. */
export interface Staged<E extends Put = PutSlot> {
  /** Undefined if nothing is staged for the entry. */
  entry(table: string, key: string): E | null | undefined;
  /** Keys that have this index text, and some that had it: the caller checks. */
  keysUnder(table: string, index: string, text: string): readonly string[];
  set(table: string, key: string, entry: E | null): void;
  /** Merges `later` into this. */
  merge(later: Staged<E>): void;
  tables(): Iterable<readonly [string, ReadonlyMap<string, E | null>]>;
}

/** Nearly every text has a single key, which needs no set. */
type KeysByText = Map<string, Set<string> | string>;

const NONE: readonly string[] = [];

/** Creates an empty set of puts and deletions that a transaction or batch has staged. */
export function createStaged<E extends Put = PutSlot>(): Staged<E> {
  const tables = new Map<string, Map<string, E | null>>();
  /** By table and index: keys by text. Made of what is staged once somebody asks: mostly nobody does. */
  const hints = new Map<string, Map<string, KeysByText>>();

  /** Adds a staged key to an index's keys under this text. */
  const addHint = (byText: KeysByText, text: string | undefined, key: string): void => {
    if (text === undefined) return;
    const keys = byText.get(text);
    if (keys === undefined) byText.set(text, key);
    else if (typeof keys !== 'string') keys.add(key);
    else if (keys !== key) byText.set(text, new Set([keys, key]));
  };

  /**
   * Returns the staged keys by text of one index. Built from the staged entries at the first call, as most tables are
   * never asked.
   */
  const keysByText = (name: string, table: ReadonlyMap<string, E | null>, index: string): KeysByText => {
    const ofTable = hints.get(name) ?? new Map<string, KeysByText>();
    hints.set(name, ofTable);
    const known = ofTable.get(index);
    if (known) return known;
    const byText: KeysByText = new Map();
    for (const [key, entry] of table) addHint(byText, entry?.texts[index], key);
    ofTable.set(index, byText);
    return byText;
  };

  /** Stages an entry, or null for its deletion, and adds its key under the texts of indexes that were asked for. */
  const set = (name: string, key: string, entry: E | null): void => {
    let table = tables.get(name);
    if (!table) tables.set(name, (table = new Map<string, E | null>()));
    table.set(key, entry);
    const ofTable = hints.get(name);
    if (ofTable) for (const [index, byText] of ofTable) addHint(byText, entry?.texts[index], key);
  };
  return {
    entry: (table, key) => tables.get(table)?.get(key),
    /** Returns the keys that are staged with this index text, and some that were before: callers check the text. */
    keysUnder(name, index, text) {
      const table = tables.get(name);
      const keys = table && keysByText(name, table, index).get(text);
      if (keys === undefined) return NONE;
      return typeof keys === 'string' ? [keys] : [...keys];
    },
    set,
    /** Stages all changes of `later` on top of these. */
    merge(later) {
      for (const [name, entries] of later.tables()) {
        for (const [key, entry] of entries) set(name, key, entry);
      }
    },
    tables: () => tables,
  };
}
