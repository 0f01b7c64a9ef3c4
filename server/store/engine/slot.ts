import type { Entry } from '../store.ts';

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

/** The value that a slot's line holds. */
export function valueOf({ bytes, start, end }: Slot): unknown {
  return (JSON.parse(bytes.toString('utf8', start, end)) as unknown[])[3];
}

/** The slot as the store's users see it. The caller knows which table, and so which type, it is of. */
export function entryOf<T>(slot: Slot): Entry<T> {
  return new SlotEntry<T>(slot);
}

/** Parses its value when it is first looked at: many only want to know which entries there are. */
class SlotEntry<T> implements Entry<T> {
  readonly key: string;
  readonly seq: number;
  readonly bytes: number;
  readonly #slot: Slot;
  #value: T | undefined;

  constructor(slot: Slot) {
    this.key = slot.key;
    this.seq = slot.seq;
    this.bytes = slot.end - slot.start;
    this.#slot = slot;
  }

  get value(): T {
    return (this.#value ??= valueOf(this.#slot) as T);
  }
}
