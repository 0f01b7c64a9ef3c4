import type { DiskFile } from './disk.ts';
import { createPause } from '../../base/yield.ts';

const CHUNK = 256 * 1024;
const NEWLINE = 0x0a;
const OBJECT = 0x7b;
const ARRAY = 0x5b;

/** Whole lines of a file, as many as one read gave. */
export interface LineBlock {
  readonly bytes: Buffer;
  /** Where in the file `bytes` begin. */
  readonly offset: number;
}

/**
 * Reads a file of JSON Lines in pieces that end at the end of a line, letting the rest of the program run in
 * between. What comes behind the last line break, and anything that starts no line of ours, comes as it is.
 * @param longest ends before a line of more bytes
 */
export async function* wholeLines(
  file: DiskFile,
  size: number,
  longest = Infinity,
): AsyncGenerator<LineBlock> {
  const pause = createPause();
  let pending: Buffer[] = [];
  let offset = 0;
  for (let position = 0; position < size;) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK, size - position));
    const got = await file.read(chunk, position);
    if (got === 0) break;
    position += got;
    const read = chunk.subarray(0, got);
    const cut = read.lastIndexOf(NEWLINE) + 1;
    const first = pending[0]?.[0] ?? read[0];
    const ours = first === OBJECT || first === ARRAY;
    if (cut === 0 && ours) {
      pending.push(read);
      if (position - offset > longest) return;
      continue;
    }
    const bytes = Buffer.concat([...pending, ours ? read.subarray(0, cut) : read]);
    yield { bytes, offset };
    offset += bytes.length;
    pending = ours && cut < got ? [read.subarray(cut)] : [];
    const wait = pause();
    if (wait) await wait;
  }
  if (pending.length > 0) yield { bytes: Buffer.concat(pending), offset };
}
