import { accept, refuse, type Checked } from './checked.ts';
import { said } from '../../../words/said.ts';

const PAIR = /^(-?\d{1,3}(?:\.\d+)?)\s*[,;]\s*(-?\d{1,3}(?:\.\d+)?)$/;
const PROBLEM = said('value.no-place');

/**
 * Checks a place: JSON with `coordinates: [latitude, longitude]` is stored as written, `46.05, 14.5` becomes
 * that. Empty coordinates are stored as no value.
 */
export function checkGeometry(text: string): Checked {
  const trimmed = text.trim();
  const [, latitude, longitude] = PAIR.exec(trimmed) ?? [];
  const json =
    latitude !== undefined && longitude !== undefined
      ? `{"coordinates":[${Number(latitude)},${Number(longitude)}]}`
      : trimmed;
  const coordinates = coordinatesOf(json);
  if (!coordinates) return refuse(PROBLEM);
  if (coordinates.length === 0) return accept('');
  const [north, east] = coordinates;
  return coordinates.length === 2 && isWithin(north, 90) && isWithin(east, 180)
    ? accept(json)
    : refuse(PROBLEM);
}

/** Returns the `coordinates` array of a JSON text; undefined if it has none or isn't JSON. */
function coordinatesOf(json: string): unknown[] | undefined {
  try {
    const place: unknown = JSON.parse(json);
    if (typeof place !== 'object' || place === null || !('coordinates' in place)) return undefined;
    return Array.isArray(place.coordinates) ? place.coordinates : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether a value is a number of at most this magnitude. */
function isWithin(value: unknown, bound: number): boolean {
  return typeof value === 'number' && Math.abs(value) <= bound;
}
