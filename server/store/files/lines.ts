import type { DiskFile } from './disk.ts';
import { createYielder } from '../../base/yield.ts';

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;
const OBJECT = 0x7b;
const ARRAY = 0x5b;

export interface LineBlock {
  readonly bytes: Buffer;
  readonly offset: number;
}

/**
 * Yields a JSON Lines file in blocks of whole lines, and bytes that are no lines as they are. Ends before a line
 * longer than `maxLineBytes`, which is only checked at chunks without line break.
 */
export async function* readLineBlocks(
  file: DiskFile,
  size: number,
  maxLineBytes = Infinity,
): AsyncGenerator<LineBlock> {
  const pause = createYielder();
  let pending: Buffer[] = [];
  let offset = 0;
  for (let position = 0; position < size;) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - position));
    const got = await file.read(chunk, position);
    if (got === 0) break;
    position += got;
    const read = chunk.subarray(0, got);
    const cut = read.lastIndexOf(NEWLINE) + 1;
    const first = pending[0]?.[0] ?? read[0];
    const ours = first === OBJECT || first === ARRAY;
    if (cut === 0 && ours) {
      pending.push(read);
      if (position - offset > maxLineBytes) return;
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
