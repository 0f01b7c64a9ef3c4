import { createYielder } from '../../base/yield.ts';
import type { LineSpan } from '../files/line-buffer.ts';
import type { RecordRef } from './record-ref.ts';
import { TemplateRef } from './template-line.ts';

const BUFFER_BYTES = 256 * 1024;

type MovableLine = { -readonly [key in keyof LineSpan]: LineSpan[key] };

/** Collects lines for writing; copies those in `sparse` buffers, to free these. */
export class SegmentCompactor {
  readonly #sparse: ReadonlySet<ArrayBufferLike>;
  #scratch = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  #used = 0;
  #count = 0;
  #copies = Buffer.alloc(0);
  #copiesEnd = 0;
  /** Adjacent lines, for one copy. */
  #pendingRun: { bytes: Buffer; start: number; end: number } | undefined;

  constructor(sparse: ReadonlySet<ArrayBufferLike>) {
    this.#sparse = sparse;
  }

  /** Adds a line; moves it out of a sparse buffer. */
  add(line: MovableLine): void {
    if (this.#sparse.size > 0 && this.#sparse.has(line.bytes.buffer)) this.#copyOut(line);
    const run = this.#pendingRun;
    if (run?.bytes === line.bytes && run.end === line.start) {
      run.end = line.end + 1;
    } else {
      this.#appendPendingRun();
      this.#pendingRun = { bytes: line.bytes, start: line.start, end: line.end + 1 };
    }
    this.#count++;
  }

  /** Returns the bytes added since the last {@link takeAll}. */
  length(): number {
    return this.#used + (this.#pendingRun ? this.#pendingRun.end - this.#pendingRun.start : 0);
  }

  /** Returns the lines added since the last {@link takeAll}. */
  count(): number {
    return this.#count;
  }

  /** Returns what was added since the last call, valid until the next {@link add}. */
  takeAll(): Buffer {
    this.#appendPendingRun();
    const all = this.#scratch.subarray(0, this.#used);
    this.#used = 0;
    this.#count = 0;
    return all;
  }

  /** Copies the collected adjacent lines into the scratch buffer. */
  #appendPendingRun(): void {
    if (!this.#pendingRun) return;
    const { bytes, start, end } = this.#pendingRun;
    this.#pendingRun = undefined;
    const needed = this.#used + end - start;
    if (needed > this.#scratch.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#scratch.length));
      this.#scratch.copy(larger, 0, 0, this.#used);
      this.#scratch = larger;
    }
    this.#used += bytes.copy(this.#scratch, this.#used, start, end);
  }

  /** Moves a line to a new buffer; its record refers to the copy from now on. */
  #copyOut(slot: MovableLine): void {
    const size = slot.end - slot.start + 1;
    if (this.#copies.length - this.#copiesEnd < size) {
      this.#copies = Buffer.allocUnsafeSlow(Math.max(size, BUFFER_BYTES));
      this.#copiesEnd = 0;
    }
    slot.bytes.copy(this.#copies, this.#copiesEnd, slot.start, slot.end + 1);
    slot.bytes = this.#copies;
    slot.start = this.#copiesEnd;
    this.#copiesEnd += size;
    slot.end = this.#copiesEnd - 1;
  }
}

/** Returns buffers less than half used by these entries: copying them out frees memory. */
export async function findFragmentedSegments(
  blocks: readonly (readonly RecordRef[])[],
): Promise<ReadonlySet<ArrayBufferLike>> {
  const pause = createYielder();
  const live = new Map<ArrayBufferLike, number>();
  let piece: ArrayBufferLike | undefined;
  let bytes = 0;
  /** Adds the bytes of the present buffer to its count. */
  const countSegment = (): void => {
    if (piece) live.set(piece, (live.get(piece) ?? 0) + bytes);
    bytes = 0;
  };
  for (const block of blocks) {
    for (const slot of block) {
      if (slot instanceof TemplateRef && slot.place > 0) continue;
      const line = slot instanceof TemplateRef ? slot.line : slot;
      if (line.bytes.buffer !== piece) {
        countSegment();
        piece = line.bytes.buffer;
      }
      bytes += line.end - line.start + 1;
    }
    const wait = pause();
    if (wait) await wait;
  }
  countSegment();
  return new Set([...live].flatMap(([buffer, used]) => (used * 2 < buffer.byteLength ? [buffer] : [])));
}
