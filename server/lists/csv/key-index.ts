import { withoutTextMark } from './cells.ts';
import type { FieldKind } from '../../base/vocabulary.ts';
import type { Field, Values } from '../definitions/model.ts';
import type { Rows } from '../rows/rows.ts';
import { tryValues } from '../values/check-values.ts';
import { withoutZeros } from '../values/kinds/number.ts';
import { valuesOf } from '../values/value-sets.ts';
import { joined, said, type Said, type Words } from '../../words/said.ts';

export interface KeyIndex {
  /** Finds the line's row, without id if new; a repeated key is a problem. */
  claimKey(
    values: Values,
  ): { readonly recordID: string | undefined; readonly key: string } | { readonly problem: Words };
  /** Works with other values invalid. */
  keyOf(values: Values): string | undefined;
}

const SEVERAL = 'several';

const COMPARED: Readonly<Partial<Record<FieldKind, (text: string) => string>>> = {
  Number: withoutZeros,
  Email: (text) => text.trim().toLowerCase(),
};
/**
 * Returns the text to compare. Drops marks such as `="01067"`, and blanks with which databases pad. Letters that look
 * alike are the same: macOS takes accents apart, pages have blanks that do not break, and ODS writers make several
 * blanks one.
 */
const comparedText = (text: string): string =>
  withoutTextMark(text)
    .normalize('NFC')
    .replace(/[ \u00a0\u202f]+/g, ' ')
    .trim() || text;

/** Returns the first text of the key column, JSON for several columns; undefined if a column is empty. */
export function keyIn(values: Values, names: readonly string[]): string | undefined {
  const texts = names.flatMap((name) => valuesOf(values, name).slice(0, 1));
  if (texts.length < names.length) return undefined;
  return texts.length === 1 ? texts[0] : JSON.stringify(texts);
}

/**
 * Indexes rows outside the bin by key, which lines then claim. Skips rows with an empty key column; keys of several
 * rows are ambiguous.
 */
export async function createKeyIndex(rows: Rows, fields: readonly Field[]): Promise<KeyIndex> {
  const names = fields.map(({ name }) => name);
  const numbers = fields.flatMap(({ name, kind }) => (kind === 'Number' ? [name] : []));
  /**
   * Returns the key for comparison: equal numbers are the same, as are emails in any case, and texts but for marks and
   * padding.
   */
  const comparedKey = (values: Values): string | undefined => {
    const plain = fields.map(({ name, kind }) => {
      const compared = COMPARED[kind] ?? comparedText;
      return [name, valuesOf(values, name).map((text) => compared(text))] as const;
    });
    return keyIn(Object.fromEntries(plain), names);
  };
  const byKey = new Map<string, string>();
  for await (const page of rows.scan()) {
    for (const row of page) {
      const key = comparedKey(row.values);
      if (key !== undefined) byKey.set(key, byKey.has(key) ? SEVERAL : row.recordID);
    }
  }
  const used = new TextSet();
  const column = joinKeyTexts(fields.map(({ label }) => label));
  return {
    /**
     * Claims the line's key and returns its row, if any; a problem if a key column is empty, several rows have the key,
     * or an earlier line used it.
     */
    claimKey(values) {
      const key = keyIn(values, names);
      const compared = comparedKey(values);
      if (key === undefined || compared === undefined) {
        const empty = fields.filter(({ name }) => valuesOf(values, name).length === 0);
        return {
          problem: said('import.key-empty', { column: joinKeyTexts(empty.map(({ label }) => label)) }),
        };
      }
      const recordID = byKey.get(compared);
      const value = joinKeyTexts(names.flatMap((name) => valuesOf(values, name)));
      /** Returns the problem, with a note for fractions: numbers written otherwise may be equal. */
      const describeProblem = (problem: Said): { readonly problem: Words } => ({
        problem: numbers.some((name) => valuesOf(values, name).some((text) => text.includes('.')))
          ? joined([problem, said('import.key-numbers')], ' ')
          : problem,
      });
      if (recordID === SEVERAL) return describeProblem(said('import.key-ambiguous', { column, value }));
      if (!used.add(compared)) return describeProblem(said('import.key-again', { column, value }));
      return { recordID, key };
    },
    /** Returns the key of valid key columns; undefined if one is empty or invalid. */
    keyOf(values) {
      const given = Object.fromEntries(names.map((name) => [name, valuesOf(values, name)]));
      const checked = tryValues(fields, given, false);
      return 'values' in checked ? keyIn(checked.values, names) : undefined;
    },
  };
}

/** A `Set` would keep up to 500,000 keys in the JavaScript heap. */
class TextSet {
  #records = Buffer.alloc(64 * 1024);
  #end = 0;
  #size = 0;
  /** Record position plus one; 0: free. The length is a power of two. */
  #slots = new Uint32Array(1024);

  /** Adds a text; returns false if it is present. */
  add(text: string): boolean {
    const isWide = /[^\0-\xff]/.test(text);
    const start = this.#end;
    const end = start + LENGTH_BYTES + text.length * (isWide ? 2 : 1);
    this.#reserve(end);
    this.#records.writeInt32LE(isWide ? -end + start : end - start, start);
    this.#records.write(text, start + LENGTH_BYTES, isWide ? 'utf16le' : 'latin1');
    const slot = this.#slotOf(start);
    if (this.#slots[slot] !== 0) return false;
    this.#slots[slot] = start + 1;
    this.#end = end;
    if (++this.#size * 3 > this.#slots.length * 2) this.#grow();
    return true;
  }

  /** Returns the slot of the record equal to the one at this position, or a free slot for it. */
  #slotOf(start: number): number {
    const last = this.#slots.length - 1;
    const record = this.#recordAt(start);
    let hash = 0x811c9dc5;
    for (const byte of record) hash = Math.imul(hash ^ byte, 0x01000193);
    let slot = (hash ^ (hash >>> 15)) & last;
    for (let held = this.#slots[slot] ?? 0; held !== 0; held = this.#slots[slot] ?? 0) {
      if (this.#recordAt(held - 1).equals(record)) break;
      slot = (slot + 1) & last;
    }
    return slot;
  }

  /** Returns a record's bytes with its length, which is negative for wide characters. */
  #recordAt(start: number): Buffer {
    return this.#records.subarray(start, start + Math.abs(this.#records.readInt32LE(start)));
  }

  /** Doubles the slots and fills them again. */
  #grow(): void {
    const before = this.#slots;
    this.#slots = new Uint32Array(2 * before.length);
    for (const held of before) if (held > 0) this.#slots[this.#slotOf(held - 1)] = held;
  }

  /** Grows the buffer to at least this length. */
  #reserve(length: number): void {
    if (length <= this.#records.length) return;
    const larger = Buffer.alloc(Math.max(length, 2 * this.#records.length));
    this.#records.copy(larger, 0, 0, this.#end);
    this.#records = larger;
  }
}
const LENGTH_BYTES = 4;

const joinKeyTexts = (texts: readonly string[]): string => texts.join(' + ');
