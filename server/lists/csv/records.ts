import Papa from 'papaparse';
import { createYielder } from '../../base/yield.ts';
import type { Amount } from '../sheets/workbook.ts';
import { isDrawnLine, NULL } from './cells.ts';
import {
  createQuoteAligner,
  escapeInClass,
  findNewline,
  ONE_COLUMN,
  swapQuotes,
  unfoldLine,
} from './delimiter.ts';
import { decodeSlices } from './encoding.ts';
import { said, type Words } from '../../words/said.ts';

export interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
  /** Columns, from 0, with digits as text. */
  readonly digits?: ReadonlySet<number>;
  /** Columns, from 0, formatted as text. */
  readonly formatted?: ReadonlySet<number>;
  /** Displayed number formats, by column from 0. */
  readonly amounts?: readonly (Amount | undefined)[];
  readonly isHidden?: true;
  /** The last line, without a line end. */
  readonly isUnended?: true;
}

export interface BadLine {
  readonly line: number;
  readonly reason: Words;
}

export interface CsvFormat {
  readonly encoding: string;
  readonly delimiter: string;
  readonly hasPaddedQuotes?: boolean;
  readonly isInApostrophes?: boolean;
}

export interface Slice {
  readonly records: readonly (CsvRecord | BadLine)[];
  /** Part read so far, 0 to 1. */
  readonly share: number;
}

/** Noncharacter, in no text: a line is one column. */
const NEVER = '\ufdd0';
/** A record may slightly exceed the longest value (1 MiB). */
const WINDOWS = [64 * 1024, 256 * 1024, 1280 * 1024];
/** An unclosed quotation mark costs a window per line. Beyond, the file is no CSV. */
const MAX_FAILED_TRIES = 128 * 1024 * 1024;
const STRAY_MARK = 64;

/**
 * Yields records in slices, without blank and drawn lines. A stray or unclosed quotation mark costs only its own line,
 * until too much was parsed in vain: then the last record says so. `\"` within a quoted value, as of MySQL, is a
 * quotation mark; LF, CRLF and CR may be mixed.
 */
export async function* readRecords(bytes: Buffer, format: CsvFormat): AsyncGenerator<Slice> {
  const pause = createYielder();
  const source = createTextSource(bytes, format);
  const delimiter = format.delimiter === ONE_COLUMN ? NEVER : format.delimiter;
  const unfold = createUnfolder({ ...format, delimiter });
  let line = 1;
  let inVain = 0;
  let window = 0;

  const emptyLines = createEmptyLines(delimiter, source.newline);
  while (source.decodeAhead(WINDOWS[window] ?? 0)) {
    const [empty] = emptyLines.exec(source.text) ?? [];
    if (empty !== undefined) {
      line += countCharacter(empty, source.newline);
      source.drop(empty.length);
      await pause();
      continue;
    }
    const size = WINDOWS[window] ?? 0;
    const text = source.text.slice(0, size);
    const isLast = source.ended && source.text.length <= size;
    const { records, lines, length, broken, past } = parseUntilBroken(
      text,
      line,
      delimiter,
      source.newline,
      !isLast,
    );
    line += lines;
    source.drop(length);
    const read: (CsvRecord | BadLine)[] = records;
    if (broken) {
      inVain += past;
      read.push({ line, reason: broken });
      line++;
      source.dropLine();
    } else if (length === 0 && !isLast && window < WINDOWS.length - 1) {
      window++;
      continue;
    } else if (length === 0) {
      const isOpen = text.includes(source.newline);
      read.push({ line, reason: said(isOpen ? 'csv.open-quote' : 'csv.too-long') });
      inVain += text.length;
      line++;
      source.dropLine();
    }
    window = 0;
    if (read.length > 0) yield { records: read.map(unfold), share: source.share() };
    if (inVain > MAX_FAILED_TRIES) {
      const reason = said('csv.too-many-open-quotes');
      yield { records: [{ line, reason }], share: 1 };
      return;
    }
    await pause();
  }
}

/**
 * Returns a function that splits lines quoted whole into as many values as the line before has, restores signs of a
 * text in apostrophes, and empties values that databases write as unknown.
 */
function createUnfolder({
  delimiter,
  isInApostrophes,
}: CsvFormat): (record: CsvRecord | BadLine) => CsvRecord | BadLine {
  let width = 0;
  return (record) => {
    if (!('fields' in record)) return record;
    const fields =
      isInApostrophes === true
        ? record.fields.map(swapQuotes)
        : (unfoldLine(record.fields, delimiter, width) ?? record.fields);
    if (record.fields.length > 1) width = record.fields.length;
    return { ...record, fields: fields.map((field) => (field === NULL ? '' : field)) };
  };
}

/**
 * Returns a pattern of up to 10,000 lines of only delimiters and blanks at the start: parsing millions would take
 * minutes.
 */
const createEmptyLines = (delimiter: string, newline: '\n' | '\r'): RegExp =>
  new RegExp(`^(?:[ \\t${newline === '\n' ? '\\r' : ''}${escapeInClass(delimiter)}]*${newline}){1,10000}`);

interface TextSource {
  text: string;
  readonly newline: '\n' | '\r';
  ended: boolean;
  /** Buffers over `size` characters or all; returns false at the end. */
  decodeAhead(size: number): boolean;
  /** Removes characters from the buffer's start. */
  drop(length: number): void;
  dropLine(): void;
  share(): number;
}

