/** The things that the look around shows, in this order, by their mark `data-tour` in the page. */
export const STOPS = ['bridge', 'partners', 'lists', 'standing', 'help'] as const;
export type Stop = (typeof STOPS)[number];

/** A look around for whoever is new: offered once the first steps are done, and open from the help at any time. */
export interface Tour {
  readonly offered: boolean;
  readonly stop: Stop | undefined;
  offer(): void;
  /** @param stops those that are in sight; where none is there is nothing to show */
  start(stops: readonly Stop[]): void;
  /** To the next stop (1) or the one before (-1); behind the last one it is over. */
  move(by: 1 | -1): void;
  /** Which of how many, from 1. */
  readonly place: { readonly n: number; readonly all: number };
  end(): void;
}

export function createTour(): Tour {
  let offered = $state(false);
  let stops = $state.raw<readonly Stop[]>([]);
  let at = $state(0);
  return {
    get offered() {
      return offered;
    },
    get stop() {
      return stops[at];
    },
    get place() {
      return { n: at + 1, all: stops.length };
    },
    offer() {
      offered = true;
    },
    start(inSight) {
      offered = false;
      stops = inSight;
      at = 0;
    },
    move(by) {
      at = Math.max(0, at + by);
    },
    end() {
      offered = false;
      stops = [];
    },
  };
}
