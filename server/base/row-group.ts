import { z } from 'zod';
import type { IncomingColumns, IncomingRow } from './incoming-row.ts';

/**
 * New and plain rows by column, as one line of JSON. Texts that many rows share are in the dictionaries
 * `vias` and `times`, in order of first use. Numbers are little-endian and in base64: `ids` of 64 bits; `at`
 * of 16 bits, four a row (via, createdAt, updatedAt, time of origin); `lengths` of 32 bits, of each row's
 * value by column, 0 without one. `names` and `text` hold the ids of origin and each column's values,
 * concatenated.
 */
export const rowGroup = z.strictObject({
  n: z.int().min(1),
  fields: z.array(z.string().min(1)),
  vias: z.array(z.array(z.string())),
  times: z.array(z.string()),
  ids: z.string(),
  at: z.string(),
  names: z.string(),
  lengths: z.array(z.string()),
  text: z.array(z.string()),
});

/** Rows beyond these limits go into the next group. */
export const GROUP_ROWS = 2000;
const MAX_GROUP_CHARS = 768 * 1024;
const ORIGIN_ID_CHARS = 22;
const NUMBERS_A_ROW = 4;
const NAME = /^[A-Za-z0-9_-]*$/;

export interface GroupedRow extends Required<
  Pick<IncomingRow, 'recordID' | 'createdAt' | 'updatedAt' | 'via' | 'origin'>
> {
  readonly deletedAt?: string;
  /** In column order; several of one name are one column's. */
  readonly values: readonly { readonly name: string; readonly value: string }[];
}

export interface GroupedCells extends Pick<GroupedRow, 'recordID' | 'createdAt' | 'updatedAt' | 'via'> {
  readonly originID: string;
  readonly originAt: string;
}

export interface RowGroupWriter {
  /**
   * Adds a row; returns false if this group is full, or none takes it (deleted, empty or repeated values).
   */
  add(row: GroupedRow): boolean;
  /** Adds a row with the values at `places` of `texts`, by column; undefined and empty: none. */
  addCells(row: GroupedCells, texts: readonly string[], places: readonly (number | undefined)[]): boolean;
  /** Returns one line of JSON. Requires an added row. */
  json(): string;
}

const NO_VALUE = { name: undefined, value: '' };

/**
 * Creates a writer that collects rows into one group, by column. `add` and `addCells` add nothing and return false if
 * the group is full or {@link readRowGroup} would refuse the row; `add` also if it is deleted or not in column order.
 */
export function createRowGroup(fields: readonly string[]): RowGroupWriter {
  const vias = createDictionary<readonly string[]>((via) => JSON.stringify(via));
  const times = createDictionary<string>((time) => time);
  const [ids, at, names]: [bigint[], number[], string[]] = [[], [], []];
  const cells = fields.map((): string[] => []);
  const places = fields.map((_, column) => column);
  const texts = fields.map(() => '');
  let chars = 0;

  /**
   * Fills `texts` with a row's values by column. Returns false if one is empty or of no column, a column has several,
   * or they aren't in column order.
   */
  const fillTexts = (values: GroupedRow['values']): boolean => {
    let next = 0;
    for (let column = 0; column < fields.length; column++) {
      const { name, value } = values[next] ?? NO_VALUE;
      const isOfColumn = name === fields[column];
      if (isOfColumn && value === '') return false;
      texts[column] = isOfColumn ? value : '';
      if (isOfColumn) next++;
    }
    return next === values.length;
  };

  /**
   * Adds a row with the texts of `source` at `indexes` by column, none without an index. Returns false if the group is
   * full or its reader would refuse the row: a third office's row must not stop all others.
   */
  function addCells(
    { recordID, createdAt, updatedAt, via, originID, originAt }: GroupedCells,
    source: readonly string[],
    indexes: readonly (number | undefined)[],
  ): boolean {
    if (ids.length === GROUP_ROWS || originID.length !== ORIGIN_ID_CHARS || !isShortWay(via)) return false;
    let size = chars;
    for (const place of indexes) {
      const text = place === undefined ? '' : (source[place] ?? '');
      if (!endsWhole(text)) return false;
      size += text.length;
    }
    if (size > MAX_GROUP_CHARS) return false;
    chars = size;
    ids.push(BigInt(recordID));
    at.push(
      vias.numberFor(via),
      times.numberFor(createdAt),
      times.numberFor(updatedAt),
      times.numberFor(originAt),
    );
    names.push(originID);
    for (let column = 0; column < cells.length; column++) {
      const place = indexes[column];
      cells[column]?.push(place === undefined ? '' : (source[place] ?? ''));
    }
    return true;
  }

  return {
    add: ({ deletedAt, origin, values, ...row }) =>
      deletedAt === undefined &&
      fillTexts(values) &&
      addCells({ ...row, originID: origin.id, originAt: origin.at }, texts, places),
    addCells,
    json: () =>
      JSON.stringify({
        ...{ n: ids.length, fields, vias: vias.all, times: times.all },
        ids: Buffer.from(BigUint64Array.from(ids).buffer).toString('base64'),
        at: Buffer.from(Uint16Array.from(at).buffer).toString('base64'),
        names: names.join(''),
        lengths: cells.map((each) =>
          Buffer.from(Uint32Array.from(each, ({ length }) => length).buffer).toString('base64'),
        ),
        text: cells.map((each) => each.join('')),
      } satisfies { readonly [K in keyof z.infer<typeof rowGroup>]: unknown }),
  };
}

