import { accept, refuse, type Checked } from './checked.ts';
import { said } from '../../../words/said.ts';

const YES_WORDS = ['true', 'yes', 'ja', 'wahr', 'oui', 'vrai', 'sí', 'si', 'verdadero'];
const NO_WORDS = ['false', 'no', 'nein', 'falsch', 'non', 'faux', 'falso'];

const YES = new Set(['1', 'y', 'on', 't', ...YES_WORDS]);
const NO = new Set(['', '0', 'n', 'off', 'f', ...NO_WORDS]);

const WORDS = new Set([...YES_WORDS, ...NO_WORDS]);

/** Knows yes and no in all our languages, without single letters and digits. */
export const isBoolWord = (text: string): boolean => WORDS.has(text.toLowerCase());

/** Accepts words, letters and digits for yes (stored as `1`) and no (stored as empty), as partners send it. */
export function checkBool(text: string): Checked {
  const word = text.trim().toLowerCase();
  if (YES.has(word)) return accept('1');
  if (NO.has(word)) return accept('');
  return refuse(said('value.no-bool'));
}
