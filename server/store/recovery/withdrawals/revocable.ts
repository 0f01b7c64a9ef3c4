import type { z } from 'zod';
import { everyEntry } from '../../every-entry.ts';
import type { Partition, Table, Tx } from '../../store.ts';

/** The rule for a table whose revocations must not come back when older data replaces newer. Times are ISO 8601. */
export interface RevocableRule<T, N> {
  readonly table: Table<T>;
  readonly note: z.ZodType<N>;
  /** Returns the note of a change; undefined if it neither revokes nor grants anything. */
  noteForChange(before: T | undefined, after: T | undefined): N | undefined;
  /** Returns the entry as the last note requires: the same object if unchanged, undefined to delete it. */
  reapply(value: T, note: N, now: string, tx: Tx): T | undefined | Promise<T | undefined>;
  /** Returns the entry for a note if older data has none; undefined if none is to be made. */
  recreate?(tx: Tx, note: N): Promise<T | undefined>;
  /** Returns what to note at a start about an entry beside its last note, as older versions noted less. */
  noteIfLacking?(value: T, note: N | undefined, now: string): N | undefined;
  /** Returns the entry closed, as it may have been revoked; undefined deletes it. Without this, it stays. */
  close?(value: T, now: string): T | undefined;
  /** Returns a backup's entry as far as its last note opened it; undefined deletes it. Without this, it stays. */
  limitRestored?(
    value: T,
    note: N | undefined,
    about: { readonly key: string; readonly now: string; readonly tx: Tx },
  ): T | undefined | Promise<T | undefined>;
  /** Its entries count on another computer too: if nothing is noted about any, `close` handles restored ones. */
  readonly moves?: true;
  /** After this many milliseconds notes no longer matter. Default: never. */
  readonly useful?: number;
}

/** A rule of any entry type, as the revocation log calls it. */
export interface RevocableTable {
  readonly table: string;
  readonly useful: number;
  /** Reads an entry before it is written. The returned function, called after that, returns what to note. */
  watch(tx: Tx, key: string): () => Promise<unknown>;
  /**
   * Applies a note to its entry, which may be changed, deleted or made. Returns whether the data had lost the note's
   * effect; false for a note that doesn't match the rule's schema.
   */
  applyNote(tx: Tx, key: string, note: unknown, now: string): Promise<boolean>;
  readonly moves: boolean;
  /** Limits a restored backup's entries to what the notes allow. Returns the keys of those that had opened more. */
  limitAllRestored(tx: Tx, system: Partition, noteOf: NoteOf, now: string): Promise<readonly string[]>;
  /** Closes all entries that may have been revoked. Returns the keys of what was open. */
  close(tx: Tx, system: Partition, now: string): Promise<readonly string[]>;
  /** Returns the notes that existing entries should have and the log lacks, by key. */
  findLackingNotes(
    system: Partition,
    noteOf: NoteOf,
    now: string,
  ): Promise<readonly { readonly key: string; readonly note: unknown }[]>;
}

type NoteOf = (key: string) => unknown;

/**
 * Calls `change` for each entry of a table and stores what it returns; undefined deletes the entry. Returns the keys of
 * changed entries.
 */
async function changeEntries<T>(
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

/** Converts a rule of any entry type to one that the revocation log can call. */
export function revocable<T, N>(rule: RevocableRule<T, N>): RevocableTable {
  return {
    table: rule.table.name,
    useful: rule.useful ?? Infinity,
    moves: rule.moves === true,
    watch(tx, key) {
      const before = tx.get(rule.table, key);
      return async () => rule.noteForChange(await before, await tx.get(rule.table, key));
    },
    /** Applies a note to its entry, which may be changed, deleted or made. Returns whether its effect had been lost. */
    async applyNote(tx, key, note, now) {
      const known = rule.note.safeParse(note);
      const value = await tx.get(rule.table, key);
      if (!known.success) return false;
      if (value === undefined) {
        const made = await rule.recreate?.(tx, known.data);
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
      return changeEntries(tx, system, rule.table, (value) => rule.close?.(value, now));
    },
    /** Limits a restored backup's entries to what the notes allow. Returns the keys of those that had opened more. */
    async limitAllRestored(tx, system, noteOf, now) {
      if (!rule.limitRestored) return [];
      return changeEntries(tx, system, rule.table, (value, key) =>
        rule.limitRestored?.(value, rule.note.safeParse(noteOf(key)).data, { key, now, tx }),
      );
    },
    /** Returns the notes that existing entries should have and the log lacks, by key. */
    async findLackingNotes(system, noteOf, now) {
      if (!rule.noteIfLacking) return [];
      const lacking: { key: string; note: N }[] = [];
      for await (const { key, value } of everyEntry(system, rule.table)) {
        const note = rule.noteIfLacking(value, rule.note.safeParse(noteOf(key)).data, now);
        if (note !== undefined) lacking.push({ key, note });
      }
      return lacking;
    },
  };
}
