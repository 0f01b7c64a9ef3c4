import { basename } from 'node:path';
import { plainName } from './plain-name.ts';

/** Returns the last part of a path for display, without terminal commands and direction marks. */
export const shownFileName = (path: string): string => plainName(basename(path));

const DEVICE = /^(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[\d¹²³])\s*(?:\.|$)/iu;

/** Returns whether Windows takes a file name for a device or part of another file. */
export const isReservedName = (name: string): boolean =>
  DEVICE.test(name) || name.includes(':') || /[. ]$/.test(name);

/** Returns a name as a file name valid on every system, without extension; `_` in front if empty or a device. */
export function fileNameOf(name: string): string {
  const plain = name.replace(/[^\p{L}\p{N} _-]+/gu, '').trim();
  return plain === '' || DEVICE.test(plain) ? `_${plain}` : plain;
}
