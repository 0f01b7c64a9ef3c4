import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { RevocableRule } from '../../store/recovery/withdrawals/revocable.ts';

interface Placed {
  readonly path: string;
}

/** In older data only the path. Empty: no entry. */
type Kept<T> = T | string;

const placed = z.looseObject({ path: z.string() });
const placeOf = (note: Kept<Placed>): string => (typeof note === 'string' ? note : note.path);

/**
 * Returns the rule of entries with a path on this computer after a restore: older data brings back none that was ended
 * or moved since, and a backup only the entry that this data folder has.
 */
export function revocableLocation<T extends Placed>(): Omit<RevocableRule<T, Kept<T>>, 'table'> {
  return {
    note: z.union([z.string(), z.custom<T>((value) => placed.safeParse(value).success)]),
    noteForChange: (before, after) => (isDeepStrictEqual(before, after) ? undefined : (after ?? '')),
    reapply: (value, note) => (value.path === placeOf(note) ? value : undefined),
    limitRestored: (value, note = '') => {
      if (typeof note === 'string') return undefined;
      return isDeepStrictEqual(value, note) ? value : note;
    },
    close: () => undefined,
    noteIfLacking: (value, note) => (typeof note === 'object' ? undefined : value),
  };
}
