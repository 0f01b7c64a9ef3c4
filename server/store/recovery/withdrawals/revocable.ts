import type { z } from 'zod';
import { everyEntry } from '../../every-entry.ts';
import type { Partition, Table, Tx } from '../../store.ts';

/** Keeps revocations when older data replaces newer. Times are ISO 8601. */
export interface RevocableRule<T, N> {
  readonly table: Table<T>;
  readonly note: z.ZodType<N>;
  /** Returns the change's note; undefined if it neither revokes nor grants. */
  noteForChange(before: T | undefined, after: T | undefined): N | undefined;
  /** Returns the entry as its last note requires: the same object if unchanged, undefined to delete it. */
  reapply(value: T, note: N, now: string, tx: Tx): T | undefined | Promise<T | undefined>;
  /** Returns an entry for a note that older data lacks. */
  recreate?(tx: Tx, note: N): Promise<T | undefined>;
  /** Returns what to note at a start beside an entry's last note, as older versions noted less. */
  noteIfLacking?(value: T, note: N | undefined, now: string): N | undefined;
  /** Closes a possibly revoked entry; undefined deletes it. Absent: it stays. */
  close?(value: T, now: string): T | undefined;
  /** Returns a backup's entry as far as its last note allows; undefined deletes it. Absent: it stays. */
  limitRestored?(
    value: T,
    note: N | undefined,
    about: { readonly key: string; readonly now: string; readonly tx: Tx },
  ): T | undefined | Promise<T | undefined>;
  /** Valid on another computer too: without notes, `close` handles restored entries. */
  readonly moves?: true;
  /** Milliseconds that a note matters. Default: forever. */
  readonly useful?: number;
}

/** For the revocation log, whatever the entry's type. */
export interface RevocableTable {
  readonly table: string;
  readonly useful: number;
  /** Reads an entry before it is written. The returned function, called afterwards, returns what to note. */
  watch(tx: Tx, key: string): () => Promise<unknown>;
  /** Applies a note to its entry. Returns whether the data had lost its effect; false for an invalid note. */
  applyNote(tx: Tx, key: string, note: unknown, now: string): Promise<boolean>;
  readonly moves: boolean;
  /** Limits a restored backup to what notes allow. Returns keys that had opened more. */
  limitAllRestored(tx: Tx, system: Partition, noteOf: NoteOf, now: string): Promise<readonly string[]>;
  /** Closes all possibly revoked entries. Returns keys that were open. */
  close(tx: Tx, system: Partition, now: string): Promise<readonly string[]>;
  /** Returns notes, by key, that the log lacks for existing entries. */
  findLackingNotes(
    system: Partition,
    noteOf: NoteOf,
    now: string,
  ): Promise<readonly { readonly key: string; readonly note: unknown }[]>;
}

type NoteOf = (key: string) => unknown;

/**
 * Changes all entries of a table in the transaction; `change` returns the new value, the same to keep it, undefined to
 * delete. Returns the changed keys.
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

/**
 * Converts a rule to the untyped form that the revocation log calls. A note that doesn't fit its schema counts as none.
 */
export function revocable<T, N>(rule: RevocableRule<T, N>): RevocableTable {
  return {
    table: rule.table.name,
    useful: rule.useful ?? Infinity,
    moves: rule.moves === true,
    /** Reads an entry before it is written. The returned function, called after, returns what to note. */
    watch(tx, key) {
      const before = tx.get(rule.table, key);
      return async () => rule.noteForChange(await before, await tx.get(rule.table, key));
    },
    /**
     * Applies a note to its entry, or recreates a missing one if the rule does that. Returns whether anything changed;
     * not for a note that doesn't fit its schema.
     */
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
    /** Closes all entries that may have been revoked. Returns the keys that were open; none without a rule for it. */
    async close(tx, system, now) {
      if (!rule.close) return [];
      return changeEntries(tx, system, rule.table, (value) => rule.close?.(value, now));
    },
    /**
     * Limits all entries to what their notes allow, as the rule says; returns the changed keys, none without such a
     * rule.
     */
    async limitAllRestored(tx, system, noteOf, now) {
      if (!rule.limitRestored) return [];
      return changeEntries(tx, system, rule.table, (value, key) =>
        rule.limitRestored?.(value, rule.note.safeParse(noteOf(key)).data, { key, now, tx }),
      );
    },
    /** Returns the notes that entries should have, as the rule says, and the log lacks; none without such a rule. */
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
