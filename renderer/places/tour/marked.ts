import { STOPS, type Stop } from '../../state/tour.svelte.ts';

/** Returns the element of a tour stop; undefined if it is absent or invisible. */
export function markedAs(stop: Stop): HTMLElement | undefined {
  const found = document.querySelector<HTMLElement>(`[data-tour="${stop}"]`);
  return found?.checkVisibility() ? found : undefined;
}

/** Returns the stops whose elements are on the present page. */
export const stopsInSight = (): Stop[] => STOPS.filter((stop) => markedAs(stop) !== undefined);
