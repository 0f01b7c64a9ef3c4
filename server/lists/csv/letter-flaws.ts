/**
 * Detects mojibake: control characters, capitals within words, symbols between letters, mixed scripts.
 * Frequency statistics miss these in short lists.
 */

const WORD = /[^\0-\x26\x28-\x2c\x2e\x2f\x30-\x40\x5b-\x60\x7b-\x7f\u00a0]+/gu;
const MARK = /[^\0-\x7f]/gu;
const LETTER = /\p{L}/gu;
const NEVER = /[\p{Cc}\p{Co}\p{Cn}\ufffd\u2500-\u259fƒ¨¸ˇ˘˙˛˝¶]/gu;
const WRONG_CASE =
  /\p{L}(?=[^\0-\x7f])(?=\p{Lu}\p{Ll})|(?<=\p{Ll})(?=[^\0-\x7f])\p{Lu}|(?=[^\0-\x7fß])\p{Ll}(?=\p{Lu})/gu;
const WRONG_SYMBOL =
  /(?<=\p{L})[^\p{L}\p{M}\0-\x7f’·‘](?=\p{L})|(?<!\p{L})’(?=\p{L})|(?<=\p{L})[ªµ§]|(?<=\p{L}\p{L}|(?![Nn])\p{L})º|[ªº](?=\p{L})|(?![µ€£°№])[\p{S}\p{No}¶§¿¡](?=\p{Ll})/gu;
/**
 * What no word of their alphabet has: in Greek a diaeresis first, a final sigma before the end or another sigma there; in
 * Cyrillic `ь` or `ы` first, `ў` behind a consonant, letters of Serbian or Macedonian beside those that both lack; and a
 * bullet before a letter.
 */
const WRONG_LETTER =
  /(?<!\p{L})[ΐΰϊϋьыЬЫ](?=\p{L})|ς(?=\p{L})|(?<=\p{Ll})σ(?!\p{L})|(?<=[бвгґджзйклмнпрстфхцчшщ])ў|[ЂЋЈЉЊЏЃЌЅђћјљњџѓќѕ](?=\p{L}*[йщъыьэюяёіїєґў])|(?<=[йщъыьэюяёіїєґў]\p{L}*)[ђћјљњџѓќѕ]|•(?=\p{L})/gu;
/** Spanish `¿` and `¡` may precede small letters. */
const SPANISH_MARKS = /¿([^¿?\n]{1,200}\?)|¡([^¡!\n]{1,200}!)/gu;
const USUAL_SIGNS = /^[\0-\x7f€£°²³½№–—„“”‚’‘…§±×«»]*$/u;
const LATIN = /(?![µªº])\p{Script=Latin}/u;
const SCRIPTS = [
  LATIN,
  /\p{Script=Cyrillic}/u,
  /(?!µ)\p{Script=Greek}/u,
  /\p{Script=Hebrew}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Thai}/u,
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u,
];
const IDEOGRAPHIC = SCRIPTS.at(-1) ?? LATIN;
const VOWEL = /[aeiouyæøœıþð]/i;

const MAX_WORD_CHARS = 200;

/** Counts different words with non-ASCII characters: repetitions prove nothing. */
export interface LetterFlaws {
  readonly words: number;
  readonly marks: number;
  readonly flaws: number;
}

/** Counts distinct words with non-ASCII characters, these characters, and how many of them seem wrong. */
export function countLetterFlaws(text: string): LetterFlaws {
  let [words, marks, flaws] = [0, 0, 0];
  for (const found of new Set(text.replace(SPANISH_MARKS, '$1$2').match(WORD))) {
    const word = found.slice(0, MAX_WORD_CHARS);
    const here = countMatches(word, MARK);
    if (here === 0) continue;
    words++;
    marks += here;
    flaws += Math.min(here, countFlaws(word, here));
  }
  return { words, marks, flaws };
}

/** Measures, numbers and currencies in usual places: `5 °C`, `nº 5`, `12 m³`, `3 µm`, `Ø 12`, `9,50 €`, `¥ 500`. */
const OF_MEASURES =
  /(?<=(?<!\p{L})[Nn]|(?<!\p{L}))°[CFK]?(?!\p{L})|(?<=(?<!\p{L})[Nn])º(?!\p{L})|(?<=(?<!\p{L})[ckmd]?m)[²³]|(?<!\p{L})[µμ](?=[glmsAFHLVW](?!\p{L}))|(?<!\p{L})[Øø±×÷≤≥≈](?= ?\d)|(?<= )[×÷](?= )|(?<!\p{L})[½¼¾€£](?!\p{L})|(?<=\d ?)[¥¢‰](?!\p{L})|(?<=[;,\t|"\n(])¥(?=[;,\t|"\r\n)])|[¥№](?= ?\d)|(?<=\d)[ºª](?!\p{L})/gu;
