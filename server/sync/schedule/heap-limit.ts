import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';

/** Half of the memory, at most 4 GiB. */
export const MAX_BYTES = Math.min(totalmem() / 2, 4 * 1024 ** 3);

/** Throws Refusal `memory.full` (impossible) if so many characters don't fit. */
export type HeapLimit = (letters: number) => void;

/** As received, as stored, and in the write buffer. */
const BYTES_OF_LETTER = 3;

/**
 * Creates the memory quota that each page from a partner is checked against, which throws `memory.full` (impossible). `inUse` returns the bytes in use,
 * `most` is their limit.
 */
export function createHeapLimit(most = MAX_BYTES, inUse: () => number = heldBytes): HeapLimit {
  return (letters) => {
    if (inUse() + letters * BYTES_OF_LETTER <= most) return;
    throw new Refusal('impossible', 'memory.full', said('memory.full'));
  };
}

/** Returns the bytes of the JavaScript heap and of external memory. */
function heldBytes(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}
