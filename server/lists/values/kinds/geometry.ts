import { isDeeperThan } from '../../../base/json-depth.ts';
import { accept, refuse, type Checked } from './checked.ts';
import { said } from '../../../words/said.ts';

const PAIR = /^(-?\d{1,3}(?:\.\d+)?)\s*[,;]\s*(-?\d{1,3}(?:\.\d+)?)$/;
const PROBLEM = said('value.no-place');
/** A partner's values of 1 MiB of brackets would block for seconds a page, here and in the window. */
const MAX_DEPTH = 32;

/** Accepts `46.05, 14.5`, or stored JSON with `coordinates: [latitude, longitude]`; empty: no value. */
export function checkGeometry(text: string): Checked {
  const trimmed = text.trim();
  const [, latitude, longitude] = PAIR.exec(trimmed) ?? [];
  const json =
    latitude !== undefined && longitude !== undefined
      ? `{"coordinates":[${Number(latitude)},${Number(longitude)}]}`
      : trimmed;
  const coordinates = parseCoordinates(json);
  if (!coordinates) return refuse(PROBLEM);
  if (coordinates.length === 0) return accept('');
  const [north, east] = coordinates;
  return coordinates.length === 2 && isWithin(north, 90) && isWithin(east, 180)
    ? accept(json)
    : refuse(PROBLEM);
}

/** Returns the JSON's `coordinates`, unchecked; undefined without such an array, or for other or very deep JSON. */
function parseCoordinates(json: string): unknown[] | undefined {
  if (isDeeperThan(MAX_DEPTH, Buffer.from(json))) return undefined;
  try {
    const place: unknown = JSON.parse(json);
    if (typeof place !== 'object' || place === null || !('coordinates' in place)) return undefined;
    return Array.isArray(place.coordinates) ? place.coordinates : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether the value is a number from `-bound` to `bound`. */
function isWithin(value: unknown, bound: number): boolean {
  return typeof value === 'number' && Math.abs(value) <= bound;
}
