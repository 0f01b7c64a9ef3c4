import { SegmentCompactor } from './segment-compactor.ts';
import type { LineRef } from '../files/line-buffer.ts';
import type { RecordRef } from './record-ref.ts';
import { fillTemplate } from './template.ts';
import { groupIntoRuns, TemplateRef } from './template-line.ts';
import type { LineSpan } from '../files/line-buffer.ts';
import type { StoredBlock } from '../store.ts';

const BLOCK_BYTES = 256 * 1024;
const NOTHING_SPARSE: ReadonlySet<ArrayBufferLike> = new Set();
/** Unescaped in JSON. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** Yields a table's entries in order, in blocks of about 256 KiB, each valid until the next. */
export function* storedBlocks(
  table: string,
  blocks: readonly (readonly RecordRef[])[],
): Generator<StoredBlock, void, undefined> {
  const gatherer = new SegmentCompactor(NOTHING_SPARSE);
  const tableLength =
    JSON.stringify(table).length === table.length + 2 ? Buffer.byteLength(table) : undefined;
  let gathered: (LineRef | readonly TemplateRef[])[] = [];
  for (const runs of groupIntoRuns(blocks)) {
    for (const run of runs) {
      gatherer.add('key' in run ? run : spanOfRun(run));
      gathered.push(run);
      if (gatherer.length() < BLOCK_BYTES) continue;
      yield createBlock(gathered, gatherer.takeAll(), tableLength);
      gathered = [];
    }
  }
  if (gathered.length > 0) yield createBlock(gathered, gatherer.takeAll(), tableLength);
}

/** Returns the bytes from the first to the last of adjacent entries of one line. */
function spanOfRun(run: readonly TemplateRef[]): LineSpan {
  const [first, last] = [run[0], run.at(-1)];
  if (!first || !last) return { bytes: Buffer.alloc(0), start: 0, end: 0 };
  const { bytes, start } = first.line;
  return { bytes, start: start + first.start, end: start + last.end };
}

/**
 * Returns a block with each value's place in `bytes`. `tableLength` is the table name's bytes; undefined if JSON
 * escapes it.
 */
function createBlock(
  gathered: readonly (LineRef | readonly TemplateRef[])[],
  bytes: Buffer,
  tableLength: number | undefined,
): StoredBlock {
  const count = gathered.reduce((sum, run) => sum + ('key' in run ? 1 : run.length), 0);
  const starts = new Uint32Array(count);
  const ends = new Uint32Array(count);
  const keys: string[] = [];
  const templates: (readonly string[] | undefined)[] = [];
  let from = 0;
  for (const run of gathered) {
    const { start, end } = 'key' in run ? run : spanOfRun(run);
    const next = from + end - start + 1;
    if ('key' in run) {
      starts[keys.length] = from + lengthBefore(run.key, run.seq, tableLength, bytes, from);
      // Excludes bracket and line break.
      ends[keys.length] = next - 2;
      keys.push(run.key);
      templates.push(undefined);
    } else {
      const shift = from - (run[0]?.start ?? 0);
      for (const ref of run) {
        starts[keys.length] = shift + ref.start;
        ends[keys.length] = shift + ref.end;
        keys.push(ref.key);
        templates.push(ref.line.template.pieces);
      }
    }
    from = next;
  }
  /** Returns the JSON of the value at this index. */
  const jsonAt = (at: number): string => {
    const [text, template] = [bytes.toString('utf8', starts[at], ends[at]), templates[at]];
    return template ? fillTemplate(template, text) : text;
  };
  return { keys, bytes, starts, ends, templates, json: jsonAt };
}

/** Returns the number of bytes of `[seq,"table","key",`, unread if nothing is escaped. */
function lengthBefore(
  key: string,
  seq: number,
  tableLength: number | undefined,
  bytes: Buffer,
  line: number,
): number {
  if (tableLength !== undefined && PLAIN.test(key)) return digitsOf(seq) + tableLength + key.length + 8;
  return valueOffset(bytes, line) - line;
}

/** Counts the decimal digits of a positive integer. */
function digitsOf(number: number): number {
  let digits = 1;
  for (let least = 10; least <= number; least *= 10) digits++;
  return digits;
}

/** Returns the value's JSON. */
export function valueJSON(slot: RecordRef): string {
  if (slot instanceof TemplateRef) return slot.json();
  const { bytes, start, end } = slot;
  return bytes.toString('utf8', valueOffset(bytes, start), end - 1);
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Returns the offset of a line's value, which follows its second text, the key. */
function valueOffset(bytes: Buffer, line: number): number {
  let at = line;
  for (let quotes = 0; quotes < 4; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) quotes++;
  }
  return at + 1;
}
