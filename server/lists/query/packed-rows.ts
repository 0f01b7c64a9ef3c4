import {
  createPackedNumbers,
  createPackedTexts,
  type PackedNumbers,
  type PackedTexts,
} from './packed-keys.ts';
import type { Order, SortKey, SortPart } from './sort.ts';
import { sortInSlices } from './sort-in-slices.ts';
import { sortPlaces } from './sort-places.ts';

/** Ids and sort keys of many rows, in little memory; a row is known by its place, counted from 0 as rows are added. */
export interface PackedRows {
  count(): number;
  add(key: SortKey): void;
  /** Begins a row, of which one key has to be added to each of {@link columns}. */
  begin(recordID: string): void;
  /** By part of the order. */
  readonly columns: readonly (PackedNumbers | PackedTexts)[];
  idAt(place: number): string;
  keyAt(place: number): SortKey;
  /** All places in order, found without holding the event loop. */
  sorted(): Promise<Uint32Array>;
}

/** Digits of an id that are kept apart: no more than 32 bits hold. */
const LOW_DIGITS = 9;
/** Ids as they are made here, and as a number and a half hold them. */
const USUAL = /^[1-9]\d{0,22}$/;

/** An id has more digits than a number holds. */
export const isOfNumbers = ({ kind, system }: SortPart): boolean => kind === 'Number' && !system;

export function createPackedRows({ parts, compare }: Order): PackedRows {
  let high = new Float64Array(1024);
  let low = new Uint32Array(1024);
  let count = 0;
  const unusual = new Map<number, string>();
  const columns = parts.map((part) => (isOfNumbers(part) ? createPackedNumbers() : createPackedTexts()));

  function begin(recordID: string): void {
    if (count === low.length) {
      const [widerHigh, widerLow] = [new Float64Array(2 * count), new Uint32Array(2 * count)];
      widerHigh.set(high);
      widerLow.set(low);
      [high, low] = [widerHigh, widerLow];
    }
    if (USUAL.test(recordID)) {
      const cut = Math.max(0, recordID.length - LOW_DIGITS);
      high[count] = cut === 0 ? 0 : numberIn(recordID, 0, cut);
      low[count] = numberIn(recordID, cut, recordID.length);
    } else unusual.set(count, recordID);
    count++;
  }

  function idAt(place: number): string {
    const known = unusual.size > 0 ? unusual.get(place) : undefined;
    if (known !== undefined) return known;
    const [upper = 0, lower = 0] = [high[place], low[place]];
    return upper === 0 ? String(lower) : `${upper}${String(lower).padStart(LOW_DIGITS, '0')}`;
  }

  const keyAt = (place: number): SortKey => ({
    recordID: idAt(place),
    keys: columns.map((column) => column.key(place)),
  });

  /** Times of several forms are not compared letter by letter. */
  const isPlain = (): boolean =>
    parts.every(({ kind }, at) => {
      const column = columns[at];
      return kind !== 'DateTime' || (column !== undefined && 'isEven' in column && column.isEven());
    });

  return {
    count: () => count,
    columns,
    begin,
    add({ recordID, keys }) {
      begin(recordID);
      columns.forEach((column, at) => column.push(keys[at]));
    },
    idAt,
    keyAt,
    async sorted() {
      const places = new Uint32Array(count);
      for (let place = 0; place < count; place++) places[place] = place;
      if (isPlain()) {
        await sortPlaces(
          places,
          parts.map(({ descending }, at) => ({ keys: columns[at] as PackedTexts, descending })),
        );
        return places;
      }
      const all = [...places].map((place) => ({ ...keyAt(place), place }));
      return Uint32Array.from(await sortInSlices(all, compare), ({ place }) => place);
    },
  };
}

/** The number that digits of a text say. */
function numberIn(text: string, from: number, to: number): number {
  let number = 0;
  for (let at = from; at < to; at++) number = number * 10 + text.charCodeAt(at) - 0x30;
  return number;
}
