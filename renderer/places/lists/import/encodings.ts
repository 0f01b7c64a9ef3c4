import { ENCODINGS } from '../../../../server/base/vocabulary.ts';
import type { Translate } from '../../../text/catalogue.ts';

const GROUPS = Object.keys(ENCODINGS) as readonly (keyof typeof ENCODINGS)[];

/** Returns an encoding's usual name: `Windows-1250`, `DOS 850`, `Mac Roman`. */
const encodingName = (encoding: string): string =>
  encoding
    .replace(/^windows/, 'Windows')
    .replace(/^cp/, 'DOS ')
    .replace(/^macintosh$/, 'Mac Roman')
    .replace(/^mac(?:cyrillic|greek)$/, 'Mac');

/** Returns an encoding's name behind the languages that use it; an unlisted one as it is. */
export function encodingLabel(t: Translate, encoding: string): string {
  const group = GROUPS.find((each) => ENCODINGS[each].some((name) => name === encoding));
  return group ? `${t(`import.encoding.${group}`)}: ${encodingName(encoding)}` : encoding;
}

/** Returns all encodings, and the one in use. */
export const encodingChoices = (t: Translate, used: string): { value: string; label: string }[] =>
  [...new Set<string>([...GROUPS.flatMap((group) => ENCODINGS[group]), used])].map((value) => ({
    value,
    label: encodingLabel(t, value),
  }));
