/**
 * Text for comparing as people do: without case and accents. Each character by itself: normalizing a whole text sorts
 * the accents behind a letter, which takes minutes where somebody wrote half a million of them.
 */
export function fold(text: string): string {
  // eslint-disable-next-line no-control-regex -- ASCII is all the others
  return text.toLowerCase().replace(/[^\x00-\x7f]/gu, foldCharacter);
}

const MOST_REMEMBERED = 20_000;
const remembered = new Map<string, string>();

function foldCharacter(character: string): string {
  const known = remembered.get(character);
  if (known !== undefined) return known;
  const folded = character === 'ß' ? 'ss' : character.normalize('NFKD').replace(/\p{M}/gu, '');
  if (remembered.size < MOST_REMEMBERED) remembered.set(character, folded);
  return folded;
}

const KEY_LENGTH = 200;

/** A key whose plain order is the order that people expect: case and accents aside, 2 before 10. */
export function naturalKey(text: string): string {
  return fold(text.slice(0, KEY_LENGTH)).replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '');
    return String.fromCharCode(0x30 + Math.min(number.length, 75)) + number;
  });
}
