import { TooLargeAhead } from './errors.ts';
import { createPlaces, type Holder, type Place, type Places } from './places.ts';

/**
 * What answers may take in memory while they come in, and large ones until they are worked through, over all partners
 * together: small ones pass, larger ones wait for each other.
 */
export interface Room {
  readonly middle: Places;
  readonly large: Places;
}

/** Beyond these sizes an answer needs a place. */
const MIDDLE_BYTES = 64 * 1024;
const LARGE_BYTES = 2 * 1024 * 1024;

/** One for all partners of a node. */
export function createRoom(): Room {
  return { middle: createPlaces(32), large: createPlaces(1) };
}

/** One answer's stay. */
export interface Stay {
  /** It has so many bytes by now; something to wait for where there is no room yet. @throws TooLargeAhead */
  grow(size: number): Promise<void> | undefined;
  /** All of it is here. */
  arrived(): void;
  end(): void;
}

/**
 * Whoever holds the place of a large answer never waits for another partner, nor for a later answer of the same one:
 * only so does everybody have a turn.
 */
export function enterRoom(room: Room, holder: Holder & { readonly isAhead: boolean }): Stay {
  let middle: Place | undefined;
  let large: Place | undefined;
  return {
    grow(size) {
      if (size > MIDDLE_BYTES && !middle)
        return room.middle.take(holder).then((place) => void (middle = place));
      if (size <= LARGE_BYTES || large) return undefined;
      if (holder.isAhead) throw new TooLargeAhead();
      return room.large.take(holder).then((place) => void (large = place));
    },
    arrived() {
      middle?.release();
      large?.arrived();
    },
    end() {
      middle?.release();
      large?.release();
    },
  };
}
