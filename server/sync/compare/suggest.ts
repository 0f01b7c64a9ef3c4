import type { Field, FieldDescriptor } from '../../lists/definitions/model.ts';
import { createPause } from '../../base/yield.ts';
import { describeConversion, type Conversion } from '../pull/convert.ts';

/** A pair of columns that seem to mean the same. */
export interface SuggestedMatch {
  /** The partner's column. */
  readonly origin: string;
  /** Our column; absent: none fits. */
  readonly destination?: string;
}

/** How well a conversion speaks for a match, beside the names. */
const FIT: Readonly<Record<Conversion, number>> = {
  same: 0.2,
  converts: 0.1,
  'may-refuse': 0,
  impossible: -1,
};
/** Names less alike than this are left for the user. */
const ENOUGH = 0.6;

/**
 * Suggests for each of the partner's columns one of ours, by name, label and kind; each of ours at most once,
 * best fits first. Pairs whose values could never be taken over are not suggested. Lets other work run in between: both
 * may have hundreds of columns.
 */
export async function suggestMatches(
  origins: readonly FieldDescriptor[],
  locals: readonly Pick<Field, 'name' | 'label' | 'kind' | 'isMulti' | 'options'>[],
): Promise<SuggestedMatch[]> {
  const pause = createPause();
  const look = createLook();
  const namesOf = ({ name, label }: Pick<Field, 'name' | 'label'>): Looked[] => [look(name), look(label)];
  const ours = locals.map((local) => ({ local, names: namesOf(local) }));
  const pairs: { origin: string; destination: string; score: number }[] = [];
  for (const origin of origins) {
    const theirs = namesOf(origin);
    for (const { local, names } of ours) {
      await pause();
      const alike = Math.max(...theirs.flatMap((a) => names.map((b) => likeness(a, b))));
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

/** A name, taken apart once for all that it is compared with. */
interface Looked {
  readonly joined: string;
  /** The numbers of its words and of its two-letter pieces, in order. */
  readonly words: Uint32Array;
  readonly pieces: Uint32Array;
}

/** Takes names apart; the same words and pieces have the same number in all of them. */
function createLook(): (name: string) => Looked {
  const numbers = new Map<string, number>();
  const numbered = (texts: readonly string[]): Uint32Array =>
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
    return { joined, words: numbered(words), pieces: numbered(pieces) };
  };
}

/** How alike two names are, 0 to 1: case, blanks, accents and word order aside. */
function likeness(a: Looked, b: Looked): number {
  if (a.joined === '' || b.joined === '') return 0;
  if (a.joined === b.joined) return 1;
  return Math.max(inCommon(a.words, b.words), inCommon(a.pieces, b.pieces)) * 0.9;
}

/** `E-Mail_Address`, `emailAddress` and `Email address` come to the same words. */
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

/** The share of numbers that both have (Sørensen–Dice). @param a in order, as `b` */
function inCommon(a: Uint32Array, b: Uint32Array): number {
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
