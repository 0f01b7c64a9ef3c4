import { LITERAL_SIGNS, type NumberFormat } from './number-format.ts';

let digitsFormat: Intl.NumberFormat | undefined;
/** Writes a number with a workbook's 15 digits. The formatter is expensive, so it is made once. */
const toDigits = (value: number): string =>
  (digitsFormat ??= new Intl.NumberFormat('en', {
    useGrouping: false,
    maximumSignificantDigits: 15,
  })).format(value);
const WHOLE = /^[+-]?\d+$/;
const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
const MAX_CELL_CHARS = 400;
const MAX_EXACT = 1e21;

/** Returns plain notation, integers with all digits; trims other text. */
export function toNumberText(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length > MAX_CELL_CHARS) return trimmed;
  if (WHOLE.test(trimmed)) return BigInt(trimmed.replace('+', '')).toString();
  const value = DECIMAL.test(trimmed) ? Number(trimmed) : Number.NaN;
  if (!Number.isFinite(value)) return trimmed;
  if (Math.abs(value) < 1e15 || Math.abs(value) >= MAX_EXACT) return toDigits(value === 0 ? 0 : value);
  return String(value);
}

/** Writes integers by their format (`00000`: `01067`), other numbers plainly; trims other text. */
export function toDigitsText(text: string, format: NonNullable<NumberFormat['digits']>): string {
  const whole = toNumberText(text);
  if (!/^\d+$/.test(whole)) return whole;
  const digits = typeof format === 'string' ? format : format(Number(whole));
  let at = whole.length;
  const signs = digits
    .split('')
    .reverse()
    .map((sign) => {
      if (sign !== '0' && sign !== '#') return LITERAL_SIGNS[sign] ?? sign;
      if (at > 0) return whole.charAt(--at);
      return sign === '0' ? '0' : '';
    });
  const written = signs.reverse().join('');
  const first = digits.search(/[0#]/);
  return (written.slice(0, first) + whole.slice(0, at) + written.slice(first)).trim();
}

const DAY_SECONDS = 86_400;
/** First invalid day: years of five digits follow. Limits durations too. */
const END = 2_958_466;
/** Larger times of day are moments of this century or the last, smaller ones sums of hours. */
const MAX_DAYS_OF_HOURS = 1000;
/** Exists only if 1900 is treated as a leap year. */
const NO_DAY = 60;

/** 0001-01-01 in the system of 1899. */
const FIRST = -693_593;

/** 1899: as in LibreOffice, with days before 1900, and without February 29, 1900. */
export type DaySystem = 1899 | 1900 | 1904;

/**
 * Turns a number of days into a date, time or duration: `2026-11-28 08:30:00`, local time. Numbers outside the valid
 * days stay.
 */
export function toMomentText(text: string, format: NumberFormat, system: DaySystem): string {
  const serial = Number(text);
  if (text.trim() === '' || !(Math.abs(serial) < END)) return toNumberText(text);
  if (serial === 0 && format.hidesZero) return '';
  const scale = 10 ** (format.secondDecimals ?? 0);
  const seconds = Math.round(serial * DAY_SECONDS * scale) / scale;
  if (format.isElapsed) return toDurationText(seconds);
  if (serial < 0 && !(system === 1899 && format.hasDay && serial >= FIRST)) return toNumberText(text);
  const days = Math.floor(seconds / DAY_SECONDS);
  if (!format.hasDay) return toMomentOfClock(seconds, system);
  return days === 0 && system !== 1904 ? toDurationText(seconds) : toDayAndTimeText(seconds, system);
}

/** Turns seconds that are shown as a time of day into hours, or into a moment if they are too many. */
export function toMomentOfClock(seconds: number, system: DaySystem = 1900): string {
  const isMoment = seconds >= MAX_DAYS_OF_HOURS * DAY_SECONDS && seconds < END * DAY_SECONDS;
  return isMoment ? toDayAndTimeText(seconds, system) : toDurationText(seconds);
}

/** Writes seconds since the day system's start as `YYYY-MM-DD HH:MM:SS`, without midnight. */
function toDayAndTimeText(seconds: number, system: DaySystem): string {
  const days = Math.floor(seconds / DAY_SECONDS);
  const rest = seconds - days * DAY_SECONDS;
  const day = system === 1900 && days === NO_DAY ? '1900-02-29' : toDayText(days, system);
  return rest === 0 ? day : `${day} ${toDurationText(rest)}`;
}

/** Writes a day number of the system as `YYYY-MM-DD`. */
function toDayText(days: number, system: DaySystem): string {
  const isBefore = system === 1900 && days < NO_DAY;
  const first = system === 1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, isBefore ? 31 : 30);
  return new Date(first + days * DAY_SECONDS * 1000).toISOString().slice(0, 10);
}

/** Writes `HH:MM:SS`, with up to three decimals, also more than a day or negative. */
export function toDurationText(seconds: number): string {
  const thousandths = Math.round(Math.abs(seconds) * 1000);
  const left = Math.floor(thousandths / 1000);
  const parts = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
  const shown = parts.map((part) => String(part).padStart(2, '0')).join(':');
  const decimals = String(thousandths % 1000)
    .padStart(3, '0')
    .replace(/0+$/, '');
  return `${seconds < 0 ? '-' : ''}${shown}${decimals === '' ? '' : `.${decimals}`}`;
}

/** Workbooks count days from it, so a time on it is one of no day. */
const NULL_DATE = '1899-12-30';

/**
 * Reads a timestamp as `YYYY-MM-DD HH:MM:SS`, without midnight, and a time of no day alone; trims other text.
 * @param secondDecimals that are displayed; further ones are dropped
 */
export function readTimestamp(text: string, secondDecimals = 0): string {
  const [, day, clock, decimals = ''] =
    /^(-?\d{4,}-\d\d-\d\d)(?:T(\d\d:\d\d:\d\d)(?:\.(\d*))?Z?)?$/.exec(text.trim()) ?? [];
  if (day === undefined) return text.trim();
  const fraction = decimals.slice(0, secondDecimals).replace(/0+$/, '');
  const time = `${clock ?? '00:00:00'}${fraction === '' ? '' : `.${fraction}`}`;
  if (time === '00:00:00') return day;
  return day === NULL_DATE ? time : `${day} ${time}`;
}

/** Drops prefixes of its language; for a cell without a cached result. */
export const toFormulaText = (formula: string): string => `=${formula.replace(/^(of:|oooc:|msoxl:)?=/, '')}`;
