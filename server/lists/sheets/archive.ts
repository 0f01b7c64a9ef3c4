import { fromBufferPromise, type Entry } from 'yauzl';
import { Refusal } from '../../base/refusal.ts';
import { createYielder } from '../../base/yield.ts';
import { said } from '../../words/said.ts';

const MB = 1024 * 1024;
export const MAX_STREAMED_BYTES = 1024 * MB;
export const MAX_PART_BYTES = 96 * MB;
const MAX_PARTS = 5000;
/** Zip bomb guard beyond {@link ALWAYS_UNPACKED_BYTES}; usual sheets: 10 to 20. */
const MAX_COMPRESSION_RATIO = 150;
const ALWAYS_UNPACKED_BYTES = 64 * MB;
/** Uncompressed parts arrive as one chunk. */
const CHUNK_BYTES = 16 * 1024;
const MAX_UNPACKED_BYTES = MAX_STREAMED_BYTES + 3 * MAX_PART_BYTES;

const BEGINNING = Buffer.from('PK\u0003\u0004', 'latin1');

export const isArchive = (bytes: Uint8Array): boolean => BEGINNING.equals(bytes.subarray(0, 4));

/** Read in about a second. */
const SMALL_BYTES = { packed: 128 * 1024, unpacked: 2 * MB };
/** Directory entry's signature, and offset of the unpacked size. */
const [ENTRY, UNPACKED_AT] = [Buffer.from('PK\u0001\u0002', 'latin1'), 24];

/**
 * Returns whether the archive has at most 128 KiB packed and 2 MiB unpacked, as declared; false declarations are
 * refused on reading.
 */
export function isSmallArchive(bytes: Uint8Array): boolean {
  if (bytes.length > SMALL_BYTES.packed) return false;
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let unpacked = 0;
  for (let at = file.indexOf(ENTRY); at >= 0; at = file.indexOf(ENTRY, at + ENTRY.length))
    if (at + UNPACKED_AT + 4 <= file.length) unpacked += file.readUInt32LE(at + UNPACKED_AT);
  return unpacked <= SMALL_BYTES.unpacked;
}

/** A workbook's package; possibly endless once unpacked. */
export interface Archive {
  /** Ignores case like `text` (ECMA-376, part 2, 6.2.2.3). */
  has(part: string): boolean;
  readonly parts: readonly string[];
  /**
   * Yields chunks. Throws `sheet.size` beyond `maxBytes` or the total limit, an Error for a missing part or
   * invalid text.
   */
  text(part: string, maxBytes: number): AsyncGenerator<string>;
}

/**
 * Lists the parts. Throws `sheet.password` if encrypted, `sheet.size` for over 5,000 parts, an Error if unreadable.
 * @param signal aborts every reading of its parts, with its reason
 * @param maxTotalBytes limit of all parts together, each counted once
 */
export async function openArchive(
  bytes: Buffer,
  signal?: AbortSignal,
  maxTotalBytes = MAX_UNPACKED_BYTES,
): Promise<Archive> {
  const zip = await fromBufferPromise(bytes, { validateEntrySizes: false });
  const parts = new Map<string, Entry>();
  for await (const part of zip.eachEntry()) {
    if (part.isEncrypted()) throw passwordRefusal();
    parts.set(part.fileName.toLowerCase(), part);
    if (parts.size > MAX_PARTS) throw sizeRefusal();
  }
  const bytesRead = new Map<string, number>();
  const unpackedLimit = isSmallArchive(bytes)
    ? SMALL_BYTES.unpacked
    : ALWAYS_UNPACKED_BYTES + MAX_COMPRESSION_RATIO * bytes.length;
  const totalLimit = Math.min(maxTotalBytes, unpackedLimit);
  let totalBytes = 0;
  return {
    has: (part) => parts.has(part.toLowerCase()),
    parts: [...parts.values()].map(({ fileName }) => fileName),
    /**
     * Yields the part's text as it is unpacked. Throws `sheet.size` beyond the limits, an Error if it is missing or no
     * text.
     */
    async *text(path, maxBytes) {
      const name = path.toLowerCase();
      const part = parts.get(name);
      if (!part) throw new Error(`There is no ${path}.`);
      const unpacked: AsyncIterable<Buffer> = await zip.openReadStreamPromise(part);
      let decoder: TextDecoder | undefined;
      let size = 0;
      const pause = createYielder();
      for await (const piece of splitChunks(unpacked)) {
        signal?.throwIfAborted();
        size += piece.length;
        const before = bytesRead.get(name) ?? 0;
        if (size > before) {
          totalBytes += size - before;
          bytesRead.set(name, size);
        }
        if (size > maxBytes || totalBytes > totalLimit) throw sizeRefusal();
        decoder ??= new TextDecoder(detectEncoding(piece), { fatal: true });
        yield decoder.decode(piece, { stream: true });
        await pause();
      }
      yield decoder?.decode() ?? '';
    },
  };
}

const MAX_SEARCHED_BYTES = 4 * MB;

/** Returns whether there is such a part and it contains these words. Throws `sheet.size` beyond 4 MiB. */
export async function includesWords(archive: Archive, part: string, words: string): Promise<boolean> {
  if (!archive.has(part)) return false;
  let before = '';
  for await (const piece of archive.text(part, MAX_SEARCHED_BYTES)) {
    if (`${before}${piece}`.includes(words)) return true;
    before = piece.slice(-words.length);
  }
  return false;
}

/** Splits chunks of any size into pieces of limited size. */
async function* splitChunks(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const some of bytes)
    for (let at = 0; at < some.length; at += CHUNK_BYTES) yield some.subarray(at, at + CHUNK_BYTES);
}

/** Returns the encoding by the byte order mark; UTF-8 without one. */
function detectEncoding(start: Buffer): string {
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  return start[0] === 0xfe && start[1] === 0xff ? 'utf-16be' : 'utf-8';
}

export const passwordRefusal = (): Refusal =>
  new Refusal('impossible', 'sheet.password', said('sheet.password'));

export const sizeRefusal = (): Refusal => new Refusal('impossible', 'sheet.size', said('sheet.too-large'));
