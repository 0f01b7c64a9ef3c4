import { foldBytes, NEEDS_GENERAL_PATH } from '../query/byte-text.ts';
import type { StoredBlock } from '../../store/store.ts';
import { createValuePlaces } from './value-places.ts';

/** Result per row: whether it contains all words, or must be parsed. */
const MISSES = 0;
export const FITS = 1;
export const UNDECIDED = 2;

/** Returns, for each row of a block, one of these results; the array is reused by the next call. */
export type BlockSearch = (block: StoredBlock) => Uint8Array;

/** Separates values; no word contains it. */
const BETWEEN = 0x0a;

/**
 * Creates a search for rows that contain all words in some of these columns. Folds a whole block into one
 * buffer, for `Buffer.indexOf`.
 * @param words folded, without blanks; only words in ASCII are found, others leave each row as it is
 */
export function createBlockSearch(words: readonly string[], columns: readonly string[]): BlockSearch {
  const places = createValuePlaces(columns, false);
  const areFindable = words.every((word) => /^[\x21-\x7f]+$/.test(word));
  const [first, ...others] = words.toSorted((a, b) => b.length - a.length).map((word) => Buffer.from(word));
  let text = Buffer.alloc(0);
  let ends = new Uint32Array(0);
  let fits = new Uint8Array(0);

  /** Appends a row's folded values to the buffer; returns their end, or {@link NEEDS_GENERAL_PATH} to parse the row. */
  const foldRow = (bytes: Buffer, start: number, end: number, at: number): number => {
    if (!places.read(bytes, start, end)) return NEEDS_GENERAL_PATH;
    let to = at;
    for (let value = 0; value < places.count(); value++) {
      to = foldBytes(bytes, places.starts[value] ?? 0, places.ends[value] ?? 0, text, to);
      if (to === NEEDS_GENERAL_PATH) return NEEDS_GENERAL_PATH;
      text[to++] = BETWEEN;
    }
    return to;
  };

  return ({ keys, bytes, starts, ends: valueEnds, templates }) => {
    if (text.length < 2 * bytes.length) text = Buffer.allocUnsafeSlow(2 * bytes.length);
    if (ends.length < keys.length)
      [ends, fits] = [new Uint32Array(2 * keys.length), new Uint8Array(2 * keys.length)];
    let used = 0;
    for (let at = 0; at < keys.length; at++) {
      places.begin(templates?.[at]);
      const end = foldRow(bytes, starts[at] ?? 0, valueEnds[at] ?? 0, used);
      fits[at] = end === NEEDS_GENERAL_PATH ? UNDECIDED : MISSES;
      if (end !== NEEDS_GENERAL_PATH) used = end;
      ends[at] = used;
    }
    if (!first || !areFindable) return fits;
    const folded = text.subarray(0, used);
    let row = 0;
    for (let found = folded.indexOf(first); found >= 0;) {
      while ((ends[row] ?? used) <= found) row++;
      const [begin, end] = [row === 0 ? 0 : (ends[row - 1] ?? 0), ends[row] ?? used];
      const values = folded.subarray(begin, end);
      if (others.every((word) => values.includes(word))) fits[row] = FITS;
      found = folded.indexOf(first, end);
    }
    return fits;
  };
}
