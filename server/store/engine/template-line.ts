import { isUtf8 } from 'node:buffer';
import { compareKeys } from '../../base/sorted-list.ts';
import { parseJson } from '../files/format.ts';
import { operationLine, type LineRef } from '../files/line-buffer.ts';
import type { TemplateEntries } from '../store.ts';
import { fillTemplate, Template, unescapeTexts } from './template.ts';

/**
 * A line of several new entries that share a template: `[seq,"+table","first
 * key",{"template":["…","…"],"texts":[["key","…"],["key","…"]]}]`. An entry's JSON is the template's pieces
 * with its texts between them, its key first. Numbers rise by one from `seq`; keys rise. Adjacent texts let
 * an entry be read alone. Only exact bytes of {@link formatTemplateLine} are accepted.
 */
const MARK = '+';
export const isTemplateTable = (table: string): boolean => table.startsWith(MARK);

/** Fewer entries take less room separately. */
export const MIN_LINE_ENTRIES = 8;
/** More than are written now, for later versions. */
const MAX_ENTRIES_READ = 1000;
/** Maximum JSON bytes of a foreign line's entries. */
const MAX_JSON_BYTES = 64 * 1024 * 1024;

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN = 0x5b;
const CLOSE = 0x5d;
const FIRST_PRINTABLE = 0x20;
/** Unescaped in JSON. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;
const HEAD = '{"template":';
const TEXTS = ',"texts":[';
const TEXTS_BYTES = Buffer.from(`]${TEXTS}["`);
const TAIL = ']}]';

/** Returns a line, with line break, that puts these entries as changes from `seq` on. */
export function formatTemplateLine(
  seq: number,
  table: string,
  { keys, template, texts }: Pick<TemplateEntries, 'keys' | 'template' | 'texts'>,
): string {
  const json = `${HEAD}${JSON.stringify(template)}${TEXTS}["${texts.join('"],["')}"]]}`;
  return `${operationLine(seq, MARK + table, keys[0] ?? '', json)}\n`;
}

/** Several entries, as in the file, outside the JavaScript heap. */
export interface TemplateLine {
  readonly table: string;
  readonly template: Template;
  readonly count: number;
  readonly seq: number;
  /** `SegmentCompactor` may replace these three. */
  bytes: Buffer;
  start: number;
  end: number;
}

export class TemplateRef {
  readonly key: string;
  readonly seq: number;
  readonly line: TemplateLine;
  /** Its texts without outer quotation marks, as offsets from the line's start. */
  readonly start: number;
  readonly end: number;

  constructor(line: TemplateLine, key: string, seq: number, start: number, end: number) {
    this.key = key;
    this.seq = seq;
    this.line = line;
    this.start = start;
    this.end = end;
  }

  /** Position in the line, from 0. */
  get place(): number {
    return this.seq - this.line.seq;
  }

