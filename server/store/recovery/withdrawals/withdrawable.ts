import type { z } from 'zod';
import { everyEntry } from '../../every-entry.ts';
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
  /**
   * The entry as it counts where it came out of a backup file, which others may have written into: opened is what is open by
   * the last note of it, and where there is none, this folder never had it. The very same object when it is so already,
   * undefined to delete it. Absent: it stays as it is.
   */
  restored?(
    value: T,
    note: N | undefined,
    about: { readonly key: string; readonly now: string; readonly tx: Tx },
  ): T | undefined | Promise<T | undefined>;
  /**
   * With a data folder that moves to another computer its entries count there as well, once the user has looked: what is
   * `restored` where nothing is noted of any is seen to by `close` alone.
   */
  readonly moves?: true;
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
  readonly moves: boolean;
  /** Believes of what came out of a backup no more than is noted; the keys of what had opened more. */
  restored(tx: Tx, system: Partition, noteOf: NoteOf, now: string): Promise<readonly string[]>;
  /** Closes what may have been taken back; the keys of what was open. */
  close(tx: Tx, system: Partition, now: string): Promise<readonly string[]>;
  /** What is still to be noted of the entries that there are, by their keys. */
  lacking(
    system: Partition,
    noteOf: NoteOf,
    now: string,
  ): Promise<readonly { readonly key: string; readonly note: unknown }[]>;
}

/** The last note of an entry. */
type NoteOf = (key: string) => unknown;

/** What was reapplied in the same transaction counts. Answers the keys of what is another now. */
async function changeAll<T>(
  tx: Tx,
  system: Partition,
  table: Table<T>,
  change: (value: T, key: string) => T | undefined | Promise<T | undefined>,
): Promise<readonly string[]> {
  const changed: string[] = [];
  for await (const { key } of everyEntry(system, table)) {
    const value = await tx.get(table, key);
    if (value === undefined) continue;
    const after = await change(value, key);
    if (after === value) continue;
    if (after === undefined) tx.delete(table, key);
    else tx.put(table, key, after);
    changed.push(key);
  }
  return changed;
}

export function withdrawable<T, N>(rule: WithdrawableRule<T, N>): Withdrawable {
  return {
    table: rule.table.name,
    useful: rule.useful ?? Infinity,
    moves: rule.moves === true,
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
      return changeAll(tx, system, rule.table, (value) => rule.close?.(value, now));
    },
    async restored(tx, system, noteOf, now) {
      if (!rule.restored) return [];
      return changeAll(tx, system, rule.table, (value, key) =>
        rule.restored?.(value, rule.note.safeParse(noteOf(key)).data, { key, now, tx }),
      );
    },
    async lacking(system, noteOf, now) {
      if (!rule.lacking) return [];
      const lacking: { key: string; note: N }[] = [];
      for await (const { key, value } of everyEntry(system, rule.table)) {
        const note = rule.lacking(value, rule.note.safeParse(noteOf(key)).data, now);
        if (note !== undefined) lacking.push({ key, note });
      }
      return lacking;
    },
  };
}
