import type { LineRef } from '../files/line-buffer.ts';
import { TemplateRef } from './template-line.ts';
import type { Entry, Codec, SharedTemplate } from '../store.ts';

/** An entry in its own or a shared line. */
export type RecordRef = LineRef | TemplateRef;

/** Returns the entry's line; makes one if it shares its line. */
export const ownLineOf = (slot: RecordRef): LineRef => (slot instanceof TemplateRef ? slot.ownLine() : slot);

/** Returns the entry's value as stored: parsed JSON, not decoded. */
export function storedValueOf(slot: RecordRef): unknown {
  if (slot instanceof TemplateRef) return slot.value();
  const { bytes, start, end } = slot;
  return (JSON.parse(bytes.toString('utf8', start, end)) as unknown[])[3];
}

/** Returns an entry's decoded value, unchecked: the caller knows its table and so its type. */
export function valueOf<T>(slot: RecordRef, form?: Codec<T>): T {
  const stored = storedValueOf(slot);
  return (form ? form.decode(stored) : stored) as T;
}

/** Returns an entry whose value the first read parses and decodes. */
export function entryOf<T>(slot: RecordRef, form?: Codec<T>): Entry<T> {
  return new SlotEntry<T>(slot, form);
}

/** Returns the bytes of an entry's line; approximate if shared. */
export const sizeOf = (slot: RecordRef): number =>
  slot instanceof TemplateRef ? slot.size() : slot.end - slot.start;

/** Larger values aren't cached. */
const LARGE_BYTES = 64 * 1024;

class SlotEntry<T> implements Entry<T> {
  readonly key: string;
  readonly seq: number;
  readonly bytes: number;
  readonly #slot: RecordRef;
  readonly #form: Codec<T> | undefined;
  #value: T | undefined;

  constructor(slot: RecordRef, form: Codec<T> | undefined) {
    this.key = slot.key;
    this.seq = slot.seq;
    this.bytes = sizeOf(slot);
    this.#slot = slot;
    this.#form = form;
  }

  get template(): SharedTemplate | undefined {
    return this.#slot instanceof TemplateRef ? this.#slot.line.template : undefined;
  }

  /** Returns the texts with which a template is filled; none for an entry stored whole. */
  texts(): readonly string[] {
    return this.#slot instanceof TemplateRef ? this.#slot.texts() : [];
  }

  /** Returns the decoded value, cached unless the entry is large. */
  get value(): T {
    if (this.#value !== undefined) return this.#value;
    const value = valueOf<T>(this.#slot, this.#form);
    if (this.bytes <= LARGE_BYTES) this.#value = value;
    return value;
  }
}
