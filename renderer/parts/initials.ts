const LETTER = /[\p{L}\p{N}]/u;

/** Returns the first letter or digit with combining marks; undefined without one. */
function firstLetterOf(word: string, letters: Intl.Segmenter): string | undefined {
  for (const { segment } of letters.segment(word)) if (LETTER.test(segment)) return segment;
  return undefined;
}

/** Returns at most two capitals, of the first two words with letters or digits or the only one; `–` without any. */
export function initials(name: string, language: string): string {
  const letters = new Intl.Segmenter(language, { granularity: 'grapheme' });
  const [first, second] = name.split(/\s+/).filter((word) => LETTER.test(word));
  if (first === undefined) return '–';
  const all = [...letters.segment(first)].map(({ segment }) => segment).filter((each) => LETTER.test(each));
  const two = second === undefined ? all.slice(0, 2) : [all[0], firstLetterOf(second, letters)];
  return two.join('').toLocaleUpperCase(language);
}
