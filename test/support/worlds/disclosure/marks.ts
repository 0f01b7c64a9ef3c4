import { inflateRawSync } from 'node:zlib';
import type { Seeded } from '../../data/seeded.ts';

/** Texts that turn up nowhere by chance, and what of an answer is one of them. */
export interface Marks {
  /** A new text; starts with the letter. */
  make(letter: 'v' | 'n' | 'l'): string;
  /** Makes an id known, so that it is looked for as well. */
  know(id: string): void;
  /** All marks and known ids in a text, and in what cursors inside of it hold. */
  in(text: string): ReadonlySet<string>;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const MARK = /[vnl]q[a-z0-9]{8}x/g;
const ID = /\d{15,20}/g;
const CURSOR = /"nextPage":"([\w-]+)"/g;

/** Returns what a cursor holds; some are compressed. */
function readable(cursor: string): string {
  const bytes = Buffer.from(cursor, 'base64url');
  try {
    return inflateRawSync(bytes).toString();
  } catch {
    return bytes.toString();
  }
}

export function createMarks(random: Seeded): Marks {
  const known = new Set<string>();
  return {
    make(letter) {
      const middle = Array.from({ length: 8 }, () => LETTERS[random.below(LETTERS.length)]).join('');
      const mark = `${letter}q${middle}x`;
      known.add(mark);
      return mark;
    },
    know: (id) => void known.add(id),
    in(text) {
      const cursors = [...text.matchAll(CURSOR)].map(([, cursor = '']) => readable(cursor));
      const all = [text, ...cursors].join('\n');
      const found = [...all.matchAll(MARK), ...all.matchAll(ID)].map(([mark]) => mark);
      return new Set(found.filter((mark) => known.has(mark)));
    },
  };
}
