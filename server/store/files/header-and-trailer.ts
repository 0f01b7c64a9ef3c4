import type { Disk } from './disk.ts';
import { parseControl, parseJson, type Control, type Header } from './format.ts';
import { headerOf } from './reader.ts';

/** The first and the last line of a file. */
export interface HeaderAndTrailer {
  readonly size: number;
  readonly header: Header | undefined;
  /** The last line, its checksum unverified; undefined if it is incomplete or the header. */
  readonly control: Control | undefined;
  /** Undefined if the last line is incomplete. */
  readonly crc: number | undefined;
}

/** No control line is longer. */
const MAX_LINE_BYTES = 512;
const NEWLINE = 0x0a;

/** Returns the first and last line of a file and its size. Throws StoreError `newer-version`. */
export async function readHeaderAndTrailer(disk: Disk, path: string): Promise<HeaderAndTrailer> {
  const file = await disk.open(path, 'read');
  try {
    const header = await headerOf(file);
    const size = await file.size();
    const start = Math.max(0, size - MAX_LINE_BYTES);
    const tail = Buffer.alloc(size - start);
    const got = await file.read(tail, start);
    const nothing = { size, header, control: undefined, crc: undefined };
    if (got < tail.length || tail.at(-1) !== NEWLINE) return nothing;
    const from = tail.subarray(0, -1).lastIndexOf(NEWLINE) + 1;
    const body = parseJson(tail.toString('utf8', from, size - start - 1));
    if (typeof body !== 'object' || body === null || !('crc' in body) || typeof body.crc !== 'string')
      return nothing;
    const control = parseControl(body);
    if (start + from > 0 && !control) return nothing;
    return { size, header, control, crc: Number.parseInt(body.crc, 16) };
  } finally {
    await file.close();
  }
}
