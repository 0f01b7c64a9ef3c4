/** Stops of the tour in order, by their attribute `data-tour`. */
export const STOPS = ['bridge', 'partners', 'lists', 'standing', 'help'] as const;
export type Stop = (typeof STOPS)[number];

/** The tour: offered after the first steps, and available from the help at any time. */
export interface Tour {
  readonly offered: boolean;
  readonly stop: Stop | undefined;
  offer(): void;
  /** @param stops visible ones; without any nothing is shown */
  start(stops: readonly Stop[]): void;
  /** Moves to the next (1) or previous (-1) stop; ends after the last. */
  move(by: 1 | -1): void;
  /** Number of the stop, from 1, and of all. */
  readonly place: { readonly n: number; readonly all: number };
  end(): void;
}

/** Creates the state of the tour: neither offered nor running. */
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
    /** Starts the tour at the first of these stops, and withdraws the offer. */
    start(inSight) {
      offered = false;
      stops = inSight;
      at = 0;
    },
    move(by) {
      at = Math.max(0, at + by);
    },
    /** Ends the tour and withdraws the offer. */
    end() {
      offered = false;
      stops = [];
    },
  };
}
