import type { Field, FieldDescriptor } from '../../lists/definitions/model.ts';
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
 * best fits first. Pairs whose values could never be taken over are not suggested.
 */
export function suggestMatches(
  origins: readonly FieldDescriptor[],
  locals: readonly Pick<Field, 'name' | 'label' | 'kind' | 'isMulti' | 'options'>[],
): SuggestedMatch[] {
  const pairs = origins.flatMap((origin) =>
    locals.map((local) => {
      const alike = Math.max(
        ...[origin.name, origin.label].flatMap((a) => [local.name, local.label].map((b) => similarity(a, b))),
      );
      const { conversion } = describeConversion(origin, local);
      return { origin: origin.name, destination: local.name, alike, score: alike + FIT[conversion] };
    }),
  );
  pairs.sort((a, b) => b.score - a.score);
  const taken = new Set<string>();
  const found = new Map<string, string>();
  for (const { origin, destination, alike, score } of pairs) {
    if (alike < ENOUGH || score < ENOUGH || found.has(origin) || taken.has(destination)) continue;
    found.set(origin, destination);
    taken.add(destination);
  }
  return origins.map(({ name }) => {
    const destination = found.get(name);
    return { origin: name, ...(destination === undefined ? {} : { destination }) };
  });
}

/** How alike two names are, 0 to 1: case, blanks, accents and word order aside. */
export function similarity(a: string, b: string): number {
  const left = words(a);
  const right = words(b);
  if (left.length === 0 || right.length === 0) return 0;
  const [joinedA, joinedB] = [left.join(''), right.join('')];
  if (joinedA === joinedB) return 1;
  const shared = left.filter((word) => right.includes(word)).length;
  const byWords = (2 * shared) / (left.length + right.length);
  return Math.max(byWords * 0.9, bigrams(joinedA, joinedB) * 0.9);
}

/** `E-Mail_Address`, `emailAddress` and `Email address` come to the same words. */
function words(text: string): string[] {
  return text
    .replace(/e-mail/gi, 'email')
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Share of two-letter pieces that both have (Sørensen–Dice). */
function bigrams(a: string, b: string): number {
  if (a.length < 2 || b.length < 2) return 0;
  const pieces = new Map<string, number>();
  for (let at = 0; at < a.length - 1; at++) {
    const piece = a.slice(at, at + 2);
    pieces.set(piece, (pieces.get(piece) ?? 0) + 1);
  }
  let shared = 0;
  for (let at = 0; at < b.length - 1; at++) {
    const piece = b.slice(at, at + 2);
    const left = pieces.get(piece) ?? 0;
    if (left === 0) continue;
    pieces.set(piece, left - 1);
    shared++;
  }
  return (2 * shared) / (a.length + b.length - 2);
}
