import type { z } from 'zod';
import type { Partition, Table, Tx } from '../../store.ts';

/** What of the entries of one table must not come back, or not get lost, when older data takes the place of newer. */
export interface WithdrawableRule<T, N> {
  readonly table: Table<T>;
  readonly note: z.ZodType<N>;
  /** What to note of a change; undefined when it neither takes anything back nor gives it again. */
  noted(before: T | undefined, after: T | undefined): N | undefined;
  /** The entry as it must be by the last note of it: the very same object when it is so, undefined to delete it. */
  reapply(value: T, note: N, now: string, tx: Tx): T | undefined | Promise<T | undefined>;
  /** The entry by the last note of it where older data has none; absent, or undefined: none is made. */
  missing?(tx: Tx, note: N): Promise<T | undefined>;
  /**
   * What is to be noted at a start of an entry as it is then, beside the last note of it: an older version noted less.
   * Absent, or undefined: nothing more.
   */
  lacking?(value: T, note: N | undefined, now: string): N | undefined;
  /**
   * The entry as it must be where it may have been taken back and nobody knows: the very same object when it is so
   * already, undefined to delete it. Absent: it stays.
   */
  close?(value: T, now: string): T | undefined;
  /** Notes tell nothing any more after so many milliseconds; absent: they always do. */
  readonly useful?: number;
}

/** The same for tables of all kinds. */
export interface Withdrawable {
  readonly table: string;
  readonly useful: number;
  /** To be called before an entry is written; what it gives, after that: what is to be noted. */
  watch(tx: Tx, key: string): () => Promise<unknown>;
  /** Brings an entry into line with a note of it; says whether anything had come back. */
  reapply(tx: Tx, key: string, note: unknown, now: string): Promise<boolean>;
  /** Closes what may have been taken back; the keys of what was open. */
  close(tx: Tx, system: Partition, now: string): Promise<readonly string[]>;
  /** What is still to be noted of the entries that there are, by their keys. */
  lacking(
    system: Partition,
    noteOf: (key: string) => unknown,
    now: string,
  ): Promise<readonly { readonly key: string; readonly note: unknown }[]>;
}

/** More than there ever are of what can be withdrawn. */
const MOST = 100_000;

export function withdrawable<T, N>(rule: WithdrawableRule<T, N>): Withdrawable {
  return {
    table: rule.table.name,
    useful: rule.useful ?? Infinity,
    watch(tx, key) {
      const before = tx.get(rule.table, key);
      return async () => rule.noted(await before, await tx.get(rule.table, key));
    },
    async reapply(tx, key, note, now) {
      const known = rule.note.safeParse(note);
      const value = await tx.get(rule.table, key);
      if (!known.success) return false;
      if (value === undefined) {
        const made = await rule.missing?.(tx, known.data);
        if (made !== undefined) tx.put(rule.table, key, made);
        return made !== undefined;
      }
      const changed = await rule.reapply(value, known.data, now, tx);
      if (changed === value) return false;
      if (changed === undefined) tx.delete(rule.table, key);
      else tx.put(rule.table, key, changed);
      return true;
    },
    async close(tx, system, now) {
      if (!rule.close) return [];
      const closed: string[] = [];
      for (const { key } of await system.page(rule.table, { limit: MOST })) {
        // What was reapplied in the same transaction counts.
        const value = await tx.get(rule.table, key);
        const after = value && rule.close(value, now);
        if (value === undefined || after === value) continue;
        if (after === undefined) tx.delete(rule.table, key);
        else tx.put(rule.table, key, after);
        closed.push(key);
      }
      return closed;
    },
    async lacking(system, noteOf, now) {
      if (!rule.lacking) return [];
      const entries = await system.page(rule.table, { limit: MOST });
      return entries.flatMap(({ key, value }) => {
        const note = rule.lacking?.(value, rule.note.safeParse(noteOf(key)).data, now);
        return note === undefined ? [] : [{ key, note }];
      });
    },
  };
}
