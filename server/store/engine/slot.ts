import type { Entry, Form } from '../store.ts';

/**
 * One entry as held in memory: its line as it stands in the file (`format.ts`), in bytes outside the
 * JavaScript heap, where a million of them cost the garbage collector nothing. Parsed when asked for.
 */
export interface Slot {
  readonly key: string;
  readonly seq: number;
  /** Holds the lines of many entries. May be exchanged for another copy of the same line; see `gather.ts`. */
  bytes: Buffer;
  start: number;
  /** Behind the line's last byte; a line break always stands there. */
  end: number;
}

/** What a slot's line holds, in the form that it is stored in. */
export function storedIn({ bytes, start, end }: Slot): unknown {
  return (JSON.parse(bytes.toString('utf8', start, end)) as unknown[])[3];
}

/** The slot's value. The caller knows which table, and so which type, it is of. */
export function valueOf<T>(slot: Slot, form?: Form<T>): T {
  const stored = storedIn(slot);
  return (form ? form.unpack(stored) : stored) as T;
}

/** The slot as the store's users see it. */
export function entryOf<T>(slot: Slot, form?: Form<T>): Entry<T> {
  return new SlotEntry<T>(slot, form);
}

/** Many of these are not kept, as they would fill the memory of who looks at one after the other. */
const LARGE_BYTES = 64 * 1024;

/** Parses its value when it is looked at: many only want to know which entries there are. */
class SlotEntry<T> implements Entry<T> {
  readonly key: string;
  readonly seq: number;
  readonly bytes: number;
  readonly #slot: Slot;
  readonly #form: Form<T> | undefined;
  #value: T | undefined;

  constructor(slot: Slot, form: Form<T> | undefined) {
    this.key = slot.key;
    this.seq = slot.seq;
    this.bytes = slot.end - slot.start;
    this.#slot = slot;
    this.#form = form;
  }

  get value(): T {
    if (this.#value !== undefined) return this.#value;
    const value = valueOf<T>(this.#slot, this.#form);
    if (this.bytes <= LARGE_BYTES) this.#value = value;
    return value;
  }
}
