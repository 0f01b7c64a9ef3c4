import { randomInt } from 'node:crypto';

const { CI, FOOTBRIDGE_NIGHTLY, FOOTBRIDGE_RUNS, FOOTBRIDGE_SEED } = process.env;

/** True in `npm run nightly`: whole matrices, long property runs and the largest sizes. */
export const IS_NIGHTLY = FOOTBRIDGE_NIGHTLY !== undefined;

/** The reason for skipping what the same tests on a server prove in every run. */
export const NIGHTLY_ONLY = 'runs in the nightly run, as there is a PostgreSQL server for the same tests';

/** Returns the first value in the nightly run, the second one elsewhere. */
export const atNight = <T>(nightly: T, usual: T): T => (IS_NIGHTLY ? nightly : usual);

/** Returns how often a property runs: FOOTBRIDGE_RUNS if given. */
export const runsOf = (nightly: number, usual: number): number =>
  Number(FOOTBRIDGE_RUNS ?? atNight(nightly, usual));

/**
 * Returns the seed of a property: always `fixed` where a change is decided on (CI), a random one elsewhere.
 * FOOTBRIDGE_SEED repeats the seed that a failure names.
 */
export function seedOf(fixed: number): number {
  if (FOOTBRIDGE_SEED !== undefined) return Number(FOOTBRIDGE_SEED);
  return CI === undefined || IS_NIGHTLY ? randomInt(2 ** 31) : fixed;
}

/**
 * Returns one of every `step` items, each with the same distance to the next, starting at a seeded place. Returns all of
 * them in the nightly run. Every item has its turn, as the seed changes outside of CI.
 */
export function sampleOf<T>(items: readonly T[], step: number, seed = seedOf(0)): readonly T[] {
  return atNight(
    items,
    items.filter((_, at) => at % step === seed % step),
  );
}
