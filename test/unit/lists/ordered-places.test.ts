import { expect, it } from 'vitest';
import {
  orderedPlaces,
  type AddedPlace,
  type OrderedPlaces,
} from '../../../server/lists/rows/ordered-places.ts';
import { seedOf } from '../../support/data/luck.ts';
import { seeded } from '../../support/data/seeded.ts';

const all = (places: OrderedPlaces): number[] => places.slice(0);

/** What a plain list comes to by the same words. */
function changed(
  list: readonly number[],
  removed: readonly number[],
  added: readonly AddedPlace[],
): readonly number[] {
  const gone = new Set(removed);
  const stay = list.map((place, at) => ({ place, order: 2 * at + 1 })).filter((_, at) => !gone.has(at));
  const come = added.map(({ place, at }) => ({ place, order: 2 * at }));
  return [...come, ...stay].sort((one, other) => one.order - other.order).map(({ place }) => place);
}

it('gives what a plain list gives after any changes, in pieces that fill up and run empty', () => {
  const seed = seedOf(20261126);
  const random = seeded(seed);
  for (const size of [0, 1, 8191, 8192, 8193, 40_000]) {
    let plain: readonly number[] = stretch(0, size);
    let places = orderedPlaces(Uint32Array.from(plain));
    let next = size;
    for (let round = 0; round < 12; round++) {
      const before = { places, plain };
      // Now one row, now thousands beside each other, now all of a stretch that is longer than a piece.
      const many = [1, 3, 400, 9000, 20_000][random.below(5)] ?? 1;
      const from = random.below(plain.length + 1);
      const isRemoval = random.happens(0.4);
      const removed =
        isRemoval || random.happens(0.5) ? stretch(from, Math.min(plain.length, from + many)) : [];
      const added = isRemoval
        ? []
        : stretch(0, many)
            .map(() => ({ place: next++, at: random.happens(0.5) ? from : random.below(plain.length + 1) }))
            .sort((one, other) => one.at - other.at);
      plain = changed(plain, removed, added);
      places = places.withChanges(removed, added);
      const told = `seed ${seed}, size ${size}, round ${round}`;
      expect(places.length, told).toBe(plain.length);
      expect(all(places), told).toEqual(plain);
      expect(all(before.places), told).toEqual(before.plain);
      const [at, end] = [random.below(plain.length + 1), random.below(plain.length + 200)];
      expect(places.slice(at, end), told).toEqual(plain.slice(at, Math.max(at, end)));
      if (at < plain.length) {
        expect(places.at(at), told).toBe(plain[at]);
        expect(places.indexOf(plain[at] ?? -1), told).toBe(at);
      }
    }
    expect(places.indexOf(next), `seed ${seed}`).toBe(-1);
  }
});

const stretch = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at);
