import { createPause } from '../../base/yield.ts';
import type { Slot } from './slot.ts';

/** Lines of slots, one behind the other. */
export interface Gatherer {
  add(slot: Slot): void;
  /** Bytes and number of the lines gathered. */
  length(): number;
  count(): number;
  /** All of them; valid until the next {@link add}. Begins anew. */
  take(): Buffer;
}

const KEEPER = 256 * 1024;

/**
 * Gathers lines for writing. Those that lie in one of the `sparse` pieces of memory are moved into a fresh
 * piece, and their slots with them, so that the sparse ones can be freed.
 */
export function createGatherer(sparse: ReadonlySet<ArrayBufferLike>): Gatherer {
  let scratch = Buffer.allocUnsafeSlow(KEEPER);
  let used = 0;
  let count = 0;
  let keeper = Buffer.alloc(0);
  let kept = 0;
  /** Lines that follow each other in memory are copied in one go. */
  let run: { bytes: Buffer; start: number; end: number } | undefined;

  const copyRun = (): void => {
    if (!run) return;
    const { bytes, start, end } = run;
    run = undefined;
    const needed = used + end - start;
    if (needed > scratch.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * scratch.length));
      scratch.copy(larger, 0, 0, used);
      scratch = larger;
    }
    used += bytes.copy(scratch, used, start, end);
  };
  const move = (slot: Slot): void => {
    const size = slot.end - slot.start + 1;
    if (keeper.length - kept < size) {
      keeper = Buffer.allocUnsafeSlow(Math.max(size, KEEPER));
      kept = 0;
    }
    slot.bytes.copy(keeper, kept, slot.start, slot.end + 1);
    slot.bytes = keeper;
    slot.start = kept;
    kept += size;
    slot.end = kept - 1;
  };
  return {
    add(slot) {
      if (sparse.size > 0 && sparse.has(slot.bytes.buffer)) move(slot);
      if (run?.bytes === slot.bytes && run.end === slot.start) {
        run.end = slot.end + 1;
      } else {
        copyRun();
        run = { bytes: slot.bytes, start: slot.start, end: slot.end + 1 };
      }
      count++;
    },
    length: () => used + (run ? run.end - run.start : 0),
    count: () => count,
    take() {
      copyRun();
      const all = scratch.subarray(0, used);
      used = 0;
      count = 0;
      return all;
    },
  };
}

/** Pieces of memory of which less than half is taken up by these slots: most lines in them are outdated. */
export async function findSparse(
  blocks: readonly (readonly Slot[])[],
): Promise<ReadonlySet<ArrayBufferLike>> {
  const pause = createPause();
  const live = new Map<ArrayBufferLike, number>();
  let piece: ArrayBufferLike | undefined;
  let bytes = 0;
  const note = (): void => {
    if (piece) live.set(piece, (live.get(piece) ?? 0) + bytes);
    bytes = 0;
  };
  for (const block of blocks) {
    for (const slot of block) {
      if (slot.bytes.buffer !== piece) {
        note();
        piece = slot.bytes.buffer;
      }
      bytes += slot.end - slot.start + 1;
    }
    const wait = pause();
    if (wait) await wait;
  }
  note();
  return new Set([...live].flatMap(([buffer, used]) => (used * 2 < buffer.byteLength ? [buffer] : [])));
}
