import { SegmentCompactor } from './segment-compactor.ts';
import type { RecordRef } from './record-ref.ts';
import type { StoredBlock } from '../store.ts';

const BLOCK = 256 * 1024;
const NOTHING_SPARSE: ReadonlySet<ArrayBufferLike> = new Set();
/** JSON writes these characters unescaped. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

/** Yields the lines of these slots in order, a block at a time. All blocks share one buffer. */
export function* storedBlocks(
  table: string,
  blocks: readonly (readonly RecordRef[])[],
): Generator<StoredBlock, void, undefined> {
  const gatherer = new SegmentCompactor(NOTHING_SPARSE);
  const around = JSON.stringify(table).length === table.length + 2 ? Buffer.byteLength(table) : undefined;
  let slots: RecordRef[] = [];
  for (const block of blocks) {
    for (const slot of block) {
      gatherer.add(slot);
      slots.push(slot);
      if (gatherer.length() < BLOCK) continue;
      yield blockOf(slots, gatherer.take(), around);
      slots = [];
    }
  }
  if (slots.length > 0) yield blockOf(slots, gatherer.take(), around);
}

function blockOf(slots: readonly RecordRef[], bytes: Buffer, tableLength: number | undefined): StoredBlock {
  const starts = new Uint32Array(slots.length);
  const ends = new Uint32Array(slots.length);
  const keys: string[] = [];
  let line = 0;
  for (const [at, { key, seq, start, end }] of slots.entries()) {
    const next = line + end - start + 1;
    keys.push(key);
    starts[at] = line + lengthBefore(key, seq, tableLength, bytes, line);
    // Excludes the bracket and the line break.
    ends[at] = next - 2;
    line = next;
  }
  return { keys, bytes, starts, ends };
}

/**
 * Returns the length of `[seq,"table","key",` in the line at offset `line`, computed without reading it if nothing
 * is escaped.
 */
function lengthBefore(
  key: string,
  seq: number,
  tableLength: number | undefined,
  bytes: Buffer,
  line: number,
): number {
  if (tableLength !== undefined && PLAIN.test(key)) return digitsOf(seq) + tableLength + key.length + 8;
  return behindKey(bytes, line) - line;
}

/** Returns the number of decimal digits. */
function digitsOf(number: number): number {
  let digits = 1;
  for (let least = 10; least <= number; least *= 10) digits++;
  return digits;
}

/** Returns the JSON of a put's value, as in its line. */
export const valueTextIn = ({ bytes, start, end }: RecordRef): string =>
  bytes.toString('utf8', behindKey(bytes, start), end - 1);

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Returns the offset of a line's value, after the second text and its comma. */
function behindKey(bytes: Buffer, line: number): number {
  let at = line;
  for (let quotes = 0; quotes < 4; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) quotes++;
  }
  return at + 1;
}
