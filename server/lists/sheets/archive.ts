import { fromBufferPromise } from 'yauzl';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';

/** A workbook is an archive: small as it comes, it may be without end once it is unpacked. */
export interface ArchiveLimits {
  readonly parts: number;
  /** Bytes of all parts, unpacked. */
  readonly whole: number;
  /** Of a part that the reader holds as a whole; the sheets of xlsx it reads a piece at a time. */
  readonly held: number;
  /** Of the sheets of ods, which are held as objects: 20,000 rows of nine columns or so. */
  readonly objects: number;
}
const MB = 1024 * 1024;
const LIMITS: ArchiveLimits = { parts: 5000, whole: 1024 * MB, held: 96 * MB, objects: 24 * MB };

function mostOf(part: string, limits: ArchiveLimits): number {
  if (/^xl\/worksheets\/[^/]+\.xml$/.test(part)) return limits.whole;
  return part === 'content.xml' ? limits.objects : limits.held;
}

const BEGINNING = Buffer.from('PK\u0003\u0004', 'latin1');

export const isArchive = (bytes: Buffer): boolean => bytes.subarray(0, 4).equals(BEGINNING);

/**
 * The names of an archive's parts. Each was unpacked once and thrown away, as what the archive says of their sizes may be
 * untrue.
 * @throws Refusal `impossible`: it cannot be read, or there is too much in it
 */
export async function checkedParts(bytes: Buffer, limits = LIMITS): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  let whole = 0;
  try {
    const zip = await fromBufferPromise(bytes, { validateEntrySizes: false });
    for await (const part of zip.eachEntry()) {
      names.add(part.fileName);
      if (names.size > limits.parts) throw tooMuch();
      let size = 0;
      const unpacked: AsyncIterable<Buffer> = await zip.openReadStreamPromise(part);
      for await (const piece of unpacked) {
        size += piece.length;
        whole += piece.length;
        if (whole > limits.whole || size > mostOf(part.fileName, limits)) throw tooMuch();
      }
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal('impossible', 'sheet.broken', said('sheet.broken'));
  }
  return names;
}

const tooMuch = (): Refusal => new Refusal('impossible', 'sheet.size', said('sheet.too-large'));
