/**
 * Finds values in stored bytes without parsing. If `read` returns true, each value equals the bytes between
 * its quotation marks; otherwise (escapes) parse the row.
 */
export interface ValuePlaces {
  setTemplate(template: readonly string[] | undefined): void;
  /** Returns false to require parsing. */
  read(bytes: Buffer, start: number, end: number): boolean;
  /** In row order. */
  count(): number;
  /** By value: column index, start and exclusive end. */
  readonly columns: readonly number[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN = 0x7b;
const CLOSE = 0x7d;
const VALUES = Buffer.from(',"values":');
/** Length of `","` between texts, without outer quotation marks. */
const BETWEEN_TEXTS = 3;
/** Marks a text's number; never unescaped in JSON. */
const MARK = '\u0001';
// eslint-disable-next-line no-control-regex -- the mark
const MARKED = /^\u0001(\d+)\u0001$/;

interface WantedText {
  readonly number: number;
  readonly column: number;
  /** Empty if the column is; lists hold other values. */
  readonly isOptional: boolean;
}

/**
 * Finds the places of columns' values in a stored row's bytes, without parsing it.
 * @param firstOnly only each column's first value
 */
export function createValuePlaces(names: readonly string[], firstOnly: boolean): ValuePlaces {
  const written = names.map((name) => Buffer.from(`${JSON.stringify(name)}:`));
  const columns: number[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let count = 0;
  /** Rows usually share a column order. */
  let guess = 0;
  let areTexts = false;
  let template: readonly string[] | undefined;
  /** Wanted template values, in order; undefined: parse its rows. */
  let wanted: readonly WantedText[] | undefined;

  /** Returns whether the bytes contain this text at the index; false for undefined. */
  const isAt = (bytes: Buffer, at: number, text: Buffer | undefined): boolean => {
    if (!text) return false;
    for (let offset = 0; offset < text.length; offset++)
      if (bytes[at + offset] !== text[offset]) return false;
    return true;
  };
  /** Returns the index of the column that begins here; -1 if it isn't wanted. */
  const columnAt = (bytes: Buffer, at: number): number => {
    for (let tried = 0; tried < written.length; tried++, guess = (guess + 1) % written.length) {
      if (isAt(bytes, at, written[guess])) return guess;
    }
    return -1;
  };
  /** Returns the index of the closing quotation mark; -1 without one, or if something is escaped. */
  const findTextEnd = (bytes: Buffer, start: number, end: number): number => {
    for (let at = start; at < end; at++) {
      const byte = bytes[at];
      if (byte === QUOTE) return at;
      if (byte === BACKSLASH) return -1;
    }
    return -1;
  };
  /**
   * Records the place of a text from `start`, after its opening quotation mark, unless empty or unwanted. Returns the
   * index of its closing quotation mark; -1 if the row must be parsed.
   */
  const readText = (bytes: Buffer, start: number, end: number, column: number): number => {
    const close = findTextEnd(bytes, start, end);
    if (close <= start || column < 0) return close;
    columns[count] = column;
    starts[count] = start;
    ends[count++] = close;
    return close;
  };
  /**
   * Records the places of a column's texts. Returns the index of the last character; -1 if the row must be parsed.
   * @param column its index; negative: records nothing
   */
  const readColumn = (bytes: Buffer, start: number, end: number, column: number): number => {
    if (bytes[start] === QUOTE) return readText(bytes, start + 1, end, column);
    if (bytes[start] !== OPEN_LIST) return -1;
    let at = start + 1;
    for (let isFirst = true; bytes[at] === QUOTE; isFirst = false) {
      const close = findTextEnd(bytes, at + 1, end);
      if (close < 0) return -1;
      if (column >= 0 && (isFirst || !firstOnly)) {
        columns[count] = column;
        starts[count] = at + 1;
        ends[count++] = close;
      }
      at = bytes[close + 1] === COMMA ? close + 2 : close + 1;
    }
    return bytes[at] === CLOSE_LIST ? at : -1;
  };

  /** Records the places of wanted values in a row stored as JSON; returns false if it must be parsed. */
  const readJson = (bytes: Buffer, start: number, end: number): boolean => {
    count = 0;
    guess = 0;
    // Only texts and times precede, so the first bracket is that of values.
    let at = start + 1;
    while (at < end && bytes[at] !== OPEN) at++;
    if (!isAt(bytes, at - VALUES.length, VALUES) || bytes[start] !== OPEN) return false;
    if (bytes[++at] === CLOSE) return true;
    for (let found = 0; at < end; at++) {
      if (bytes[at] !== QUOTE) return false;
      const column = columnAt(bytes, at);
      const texts = column < 0 ? findTextEnd(bytes, at + 1, end) + 2 : at + (written[column]?.length ?? 0);
      if (texts < at || bytes[texts - 1] !== COLON) return false;
      const last = readColumn(bytes, texts, end, column);
      if (last < 0) return false;
      if (column >= 0 && ++found === names.length) return true;
      at = last + 1;
      if (bytes[at] === CLOSE) return true;
      if (bytes[at] !== COMMA) return false;
      if (column >= 0) guess = (column + 1) % written.length;
    }
    return false;
  };
  /** Records the places of wanted values in a row stored as texts of a template; returns false if it must be parsed. */
  const readTexts = (bytes: Buffer, start: number, end: number): boolean => {
    count = 0;
    if (!wanted) return false;
    let at = start;
    let index = 0;
    let next = wanted[0];
    for (let text = 0; next; text++) {
      const close = findTextEnd(bytes, at, end + 1);
      if (close < 0) return false;
      if (text === next.number) {
        if (close > at || !next.isOptional) {
          columns[count] = next.column;
          starts[count] = at;
          ends[count++] = close;
        }
        next = wanted[++index];
      }
      at = close + BETWEEN_TEXTS;
    }
    return true;
  };
  /**
   * Returns which texts of a template, by number, are values of wanted columns, in order. Undefined if its rows must be
   * parsed: a value isn't exactly one text. Overwrites the recorded places.
   */
  const readTemplate = (pieces: readonly string[]): readonly WantedText[] | undefined => {
    const marked = Buffer.from(pieces.reduce((row, piece, at) => `${row}${MARK}${at - 1}${MARK}${piece}`));
    if (!readJson(marked, 0, marked.length)) return undefined;
    const found: WantedText[] = [];
    for (let at = 0; at < count; at++) {
      const [, number] = MARKED.exec(marked.toString('utf8', starts[at], ends[at])) ?? [];
      // The value is in the template or spans two texts.
      if (number === undefined) return undefined;
      const isOptional = marked[(starts[at] ?? 0) - 2] === COLON;
      found.push({ number: Number(number), column: columns[at] ?? 0, isOptional });
    }
    return found;
  };

  return {
    /** Sets the template of the rows read next; undefined: they are stored as JSON. */
    setTemplate(next) {
      areTexts = next !== undefined;
      if (!next || next === template) return;
      template = next;
      wanted = readTemplate(next);
    },
    read: (bytes, start, end) => (areTexts ? readTexts : readJson)(bytes, start, end),
    count: () => count,
    columns,
    starts,
    ends,
  };
}
