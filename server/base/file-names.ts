import { basename } from 'node:path';
import { plainName } from './plain-name.ts';

/** The last part of a path, as it may be shown: a file name may hold commands to a terminal, or turn the writing around. */
export const shownFileName = (path: string): string => plainName(basename(path));

/** What Windows takes for a device and no file, whatever ending follows. */
const DEVICE = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[\d¹²³])\s*(?:\.|$)/iu;

/** Whether Windows, which may see the same drive, takes a file's name for something else: a device, or a part of another file. */
export const isReservedName = (name: string): boolean =>
  DEVICE.test(name) || name.includes(':') || /[. ]$/.test(name);

/** A name of a list or a partner as a file to be saved may be called on every system, before its ending. */
export function fileNameOf(name: string): string {
  const plain = name.replace(/[^\p{L}\p{N} _-]+/gu, '').trim();
  return plain === '' || DEVICE.test(plain) ? `_${plain}` : plain;
}
