/**
 * Detects mojibake: bytes in a wrong encoding give control characters, capitals within words, symbols between
 * letters, and mixed scripts in one word. Frequency statistics miss these in short lists.
 */

/** A word with non-ASCII characters, delimited by blanks, ASCII punctuation and digits. */
const WORD = /[^\0-\x26\x28-\x2c\x2e\x2f\x30-\x40\x5b-\x60\x7b-\x7f\u00a0]+/gu;
const MARK = /[^\0-\x7f]/gu;
const LETTER = /\p{L}/gu;
/** Characters that office texts never contain: controls, unassigned ones, box drawing, bare accents. */
const NEVER = /[\p{Cc}\p{Co}\p{Cn}\ufffd\u2500-\u259fƒ¨¸ˇ˘˙˛˝]/gu;
/** Non-ASCII capitals after small letters, and non-ASCII small letters before capitals. */
const WRONG_CASE =
  /\p{L}(?=[^\0-\x7f])(?=\p{Lu}\p{Ll})|(?<=\p{Ll})(?=[^\0-\x7f])\p{Lu}|(?=[^\0-\x7fß])\p{Ll}(?=\p{Lu})/gu;
/** Symbols between letters, and before them. */
const WRONG_SYMBOL =
  /(?<=\p{L})[^\p{L}\p{M}\0-\x7f’·‘](?=\p{L})|(?<!\p{L})’(?=\p{L})|(?<=\p{L})[ªº]|[ªº](?=\p{L})|(?![µ€£°№])[\p{S}\p{No}¶§¿¡](?=\p{Ll})/gu;
const USUAL_SIGNS = /^[\0-\x7f€£°²³½№–—„“”‚’‘…§±×«»]*$/u;
const LATIN = /(?![µªº])\p{Script=Latin}/u;
const SCRIPTS = [
  LATIN,
  /\p{Script=Cyrillic}/u,
  /(?!µ)\p{Script=Greek}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u,
];
const IDEOGRAPHIC = SCRIPTS.at(-1) ?? LATIN;
const VOWEL = /[aeiouyæøœıþð]/i;

/** Characters examined of a word, which may be a whole line. */
const MAX_WORD_CHARS = 200;

/** Returns the numbers of a text's non-ASCII characters, and of those that seem misread. */
export function letterFlaws(text: string): { readonly marks: number; readonly flaws: number } {
  let [marks, flaws] = [0, 0];
  for (const [found] of text.matchAll(WORD)) {
    const word = found.slice(0, MAX_WORD_CHARS);
    const here = count(word, MARK);
    if (here === 0) continue;
    marks += here;
    flaws += Math.min(here, flawsOf(word, here));
  }
  return { marks, flaws };
}

/** Returns how many characters of a word seem misread; may be fractional or exceed `marks`. */
function flawsOf(word: string, marks: number): number {
  const letters = count(word, LETTER);
  const scripts = SCRIPTS.filter((script) => script.test(word));
  const flaws = count(word, NEVER) + count(word, WRONG_CASE) + count(word, WRONG_SYMBOL);
  if (scripts.length > 1) return flaws + marks;
  if (letters === 0) return USUAL_SIGNS.test(word) ? flaws : flaws + 0.5;
  const isAlone = letters === 1 && scripts[0] !== IDEOGRAPHIC;
  const isUnspeakable = scripts[0] === LATIN && letters > 2 && !VOWEL.test(word.normalize('NFD'));
  return flaws + (isAlone ? 0.5 : 0) + (isUnspeakable ? marks / 2 : 0);
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
