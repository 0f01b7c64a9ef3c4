import { fillTemplate } from '../../../server/store/engine/template.ts';
import type { Entry, Partition, Store, Table, Tx } from '../../../server/store/store.ts';

/** What a store holds at one moment: tables by name, entries by key. Copied at every change, never changed. */
export type Held = ReadonlyMap<string, ReadonlyMap<string, unknown>>;

/** A store of one partition in memory that can go on from any moment that it was ever at, as after a kill. */
export interface MemoryStore {
  readonly store: Store;
  held(): Held;
}

/** @param saving what each write waits for until it is on the disk, after which alone others than transactions see it */
export function memoryStore(from: Held, saving: () => Promise<void> = () => Promise.resolve()): MemoryStore {
  let held = from;
  let durable = from;
  let seq = 0;
  let line: Promise<unknown> = Promise.resolve();

  const rows = <T>(of: Held, { name }: Table<T>): Entry<T>[] =>
    [...(of.get(name) ?? [])].map(([key, value]) => ({ key, value: value as T, bytes: 0, seq: 0 }));
  const found = <T>(of: Held, table: Table<T>, index: string, text: string): Entry<T>[] =>
    rows(of, table).filter(({ value }) => table.indexes?.[index]?.(value) === text);
  const reads = (of: () => Held): Pick<Partition, 'get' | 'getMany' | 'find' | 'findMany'> => ({
    get: (table, key) => Promise.resolve(of().get(table.name)?.get(key) as never),
    getMany: (table, keys) => Promise.resolve(keys.map((key) => of().get(table.name)?.get(key) as never)),
    find: (table, index, text) => Promise.resolve(found(of(), table, index, text)),
    findMany: (table, index, texts) =>
      Promise.resolve(texts.map((text) => found(of(), table, index, text)[0])),
  });

  async function run<R>(body: (tx: Tx) => R | Promise<R>): Promise<{ result: R; after: Held }> {
    let after = held;
    const change = (name: string, edit: (entries: Map<string, unknown>) => void): void => {
      const entries = new Map(after.get(name));
      edit(entries);
      after = new Map(after).set(name, entries);
    };
    const result = await body({
      ...reads(() => after),
      put: ({ name }, key, value) => change(name, (entries) => entries.set(key, value)),
      putFromTemplate: ({ name, form }, { keys, template, texts }) => {
        for (const [at, key] of keys.entries()) {
          const stored: unknown = JSON.parse(fillTemplate(template, texts[at] ?? ''));
          change(name, (entries) => entries.set(key, form ? form.decode(stored) : stored));
        }
      },
      amend: ({ name }, key, value) =>
        change(name, (entries) => {
          if (entries.has(key)) entries.set(key, value);
        }),
      delete: ({ name }, key) => change(name, (entries) => entries.delete(key)),
    });
    held = after;
    seq++;
    return { result, after };
  }

  const partition: Partition = {
    name: 'system',
    ...reads(() => durable),
    page: (table, { limit }) => Promise.resolve(rows(durable, table).slice(0, limit)),
    entries: (table, keys) =>
      Promise.resolve(keys.map((key) => rows(durable, table).find((entry) => entry.key === key))),
    changesSince: () => Promise.resolve([]),
    stored: () => {
      throw new Error('Nothing of a node is read as it is stored.');
    },
    count: (table) => Promise.resolve(rows(durable, table).length),
    keyAt: (table, place) => Promise.resolve(rows(durable, table)[place]?.key),
    lastSeq: () => Promise.resolve(seq),
    async transaction(body) {
      const staged = line.then(() => run(body));
      line = staged.catch(() => undefined);
      const { result, after } = await staged;
      await saving();
      durable = after;
      return result;
    },
  };
  const nothing = (): Promise<never> => Promise.reject(new Error('This store has one partition only.'));
  return {
    held: () => durable,
    store: {
      dataDir: '',
      partition: () => Promise.resolve(partition),
      isUnreadable: () => Promise.resolve(false),
      salvage: () => Promise.resolve(undefined),
      partitions: () => Promise.resolve(['system']),
      release: nothing,
      drop: nothing,
      notices: () => [],
      unwritable: () => undefined,
      backup: nothing,
      close: () => Promise.resolve(),
    },
  };
}
