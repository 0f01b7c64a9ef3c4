import type { RecordRef } from './record-ref.ts';
import type { IndexTexts } from '../store.ts';

interface Put {
  readonly texts: IndexTexts;
}

export interface PutSlot extends Put {
  readonly slot: RecordRef;
}

/** Not durable yet: of one transaction, or of all sharing an fsync. Null: deletion. */
export interface Staged<E extends Put = PutSlot> {
  /** Null: staged deletion; undefined: nothing staged. */
  entry(table: string, key: string): E | null | undefined;
  /** Returns staged keys with this index text; outdated ones too, so callers check. */
  keysUnder(table: string, index: string, text: string): readonly string[];
  stageEntry(table: string, key: string, entry: E | null): void;
  /** Stages `later` on top. */
  merge(later: Staged<E>): void;
  tables(): Iterable<readonly [string, ReadonlyMap<string, E | null>]>;
}

/** Nearly every text has one key, without a set. */
type KeysByText = Map<string, Set<string> | string>;

const NONE: readonly string[] = [];

/** Creates an empty set of changes, which keeps the last one of each key; its indexes are built when first read. */
export function createStaged<E extends Put = PutSlot>(): Staged<E> {
  const tables = new Map<string, Map<string, E | null>>();
  /** By table and index; few are read. */
  const hints = new Map<string, Map<string, KeysByText>>();

  /** Adds the key to those with this text; nothing for undefined. */
  const addHint = (byText: KeysByText, text: string | undefined, key: string): void => {
    if (text === undefined) return;
    const keys = byText.get(text);
    if (keys === undefined) byText.set(text, key);
    else if (typeof keys !== 'string') keys.add(key);
    else if (keys !== key) byText.set(text, new Set([keys, key]));
  };

  /** Returns the index's keys by text, built when first read. */
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

  /** Stages a put, or a deletion (null), in place of an earlier change of the key. */
  const stageEntry = (name: string, key: string, entry: E | null): void => {
    let table = tables.get(name);
    if (!table) tables.set(name, (table = new Map<string, E | null>()));
    table.set(key, entry);
    const ofTable = hints.get(name);
    if (ofTable) for (const [index, byText] of ofTable) addHint(byText, entry?.texts[index], key);
  };
  return {
    entry: (table, key) => tables.get(table)?.get(key),
    /** Returns the keys staged with this index text, and ones staged again since with another: check the entry. */
    keysUnder(name, index, text) {
      const table = tables.get(name);
      const keys = table && keysByText(name, table, index).get(text);
      if (keys === undefined) return NONE;
      return typeof keys === 'string' ? [keys] : [...keys];
    },
    stageEntry,
    /** Stages all changes of `later`, each in place of an earlier one of its key. */
    merge(later) {
      for (const [name, entries] of later.tables()) {
        for (const [key, entry] of entries) stageEntry(name, key, entry);
      }
    },
    tables: () => tables,
  };
}