  /** Returns the entry's value as JSON. */
  json(): string {
    return fillTemplate(this.line.template.pieces, this.#json());
  }

  /** Returns the entry's parsed value, not decoded. */
  value(): unknown {
    return this.line.template.valueOf(this.#json());
  }

  /** Returns the approximate JSON size in bytes. */
  size(): number {
    return this.end - this.start + this.line.template.json.length;
  }

  /** Returns a line of its own for this entry, with the same sequence number. */
  ownLine(): LineRef {
    const { key, seq } = this;
    const bytes = Buffer.from(`${operationLine(seq, this.line.table, key, this.json())}\n`);
    return { key, seq, bytes, start: 0, end: bytes.length - 1 };
  }

  /** Returns the entry's unescaped texts, its key first. */
  texts(): readonly string[] {
    return unescapeTexts(this.#json());
  }

  /** Returns the texts as in the line: escaped, joined by `","`. */
  #json(): string {
    const { bytes, start } = this.line;
    return bytes.toString('utf8', start + this.start, start + this.end);
  }
}

/**
 * Returns the entries of a line by {@link formatTemplateLine}; undefined for others. Reuses the template `last` of the
 * line before if equal.
 */
export function readTemplateLine(
  table: string,
  { key, seq, bytes, start, end }: LineRef,
  last?: Template,
): readonly TemplateRef[] | undefined {
  const head = operationLine(seq, table, key, HEAD).slice(0, -1);
  const from = start + Buffer.byteLength(head);
  const to = bytes.indexOf(TEXTS_BYTES, from) + 1;
  if (to === 0 || to >= end || bytes.toString('utf8', start, from) !== head) return undefined;
  if (bytes.toString('latin1', end - TAIL.length, end) !== TAIL || !isUtf8(bytes.subarray(start, end)))
    return undefined;
  const json = bytes.toString('utf8', from, to);
  const template = json === last?.json ? last : Template.parse(json);
  if (!template) return undefined;
  const line = { table: table.slice(MARK.length), template, count: 0, seq, bytes, start, end };
  const refs = readEntries(line, to + TEXTS.length, end - TAIL.length);
  const isWhole = refs?.[0]?.key === key && refs.length * template.json.length <= MAX_JSON_BYTES;
  line.count = refs?.length ?? 0;
  return isWhole ? refs : undefined;
}

/**
 * Returns the line's entries, between its bytes `from` and `to`; undefined unless the bytes are exactly as they would
 * be written.
 */
function readEntries(line: TemplateLine, from: number, to: number): readonly TemplateRef[] | undefined {
  const { bytes, start, seq, template } = line;
  const expected = template.pieces.length - 1;
  const refs: TemplateRef[] = [];
  let before: string | undefined;
  for (let at = from; ; at++) {
    const { keyEnd, end, count, isEscaped } = scanTexts(bytes, at, to);
    if (count !== expected || bytes[end + 1] !== CLOSE || refs.length === MAX_ENTRIES_READ) return undefined;
    const key = bytes.toString('latin1', at + 2, keyEnd);
    if (!PLAIN.test(key) || (before !== undefined && compareKeys(before, key) >= 0)) return undefined;
    if (isEscaped && !isCanonical(bytes.toString('utf8', at, end + 2))) return undefined;
    refs.push(new TemplateRef(line, key, seq + refs.length, at + 2 - start, end - start));
    before = key;
    at = end + 2;
    if (at === to) return refs;
    if (bytes[at] !== COMMA) return undefined;
  }
}

const isCanonical = (json: string): boolean => JSON.stringify(parseJson(json)) === json;

/** `keyEnd`, `end`: closing quotes of first and last text. */
interface ScannedTexts {
  readonly keyEnd: number;
  readonly end: number;
  /** 0: no such array. */
  readonly count: number;
  readonly isEscaped: boolean;
}

/**
 * Finds the end of an array of texts, which must be before `limit`, and counts them; a `count` of 0 for anything else.
 */
function scanTexts(bytes: Buffer, start: number, limit: number): ScannedTexts {
  let [count, keyEnd, isEscaped] = [1, 0, false];
  if (bytes[start] !== OPEN || bytes[start + 1] !== QUOTE) return { keyEnd, end: start, count: 0, isEscaped };
  for (let at = start + 2; at < limit; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === QUOTE) {
      if (keyEnd === 0) keyEnd = at;
      if (bytes[at + 1] !== COMMA || bytes[at + 2] !== QUOTE) return { keyEnd, end: at, count, isEscaped };
      count++;
      at += 2;
    } else if (byte === BACKSLASH) {
      isEscaped = true;
      at++;
    } else if (byte < FIRST_PRINTABLE) break;
  }
  return { keyEnd, end: limit, count: 0, isEscaped };
}

/**
 * Yields each block's entries in order, adjacent ones of one line as a run; a block's last run comes with the next
 * block, as it may continue there.
 */
export function* groupIntoRuns(
  blocks: readonly (readonly (LineRef | TemplateRef)[])[],
): Generator<readonly (LineRef | readonly TemplateRef[])[], void, undefined> {
  let open: TemplateRef[] = [];
  for (const block of blocks) {
    const runs: (LineRef | readonly TemplateRef[])[] = [];
    for (const ref of block) {
      const isNext = ref instanceof TemplateRef && isNextInLine(ref, open.at(-1));
      if (open.length > 0 && !isNext) {
        runs.push(open);
        open = [];
      }
      if (ref instanceof TemplateRef) open.push(ref);
      else runs.push(ref);
    }
    yield runs;
  }
  if (open.length > 0) yield [open];
}

const isNextInLine = ({ line, seq }: TemplateRef, before: TemplateRef | undefined): boolean =>
  line === before?.line && seq === before.seq + 1;

/** Returns lines for adjacent entries of one line: that line if whole, else a new one, below 8 entries one each. */
export function linesOfRun(run: readonly TemplateRef[]): readonly (LineRef | TemplateLine)[] {
  const [first, last] = [run[0], run.at(-1)];
  if (!first || !last) return [];
  const { line } = first;
  if (run.length === line.count) return [line];
  if (run.length < MIN_LINE_ENTRIES) return run.map((ref) => ref.ownLine());
  const head = operationLine(first.seq, MARK + line.table, first.key, HEAD).slice(0, -1);
  const bytes = Buffer.concat([
    Buffer.from(`${head}${line.template.json}${TEXTS}["`),
    line.bytes.subarray(line.start + first.start, line.start + last.end),
    Buffer.from(`"]${TAIL}\n`),
  ]);
  return [{ ...line, seq: first.seq, count: run.length, bytes, start: 0, end: bytes.length - 1 }];
}
