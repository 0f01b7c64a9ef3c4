import { PackedNumbers, PackedTexts, copyInto } from './packed-keys.ts';
import type { Order, SortKey, SortPart } from './sort.ts';
import { sortPlaces } from './sort-places.ts';
import { createYielder } from '../../base/yield.ts';

/** Fit into 32 bits. */
const LOW_DIGITS = 9;
/** As generated here: fits into a number and 32 bits. */
const USUAL = /^[1-9]\d{0,22}$/;

/** Returns whether keys are packed as numbers: in Number columns, but not for ids. */
export const isOfNumbers = ({ kind, system }: SortPart): boolean => kind === 'Number' && !system;

/** Compact ids and sort keys, by position from 0. */
export class PackedRows {
  readonly columns: readonly (PackedNumbers | PackedTexts)[];
  readonly #order: Order;
  readonly #ids = new PackedIDs();

  constructor(order: Order) {
    this.#order = order;
    this.columns = order.parts.map((part) => (isOfNumbers(part) ? new PackedNumbers() : new PackedTexts()));
  }

  count(): number {
    return this.#ids.count();
  }

  /** Appends a row with its keys. */
  add({ recordID, keys }: SortKey): void {
    this.begin(recordID);
    this.columns.forEach((column, at) => column.push(keys[at]));
  }

  /** Starts the next row; the caller then appends one key to each of {@link columns}. */
  begin(recordID: string): void {
    this.#ids.push(recordID);
  }

  /** Returns the id of the row that was added at this position. */
  idAt(place: number): string {
    return this.#ids.at(place);
  }

  keyAt(place: number): SortKey {
    return { recordID: this.idAt(place), keys: this.columns.map((column) => column.key(place)) };
  }

  /** Returns the positions of all rows in sorted order. Doesn't block the event loop. */
  async sorted(): Promise<Uint32Array> {
    const places = new Uint32Array(this.count());
    for (let place = 0; place < places.length; place++) places[place] = place;
    if (this.#isPlain()) {
      const { parts } = this.#order;
      await sortPlaces(
        places,
        parts.map(({ descending }, at) => ({ keys: this.columns[at] as PackedTexts, descending })),
      );
      return places;
    }
    const all = [...places].map((place) => ({ ...this.keyAt(place), place }));
    return Uint32Array.from(await sortInSlices(all, this.#order.compare), ({ place }) => place);
  }

  /** Returns whether packed keys compare like the rows: times of different lengths don't. */
  #isPlain(): boolean {
    return this.#order.parts.every(({ kind }, at) => {
      const column = this.columns[at];
      return kind !== 'DateTime' || (column instanceof PackedTexts && column.isEven());
    });
  }
}

/** Usual ids take twelve bytes. */
class PackedIDs {
  #high = new Float64Array(1024);
  #low = new Uint32Array(1024);
  #count = 0;
  readonly #unusual = new Map<number, string>();

  count(): number {
    return this.#count;
  }

  /** Appends an id as two numbers; unusual ids as text. */
  push(recordID: string): void {
    const place = this.#count++;
    if (place === this.#low.length) {
      this.#high = copyInto(this.#high, new Float64Array(2 * place));
      this.#low = copyInto(this.#low, new Uint32Array(2 * place));
    }
    if (USUAL.test(recordID)) {
      const cut = Math.max(0, recordID.length - LOW_DIGITS);
      this.#high[place] = cut === 0 ? 0 : parseDigits(recordID, 0, cut);
      this.#low[place] = parseDigits(recordID, cut, recordID.length);
    } else this.#unusual.set(place, recordID);
  }

  /** Returns the id at this position. */
  at(place: number): string {
    const known = this.#unusual.size > 0 ? this.#unusual.get(place) : undefined;
    if (known !== undefined) return known;
    const [upper = 0, lower = 0] = [this.#high[place], this.#low[place]];
    return upper === 0 ? String(lower) : `${upper}${String(lower).padStart(LOW_DIGITS, '0')}`;
  }
}

/** Parses decimal digits of `text[from..to)`, unchecked. */
function parseDigits(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) number = number * 10 + text.charCodeAt(at) - 0x30;
  return number;
}

const RUN = 1024;
const STRIDE = 2048;

/** Returns a sorted copy, blocking the event loop for some milliseconds at most. */
async function sortInSlices<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
  const pause = createYielder();
  let runs: T[][] = [];
  for (let at = 0; at < items.length; at += RUN) {
    runs.push(items.slice(at, at + RUN).sort(compare));
    await pause();
  }
  while (runs.length > 1) {
    const merged: T[][] = [];
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(await mergeSorted(runs[at] ?? [], runs[at + 1] ?? [], compare, pause));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

/** Merges two sorted lists, stable; pauses every 2,048 items. */
async function mergeSorted<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
  pause = createYielder(),
): Promise<T[]> {
  const merged: T[] = [];
  let at = 0;
  let other = 0;
  while (at < left.length && other < right.length) {
    const a = left[at] as T;
    const b = right[other] as T;
    if (compare(a, b) <= 0) {
      merged.push(a);
      at++;
    } else {
      merged.push(b);
      other++;
    }
    if (merged.length % STRIDE === 0) await pause();
  }
  return merged.concat(left.slice(at), right.slice(other));
}
