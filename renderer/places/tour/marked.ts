import { STOPS, type Stop } from '../../state/tour.svelte.ts';

/** The thing that a stop of the look around is about; undefined where it is not on the page, or not seen. */
export function markedAs(stop: Stop): HTMLElement | undefined {
  const found = document.querySelector<HTMLElement>(`[data-tour="${stop}"]`);
  return found?.checkVisibility() ? found : undefined;
}

/** The stops that can be shown where the window is now. */
export const stopsInSight = (): Stop[] => STOPS.filter((stop) => markedAs(stop) !== undefined);
