import type { Entry, Table, TemplateEntries, Tx } from '../../store.ts';
import type { Revocation } from './read-revocations.ts';
import type { RevocableTable } from './revocable.ts';

/** Records revocations and grants, reading entries with a rule before they change. */
export class RecordingTx implements Tx {
  readonly #tx: Tx;
  readonly #rules: ReadonlyMap<string, RevocableTable>;
  readonly #touched = new Map<string, { table: string; key: string; noted: () => Promise<unknown> }>();

  constructor(tx: Tx, rules: ReadonlyMap<string, RevocableTable>) {
    this.#tx = tx;
    this.#rules = rules;
  }

  get<T>(table: Table<T>, key: string): Promise<T | undefined> {
    return this.#tx.get(table, key);
  }

  getMany<T>(table: Table<T>, keys: readonly string[]): Promise<(T | undefined)[]> {
    return this.#tx.getMany(table, keys);
  }

  /** Returns entries with this index text in key order, as the transaction sees them. */
  find<T>(table: Table<T>, index: string, text: string): Promise<Entry<T>[]> {
    return this.#tx.find(table, index, text);
  }

  /** Returns each text's first entry by key, in the order of `texts`; undefined without one. */
  findMany<T>(table: Table<T>, index: string, texts: readonly string[]): Promise<(Entry<T> | undefined)[]> {
    return this.#tx.findMany(table, index, texts);
  }

  /** Puts an entry; reads the one before, for {@link notes}. */
  put<T>(table: Table<T>, key: string, value: T): void {
    this.#readBefore(table.name, key);
    this.#tx.put(table, key, value);
  }

  /** Puts entries without recording them: {@link notes} doesn't have them, even in a table with a rule. */
  putFromTemplate<T>(table: Table<T>, entries: TemplateEntries): void {
    this.#tx.putFromTemplate(table, entries);
  }

  /** Amends an entry without recording it, as {@link putFromTemplate} does. */
  amend<T>(table: Table<T>, key: string, value: T): void {
    this.#tx.amend(table, key, value);
  }

  /** Deletes an entry; reads it before, for {@link notes}. */
  delete<T>(table: Table<T>, key: string): void {
    this.#readBefore(table.name, key);
    this.#tx.delete(table, key);
  }

  /** Returns notes of what was revoked or granted, at the transaction's end. `at` is ISO 8601. */
  async notes(at: string): Promise<Omit<Revocation, 'no'>[]> {
    const notes: Omit<Revocation, 'no'>[] = [];
    for (const { table, key, noted } of this.#touched.values()) {
      const note = await noted();
      if (note !== undefined) notes.push({ at, table, key, note });
    }
    return notes;
  }

  /** Reads the entry before its first change, which `notes` compares at the end; only in tables with a rule. */
  #readBefore(table: string, key: string): void {
    const rule = this.#rules.get(table);
    const entry = JSON.stringify([table, key]);
    if (rule && !this.#touched.has(entry))
      this.#touched.set(entry, { table, key, noted: rule.watch(this.#tx, key) });
  }
}
