import type { Field, FieldDescriptor } from '../../lists/definitions/model.ts';
import { createYielder } from '../../base/yield.ts';
import { describeConversion, type Conversion } from '../pull/convert.ts';

export interface SuggestedMatch {
  readonly origin: string;
  /** Absent: none of ours fits. */
  readonly destination?: string;
}

/** Scores of conversions, beside names. */
const FIT: Readonly<Record<Conversion, number>> = {
  same: 0.2,
  converts: 0.1,
  'may-refuse': 0,
  impossible: -1,
};
/** Less similar names are left to the user. */
const ENOUGH = 0.6;

/**
 * Returns every column of the partner's, in order, with the column of ours that suits it best by name, label and kind,
 * if any. Each of ours goes only to its best match.
 */
export async function suggestMatches(
  origins: readonly FieldDescriptor[],
  locals: readonly Pick<Field, 'name' | 'label' | 'kind' | 'isMulti' | 'options'>[],
): Promise<SuggestedMatch[]> {
  const pause = createYielder();
  const look = createNameAnalyzer();
  /** Returns the column's name and label, analyzed. */
  const namesOf = ({ name, label }: Pick<Field, 'name' | 'label'>): AnalyzedName[] => [
    look(name),
    look(label),
  ];
  const ours = locals.map((local) => ({ local, names: namesOf(local) }));
  const pairs: { origin: string; destination: string; score: number }[] = [];
  for (const origin of origins) {
    const theirs = namesOf(origin);
    for (const { local, names } of ours) {
      await pause();
      const alike = Math.max(...theirs.flatMap((a) => names.map((b) => nameSimilarity(a, b))));
      const score = alike + FIT[describeConversion(origin, local).conversion];
      if (alike >= ENOUGH && score >= ENOUGH)
        pairs.push({ origin: origin.name, destination: local.name, score });
    }
  }
  pairs.sort((a, b) => b.score - a.score);
  const taken = new Set<string>();
  const found = new Map<string, string>();
  for (const { origin, destination } of pairs) {
    if (found.has(origin) || taken.has(destination)) continue;
    found.set(origin, destination);
    taken.add(destination);
  }
  return origins.map(({ name }) => {
    const destination = found.get(name);
    return { origin: name, ...(destination === undefined ? {} : { destination }) };
  });
}

/** Analysed once for all comparisons. */
interface AnalyzedName {
  readonly joined: string;
  /** Words and bigrams as sorted numbers. */
  readonly words: Uint32Array;
  readonly pieces: Uint32Array;
}

/**
 * Creates a function that turns a name into sorted numbers of its words and letter pairs, for quick comparison. Numbers
 * are comparable only within one analyzer.
 */
function createNameAnalyzer(): (name: string) => AnalyzedName {
  const numbers = new Map<string, number>();
  /** Returns sorted numbers, the same one for equal texts in all names of this analyzer. */
  const sortedTextNumbers = (texts: readonly string[]): Uint32Array =>
    Uint32Array.from(texts, (text) => {
      const number = numbers.get(text) ?? numbers.size;
      numbers.set(text, number);
      return number;
    }).sort();
  return (name) => {
    const words = wordsOf(name);
    const joined = words.join('');
    const pieces = Array.from({ length: Math.max(0, joined.length - 1) }, (_, at) =>
      joined.slice(at, at + 2),
    );
    return { joined, words: sortedTextNumbers(words), pieces: sortedTextNumbers(pieces) };
  };
}

/**
 * Returns 1 for the same letters and digits, else up to 0.9 by common words or letter pairs, whichever is more; 0 for
 * an empty name.
 */
function nameSimilarity(a: AnalyzedName, b: AnalyzedName): number {
  if (a.joined === '' || b.joined === '') return 0;
  if (a.joined === b.joined) return 1;
  return Math.max(diceSimilarity(a.words, b.words), diceSimilarity(a.pieces, b.pieces)) * 0.9;
}

/** Returns the words of a name in lower case without accents: the same for `E-Mail_Address` and `emailAddress`. */
function wordsOf(text: string): string[] {
  return text
    .replace(/e-mail/gi, 'email')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Returns the Sørensen–Dice coefficient of two sorted arrays, from 0 (nothing in common) to 1. */
function diceSimilarity(a: Uint32Array, b: Uint32Array): number {
  if (a.length === 0 || b.length === 0) return 0;
  let shared = 0;
  for (let [at, other] = [0, 0]; at < a.length && other < b.length;) {
    const [left = 0, right = 0] = [a[at], b[other]];
    if (left === right) shared++;
    if (left <= right) at++;
    if (right <= left) other++;
  }
  return (2 * shared) / (a.length + b.length);
}
