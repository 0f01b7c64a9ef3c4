import type { z } from 'zod';
import { everyEntry } from '../../every-entry.ts';
import type { Partition, Table, Tx } from '../../store.ts';

/** What in a table must not come back, or be lost, when older data replaces newer. */
export interface RevocableRule<T, N> {
  readonly table: Table<T>;
  readonly note: z.ZodType<N>;
  /** Returns the note of a change; undefined if it neither revokes nor grants anything. */
  noted(before: T | undefined, after: T | undefined): N | undefined;
  /** Returns the entry as the last note requires: the same object if unchanged, undefined to delete it. */
  reapply(value: T, note: N, now: string, tx: Tx): T | undefined | Promise<T | undefined>;
  /** Returns the entry for a note if older data has none; absent or undefined: none is made. */
  missing?(tx: Tx, note: N): Promise<T | undefined>;
  /** Returns what to note at a start about an entry beside its last note, as older versions noted less. */
  lacking?(value: T, note: N | undefined, now: string): N | undefined;
  /** Returns the entry closed, as it may have been revoked; undefined deletes it. Absent: it stays. */
  close?(value: T, now: string): T | undefined;
  /** Returns a backup's entry as far as its last note opened it; undefined deletes it. Absent: it stays. */
  restored?(
    value: T,
    note: N | undefined,
    about: { readonly key: string; readonly now: string; readonly tx: Tx },
  ): T | undefined | Promise<T | undefined>;
  /** Its entries count on another computer too: if nothing is noted about any, `close` handles restored ones. */
  readonly moves?: true;
  /** Milliseconds after which notes no longer matter; absent: never. */
  readonly useful?: number;
}

/** The same for tables of any type. */
export interface RevocableTable {
  readonly table: string;
  readonly useful: number;
  /** Call it before an entry is written, and the returned function afterwards, which returns what to note. */
  watch(tx: Tx, key: string): () => Promise<unknown>;
  /** Applies a note to an entry; returns whether anything had come back. */
  reapply(tx: Tx, key: string, note: unknown, now: string): Promise<boolean>;
  readonly moves: boolean;
  /** Reduces what came from a backup to what is noted; returns the keys of what had opened more. */
  restored(tx: Tx, system: Partition, noteOf: NoteOf, now: string): Promise<readonly string[]>;
  /** Closes what may have been revoked; returns the keys of what was open. */
  close(tx: Tx, system: Partition, now: string): Promise<readonly string[]>;
  /** Returns what is still to be noted about existing entries, by key. */
  lacking(
    system: Partition,
    noteOf: NoteOf,
    now: string,
  ): Promise<readonly { readonly key: string; readonly note: unknown }[]>;
}

/** The last note of an entry. */
type NoteOf = (key: string) => unknown;

/**
 * Calls `change` for each entry of a table and stores what it returns; undefined deletes the entry. Returns the keys
 * of changed entries.
 */
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

/**
 * Converts a rule of any entry type to one that the revocation log can call. A note that doesn't match the rule's
 * schema counts as none.
 */
export function revocable<T, N>(rule: RevocableRule<T, N>): RevocableTable {
  return {
    table: rule.table.name,
    useful: rule.useful ?? Infinity,
    moves: rule.moves === true,
    /** Reads the entry before a write. The returned function returns, after it, what to note. */
    watch(tx, key) {
      const before = tx.get(rule.table, key);
      return async () => rule.noted(await before, await tx.get(rule.table, key));
    },
    /**
     * Applies a note to its entry, which may be changed, deleted or made. Returns whether the data had lost the
     * note's effect.
     */
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
    /** Closes all entries that may have been revoked; returns the keys of what was open. */
    async close(tx, system, now) {
      if (!rule.close) return [];
      return changeAll(tx, system, rule.table, (value) => rule.close?.(value, now));
    },
    /**
     * Limits the entries of a restored backup to what the notes allow. Returns the keys of those that had opened more.
     */
    async restored(tx, system, noteOf, now) {
      if (!rule.restored) return [];
      return changeAll(tx, system, rule.table, (value, key) =>
        rule.restored?.(value, rule.note.safeParse(noteOf(key)).data, { key, now, tx }),
      );
    },
    /** Returns the notes that existing entries should have and the log lacks, by key. */
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
