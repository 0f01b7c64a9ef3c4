import type { Language } from '../../base/vocabulary.ts';

/**
 * Text for comparing as people do: without case and accents. Each character by itself: normalizing a whole text sorts
 * the accents behind a letter, which takes minutes where somebody wrote half a million of them.
 */
export function fold(text: string): string {
  // eslint-disable-next-line no-control-regex -- ASCII is all the others
  return text.toLowerCase().replace(/[^\x00-\x7f]/gu, foldCharacter);
}

/** Letters that are one of the alphabet with a stroke, or two of it in one, and that Unicode does not take apart. */
const LETTERS: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th', ð: 'd', đ: 'd', ħ: 'h', ı: 'i', ł: 'l', ø: 'o', ŧ: 't' },
};

const MOST_REMEMBERED = 20_000;
const remembered = new Map<string, string>();

function foldCharacter(character: string): string {
  const known = remembered.get(character);
  if (known !== undefined) return known;
  const folded = LETTERS[character] ?? withoutMarks(character);
  if (remembered.size < MOST_REMEMBERED) remembered.set(character, folded);
  return folded;
}

function withoutMarks(character: string): string {
  const bare = character.normalize('NFKD').replace(/\p{M}/gu, '');
  return LETTERS[bare] ?? bare;
}

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
