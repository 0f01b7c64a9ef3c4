import { indexText } from '../engine/table-state.ts';
import { fillTemplate } from '../engine/template.ts';
import { createStaged, type Staged } from '../engine/staged.ts';
import { compareKeys } from '../../base/sorted-list.ts';
import type { Entry, IndexTexts, Table, TemplateEntries, Tx } from '../store.ts';
import { indexesOf, SqlEntry } from './entry.ts';
import type { PartitionReader } from './reading.ts';

export interface PutJson {
  readonly seq: number;
  /** In the table's form. */
  readonly json: string;
  readonly texts: IndexTexts;
  /** Written only to an existing entry, which keeps its number. */
  readonly amends: boolean;
}

export interface Changes {
  readonly staged: Staged<PutJson>;
  readonly tables: ReadonlyMap<string, Table<never>>;
  readonly last: number;
}

type Staging = ReadonlyMap<string, PutJson | null>;
const NONE: Staging = new Map();

/** Reads durable data and its own staged changes. */
export class SqlTx implements Tx {
  readonly #reading: PartitionReader;
  readonly #prepare: <T>(table: Table<T>, index: string) => Promise<void>;
  readonly #staged = createStaged<PutJson>();
  readonly #tables = new Map<string, Table<never>>();
  #last: number;
  #isOver = false;

  /** Begins after change `lastSeq`. `prepare` completes an index of durable entries. */
  constructor(
    reading: PartitionReader,
    lastSeq: number,
    prepare: <T>(table: Table<T>, index: string) => Promise<void>,
  ) {
    this.#reading = reading;
    this.#last = lastSeq;
    this.#prepare = prepare;
  }

