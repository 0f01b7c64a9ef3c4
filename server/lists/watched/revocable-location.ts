import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { RevocableRule } from '../../store/recovery/withdrawals/revocable.ts';

interface Placed {
  readonly path: string;
}

/** The entry; in notes of before its place alone. Empty where there is none. */
type Kept<T> = T | string;

const placed = z.looseObject({ path: z.string() });
const placeOf = (note: Kept<Placed>): string => (typeof note === 'string' ? note : note.path);

/**
 * Notes where a file of a list lies and how it is used, or that there is none any more: older data brings back neither,
 * and a backup no file, place or use of it that this folder did not have.
 */
export function revocableLocation<T extends Placed>(): Omit<RevocableRule<T, Kept<T>>, 'table'> {
  return {
    note: z.union([z.string(), z.custom<T>((value) => placed.safeParse(value).success)]),
    noted: (before, after) => (isDeepStrictEqual(before, after) ? undefined : (after ?? '')),
    reapply: (value, note) => (value.path === placeOf(note) ? value : undefined),
    restored: (value, note = '') => {
      if (typeof note === 'string') return undefined;
      return isDeepStrictEqual(value, note) ? value : note;
    },
    close: () => undefined,
    lacking: (value, note) => (typeof note === 'object' ? undefined : value),
  };
}
