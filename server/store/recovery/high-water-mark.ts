import { z } from 'zod';
import type { Disk } from '../files/disk.ts';
import { errorCode } from '../files/disk-steps.ts';
import { crcText } from '../files/format.ts';

export const markSchema = z.object({
  journal: z.int().positive(),
  /** The journal's length through that change. */
  bytes: z.int().positive(),
  /** Checksum of these bytes. */
  crc: z.int().nonnegative(),
  last: z.int().nonnegative(),
});
/** A partition's last saved change and journal. Kept apart, to expose files that went back. */
export type HighWaterMark = z.infer<typeof markSchema>;

/** End of a control line: `"xxxxxxxx"}` and a line break. */
const TAIL_BYTES = 12;

/**
 * Returns whether the journal's line that ends at the mark states its checksum (it computes none); false for a
 * missing or shorter journal.
 */
export async function isAtMark(disk: Disk, path: string, { bytes, crc }: HighWaterMark): Promise<boolean> {
  try {
    const file = await disk.open(path, 'read');
    try {
      const tail = Buffer.alloc(TAIL_BYTES);
      const got = await file.read(tail, bytes - TAIL_BYTES);
      return got === TAIL_BYTES && tail.toString('latin1') === `"${crcText(crc)}"}\n`;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
