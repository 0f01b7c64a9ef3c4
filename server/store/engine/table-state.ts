import { createHashIndex, type HashIndex } from './hash-index.ts';
import { createYielder } from '../../base/yield.ts';
import { valueOf, type RecordRef } from './record-ref.ts';
import { compareKeys, SortedList } from '../../base/sorted-list.ts';
import type { IndexTexts, Table } from '../store.ts';

/** Durable entries in both orders, with requested indexes. */
export interface TableState {
  readonly byKey: SortedList<RecordRef, string>;
  readonly bySeq: SortedList<RecordRef, number>;
  put(slot: RecordRef, texts?: IndexTexts): void;
  remove(key: string): void;
  prepare<T>(table: Table<T>, index: string): Promise<void> | undefined;
  /** Returns keys that may have `text`: check it, and {@link prepare} before. */
  keysUnder(index: string, text: string): readonly string[];
}

/** Returns a value's index text; undefined if left out. Throws TypeError for an unknown index. */
export function indexText<T>(table: Table<T>, index: string, value: T): string | undefined {
  const textOf = table.indexes?.[index];
  if (!textOf) throw new TypeError(`Table ${table.name} has no index ${index}.`);
  return textOf(value);
}

interface LazyIndex {
  readonly textOf: (slot: RecordRef) => string | undefined;
  readonly index: HashIndex;
  ready: Promise<void> | undefined;
}

/** Creates an empty table with its entries by key and by sequence number, and its indexes. */
export function createTableState(): TableState {
  const byKey = new SortedList(
    (slot: RecordRef) => slot.key,
    (slot, key: string) => compareKeys(slot.key, key),
  );
  const bySeq = new SortedList(
    (slot: RecordRef) => slot.seq,
    (slot, seq: number) => slot.seq - seq,
  );
  const indexes = new Map<string, LazyIndex>();

  /**
   * Adds all entries to an index without blocking the event loop. Entries changed meanwhile may leave outdated keys,
   * which readers skip.
   */
  const fillIndex = async ({ index, textOf }: LazyIndex): Promise<void> => {
    const pause = createYielder();
    for (const slots of byKey.view()) {
      for (const slot of slots) {
        const text = textOf(slot);
        if (text !== undefined) index.add(text, slot.key);
      }
      const wait = pause();
      if (wait) await wait;
    }
  };

  return {
    byKey,
    bySeq,
    /**
     * Puts an entry in place of any other with its key, and updates the indexes. `texts` are index texts known already.
     */
    put(slot, texts = {}) {
      const old = byKey.put(slot);
      if (old) bySeq.remove(old.seq);
      bySeq.put(slot);
      for (const [name, { textOf, index }] of indexes) {
        const before = old && textOf(old);
        const now = name in texts ? texts[name] : textOf(slot);
        if (old && before === now) continue;
        if (before !== undefined) index.remove(before, slot.key);
        if (now !== undefined) index.add(now, slot.key);
      }
    },
    /** Removes an entry from the table and its indexes; nothing without one. */
    remove(key) {
      const old = byKey.remove(key);
      if (!old) return;
      bySeq.remove(old.seq);
      for (const { textOf, index } of indexes.values()) {
        const text = textOf(old);
        if (text !== undefined) index.remove(text, key);
      }
    },
    /**
     * Builds an index at first use. Returns a promise until it is built, then undefined; after a failure the next call
     * tries again.
     */
    prepare<T>(table: Table<T>, name: string) {
      const known = indexes.get(name);
      if (known) return known.ready;
      const textOf = (slot: RecordRef): string | undefined =>
        indexText(table, name, valueOf(slot, table.form));
      const made: LazyIndex = { textOf, index: createHashIndex(), ready: undefined };
      indexes.set(name, made);
      made.ready = fillIndex(made).then(
        () => (made.ready = undefined),
        (error: unknown) => {
          indexes.delete(name);
          throw error;
        },
      );
      return made.ready;
    },
    keysUnder: (name, text) => indexes.get(name)?.index.keys(text) ?? [],
  };
}
