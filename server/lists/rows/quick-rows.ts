import { lastStartingBefore } from '../../base/sorted-list.ts';
import type { Language } from '../../base/vocabulary.ts';
import { createKeyWriter } from '../query/key-writer.ts';
import type { PackedRows } from '../query/packed-rows.ts';
import type { Order } from '../query/sort.ts';
import type { StoredBlock } from '../../store/store.ts';
import { createValuePlaces } from './value-places.ts';
import { foldBytes, NEEDS_GENERAL_PATH } from '../query/byte-text.ts';

/** Rows outside the bin with these words, mostly found without parsing. */
export interface QuickDefinition {
  readonly words: readonly string[];
  readonly columns: readonly string[];
  readonly language: Language;
  /** True: bytes need no check for deleted or purged rows. */
  readonly hasNoDeletedRows: () => Promise<boolean>;
}

export interface QuickRows {
  read(block: StoredBlock, rows: PackedRows, parse: (at: number) => void): void;
}

const NOTHING: ReadonlySet<number> = new Set();
/** Escaped within values. */
const GONE = [Buffer.from('"deletedAt":'), Buffer.from('"purged":')];

/**
 * Creates a reader that adds the sort keys of rows with all words, from stored bytes. Rows that these don't decide, or
 * that may be deleted, go to `parse`. Undefined if the order isn't by columns alone.
 */
export function createQuickRows(
  order: Order,
  quick: Omit<QuickDefinition, 'hasNoDeletedRows'>,
  hasNoDeletedRows: boolean,
): QuickRows | undefined {
  const { parts } = order;
  if (parts.some(({ system, absenceOf }) => (system ?? absenceOf) !== undefined)) return undefined;
  const names = [...new Set(parts.map(({ name }) => name))];
  const places = createValuePlaces(names, true);
  const write = parts.map((part) => createKeyWriter(part, quick.language));
  const partColumns = parts.map(({ name }) => names.indexOf(name));
  const search = quick.words.length === 0 ? undefined : createBlockSearch(quick.words, quick.columns);
  const found = new Int32Array(names.length);

  /** Adds a row's keys; returns false, adding nothing, if the row must be parsed. */
  const addKeys = (
    bytes: Buffer,
    start: number,
    end: number,
    recordID: string,
    rows: PackedRows,
  ): boolean => {
    if (parts.length > 0) {
      if (!places.read(bytes, start, end)) return false;
      found.fill(-1);
      for (let at = places.count() - 1; at >= 0; at--) found[places.columns[at] ?? 0] = at;
    }
    for (let part = 0; part < parts.length; part++) {
      const at = found[partColumns[part] ?? 0] ?? -1;
      const from = at < 0 ? -1 : (places.starts[at] ?? 0);
      if (!write[part]?.prepare(bytes, from, places.ends[at] ?? 0)) return false;
    }
    rows.begin(recordID);
    for (let part = 0; part < parts.length; part++) write[part]?.pushPrepared(rows, part);
    return true;
  };

  return {
    /** Adds the block's matching rows; calls `parse` for those that bytes don't decide. */
    read(block, rows, parse) {
      const { keys, bytes, starts, ends, templates } = block;
      const gone = hasNoDeletedRows ? NOTHING : findPossiblyDeleted(block);
      const fits = search?.(block);
      for (let at = 0; at < keys.length; at++) {
        const fit = fits?.[at] ?? FITS;
        places.setTemplate(templates?.[at]);
        if (gone.has(at) || fit === UNDECIDED) parse(at);
        else if (fit === FITS && !addKeys(bytes, starts[at] ?? 0, ends[at] ?? 0, keys[at] ?? '', rows))
          parse(at);
      }
    },
  };
}

/** Returns indexes of all deleted or purged rows, and perhaps others: parse them to know. */
function findPossiblyDeleted({ bytes, starts, templates = [] }: StoredBlock): ReadonlySet<number> {
  const gone = new Set<number>();
  let known: readonly string[] | undefined;
  let isMarked = false;
  for (const [at, template] of templates.entries()) {
    if (template !== known)
      isMarked = GONE.some((mark) => template?.join('').includes(String(mark)) === true);
    known = template;
    if (isMarked) gone.add(at);
  }
  for (const mark of GONE) {
    for (let found = bytes.indexOf(mark); found >= 0; found = bytes.indexOf(mark, found + 1))
      gone.add(lastStartingBefore(starts, found));
  }
  return gone;
}

const MISSES = 0;
const FITS = 1;
const UNDECIDED = 2;

/** Per row 0, 1 or 2: misses, fits, or must be parsed. Calls reuse the array. */
type BlockSearch = (block: StoredBlock) => Uint8Array;

/** Separates values; occurs in no word. */
const BETWEEN = 0x0a;

/**
 * Creates a search of blocks for all words in some of these columns. It folds a block's ASCII values into one buffer,
 * for `Buffer.indexOf`; rows with others are undecided.
 * @param words folded, without blanks
 */
function createBlockSearch(words: readonly string[], columns: readonly string[]): BlockSearch {
  const places = createValuePlaces(columns, false);
  const areFindable = words.every((word) => /^[\x21-\x7f]+$/.test(word));
  const [first, ...others] = words.toSorted((a, b) => b.length - a.length).map((word) => Buffer.from(word));
  let text = Buffer.alloc(0);
  let ends = new Uint32Array(0);
  let fits = new Uint8Array(0);

  /** Appends the row's folded values; returns their end, or {@link NEEDS_GENERAL_PATH} (-1) to parse the row. */
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
      places.setTemplate(templates?.[at]);
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
