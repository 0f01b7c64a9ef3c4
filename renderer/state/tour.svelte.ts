/** In order; values of `data-tour`. */
export const STOPS = ['bridge', 'partners', 'lists', 'standing', 'help'] as const;
export type Stop = (typeof STOPS)[number];

/** Offered after the first steps, and always in the help. */
export interface Tour {
  readonly offered: boolean;
  readonly stop: Stop | undefined;
  /** Offers the tour without starting. */
  offer(): void;
  start(stops: readonly Stop[]): void;
  /** Moves to the next (1) or previous (-1) stop; past the last, ends. */
  move(by: 1 | -1): void;
  readonly place: { readonly n: number; readonly all: number };
  /** Also withdraws the offer. */
  end(): void;
}

/** Creates the tour, neither offered nor begun. Behind the last stop, `stop` is undefined. */
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
    /**
     * Shows the first stop and withdraws the offer.
     * @param inSight stops that are visible
     */
    start(inSight) {
      offered = false;
      stops = inSight;
      at = 0;
    },
    /** Steps forward, or back as far as the first stop. */
    move(by) {
      at = Math.max(0, at + by);
    },
    /** Ends the tour, and withdraws the offer. */
    end() {
      offered = false;
      stops = [];
    },
  };
}

/** Returns the element that a stop explains; undefined if absent or invisible. */
export function stopElement(stop: Stop): HTMLElement | undefined {
  const found = document.querySelector<HTMLElement>(`[data-tour="${stop}"]`);
  return found?.checkVisibility() ? found : undefined;
}

/** Returns those on the present page. */
export const stopsInSight = (): Stop[] => STOPS.filter((stop) => stopElement(stop) !== undefined);
