import type { Group } from './journal.ts';
import { createLineBuffer, type LineSpan } from '../files/line-buffer.ts';
import type { PartitionData } from './journal-adapter.ts';
import { createStaged, type Staged } from './staged.ts';
import type { IndexTexts, Table, Tx } from '../store.ts';
import type { TableState } from './table-state.ts';
import { findIn, getFrom, type View } from './views.ts';

/** A transaction under way: what the body sees, and what it leaves. */
export interface StagingTx {
  readonly tx: Tx;
  readonly staged: Staged;
  /** Ends it: calls on `tx` throw from now on. The group is undefined when nothing was changed. */
  finish(): Group | undefined;
}

/** Begins a transaction on top of what is durable and what waits for the disk. */
export function beginTx(data: PartitionData): StagingTx {
  const staged = createStaged();
  const layers = [staged, data.waiting.staged, ...(data.inFlight ? [data.inFlight.staged] : [])];
  const lines = createLineBuffer();
  let ops = 0;
  let last = data.waiting.groups.at(-1)?.last ?? data.inFlight?.groups.at(-1)?.last ?? data.state.lastSeq();
  let over = false;

  const durable = (table: string): TableState => data.state.table(table);
  const view: View = {
    slot(table, key) {
      for (const layer of layers) {
        const entry = layer.entry(table, key);
        if (entry !== undefined) return entry?.slot;
      }
      return durable(table).byKey.get(key);
    },
    keysUnder(table, index, text) {
      let keys = durable(table).keysUnder(index, text);
      for (const layer of layers) {
        const staged = layer.keysUnder(table, index, text);
        if (staged.length > 0) keys = [...keys, ...staged];
      }
      return keys;
    },
  };
  const check = (): void => {
    if (over) throw new Error('This transaction is over; nothing more can be done in it.');
  };
  const read = async <R>(work: () => R, prepared?: Promise<void>): Promise<R> => {
    check();
    if (prepared) await prepared;
    return work();
  };
  const write = (table: string, key: string, json?: string): LineSpan => {
    const place = lines.add(last + 1, table, key, json);
    last++;
    ops++;
    return place;
  };
  const stage = (table: string, key: string, json: string, texts: IndexTexts): void => {
    const { bytes, start, end } = write(table, key, json);
    staged.set(table, key, { slot: { key, seq: last, bytes, start, end }, texts });
  };

  const tx: Tx = {
    get: (table, key) => read(() => getFrom(view, table, key)),
    getMany: (table, keys) => read(() => keys.map((key) => getFrom(view, table, key))),
    find: (table, index, text) =>
      read(() => findIn(view, table, index, text), durable(table.name).prepare(table, index)),
    findMany: (table, index, texts) =>
      read(
        () => texts.map((text) => findIn(view, table, index, text, 1)[0]),
        durable(table.name).prepare(table, index),
      ),
    put<T>(table: Table<T>, key: string, value: T) {
      check();
      if (value === undefined) throw new TypeError(`undefined cannot be stored (table ${table.name}).`);
      const texts = textsOf(table, value);
      stage(table.name, key, storedFormOf(table, value), texts);
    },
    putStored(table, key, json, texts) {
      check();
      stage(table.name, key, json, texts);
    },
    amend<T>(table: Table<T>, key: string, value: T) {
      check();
      const before = view.slot(table.name, key);
      if (!before) return;
      const texts = textsOf(table, value);
      const { seq } = before;
      const { bytes, start, end } = lines.add(seq, table.name, key, storedFormOf(table, value));
      ops++;
      staged.set(table.name, key, { slot: { key, seq, bytes, start, end }, texts });
    },
    delete(table, key) {
      check();
      if (view.slot(table.name, key) === undefined) return;
      write(table.name, key);
      staged.set(table.name, key, null);
    },
  };
  return {
    tx,
    staged,
    finish() {
      over = true;
      return ops === 0 ? undefined : { chunks: lines.pieces(), ops, last };
    },
  };
}

const storedFormOf = <T>({ form }: Table<T>, value: T): string =>
  JSON.stringify(form ? form.pack(value) : value);

const NO_TEXTS: IndexTexts = {};

/** What the table's indexes say of a value. Worked out before the value is taken, so that a mistake in one shows. */
function textsOf<T>({ indexes }: Table<T>, value: T): IndexTexts {
  if (!indexes) return NO_TEXTS;
  const texts: Record<string, string | undefined> = {};
  for (const index in indexes) texts[index] = indexes[index]?.(value);
  return texts;
}
