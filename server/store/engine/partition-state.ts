import type { Operation } from './operation.ts';
import { createYielder } from '../../base/yield.ts';
import type { Staged } from './staged.ts';
import { createTableState, type TableState } from './table-state.ts';

/** Everything durable in one partition, in memory. */
export interface PartitionState {
  /** The number of the last durable change. */
  lastSeq(): number;
  table(name: string): TableState;
  tables(): Iterable<readonly [string, TableState]>;
  /** Number of entries in all tables. */
  entries(): number;
  /** Replays a file's content. */
  replay(operations: readonly Operation[], last: number): void;
  /** Merges what has become durable; finished on return unless the batch is very large. */
  apply(staged: Staged, last: number): Promise<void>;
  /** Continues counting from `seq`, so that numbers used before a loss aren't reused. */
  skipTo(seq: number): void;
}

/** Entries merged between two looks at the clock. */
const APPLY_STEP = 64;

/** Creates the empty state of a partition in memory. */
export function createPartitionState(): PartitionState {
  const tables = new Map<string, TableState>();
  let lastSeq = 0;
  /** Returns a table's state, made if missing. */
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
    /**
     * Applies the operations of a file in order. @param last number of the file's last change, to which the state's
     * number is raised
     */
    replay(operations, last) {
      for (const { table, slot, deletes } of operations) {
        if (deletes) tableOf(table).remove(slot.key);
        else tableOf(table).put(slot);
      }
      lastSeq = Math.max(lastSeq, last);
    },
    /** Merges staged entries and deletions, then sets the number of the last change to `last`. */
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
    skipTo(seq) {
      lastSeq = Math.max(lastSeq, seq);
    },
  };
}