/** Decodes the file in slices, as far as asked. CR ends lines as {@link findNewline} finds in the first 256 KiB. */
function createTextSource(
  bytes: Buffer,
  { encoding, delimiter, hasPaddedQuotes, isInApostrophes }: CsvFormat,
): TextSource {
  const slices = decodeSlices(bytes, encoding);
  const align = hasPaddedQuotes === true ? createQuoteAligner(delimiter) : undefined;
  let decoded = 0;
  const source: TextSource & { newline: '\n' | '\r' } = {
    text: '',
    newline: '\n',
    ended: false,
    /** Decodes until it holds more than `size` characters or the file ends; returns whether it holds any. */
    decodeAhead(size) {
      while (!source.ended && source.text.length <= size) {
        const next = slices.next();
        if (next.done) source.ended = true;
        else {
          const text = isInApostrophes === true ? swapQuotes(next.value) : next.value;
          source.text += align?.(text) ?? text;
          decoded++;
        }
      }
      return source.text !== '';
    },
    /** Drops so many characters from the start. */
    drop(length) {
      source.text = source.text.slice(length);
    },
    /** Drops text up to the next line end, decoding as needed. */
    dropLine() {
      let end = source.text.indexOf(source.newline);
      while (end < 0 && !source.ended) {
        source.text = '';
        source.decodeAhead(WINDOWS[0] ?? 0);
        end = source.text.indexOf(source.newline);
      }
      source.drop(end < 0 ? source.text.length : end + 1);
    },
    share: () => (source.ended ? 1 : Math.min(1, (decoded * 64 * 1024) / bytes.length)),
  };
  source.decodeAhead(WINDOWS[1] ?? 0);
  source.newline = findNewline(source.text);
  return source;
}

interface Parsed {
  readonly records: CsvRecord[];
  readonly lines: number;
  readonly length: number;
  readonly broken?: Words;
  /** Its cost in characters: up to its end, plus 64 per stray mark. */
  readonly past: number;
}

interface Step {
  readonly data: readonly (readonly string[])[];
  readonly errors: readonly { readonly code: string }[];
  readonly meta: { readonly cursor: number };
}

/**
 * Parses records, without blank and drawn lines, up to the first unreadable one or behind one that only escapes make
 * readable. Counts the characters and lines parsed, and says what is unreadable.
 * @param partial more text follows, so an incomplete last record is left
 */
function parseUntilBroken(
  text: string,
  firstLine: number,
  delimiter: string,
  newline: '\n' | '\r',
  partial: boolean,
): Parsed {
  const records: CsvRecord[] = [];
  let line = firstLine;
  let length = 0;
  let broken: Words | undefined;
  let past = 0;
  /** Records why parsing stops, and its cost in characters: up to `end`, and 64 for each error. */
  const recordUnreadable = (errors: Step['errors'], end: number): void => {
    const isOpen = errors.some(({ code }) => code === 'MissingQuotes');
    broken = isOpen ? said('csv.open-quote') : said('csv.after-quote');
    past = end - length + STRAY_MARK * errors.length;
  };
  /**
   * Adds a record unless blank or drawn; stops the parser at an unreadable one, and behind one that only escapes make
   * readable.
   */
  const addRecord = (result: unknown): void => {
    const step = result as Step;
    const { data, errors, meta } = retryWithEscapes(step, text, length, { delimiter, newline });
    if (errors.length > 0) {
      recordUnreadable(errors, meta.cursor);
      parser.abort();
      return;
    }
    const raw = text.slice(length, meta.cursor);
    const fields = dropCarriageReturn(data[0] ?? [], raw, delimiter);
    if (fields.some((field) => field.trim() !== '') && !isDrawnLine(fields, raw))
      records.push({ line, fields, ...(raw.endsWith(newline) ? {} : { isUnended: true }) });
    line += countCharacter(raw, newline);
    length = meta.cursor;
    if (meta.cursor !== step.meta.cursor) parser.abort();
  };
  const parser = new Papa.Parser({ delimiter, newline, step: addRecord });
  const { errors } = parser.parse(text, 0, partial) as Pick<Step, 'errors'>;
  // In a record that continues, unlike earlier marks the last may still be closed.
  if (!broken && errors.length > 1) recordUnreadable(errors, text.length);
  return { records, lines: line - firstLine, length, past, ...(broken === undefined ? {} : { broken }) };
}

/** Reads `\"` as a quotation mark if the step has errors, and that reading has none; otherwise returns the step. */
function retryWithEscapes(
  step: Step,
  text: string,
  from: number,
  format: { readonly delimiter: string; readonly newline: '\n' | '\r' },
): Step {
  const record = text.slice(from, step.meta.cursor + LONGEST_ESCAPED);
  if (step.errors.length === 0 || !record.includes('\\"')) return step;
  let escaped: Step | undefined;
  const parser = new Papa.Parser({
    ...format,
    escapeChar: '\\',
    step: (result: unknown) => {
      escaped = result as Step;
      parser.abort();
    },
  });
  parser.parse(record, 0, from + record.length < text.length);
  if (!escaped || escaped.errors.length > 0) return step;
  return { ...escaped, meta: { cursor: from + escaped.meta.cursor } };
}

const LONGEST_ESCAPED = 16 * 1024;

/** Removes carriage returns at the end of the last field, unless it was quoted. */
function dropCarriageReturn(fields: readonly string[], raw: string, delimiter: string): readonly string[] {
  const last = fields.at(-1);
  if (!last?.endsWith('\r')) return fields;
  const end = raw.endsWith('\n') ? 1 : 0;
  const start = raw.length - end - last.length;
  const isBare =
    raw.slice(start, raw.length - end) === last && (start === 0 || raw.slice(0, start).endsWith(delimiter));
  return isBare ? [...fields.slice(0, -1), last.replace(/\r{1,3}$/, '')] : fields;
}

/** Returns how often the character occurs. */
function countCharacter(text: string, character: string): number {
  let found = 0;
  for (let at = text.indexOf(character); at >= 0; at = text.indexOf(character, at + 1)) found++;
  return found;
}
