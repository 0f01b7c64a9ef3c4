import { isCurrencyCode, PERCENT } from '../../server/base/amount.ts';
import type { Language } from './catalogue.ts';

/** For a language and region. Times are ISO 8601; other text stays. */
export interface Format {
  number(value: number): string;
  /** `3 minutes ago`, rounded down, never in the future. `now` in milliseconds. */
  ago(time: string, now: number): string;
  /** `in 24 hours`, rounded, never in seconds. `now` in milliseconds. */
  until(time: string, now: number): string;
  dateTime(time: string): string;
  date(time: string): string;
  /** `14:05`, with the date on other days than `now`. */
  shortTime(time: string, now: number): string;
  /** For `YYYY-MM-DD`, in any time zone. */
  calendarDate(day: string): string;
  readonly decimalMark: ',' | '.';
  readonly dateOrder: 'YMD' | 'DMY' | 'MDY';
  readonly dateMark: '.' | '/' | '-';
  readonly hours: 12 | 24;
  /**
   * Formats a stored decimal, never rounded. A precision or unit adds decimals, grouped thousands and the
   * unit. Otherwise only the decimal mark changes: it may be an id or year.
   */
  decimal(value: string, shown?: ShownAs): string;
  bytes(value: number): string;
  list(values: readonly string[]): string;
}

interface ShownAs {
  readonly precision?: number | undefined;
  readonly unit?: string | undefined;
}

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

const PERCENTAGE = { style: 'percent' } as const;

/**
 * Returns how `Intl` writes an amount; the caller replaces the currency's text. Signs and units that it doesn't know are
 * written as euros. Units of letters are placed and spaced as codes, others as signs.
 */
function currencyStyle(unit: string): Intl.NumberFormatOptions {
  const currencyDisplay = /^\p{L}+\.?$/u.test(unit) ? 'code' : 'narrowSymbol';
  return { style: 'currency', currency: isCurrencyCode(unit) ? unit : 'EUR', currencyDisplay };
}

/**
 * Returns the system's locale of this language, for its region's dates and decimals; the language itself without one.
 */
export function localeOf(language: Language): string {
  return navigator.languages.find((tag) => tag.toLowerCase().split('-', 1)[0] === language) ?? language;
}

/** Returns the locale's clock (12 or 24 hours), date order and separator; `DMY` and `/` for unusual ones. */
function dateStyleOf(locale: string): Pick<Format, 'dateOrder' | 'dateMark' | 'hours'> {
  const parts = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'numeric', year: 'numeric' });
  const written = parts.formatToParts(0);
  const order = written
    .map(({ type }) => ({ year: 'Y', month: 'M', day: 'D' })[type as string] ?? '')
    .join('');
  const between = written.find(({ type }) => type === 'literal')?.value.trim();
  const { hour12 } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions();
  return {
    dateOrder: order === 'MDY' || order === 'YMD' ? order : 'DMY',
    dateMark: between === '.' || between === '-' ? between : '/',
    hours: hour12 ? 12 : 24,
  };
}