  /** Returns the value as this transaction sees it; undefined if missing. */
  async get<T>(table: Table<T>, key: string): Promise<T | undefined> {
    return (await this.#readEntries(table, [key]))[0]?.value;
  }

  async getMany<T>(table: Table<T>, keys: readonly string[]): Promise<(T | undefined)[]> {
    return (await this.#readEntries(table, keys)).map((entry) => entry?.value);
  }

  /** Returns entries as this transaction sees them, in key order; prepares the index. */
  async find<T>(table: Table<T>, index: string, text: string): Promise<Entry<T>[]> {
    this.#throwIfOver();
    const { all, under } = this.#stagedUnder(table, index, [text]);
    await this.#prepare(table, index);
    const durable = (await this.#reading.find(table, index, text)).filter(({ key }) => !all.has(key));
    const changed = await this.#stagedWithText(table, index, text, { all, keys: under.get(text) ?? [] });
    return changed.length === 0
      ? durable
      : [...durable, ...changed].sort((a, b) => compareKeys(a.key, b.key));
  }

  /**
   * Returns for each text the first entry, by key, as this transaction sees them; undefined without one. Prepares the
   * index.
   */
  async findMany<T>(
    table: Table<T>,
    index: string,
    texts: readonly string[],
  ): Promise<(Entry<T> | undefined)[]> {
    this.#throwIfOver();
    const { all, under } = this.#stagedUnder(table, index, texts);
    await this.#prepare(table, index);
    const firsts: (Entry<T> | undefined)[] = [];
    const durable = await this.#reading.findMany(table, index, texts, (key) => all.has(key));
    for (const [at, text] of texts.entries()) {
      const [changed] = await this.#stagedWithText(table, index, text, { all, keys: under.get(text) ?? [] });
      const first = durable[at];
      firsts.push(changed && (!first || compareKeys(changed.key, first.key) < 0) ? changed : first);
    }
    return firsts;
  }

  /** Stages an entry, in place of any other with its key, as the next change. Throws TypeError for undefined. */
  put<T>(table: Table<T>, key: string, value: T): void {
    this.#throwIfOver();
    if (value === undefined) throw new TypeError(`undefined cannot be stored (table ${table.name}).`);
    const texts = textsOf(table, value);
    this.#stage(table, key, { seq: ++this.#last, json: storedFormOf(table, value), texts, amends: false });
  }

  /** Stages entries that share a template, each as a change of its own. */
  putFromTemplate<T>(table: Table<T>, { keys, template, texts, indexes }: TemplateEntries): void {
    this.#throwIfOver();
    for (const [at, key] of keys.entries()) {
      const json = fillTemplate(template, texts[at] ?? '');
      this.#stage(table, key, { seq: ++this.#last, json, texts: indexes[at] ?? {}, amends: false });
    }
  }

  /**
   * Stages another value of an entry, which keeps its change number; changes nothing if there is no entry, or this
   * transaction deleted it.
   */
  amend<T>(table: Table<T>, key: string, value: T): void {
    this.#throwIfOver();
    const before = this.#staged.entry(table.name, key);
    if (before === null) return;
    const texts = textsOf(table, value);
    // Replaces a put of this transaction.
    const { seq, amends } = before ?? { seq: 0, amends: true };
    this.#stage(table, key, { seq, json: storedFormOf(table, value), texts, amends });
  }

  /** Stages an entry's deletion; uses a change number even if there is none. */
  delete<T>(table: Table<T>, key: string): void {
    this.#throwIfOver();
    this.#last++;
    this.#stage(table, key, null);
  }

  /** Ends the transaction and returns its changes; undefined without any. Other calls throw from then on. */
  finish(): Changes | undefined {
    this.#isOver = true;
    return this.#tables.size === 0
      ? undefined
      : { staged: this.#staged, tables: this.#tables, last: this.#last };
  }

  /** Throws an Error once the transaction is over. */
  #throwIfOver(): void {
    if (this.#isOver) throw new Error('This transaction is over; nothing more can be done in it.');
  }

  /**
   * Returns entries in the order of `keys` as this transaction sees them; undefined for missing or deleted ones. `now`
   * are the staged changes that count.
   */
  async #readEntries<T>(
    table: Table<T>,
    keys: readonly string[],
    now: Staging = this.#stagedFor(table, keys),
  ): Promise<(SqlEntry<T> | undefined)[]> {
    this.#throwIfOver();
    // Amendments keep an entry's position and create none.
    const asked = keys.filter((key) => now.get(key) === undefined || now.get(key)?.amends === true);
    const found = await this.#reading.entries(table, asked);
    const durable = new Map(asked.map((key, at) => [key, found[at]]));
    return keys.map((key) => {
      const change = now.get(key);
      const before = durable.get(key);
      if (change === undefined) return before;
      if (change === null || (change.amends && !before)) return undefined;
      return new SqlEntry(key, change.amends && before ? before.seq : change.seq, change.json, table.form);
    });
  }

  /** Returns a copy of the changes staged for these keys, in which later ones don't show. */
  #stagedFor(table: Table<never>, keys: readonly string[]): Staging {
    const now = new Map<string, PutJson | null>();
    for (const key of keys) {
      const change = this.#staged.entry(table.name, key);
      if (change !== undefined) now.set(key, change);
    }
    return now;
  }

  /** Returns copies of the table's staged changes, and of the staged keys that may have each text (`under`). */
  #stagedUnder(
    table: Table<never>,
    index: string,
    texts: readonly string[],
  ): { readonly all: Staging; readonly under: ReadonlyMap<string, readonly string[]> } {
    const keysUnder = (text: string): readonly string[] => this.#staged.keysUnder(table.name, index, text);
    return {
      all: new Map(this.#stagedIn(table.name)),
      under: new Map(texts.map((text) => [text, keysUnder(text)])),
    };
  }

  /** Returns the changes staged in this table. */
  #stagedIn(table: string): Staging {
    for (const [name, changes] of this.#staged.tables()) if (name === table) return changes;
    return NONE;
  }

  /** Returns staged entries among `keys` that have this index text, sorted by key. */
  async #stagedWithText<T>(
    table: Table<T>,
    index: string,
    text: string,
    { all, keys }: { readonly all: Staging; readonly keys: readonly string[] },
  ): Promise<SqlEntry<T>[]> {
    const found = keys.length === 0 ? [] : await this.#readEntries(table, keys, all);
    return found
      .filter((entry) => entry !== undefined)
      .filter(({ value }) => indexText(table, index, value) === text)
      .sort((a, b) => compareKeys(a.key, b.key));
  }

  /** Stages an entry, null for a deletion. */
  #stage(table: Table<never>, key: string, entry: PutJson | null): void {
    this.#tables.set(table.name, table);
    this.#staged.stageEntry(table.name, key, entry);
  }
}

const storedFormOf = <T>({ form }: Table<T>, value: T): string =>
  JSON.stringify(form ? form.encode(value) : value);

/** Returns the value's index texts, computed before it is stored, so that errors show. */
function textsOf<T>(table: Table<T>, value: T): IndexTexts {
  return Object.fromEntries(indexesOf(table).map((index) => [index, indexText(table, index, value)]));
}
