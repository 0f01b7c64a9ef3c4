import type { Language } from '../../base/vocabulary.ts';

/**
 * Returns a text for comparing as people do: without case and accents. Each character by itself: normalizing a whole text
 * sorts the accents behind a letter, which takes minutes where somebody wrote half a million of them.
 */
export function fold(text: string): string {
  const lower = text.toLowerCase();
  // eslint-disable-next-line no-control-regex -- ASCII is all the others
  const first = lower.search(/[^\x00-\x7f]/);
  return first < 0 ? lower : lower.slice(0, first) + foldedFrom(lower, first);
}

/** Code units that are made into a text at once. */
const AT_ONCE = 8192;
/** Room for one more character of any kind behind them. */
const units = new Uint16Array(AT_ONCE + 64);

function foldedFrom(text: string, start: number): string {
  let made = '';
  let used = 0;
  for (let at = start; at < text.length; at++) {
    if (used >= AT_ONCE) {
      made += textOf(used);
      used = 0;
    }
    const code = text.codePointAt(at) ?? 0;
    if (code > 0xffff) at++;
    if (code >= HANGUL_FIRST && code <= HANGUL_LAST) used = putHangul(code - HANGUL_FIRST, used);
    else if (code < 0x80) units[used++] = code;
    else used = putText(foldCharacter(code), used);
  }
  return made + textOf(used);
}

const textOf = (used: number): string => Buffer.from(units.buffer, 0, 2 * used).toString('utf16le');

function putText(text: string, to: number): number {
  for (let at = 0; at < text.length; at++) units[to + at] = text.charCodeAt(at);
  return to + text.length;
}

const HANGUL_FIRST = 0xac00;
const HANGUL_LAST = 0xd7a3;
const [LEADS, VOWELS, TAILS] = [0x1100, 0x1161, 0x11a7];
const [OF_LEAD, OF_VOWEL] = [21 * 28, 28];

/** Takes a Hangul syllable apart by arithmetic, as Unicode defines it (section 3.12). Returns where it ends. */
function putHangul(index: number, to: number): number {
  const tail = index % OF_VOWEL;
  units[to] = LEADS + Math.floor(index / OF_LEAD);
  units[to + 1] = VOWELS + Math.floor((index % OF_LEAD) / OF_VOWEL);
  if (tail > 0) units[to + 2] = TAILS + tail;
  return to + (tail > 0 ? 3 : 2);
}

/** Letters that are one of the alphabet with a stroke, or two of it in one, and that Unicode does not take apart. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ð: 'd', đ: 'd', ħ: 'h', ı: 'i', ł: 'l', ø: 'o', ŧ: 't' },
};

/** What each character becomes, by the upper bits of its code and the lower ones. Bounded by Unicode, whatever texts hold. */
const folded: string[][] = [];

function foldCharacter(code: number): string {
  const page = (folded[code >> 8] ??= []);
  return (page[code & 0xff] ??= foldUnknown(String.fromCodePoint(code)));
}

const foldUnknown = (character: string): string => LETTERS[character] ?? withoutMarks(character);

function withoutMarks(character: string): string {
  const bare = character.normalize('NFKD').replace(/\p{M}/gu, '');
  return LETTERS[bare] ?? bare;
}

/** Stands for every character that has more than one code unit and was not asked for. */
const BEYOND = 0xdbff;
/** The first of the code units that stand for those that were: no text has one without its other half. */
const FIRST_BEYOND = 0xdc00;

/**
 * Returns how texts are folded to one code unit a character, for the `_` of a LIKE. A character that {@link fold} makes
 * several of, such as ß or a Hangul syllable, stays as it is; one of two code units, such as an emoji, is told from others
 * where the pattern has it.
 */
export function createCharacterFold(pattern: string): (text: string) => string {
  const beyond = new Map<number, number>();
  const unitsOf = (code: number): string => {
    const made = foldCharacter(code);
    if (made.length < 2) return made;
    return String.fromCharCode(code > 0xffff ? (beyond.get(code) ?? BEYOND) : code);
  };
  for (const character of pattern.toLowerCase()) {
    const code = character.codePointAt(0) ?? 0;
    if (code > 0xffff && !beyond.has(code)) beyond.set(code, FIRST_BEYOND + beyond.size);
  }
  return (text) => {
    const lower = text.toLowerCase();
    // eslint-disable-next-line no-control-regex -- ASCII is all the others
    const first = lower.search(/[^\x00-\x7f]/);
    if (first < 0) return lower;
    let made = lower.slice(0, first);
    for (const character of lower.slice(first)) made += unitsOf(character.codePointAt(0) ?? 0);
    return made;
  };
}

/** The same for patterns without characters of two code units. */
export const foldCharacters = createCharacterFold('');

export const KEY_LENGTH = 200;
/** Shorter, as a page's cursor holds the keys of up to eight columns. */
export const TIE_LENGTH = 32;

/** A key whose plain order is the order that people expect: case and accents aside, 2 before 10. */
export function naturalKey(text: string): string {
  return fold(text.slice(0, KEY_LENGTH)).replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '');
    return String.fromCharCode(0x30 + Math.min(number.length, 75)) + number;
  });
}

/** The letters that a language counts as ones of their own, and what stands for them in a key. */
const OWN_LETTERS: Partial<Record<Language, readonly [RegExp, string]>> = {
  // Behind every n.
  es: [/ñ|n\u0303/giu, 'n{'],
};

export const hasOwnLetters = (language: Language): boolean => OWN_LETTERS[language] !== undefined;

/**
 * The same in the order of a language's dictionaries: its own letters in their places, and of two texts that differ in
 * accents alone the one without first, whatever else they differ in behind that.
 */
export function dictionaryKey(text: string, language: Language): string {
  const own = OWN_LETTERS[language];
  const start = text.slice(0, KEY_LENGTH);
  const key = naturalKey(own ? start.replace(...own) : start);
  // eslint-disable-next-line no-control-regex -- ASCII has no accents
  return /[^\x00-\x7f]/.test(start) ? `${key}\0${start.slice(0, TIE_LENGTH).toLowerCase()}` : key;
}
