import { createYielder } from '../../base/yield.ts';
import type { LineSpan } from '../files/line-buffer.ts';
import type { RecordRef } from './record-ref.ts';
import { TemplateRef } from './template-line.ts';

const KEEPER = 256 * 1024;

/** A line whose bytes may be replaced by a copy. */
type MovableLine = { -readonly [key in keyof LineSpan]: LineSpan[key] };

/** Collects lines for writing, and moves those in `sparse` buffers into a new one, to free these. */
export class SegmentCompactor {
  readonly #sparse: ReadonlySet<ArrayBufferLike>;
  #scratch = Buffer.allocUnsafeSlow(KEEPER);
  #used = 0;
  #count = 0;
  #keeper = Buffer.alloc(0);
  #kept = 0;
  /** Adjacent lines, to be copied in one go. */
  #run: { bytes: Buffer; start: number; end: number } | undefined;

  constructor(sparse: ReadonlySet<ArrayBufferLike>) {
    this.#sparse = sparse;
  }

  /** Adds a line. If its buffer is sparse, copies the line, and `line` refers to the copy from then on. */
  add(line: MovableLine): void {
    if (this.#sparse.size > 0 && this.#sparse.has(line.bytes.buffer)) this.#copyOut(line);
    const run = this.#run;
    if (run?.bytes === line.bytes && run.end === line.start) {
      run.end = line.end + 1;
    } else {
      this.#copyRun();
      this.#run = { bytes: line.bytes, start: line.start, end: line.end + 1 };
    }
    this.#count++;
  }

  length(): number {
    return this.#used + (this.#run ? this.#run.end - this.#run.start : 0);
  }

  count(): number {
    return this.#count;
  }

  /** Returns all lines added since the last call. The returned buffer is valid until the next {@link add}. */
  takeAll(): Buffer {
    this.#copyRun();
    const all = this.#scratch.subarray(0, this.#used);
    this.#used = 0;
    this.#count = 0;
    return all;
  }

  /** Appends the pending adjacent lines to the gathered ones. */
  #copyRun(): void {
    if (!this.#run) return;
    const { bytes, start, end } = this.#run;
    this.#run = undefined;
    const needed = this.#used + end - start;
    if (needed > this.#scratch.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#scratch.length));
      this.#scratch.copy(larger, 0, 0, this.#used);
      this.#scratch = larger;
    }
    this.#used += bytes.copy(this.#scratch, this.#used, start, end);
  }

  /** Copies a line out of its sparse buffer into one that is kept, and makes the line refer to the copy. */
  #copyOut(slot: MovableLine): void {
    const size = slot.end - slot.start + 1;
    if (this.#keeper.length - this.#kept < size) {
      this.#keeper = Buffer.allocUnsafeSlow(Math.max(size, KEEPER));
      this.#kept = 0;
    }
    slot.bytes.copy(this.#keeper, this.#kept, slot.start, slot.end + 1);
    slot.bytes = this.#keeper;
    slot.start = this.#kept;
    this.#kept += size;
    slot.end = this.#kept - 1;
  }
}

/** Returns the buffers of which these entries use less than half, so that copying the rest frees memory. */
export async function findFragmentedSegments(
  blocks: readonly (readonly RecordRef[])[],
): Promise<ReadonlySet<ArrayBufferLike>> {
  const pause = createYielder();
  const live = new Map<ArrayBufferLike, number>();
  let piece: ArrayBufferLike | undefined;
  let bytes = 0;
  const note = (): void => {
    if (piece) live.set(piece, (live.get(piece) ?? 0) + bytes);
    bytes = 0;
  };
  for (const block of blocks) {
    for (const slot of block) {
      // Entries that share a line count it once.
      if (slot instanceof TemplateRef && slot.place > 0) continue;
      const line = slot instanceof TemplateRef ? slot.line : slot;
      if (line.bytes.buffer !== piece) {
        note();
        piece = line.bytes.buffer;
      }
      bytes += line.end - line.start + 1;
    }
    const wait = pause();
    if (wait) await wait;
  }
  note();
  return new Set([...live].flatMap(([buffer, used]) => (used * 2 < buffer.byteLength ? [buffer] : [])));
}
