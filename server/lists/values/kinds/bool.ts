import { accept, refuse, type Checked } from './checked.ts';
import { said } from '../../../words/said.ts';

const YES = new Set(['1', 'true', 'yes', 'y', 'on', 't', 'ja', 'wahr']);
const NO = new Set(['', '0', 'false', 'no', 'n', 'off', 'f', 'nein', 'falsch']);

/** Bool: stored as `1` or as the empty text, which is what travels between partners. */
export function checkBool(text: string): Checked {
  const word = text.trim().toLowerCase();
  if (YES.has(word)) return accept('1');
  if (NO.has(word)) return accept('');
  return refuse(said('value.no-bool'));
}
