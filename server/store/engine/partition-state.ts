import type { Operation } from './operation.ts';
import { createYielder } from '../../base/yield.ts';
import type { Staged } from './staged.ts';
import { createTableState, type TableState } from './table-state.ts';

/** In-memory durable content. */
export interface PartitionState {
  lastSeq(): number;
  table(name: string): TableState;
  tables(): Iterable<readonly [string, TableState]>;
  entries(): number;
  /** Applies operations in order and raises the last change number to `last`. */
  replay(operations: readonly Operation[], last: number): void;
  /** Merges staged changes, then sets the last change number. Yields to the event loop. */
  apply(staged: Staged, last: number): Promise<void>;
  /** Raises the last change number, so that numbers from before a loss aren't reused. */
  skipTo(seq: number): void;
}

const APPLY_STEP = 64;

/** Creates an empty partition's tables in memory; reading or writing a table creates it. */
export function createPartitionState(): PartitionState {
  const tables = new Map<string, TableState>();
  let lastSeq = 0;
  /** Returns the table, created if missing. */
  const tableOf = (name: string): TableState => {
    const known = tables.get(name);
    if (known) return known;
    const made = createTableState();
    tables.set(name, made);
    return made;
  };
  return {
    lastSeq: () => lastSeq,
    table: tableOf,
    tables: () => tables,
    entries: () => [...tables.values()].reduce((sum, table) => sum + table.byKey.size(), 0),
    /** Applies operations from files, in one go; `last` raises the last change number, if it is greater. */
    replay(operations, last) {
      for (const { table, slot, deletes } of operations) {
        if (deletes) tableOf(table).remove(slot.key);
        else tableOf(table).put(slot);
      }
      lastSeq = Math.max(lastSeq, last);
    },
    /** Applies staged changes, pausing in between for other events, then sets the last change number. */
    async apply(staged, last) {
      const pause = createYielder();
      let done = 0;
      for (const [name, entries] of staged.tables()) {
        const table = tableOf(name);
        for (const [key, entry] of entries) {
          if (entry) table.put(entry.slot, entry.texts);
          else table.remove(key);
          const wait = ++done % APPLY_STEP === 0 ? pause() : undefined;
          if (wait) await wait;
        }
      }
      lastSeq = last;
    },
    /** Raises the last change's number to `seq`, lest numbers used before a loss are reused. */
    skipTo(seq) {
      lastSeq = Math.max(lastSeq, seq);
    },
  };
}
