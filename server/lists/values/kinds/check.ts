import { ownMember } from '../../../base/own-member.ts';
import type { Field } from '../../definitions/model.ts';
import { checkBool } from './bool.ts';
import { accept, refuse, type Checked } from './checked.ts';
import { checkDateTime } from './date-time.ts';
import { checkNumber } from './number.ts';
import { said } from '../../../words/said.ts';
import { isDeeperThan } from '../../../base/json-depth.ts';

/** docs/interface.md: Limits */
const MAX_VALUE_BYTES = 1024 * 1024;

/**
 * Returns a value as stored, or why it doesn't fit (also: over 1 MiB). Empty text always fits. References, people and
 * files fit any text: other offices send what they display.
 */
export function checkValue(field: Pick<Field, 'kind' | 'options'>, text: string): Checked {
  if (text.length * 3 > MAX_VALUE_BYTES && Buffer.byteLength(text) > MAX_VALUE_BYTES) {
    return refuse(said('value.too-long'));
  }
  if (field.kind === 'Bool') return checkBool(text);
  if (text === '') return accept('');
  switch (field.kind) {
    case 'Number':
      return checkNumber(text, field.options.unit);
    case 'DateTime':
      return checkDateTime(text, field.options.only);
    case 'Select':
      return checkSelect(text, field.options);
    case 'Email':
      return checkEmail(text);
    case 'Url':
      return checkUrl(text);
    case 'Geometry':
      return checkGeometry(text);
    case 'User':
    case 'Record':
    case 'File':
    case 'String':
      return accept(text);
  }
}

/** Accepts a choice by value or displayed text, in any case; without choices any text. */
function checkSelect(text: string, { options = [], optionTexts }: Field['options']): Checked {
  if (options.length === 0 || options.includes(text)) return accept(text);
  const wanted = text.trim().toLowerCase();
  const found = options.find(
    (option) => option.toLowerCase() === wanted || ownMember(optionTexts, option)?.toLowerCase() === wanted,
  );
  return found === undefined
    ? refuse(said('value.no-choice', { choices: firstChoices(options) }))
    : accept(found);
}

/** Joins the first ten choices, with an ellipsis if there are more. */
function firstChoices(options: readonly string[]): string {
  const shown = options.slice(0, 10).join(', ');
  return options.length > 10 ? `${shown}, …` : shown;
}

/** One @ between texts without blanks or control characters; deliverability is unknown. */
const EMAIL = /^[^\s@<>"(),;\p{Cc}]+@[^\s@<>"(),;\p{Cc}]+$/u;

/** Accepts an email address of up to 320 characters, trimmed, otherwise as written. */
function checkEmail(text: string): Checked {
  const trimmed = text.trim();
  return trimmed.length <= 320 && EMAIL.test(trimmed) ? accept(trimmed) : refuse(said('value.no-email'));
}

/** Safe to click; others (javascript:, file:) could act on this computer. */
const SCHEMES = new Set(['http:', 'https:', 'ftp:', 'mailto:', 'tel:']);

/**
 * Checks a Url, trimmed, with `https://` if it has no scheme; its host needs a dot then. Refuses schemes that a click
 * mustn't follow, blanks, and more than 8,192 characters.
 */
function checkUrl(text: string): Checked {
  const trimmed = text.trim();
  const full = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(trimmed) ? trimmed : `https://${trimmed}`;
  if (trimmed.length > 8192 || /[\s\p{Cc}]/u.test(trimmed) || !URL.canParse(full)) {
    return refuse(said('value.no-web-address'));
  }
  const { protocol, hostname } = new URL(full);
  if (!SCHEMES.has(protocol)) return refuse(said('value.bad-scheme', { scheme: protocol }));
  if (full !== trimmed && !hostname.includes('.')) {
    return refuse(said('value.no-web-address'));
  }
  return accept(full);
}

const COORDINATES = /^(-?\d{1,3}(?:\.\d+)?)\s*[,;]\s*(-?\d{1,3}(?:\.\d+)?)$/;
const NO_PLACE = said('value.no-place');
/** A partner's values of 1 MiB of brackets would block for seconds a page, here and in the window. */
const MAX_GEOMETRY_DEPTH = 32;

/** Accepts `46.05, 14.5`, or stored JSON with `coordinates: [latitude, longitude]`; empty: no value. */
function checkGeometry(text: string): Checked {
  const trimmed = text.trim();
  const [, latitude, longitude] = COORDINATES.exec(trimmed) ?? [];
  const json =
    latitude !== undefined && longitude !== undefined
      ? `{"coordinates":[${Number(latitude)},${Number(longitude)}]}`
      : trimmed;
  const coordinates = parseCoordinates(json);
  if (!coordinates) return refuse(NO_PLACE);
  if (coordinates.length === 0) return accept('');
  const [north, east] = coordinates;
  return coordinates.length === 2 && isWithin(north, 90) && isWithin(east, 180)
    ? accept(json)
    : refuse(NO_PLACE);
}

/** Returns the JSON's `coordinates`, unchecked; undefined without such an array, or for other or very deep JSON. */
function parseCoordinates(json: string): unknown[] | undefined {
  if (isDeeperThan(MAX_GEOMETRY_DEPTH, Buffer.from(json))) return undefined;
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
