import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';

/** Bytes that Footbridge may take in all before it takes no more rows: half of the computer's memory, 4 GiB at most. */
export const MAX_BYTES = Math.min(totalmem() / 2, 4 * 1024 ** 3);

/** Throws where another page of rows, of so many letters, would take more memory than there is. */
export type HeapLimit = (letters: number) => void;

/** A letter is there as it came, as it is stored, and on its way to the disk. */
const BYTES_OF_LETTER = 3;

/**
 * Rows are held in memory for as long as they are kept, so that partners who send without end would bring the node
 * down for everybody. With this their pulls stop instead, with words for the user, and go on when there is room.
 */
export function createHeapLimit(most = MAX_BYTES, inUse: () => number = heldBytes): HeapLimit {
  return (letters) => {
    if (inUse() + letters * BYTES_OF_LETTER <= most) return;
    throw new Refusal('impossible', 'memory.full', said('memory.full'));
  };
}

/** Not what the system has handed out, in which freed memory stays for a while, and which takes long to ask for. */
function heldBytes(): number {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}
