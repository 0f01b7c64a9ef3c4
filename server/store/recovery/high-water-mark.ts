import { z } from 'zod';
import type { Disk } from '../files/disk.ts';
import { errorCode } from '../files/disk-steps.ts';
import { crcText } from '../files/format.ts';

export const markSchema = z.object({
  /** The journal with the partition's last saved change. */
  journal: z.int().positive(),
  /** Length of that journal up to and including that change. */
  bytes: z.int().positive(),
  /** Checksum of these bytes. */
  crc: z.int().nonnegative(),
  /** Number of that change. */
  last: z.int().nonnegative(),
});
/** A partition's high-water mark, kept beside it: it tells a file that went back from an intact one. */
export type HighWaterMark = z.infer<typeof markSchema>;

/** The end of a control line: `"xxxxxxxx"}` and a line break; see `format.ts`. */
const TAIL = 12;

/** Returns whether a journal contains the bytes up to the mark, by the checksum at that place. */
export async function isAtMark(disk: Disk, path: string, { bytes, crc }: HighWaterMark): Promise<boolean> {
  try {
    const file = await disk.open(path, 'read');
    try {
      const tail = Buffer.alloc(TAIL);
      const got = await file.read(tail, bytes - TAIL);
      return got === TAIL && tail.toString('latin1') === `"${crcText(crc)}"}\n`;
    } finally {
      await file.close();
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
