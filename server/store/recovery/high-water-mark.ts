import { z } from 'zod';
import type { Disk } from '../files/disk.ts';
import { errorCode } from '../files/disk-steps.ts';
import { crcText } from '../files/format.ts';

export const markSchema = z.object({
  journal: z.int().positive(),
  /** The length of that journal up to and including that change. */
  bytes: z.int().positive(),
  /** The checksum of these bytes. */
  crc: z.int().nonnegative(),
  last: z.int().nonnegative(),
});
/**
 * The journal of a partition's last saved change, and that change's number; kept beside the partition, it tells files
 * that went back from intact ones.
 */
export type HighWaterMark = z.infer<typeof markSchema>;

/** The bytes of a control line's end: `"xxxxxxxx"}` and a line break. */
const TAIL_BYTES = 12;

/** Returns whether a journal has the checksum of its mark at that place; false if the file is missing. */
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