interface Dictionary<T> {
  readonly all: readonly T[];
  /** Returns the value's number, a new one if necessary. */
  numberFor(value: T): number;
}

/**
 * Creates a dictionary that numbers values from 0; equal ones by `keyOf` get one number. `all` has them in this order.
 */
function createDictionary<T>(keyOf: (value: T) => string): Dictionary<T> {
  const all: T[] = [];
  const numbers = new Map<string, number>();
  let last: { readonly value: T; readonly number: number } | undefined;
  return {
    all,
    /** Returns the value's number; a new value gets the next one. */
    numberFor(value) {
      if (last?.value === value) return last.number;
      const key = keyOf(value);
      let number = numbers.get(key);
      if (number === undefined) {
        number = all.push(value) - 1;
        numbers.set(key, number);
      }
      last = { value, number };
      return number;
    },
  };
}

export class BadRowGroup extends Error {}

/**
 * Returns a parsed group's rows, and how many characters their values have. Accepts exactly what {@link createRowGroup}
 * writes: each dictionary entry once and used, in the order of first use. Throws {@link BadRowGroup}, also over
 * `limits`.
 */
export function readRowGroup(
  data: unknown,
  isTime: (text: string) => boolean,
  limits: { readonly valuesPerRow: number; readonly nameLength: number },
): { readonly columns: IncomingColumns; readonly chars: number } {
  const parsed = rowGroup.safeParse(data);
  if (!parsed.success) throw new BadRowGroup('its parts are not what they should be');
  const { n, fields, vias, times, names, lengths, text } = parsed.data;
  assertValid(n <= GROUP_ROWS, 'it has too many rows');
  assertValid(areDistinct(fields) && !fields.includes('__proto__'), 'a column has no proper name');
  assertValid(
    fields.length <= limits.valuesPerRow && fields.every((name) => name.length <= limits.nameLength),
    'its columns are too many, or their names too long',
  );
  assertValid(text.length === fields.length && lengths.length === fields.length, 'a column is missing');
  const chars = text.reduce((sum, each) => sum + each.length, 0);
  assertValid(chars <= MAX_GROUP_CHARS, 'its values are too long');
  assertValid(
    names.length === n * ORIGIN_ID_CHARS && NAME.test(names),
    'its names are not what they should be',
  );
  assertValid(times.every(isTime), 'it has something else for a time');
  assertValid(
    areDistinct(times) && areDistinct(vias.map((via) => JSON.stringify(via))),
    'it names one thing twice',
  );
  assertValid(vias.every(isShortWay), 'it came too far');
  const ids = bytesOf(parsed.data.ids, 8 * n);
  const at = bytesOf(parsed.data.at, 2 * NUMBERS_A_ROW * n);
  const cells = fields.map(
    (name, column) => [name, cellsOf(text[column] ?? '', bytesOf(lengths[column] ?? '', 4 * n))] as const,
  );
  const [viaOf, timeOf] = [inFirstUseOrder(vias), inFirstUseOrder(times)];
  const [recordIDs, createdAt, updatedAt]: [string[], string[], string[]] = [[], [], []];
  const [viasOfRows, originIDs, originTimes]: [(readonly string[])[], string[], string[]] = [[], [], []];
  for (let row = 0; row < n; row++) {
    const first = 2 * NUMBERS_A_ROW * row;
    recordIDs.push(ids.readBigUInt64LE(8 * row).toString());
    viasOfRows.push(viaOf.at(at.readUInt16LE(first)));
    createdAt.push(timeOf.at(at.readUInt16LE(first + 2)));
    updatedAt.push(timeOf.at(at.readUInt16LE(first + 4)));
    originIDs.push(names.slice(ORIGIN_ID_CHARS * row, ORIGIN_ID_CHARS * (row + 1)));
    originTimes.push(timeOf.at(at.readUInt16LE(first + 6)));
  }
  viaOf.end();
  timeOf.end();
  return {
    columns: {
      ...{ recordIDs, createdAt, updatedAt, vias: viasOfRows, originIDs, originTimes },
      cells: new Map(cells),
    },
    chars,
  };
}