/**
 * In usual places: `• Item`, `etc…`, `it’s`, `“quoted”`, `Ann – Bob`, `Brand®`, `© 2026`, and a section sign
 * before a number.
 */
const OF_TEXTS =
  /(?<!\p{L})•(?![\p{L}\d])|(?<!\p{L})§(?=§? ?\d)|…(?!\p{L})|(?<=(?<!\p{L})(?:[dlo]|qu))’(?=\p{L})|(?<=\p{L})’(?=(?:[dmst]|ll|re|ve)(?!\p{L}))|(?<=[\s\d])[–—](?=[\s\d])|(?<![\p{L}\d])[“„‚‘](?=[\p{L}\d][^\n]{0,200}[”“’])|(?<=[“„‚‘][^\n]{0,200}[\p{L}\d.,!?])[”“’](?!\p{L})|(?<=\p{L} ?)™(?!\p{L})|®(?!\p{L})|©(?= ?\d)|«(?= ?\p{L})|(?<=\p{L} ?)»/giu;

/** Returns whether all non-ASCII characters are signs (`€`, `°`, `’`) where they belong. True for ASCII text. */
export const hasSignsOnly = (text: string): boolean =>
  countMatches(text, MARK) === countMatches(text, OF_MEASURES) + countMatches(text, OF_TEXTS) &&
  countMatches(text, /«/g) === countMatches(text, /»/g);

const KANA = /[\u3041-\u30fa]/gu;
const NARROW_KANA = /[\uff66-\uff9f]/gu;
const VOICED = /(?<=[\uff73\uff76-\uff84\uff8a-\uff8e])\uff9e|(?<=[\uff8a-\uff8e])\uff9f/gu;
/** Impossible: such a mark behind another half-width kana, or small kana first. */
const WRONG_KANA =
  /(?<![\uff73\uff76-\uff84\uff8a-\uff8e])\uff9e|(?<![\uff8a-\uff8e])\uff9f|(?<!\p{L})[\uff67-\uff70]/u;
/** ア to ソ. */
const TELLING_KANA = /[\uff71-\uff7f]/gu;
const MIN_TELLING = 0.2;
const MIN_KANA = 4;
/**
 * Least share of those marks, rare in Chinese and Cyrillic; the smaller one applies beside ア to ソ, which
 * Windows-1251 capitals never give.
 */
const [MIN_VOICED, MIN_VOICED_BESIDE] = [0.05, 0.02];
/** Half-width kana prove less, as single bytes. */
const NARROW_WEIGHT = 0.8;

/**
 * Returns the share of kana among the non-ASCII characters, from 0 to 1. Half-width ones count for less, unlikely ones
 * not at all. 0 for fewer than four kana, or with undecodable characters.
 */
export function kanaShare(text: string): number {
  const marks = countMatches(text, MARK);
  const narrow = countMatches(text, NARROW_KANA);
  const isBeside = countMatches(text, TELLING_KANA) >= narrow * MIN_TELLING;
  const minVoiced = narrow * (isBeside ? MIN_VOICED_BESIDE : MIN_VOICED);
  const isNarrow = countMatches(text, VOICED) >= minVoiced && !WRONG_KANA.test(text);
  const wide = countMatches(text, KANA);
  if (wide + narrow < MIN_KANA || text.includes('\ufffd')) return 0;
  return (wide + (isNarrow ? NARROW_WEIGHT * narrow : 0)) / marks;
}

/** Counts characters that seem wrongly decoded; may be fractional or exceed `marks`. */
function countFlaws(word: string, marks: number): number {
  const letters = countMatches(word, LETTER);
  const scripts = SCRIPTS.filter((script) => script.test(word));
  const flaws =
    countMatches(word, NEVER) +
    countMatches(word, WRONG_CASE) +
    countMatches(word, WRONG_SYMBOL) +
    countMatches(word, WRONG_LETTER);
  if (scripts.length > 1) return flaws + marks;
  if (letters === 0) return USUAL_SIGNS.test(word) ? flaws : flaws + 0.5;
  const isAlone = letters === 1 && scripts[0] !== IDEOGRAPHIC;
  const isUnspeakable = scripts[0] === LATIN && letters > 2 && !VOWEL.test(word.normalize('NFD'));
  return flaws + (isAlone ? 0.5 : 0) + (isUnspeakable ? marks / 2 : 0);
}

/** Returns how often a global pattern matches. */
function countMatches(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}