/** Creates the language's formats of numbers, dates, times and lists. */
export function createFormat(language: Language): Format {
  const locale = localeOf(language);
  const numbers = new Intl.NumberFormat(locale);
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: 'short' });
  const calendar = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const lists = new Intl.ListFormat(locale, { type: 'conjunction' });
  const decimalMark = numbers.format(0.5).includes(',') ? ',' : '.';
  const amounts = new Map<string, Intl.NumberFormat>();

  /** Returns a format with at least `digits` decimals and a unit; cached, as each cell needs one. */
  function amountFormat(digits: number, unit: string | undefined): Intl.NumberFormat {
    const key = `${digits} ${unit ?? ''}`;
    const known = amounts.get(key);
    if (known) return known;
    const style = unit === undefined ? {} : unit === PERCENT ? PERCENTAGE : currencyStyle(unit);
    const made = new Intl.NumberFormat(locale, {
      ...style,
      minimumFractionDigits: digits,
      maximumFractionDigits: 20,
    });
    amounts.set(key, made);
    return made;
  }

  /** Returns how long ago a time was, seconds rounded down to tens; a future time as now, other text unchanged. */
  function ago(time: string, now: number): string {
    const seconds = Math.min(0, (new Date(time).getTime() - now) / 1000);
    if (Number.isNaN(seconds)) return time;
    for (const [unit, size] of STEPS) {
      if (-seconds >= size) return relative.format(Math.trunc(seconds / size), unit);
    }
    return relative.format(Math.trunc(seconds / 10) * 10, 'second');
  }

  /** Returns a rounded time to come, at least a minute. */
  function ahead(seconds: number): string {
    for (const [at, [unit, size]] of STEPS.entries()) {
      // A day and some seconds are 24 hours; another half an hour makes a day.
      const half = (STEPS[at + 1]?.[1] ?? 0) / 2;
      if (seconds >= size + half) return relative.format(Math.round(seconds / size), unit);
    }
    return relative.format(1, 'minute');
  }

  /** Formats a time; other text stays. */
  const formatTime = (format: Intl.DateTimeFormat, time: string): string => {
    const date = new Date(time);
    return Number.isNaN(date.getTime()) ? time : format.format(date);
  };

  return {
    decimalMark,
    ...dateStyleOf(locale),
    number: (value) => numbers.format(value),
    ago,
    /** Returns how long until a time; a past one is worded as by `ago`. */
    until(time, now) {
      const seconds = (new Date(time).getTime() - now) / 1000;
      return seconds > 0 ? ahead(seconds) : ago(time, now);
    },
    dateTime: (time) => formatTime(moment, time),
    date: (time) => formatTime(day, time),
    shortTime: (time, now) =>
      new Date(time).toDateString() === new Date(now).toDateString()
        ? formatTime(clock, time)
        : formatTime(moment, time),
    calendarDate: (value) => (/^\d{4}-\d\d-\d\d$/.test(value) ? formatTime(calendar, value) : value),
    /**
     * Returns a stored number in the language's notation, unrounded, with at least `precision` decimals and the unit.
     * Text that isn't a number, or has more than 60 digits before or 20 after the point, stays.
     */
    decimal(value, { precision = 0, unit } = {}) {
      if (!/^[+-]?\d{1,60}(\.\d{1,20})?$/.test(value)) return value;
      const number = value.replace(/^\+/, '');
      if (precision < 1 && unit === undefined) return number.replace('.', decimalMark);
      const parts = amountFormat(Math.min(20, precision), unit)
        // As text it keeps every digit.
        .formatToParts(number as `${number}`);
      return parts.map(({ type, value: text }) => (type === 'currency' ? unit : text)).join('');
    },
    /** Returns a size in byte, kB, MB or GB (steps of 1000), the largest that fits into it, such as `1.5 MB`. */
    bytes(value) {
      const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];
      const step = value < 1 ? 0 : Math.min(3, Math.floor(Math.log10(value) / 3));
      const unit = units[step] ?? 'byte';
      return new Intl.NumberFormat(locale, {
        style: 'unit',
        unit,
        // Short English says “300 byte”.
        unitDisplay: step === 0 ? 'long' : 'short',
        maximumFractionDigits: step === 0 ? 0 : 1,
      }).format(value / 1000 ** step);
    },
    list: (values) => lists.format(values),
  };
}

const LETTER = /[\p{L}\p{N}]/u;

/** Returns the first letter or digit with combining marks; undefined without one. */
function firstLetterOf(word: string, letters: Intl.Segmenter): string | undefined {
  for (const { segment } of letters.segment(word)) if (LETTER.test(segment)) return segment;
  return undefined;
}

/** Returns at most two capitals, of the first two words with letters or digits or the only one; `–` without any. */
export function initials(name: string, language: string): string {
  const letters = new Intl.Segmenter(language, { granularity: 'grapheme' });
  const [first, second] = name.split(/\s+/).filter((word) => LETTER.test(word));
  if (first === undefined) return '–';
  const all = [...letters.segment(first)].map(({ segment }) => segment).filter((each) => LETTER.test(each));
  const two = second === undefined ? all.slice(0, 2) : [all[0], firstLetterOf(second, letters)];
  return two.join('').toLocaleUpperCase(language);
}
