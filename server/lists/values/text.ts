import type { Language } from '../../base/vocabulary.ts';

/**
 * Removes case and accents for comparison, character by character: normalizing a whole text takes quadratic time for
 * many accents behind one letter.
 */
export function fold(text: string): string {
  return convertBeyondASCII(text.toLowerCase(), putFolded);
}

/** It folds more slowly. */
// eslint-disable-next-line no-control-regex -- ASCII is all the others
export const BEYOND_ASCII = /[^\x00-\x7f]/;

const AT_ONCE = 8192;
/** Leaves room for any one more character. */
const units = new Uint16Array(AT_ONCE + 64);

/**
 * Converts characters beyond ASCII, in chunks in the shared buffer {@link units}. ASCII up to the first of them is
 * copied.
 * @param put writes a converted character at index `to`; returns the index after it
 */
function convertBeyondASCII(text: string, put: (code: number, to: number) => number): string {
  const start = text.search(BEYOND_ASCII);
  if (start < 0) return text;
  let made = text.slice(0, start);
  let used = 0;
  for (let at = start; at < text.length; at++) {
    if (used >= AT_ONCE) {
      made += textOf(used);
      used = 0;
    }
    const code = text.codePointAt(at) ?? 0;
    if (code > 0xffff) at++;
    used = put(code, used);
  }
  return made + textOf(used);
}

/** Writes the folded character to {@link units}; returns the index after it. */
function putFolded(code: number, to: number): number {
  if (code >= HANGUL_FIRST && code <= HANGUL_LAST) return putHangul(code - HANGUL_FIRST, to);
  return code < 0x80 ? putUnit(code, to) : putText(foldCharacter(code), to);
}

/** Writes a code unit to {@link units}; returns the index after it. */
function putUnit(unit: number, to: number): number {
  units[to] = unit;
  return to + 1;
}

const textOf = (used: number): string => Buffer.from(units.buffer, 0, 2 * used).toString('utf16le');

/** Writes the text to {@link units}; returns the index after it. */
function putText(text: string, to: number): number {
  for (let at = 0; at < text.length; at++) units[to + at] = text.charCodeAt(at);
  return to + text.length;
}

const HANGUL_FIRST = 0xac00;
const HANGUL_LAST = 0xd7a3;
const [LEADS, VOWELS, TAILS] = [0x1100, 0x1161, 0x11a7];
const [OF_LEAD, OF_VOWEL] = [21 * 28, 28];

/**
 * Writes a decomposed Hangul syllable (Unicode, section 3.12); returns the index after it.
 * @param index among all syllables, from 0
 */
function putHangul(index: number, to: number): number {
  const tail = index % OF_VOWEL;
  units[to] = LEADS + Math.floor(index / OF_LEAD);
  units[to + 1] = VOWELS + Math.floor((index % OF_LEAD) / OF_VOWEL);
  if (tail > 0) units[to + 2] = TAILS + tail;
  return to + (tail > 0 ? 3 : 2);
}

/** Unicode doesn't decompose stroked letters and ligatures. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ð: 'd', đ: 'd', ħ: 'h', ı: 'i', ł: 'l', ø: 'o', ŧ: 't' },
};

/** By upper, then lower bits of a character's code. */
const folded: string[][] = [];

/** Returns the folded character, computed on first use and cached. */
function foldCharacter(code: number): string {
  const page = (folded[code >> 8] ??= []);
  return (page[code & 0xff] ??= foldUnknown(String.fromCodePoint(code)));
}

const foldUnknown = (character: string): string => LETTERS[character] ?? withoutMarks(character);

/** Returns the character without accents; ligatures and letters with strokes in plain letters too. */
function withoutMarks(character: string): string {
  const bare = character.normalize('NFKD').replace(/\p{M}/gu, '');
  return LETTERS[bare] ?? bare;
}

/** Two code units, not in the pattern. */
const BEYOND = 0xdbff;
/** First for those in the pattern: half a surrogate pair, never alone in a text. */
const FIRST_BEYOND = 0xdc00;

/**
 * Returns a function that folds to one code unit per character, for the `_` of a LIKE. Characters that {@link fold}
 * expands (ß, Hangul) stay. One of two code units (emoji) gets its own placeholder if `pattern` has it, otherwise a
 * common one.
 * @param foldOne folds a lower-case character
 */
export function createCharacterFold(
  pattern: string,
  foldOne: (code: number) => string = foldCharacter,
): (text: string) => string {
  const beyond = new Map<number, number>();
  /** Writes one code unit: the folded character unless longer, or a placeholder. Returns the index after it. */
  const put = (code: number, to: number): number => {
    const made = foldOne(code);
    if (made.length < 2) return putText(made, to);
    return putUnit(code > 0xffff ? (beyond.get(code) ?? BEYOND) : code, to);
  };
  for (const character of pattern.toLowerCase()) {
    const code = character.codePointAt(0) ?? 0;
    if (code > 0xffff && !beyond.has(code)) beyond.set(code, FIRST_BEYOND + beyond.size);
  }
  return (text) => convertBeyondASCII(text.toLowerCase(), put);
}

/** For patterns without characters of two code units. */
export const foldCharacters = createCharacterFold('');

/** Takes a lower-case character: a final sigma becomes σ. */
export const foldCase = (code: number): string => (code === FINAL_SIGMA ? 'σ' : String.fromCodePoint(code));
const FINAL_SIGMA = 0x3c2;

/** Ignores case; accents stay. */
export const lower = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ');

/** Folds case only, for patterns without characters of two code units. */
export const lowerCharacters = createCharacterFold('', foldCase);

export const KEY_LENGTH = 200;
/** A cursor holds up to eight columns' keys. */
export const TIE_LENGTH = 32;

/** Returns a sort key of the first 200 characters, without case and accents, 2 before 10. */
export function naturalKey(text: string): string {
  return fold(text.slice(0, KEY_LENGTH)).replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '');
    return String.fromCharCode(0x30 + Math.min(number.length, 75)) + number;
  });
}

/** Letters sorted separately, with their form in a key. */
const OWN_LETTERS: Partial<Record<Language, readonly [RegExp, string]>> = {
  es: [/ñ|n\u0303/giu, 'n{'],
};

export const hasOwnLetters = (language: Language): boolean => OWN_LETTERS[language] !== undefined;

/** Returns a {@link naturalKey} in dictionary order: ñ sorts apart, accents break ties. */
export function dictionaryKey(text: string, language: Language): string {
  const own = OWN_LETTERS[language];
  const start = text.slice(0, KEY_LENGTH);
  const key = naturalKey(own ? start.replace(...own) : start);
  return BEYOND_ASCII.test(start) ? `${key}\0${start.slice(0, TIE_LENGTH).toLowerCase()}` : key;
}
