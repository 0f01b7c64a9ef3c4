import { LITERAL_ZERO, type NumberFormat } from './number-format.ts';

/** As many digits as a workbook keeps of a fraction: what stands behind them is how computers count. Dear to make. */
let digitsFormat: Intl.NumberFormat | undefined;
const inDigits = (value: number): string =>
  (digitsFormat ??= new Intl.NumberFormat('en', {
    useGrouping: false,
    maximumSignificantDigits: 15,
  })).format(value);
const WHOLE = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
/** No number that anybody writes is as long; what is, is taken as the text that it is. */
const MAX_CELL_CHARS = 400;
const MAX_EXACT = 1e21;

/** A number as it stands in the file: all digits of a whole one, such as that of a card. What is none stays as it is. */
export function numberText(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length > MAX_CELL_CHARS) return trimmed;
  if (WHOLE.test(trimmed)) return BigInt(trimmed.replace('+', '')).toString();
  const value = DECIMAL.test(trimmed) ? Number(trimmed) : Number.NaN;
  if (!Number.isFinite(value)) return trimmed;
  if (Math.abs(value) < 1e15 || Math.abs(value) >= MAX_EXACT) return inDigits(value === 0 ? 0 : value);
  return Number.isInteger(value) ? BigInt(value).toString() : String(value);
}

/** A whole number in the digits of its format, with those in front that it does not have; another one as it is. */
export function digitsText(text: string, digits: string): string {
  const whole = numberText(text);
  if (!/^\d+$/.test(whole)) return whole;
  const places = digits.replace(/[^0]/g, '').length;
  const padded = whole.padStart(places, '0');
  let at = padded.length;
  const groups = digits
    .split('')
    .reverse()
    .map((sign) => (sign === '0' ? padded.charAt(--at) : sign));
  const written = groups.reverse().join('').replaceAll(LITERAL_ZERO, '0');
  // Digits that the format has no place for stand before its first one.
  const first = digits.indexOf('0');
  return written.slice(0, first) + padded.slice(0, Math.max(at, 0)) + written.slice(first);
}

const DAY_SECONDS = 86_400;
/** The first day that is none: behind it the years have five digits. */
const END = 2_958_466;
/** To some programs, 1900 was a leap year; this is its day too many. */
const NO_DAY = 60;

/** What days are counted from. */
export type DaySystem = 1900 | 1904;

/**
 * A number that a workbook shows as a day, a time or a moment. A moment has no zone: it is that of whoever looks at it,
 * as in a CSV file. What shows as no day is the number.
 */
export function momentText(text: string, format: NumberFormat, system: DaySystem): string {
  const serial = Number(text);
  if (text.trim() === '' || !Number.isFinite(serial)) return numberText(text);
  const seconds = Math.round(serial * DAY_SECONDS);
  if (format.isElapsed) return durationText(seconds);
  if (serial < 0 || serial >= END) return numberText(text);
  const days = Math.floor(seconds / DAY_SECONDS);
  const rest = seconds % DAY_SECONDS;
  if (days === 0 && (system === 1900 || !format.hasDay)) return durationText(rest);
  const day = system === 1900 && days === NO_DAY ? '1900-02-29' : dayText(days, system);
  return rest === 0 ? day : `${day} ${durationText(rest)}`;
}

function dayText(days: number, system: DaySystem): string {
  const first = system === 1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, days < NO_DAY ? 31 : 30);
  return new Date(first + days * DAY_SECONDS * 1000).toISOString().slice(0, 10);
}

/** Hours, minutes and seconds, also more than a day or less than nothing. */
export function durationText(seconds: number): string {
  const left = Math.abs(seconds);
  const parts = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
  const shown = parts.map((part) => String(part).padStart(2, '0')).join(':');
  return seconds < 0 ? `-${shown}` : shown;
}

/** A moment that is written out, with or without a time; parts of seconds are left out. */
export function writtenMoment(text: string): string {
  const [, day, clock] = /^(-?\d{4,}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)[\d.]*Z?)?$/.exec(text.trim()) ?? [];
  if (day === undefined) return text.trim();
  return clock === undefined || clock === '00:00:00' ? day : `${day} ${clock}`;
}

/** A formula that was never computed has no value: it stands for itself, and fits no column of numbers. */
export const formulaText = (formula: string): string => `=${formula.replace(/^(of:|oooc:|msoxl:)?=/, '')}`;
