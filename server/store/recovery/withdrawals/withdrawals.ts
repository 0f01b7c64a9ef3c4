import type { Clock } from '../../../base/clock.ts';
import type { Disk } from '../../files/disk.ts';
import { StoreError, type Partition, type Store, type Tx } from '../../store.ts';
import { createNotesFile, type Note, type NotesFile } from './notes-file.ts';
import type { Withdrawable } from './withdrawable.ts';

/** An entry of the store that older data would have opened again. */
export type KeptWithdrawn = Pick<Note, 'table' | 'key'>;

/**
 * What was taken back stays so, whatever older data takes the place of newer: a backup that is restored, by the
 * user or by the store itself, or an older file. Changes that take something back are noted in a file of their own
 * before they are made, and done again at the start where the data does not know of them.
 */
export interface Withdrawals {
  /** The same partition, but that what its transactions take back is noted first. @throws StoreError from these */
  guard(system: Partition): Partition;
  /**
   * To be called with the guarded partition before anybody is served. `also` may put into the same durable write
   * what the user is to be told. Then notes what an older version did not, of what there is. @throws StoreError
   */
  reapply(
    system: Partition,
    also: (tx: Tx, kept: readonly KeptWithdrawn[]) => Promise<void> | void,
  ): Promise<void>;
}

export function createWithdrawals(deps: {
  readonly dataDir: string;
  readonly clock: Clock;
  readonly disk?: Disk | undefined;
  readonly rules: readonly Withdrawable[];
}): Withdrawals {
  const { clock } = deps;
  const rules = new Map(deps.rules.map((rule) => [rule.table, rule]));
  const counts = ({ table, at }: Note): boolean =>
    clock.now() - Date.parse(at) < (rules.get(table)?.useful ?? Infinity);
  const file: NotesFile = createNotesFile({ ...deps, counts });
  const now = (): string => new Date(clock.now()).toISOString();

  async function noteLacking(system: Partition, notes: readonly Note[]): Promise<void> {
    const known = new Map(notes.map(({ table, key, note }) => [JSON.stringify([table, key]), note]));
    const at = now();
    const lacking: Note[] = [];
    for (const rule of rules.values()) {
      const noteOf = (key: string): unknown => known.get(JSON.stringify([rule.table, key]));
      const found = await rule.lacking(system, noteOf, at);
      lacking.push(...found.map((each) => ({ at, table: rule.table, ...each })));
    }
    if (lacking.length === 0) return;
    await file.add(lacking).catch((error: unknown) => {
      // Without room for it the next start does it, and this one must not fail.
      if (!(error instanceof StoreError) || error.code !== 'full') throw error;
    });
  }

  return {
    guard: (system) => ({
      ...system,
      transaction: (body) =>
        system.transaction(async (tx) => {
          const watched = watch(tx, rules);
          const result = await body(watched.tx);
          const notes = await watched.notes(now());
          if (notes.length > 0) await file.add(notes);
          return result;
        }),
    }),

    async reapply(system, also) {
      const notes = await file.read();
      await system.transaction(async (tx) => {
        const kept: Note[] = [];
        for (const note of notes) {
          const rule = rules.get(note.table);
          if (await rule?.reapply(tx, note.key, note.note, now())) kept.push(note);
        }
        if (kept.length > 0) await also(tx, kept);
      });
      await noteLacking(system, notes);
    },
  };
}

/** A transaction that finds out what it takes back. */
function watch(
  tx: Tx,
  rules: ReadonlyMap<string, Withdrawable>,
): { readonly tx: Tx; readonly notes: (at: string) => Promise<Note[]> } {
  const touched = new Map<string, { table: string; key: string; noted: () => Promise<unknown> }>();
  function touch(table: string, key: string): void {
    const rule = rules.get(table);
    const entry = JSON.stringify([table, key]);
    if (rule && !touched.has(entry)) touched.set(entry, { table, key, noted: rule.watch(tx, key) });
  }
  return {
    tx: {
      ...tx,
      put(table, key, value) {
        touch(table.name, key);
        tx.put(table, key, value);
      },
      delete(table, key) {
        touch(table.name, key);
        tx.delete(table, key);
      },
    },
    async notes(at) {
      const notes: Note[] = [];
      for (const { table, key, noted } of touched.values()) {
        const note = await noted();
        if (note !== undefined) notes.push({ at, table, key, note });
      }
      return notes;
    },
  };
}

/** The store, but that its partition `system` is guarded. */
export function guardStore<S extends Store>(store: S, withdrawals: Withdrawals): S {
  return {
    ...store,
    partition: async (name: string) =>
      name === 'system' ? withdrawals.guard(await store.partition(name)) : store.partition(name),
  };
}
