import { indexText } from '../engine/table-state.ts';
import { createStaged, type Staged } from '../engine/staged.ts';
import { compareKeys } from '../../base/sorted.ts';
import type { Entry, IndexTexts, Table, Tx } from '../store.ts';
import { indexesOf, SqlEntry } from './entry.ts';
import type { Reading } from './reading.ts';

/** An entry that a transaction puts. */
export interface PutJson {
  readonly seq: number;
  /** What the table's form makes of the value, as JSON. */
  readonly json: string;
  readonly texts: IndexTexts;
  /** It is written in another form only, where it is there: it keeps its number. */
  readonly amends: boolean;
}

/** A transaction under way: what its body sees, and what it leaves. */
export interface Begun {
  readonly tx: Tx;
  /** Ends it: calls on `tx` throw from now on. Undefined where nothing was changed. */
  finish(): Changes | undefined;
}

/** What a transaction leaves to be written. */
export interface Changes {
  readonly staged: Staged<PutJson>;
  /** By name: what was written to, with its indexes. */
  readonly tables: ReadonlyMap<string, Table<never>>;
  /** The number of the last change. */
  readonly last: number;
}

type Staging = ReadonlyMap<string, PutJson | null>;
const NONE: Staging = new Map();

/**
 * Begins a transaction on top of what is durable, behind the change of number `lastSeq`.
 * @param prepare makes an index name every durable entry
 */
export function begin(
  reading: Reading,
  lastSeq: number,
  prepare: <T>(table: Table<T>, index: string) => Promise<void>,
): Begun {
  const staged = createStaged<PutJson>();
  const tables = new Map<string, Table<never>>();
  let last = lastSeq;
  let over = false;
  const check = (): void => {
    if (over) throw new Error('This transaction is over; nothing more can be done in it.');
  };

  /** What is staged now: what is put while a question is answered comes behind it. */
  const stagedNow = (table: Table<never>, keys: readonly string[]): Staging => {
    const now = new Map<string, PutJson | null>();
    for (const key of keys) {
      const change = staged.entry(table.name, key);
      if (change !== undefined) now.set(key, change);
    }
    return now;
  };

  async function entries<T>(
    table: Table<T>,
    keys: readonly string[],
    now: Staging = stagedNow(table, keys),
  ): Promise<(SqlEntry<T> | undefined)[]> {
    check();
    // An entry that is amended stays where it is, and one that is not there does not come by that.
    const asked = keys.filter((key) => now.get(key) === undefined || now.get(key)?.amends === true);
    const found = await reading.entries(table, asked);
    const durable = new Map(asked.map((key, at) => [key, found[at]]));
    return keys.map((key) => {
      const change = now.get(key);
      const before = durable.get(key);
      if (change === undefined) return before;
      if (change === null || (change.amends && !before)) return undefined;
      return new SqlEntry(key, change.amends && before ? before.seq : change.seq, change.json, table.form);
    });
  }

  /** What is staged of a table, and may stand under these texts. */
  function stagedUnder(
    table: Table<never>,
    index: string,
    texts: readonly string[],
  ): { readonly all: Staging; readonly under: ReadonlyMap<string, readonly string[]> } {
    const all = new Map(changesOf(table.name));
    return { all, under: new Map(texts.map((text) => [text, staged.keysUnder(table.name, index, text)])) };
  }

  const changesOf = (table: string): Staging => {
    for (const [name, changes] of staged.tables()) if (name === table) return changes;
    return NONE;
  };

  async function find<T>(table: Table<T>, index: string, text: string): Promise<Entry<T>[]> {
    check();
    const { all, under } = stagedUnder(table, index, [text]);
    await prepare(table, index);
    const durable = (await reading.find(table, index, text)).filter(({ key }) => !all.has(key));
    const changed = await fitting(table, index, text, { all, keys: under.get(text) ?? [] });
    return changed.length === 0
      ? durable
      : [...durable, ...changed].sort((a, b) => compareKeys(a.key, b.key));
  }

  async function findMany<T>(
    table: Table<T>,
    index: string,
    texts: readonly string[],
  ): Promise<(Entry<T> | undefined)[]> {
    check();
    const { all, under } = stagedUnder(table, index, texts);
    await prepare(table, index);
    const firsts: (Entry<T> | undefined)[] = [];
    const durable = await reading.findMany(table, index, texts, (key) => all.has(key));
    for (const [at, text] of texts.entries()) {
      const [changed] = await fitting(table, index, text, { all, keys: under.get(text) ?? [] });
      const first = durable[at];
      firsts.push(changed && (!first || compareKeys(changed.key, first.key) < 0) ? changed : first);
    }
    return firsts;
  }

  /** Of these staged entries those that stand under the text, in key order. */
  async function fitting<T>(
    table: Table<T>,
    index: string,
    text: string,
    { all, keys }: { readonly all: Staging; readonly keys: readonly string[] },
  ): Promise<SqlEntry<T>[]> {
    const found = keys.length === 0 ? [] : await entries(table, keys, all);
    return found
      .filter((entry) => entry !== undefined)
      .filter(({ value }) => indexText(table, index, value) === text)
      .sort((a, b) => compareKeys(a.key, b.key));
  }

  function stage(table: Table<never>, key: string, entry: PutJson | null): void {
    tables.set(table.name, table);
    staged.set(table.name, key, entry);
  }

  const tx: Tx = {
    get: async (table, key) => (await entries(table, [key]))[0]?.value,
    getMany: async (table, keys) => (await entries(table, keys)).map((entry) => entry?.value),
    find,
    findMany,
    put<T>(table: Table<T>, key: string, value: T) {
      check();
      if (value === undefined) throw new TypeError(`undefined cannot be stored (table ${table.name}).`);
      const texts = textsOf(table, value);
      stage(table, key, { seq: ++last, json: storedFormOf(table, value), texts, amends: false });
    },
    putStored(table, key, json, texts) {
      check();
      stage(table, key, { seq: ++last, json, texts, amends: false });
    },
    amend<T>(table: Table<T>, key: string, value: T) {
      check();
      const before = staged.entry(table.name, key);
      if (before === null) return;
      const texts = textsOf(table, value);
      // Of one that was put in this transaction it is that put which is written otherwise.
      const { seq, amends } = before ?? { seq: 0, amends: true };
      stage(table, key, { seq, json: storedFormOf(table, value), texts, amends });
    },
    delete(table, key) {
      check();
      last++;
      stage(table, key, null);
    },
  };
  return {
    tx,
    finish() {
      over = true;
      return tables.size === 0 ? undefined : { staged, tables, last };
    },
  };
}

const storedFormOf = <T>({ form }: Table<T>, value: T): string =>
  JSON.stringify(form ? form.pack(value) : value);

/** What the table's indexes say of a value. Worked out before the value is taken, so that a mistake in one shows. */
function textsOf<T>(table: Table<T>, value: T): IndexTexts {
  return Object.fromEntries(indexesOf(table).map((index) => [index, indexText(table, index, value)]));
}
