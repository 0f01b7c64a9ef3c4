/** Letters beyond ASCII of languages in Latin script, with signs that their texts contain. */
const ALPHABETS: readonly ReadonlySet<string>[] = [
  'àâæçéèêëîïôœùûüÿ',
  'áéíóúüñàèòçï',
  'áâãàçéêíóôõú',
  'àèéìíîòóùú',
  'äöüßéèàáôçñ',
  'æøåéèêóòôäöü',
  'åäöéèüšž',
  'áðéíóúýþæöø',
  'éëïöüèêáàóíçûô',
  'ąćęłńóśźż',
  'áčďéěíňóřšťúůýžöü',
  'áäčďéíĺľňóôŕšťúýž',
  'áéíóöőúüű',
  'ăâîșțşţ',
  'čćđšž',
  'çğıiöşüâîû',
  'äõöüšž',
  'āčēģīķļņōŗšūž',
  'ąčęėįšųūž',
  'ëç',
].map((letters) => new Set(letters));

const LATIN_LETTER = /(?![µªº])[^\0-\x7f]/gu;
const IS_LATIN = /\p{Script=Latin}/u;

/**
 * Returns how many non-ASCII Latin letters of a text are in no alphabet together with the others: `Muńoz,
 * Gómez, Martín` mixes Polish and Spanish, as a text does in the wrong encoding. Names of other languages
 * count too, so it tells readings apart, not right from wrong.
 */
export function lettersApart(text: string): number {
  const counts = new Map<string, number>();
  for (const [letter] of text.toLowerCase().matchAll(LATIN_LETTER))
    if (IS_LATIN.test(letter)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const all = [...counts];
  const apart = ALPHABETS.map((alphabet) =>
    all.reduce((sum, [letter, count]) => sum + (alphabet.has(letter) ? 0 : count), 0),
  );
  return all.length === 0 ? 0 : Math.min(...apart);
}