/** Throws {@link BadRowGroup} with `otherwise` if false. */
function assertValid(holds: boolean, otherwise: string): void {
  if (!holds) throw new BadRowGroup(otherwise);
}

const areDistinct = (texts: readonly string[]): boolean => new Set(texts).size === texts.length;

/** Returns the bytes of a base64 text. Throws {@link BadRowGroup} unless it is canonical and has `size` bytes. */
function bytesOf(text: string, size: number): Buffer {
  const bytes = Buffer.from(text, 'base64');
  assertValid(
    bytes.length === size && bytes.toString('base64') === text,
    'its numbers are not what they should be',
  );
  return bytes;
}

/**
 * Splits the text by its parts' lengths; a row without a value gets an empty text. Throws {@link BadRowGroup} if a text
 * ends outside `all` or within a character, or text is left.
 */
function cellsOf(all: string, lengths: Buffer): readonly string[] {
  const cells: string[] = [];
  let from = 0;
  for (let at = 0; at < lengths.length; at += 4) {
    const to = from + lengths.readUInt32LE(at);
    const text = all.slice(from, to);
    assertValid(to <= all.length && endsWhole(text), 'a value ends where it cannot');
    cells.push(text);
    from = to;
  }
  assertValid(from === all.length, 'there is more text than values');
  return cells;
}

/** Readers accept no longer path of offices. */
const isShortWay = (via: readonly string[]): boolean =>
  via.length <= 100 && via.every((each) => each.length <= 100);

/**
 * Returns whether the text neither begins nor ends with half of a surrogate pair, which could join one of the next
 * value.
 */
const endsWhole = (text: string): boolean =>
  (text.charCodeAt(0) & 0xfc00) !== 0xdc00 && (text.charCodeAt(text.length - 1) & 0xfc00) !== 0xd800;

/**
 * Returns a reader of a dictionary by number. It throws {@link BadRowGroup} unless all entries are used, in the order
 * of first use.
 */
function inFirstUseOrder<T>(entries: readonly T[]): { at(number: number): T; end(): void } {
  let used = 0;
  return {
    /** Returns the entry of this number and counts it as used. Throws {@link BadRowGroup} if missing or skipping. */
    at(number) {
      const entry = entries[number];
      if (entry === undefined || number > used) throw new BadRowGroup('a number means nothing');
      if (number === used) used++;
      return entry;
    },
    end: () => assertValid(used === entries.length, 'it names what no row has'),
  };
}
