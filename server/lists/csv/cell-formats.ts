import { isBoolWord } from '../values/kinds/bool.ts';
import { checkValue } from '../values/kinds/check.ts';
import type { FieldKind } from '../../base/vocabulary.ts';
import { fullYear } from '../../base/full-year.ts';
import { readMonthName } from './month-names.ts';
import { fromPercent, PERCENT, parseAmount, type WrittenAmount } from '../../base/amount.ts';

export interface CellFormat {
  readonly kind: FieldKind;
  readonly only?: 'date' | 'time';
  readonly decimal?: '.' | ',';
  readonly dateOrder?: DateOrder;
  /** Returns the stored text; undefined in another notation. */
  read(cell: string): string | undefined;
}

export type DateOrder = 'YMD' | 'DMY' | 'MDY';

/** India groups lakhs and crores: `1,25,000.00`. */
const NUMBERS: readonly (readonly ['.' | ',', RegExp, RegExp])[] = [
  ['.', /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/, /,/g],
  [
    ',',
    /^-?(?:(?:0|[1-9]\d*|[1-9]\d{0,2}(?:[.\u00a0\u202f]\d{3})+)(?:,\d+)?|[1-9]\d{0,2}(?:[ '’]\d{3})+,\d+)$/,
    /[. '’\u00a0\u202f]/g,
  ],
  [
    '.',
    /^-?(?:(?:0|[1-9]\d*|[1-9]\d?(?:,\d\d)+,\d{3}|[1-9]\d{0,2}(?:(?:,\d{3})+|(?:['’\u00a0\u202f]\d{3})+))(?:\.\d+)?|[1-9]\d{0,2}(?: \d{3})+\.\d+)$/,
    /[, '’\u00a0\u202f]/g,
  ],
];

const PLAIN = /^-?[\d.,]+$/;
/** Its points separate no thousands. */
const IP_ADDRESS = /^(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])(?:\.(?:1\d\d|2[0-4]\d|25[0-5])){3}$/;

/**
 * Reads a number with a plain decimal point, without its unit; a percentage as its fraction (`12 %`: `0.12`). Undefined
 * if `pattern` doesn't match, and for IP addresses.
 */
function readNumber(cell: string, pattern: RegExp, thousandsSeparators: RegExp): string | undefined {
  const { number, unit }: Partial<WrittenAmount> = PLAIN.test(cell)
    ? { number: cell }
    : (parseAmount(cell) ?? {});
  if (number === undefined || !pattern.test(number) || IP_ADDRESS.test(number)) return undefined;
  const plain = number.replace(thousandsSeparators, '').replace(',', '.');
  return unit === PERCENT ? fromPercent(plain) : plain;
}

const BLANK = '[ \\u00a0\\u202f]';
/** Also `3:16 PM` and `3:16 p. m.`. */
const CLOCK = `(\\d{1,2}:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?)(?:${BLANK}?([ap])\\.?${BLANK}?m\\.?)?`;
/** JavaScript writes a comma before the time. */
const TIME = `(?:,?(?:T|${BLANK})+${CLOCK}\\s*(Z|[+-]\\d\\d(?::?\\d\\d)?)?)`;
/** Databases and .NET write a day as `2024-04-06 00:00:00.000`, `4/6/2024 12:00:00 AM`. */
const MIDNIGHT = `(?:,?(?:T|${BLANK})+(?:0?0:00(?::00(?:\\.0{1,9})?)?|12:00(?::00)?${BLANK}?a\\.?${BLANK}?m\\.?))`;
/** `Apr 8, 2024, 3:16 PM`. */
const NAMED_MOMENT = new RegExp(`^(?=.{0,60}$)(.*\\p{L}.*\\d\\d)${TIME}$`, 'iu');
const TIME_OF_DAY = new RegExp(`^${CLOCK}$`, 'i');

/** Others are chapters (`01.01.0010`), or years in Iran (1404) and Thailand (2569). */
const GREGORIAN_YEAR = '(?!0|1[0-4]|25[4-9])\\d{4}';
/** Behind points or slashes only: `30-01-26` may begin with the year, or be a code. */
const SHORT_YEAR = '(?:(?<=^\\d{1,2}/\\d{1,2}/)|(?<=^\\d{1,2}\\.\\d{1,2}\\.))\\d\\d';
const DATES: readonly (readonly [DateOrder, string])[] = [
  [
    'YMD',
    `(\\d{4}(?=-\\d\\d-\\d\\d(?!\\d))|${GREGORIAN_YEAR}(?=\\.\\d\\d\\.\\d\\d(?!\\d)|/\\d{1,2}/))[-./](\\d{1,2})[-./](\\d{1,2})`,
  ],
  ['DMY', `(\\d{1,2})[./-](\\d{1,2})[./-](${GREGORIAN_YEAR}|${SHORT_YEAR})`],
  ['MDY', `(\\d{1,2})[/-](\\d{1,2})[/-](${GREGORIAN_YEAR}|${SHORT_YEAR})`],
];

/**
 * Numbers come first. A plain space separates thousands only before decimals: `912 345 678` is a telephone
 * number. Times without a zone are local.
 */
export const CELL_FORMATS: readonly CellFormat[] = [
  ...NUMBERS.map(([decimal, pattern, grouping]): CellFormat => ({
    kind: 'Number',
    decimal,
    read: (cell) => readNumber(cell, pattern, grouping),
  })),
  ...DATES.map(([dateOrder, date]): CellFormat => {
    const pattern = new RegExp(`^${date}${MIDNIGHT}?$`, 'i');
    const options = { only: 'date' } as const;
    return {
      kind: 'DateTime',
      ...options,
      dateOrder,
      read: (cell) => storedValue('DateTime', isoDate(dateOrder, pattern.exec(cell)), options),
    };
  }),
  ...DATES.map(([dateOrder, date]): CellFormat => {
    const pattern = new RegExp(`^${date}${TIME}$`, 'i');
    const day = new RegExp(`^${date}$`);
    return {
      kind: 'DateTime',
      dateOrder,
      /** Reads a day with a time as UTC, or a day alone, in the order of `dateOrder`. */
      read(cell) {
        const parts = pattern.exec(cell);
        return (
          readDateTime(isoDate(dateOrder, parts), parts?.slice(3)) ??
          storedValue('DateTime', isoDate(dateOrder, day.exec(cell)))
        );
      },
    };
  }),
  {
    kind: 'DateTime',
    /** Reads a day with the month's name and a time, as UTC. */
    read(cell) {
      const [, date = '', ...time] = NAMED_MOMENT.exec(cell) ?? [];
      return readDateTime(readMonthName(date), ['', ...time]);
    },
  },
  {
    kind: 'DateTime',
    only: 'date',
    read: (cell) => storedValue('DateTime', readMonthName(cell), { only: 'date' }),
  },
  {
    kind: 'DateTime',
    only: 'time',
    read: (cell) => storedValue('DateTime', readClock(TIME_OF_DAY.exec(cell)), { only: 'time' }),
  },
  {
    kind: 'Bool',
    read: (cell) => (isBoolWord(cell) ? storedValue('Bool', cell) : undefined),
  },
  { kind: 'Email', read: (cell) => storedValue('Email', cell) },
  { kind: 'Url', read: (cell) => (/^https?:\/\//i.test(cell) ? storedValue('Url', cell) : undefined) },
  { kind: 'Geometry', read: (cell) => (cell.startsWith('{') ? storedValue('Geometry', cell) : undefined) },
];

/** Returns {@link CELL_FORMATS}, in which moments without a zone are this many minutes ahead of UTC. */
export function formatsAheadOfUTC(minutes: number): readonly CellFormat[] {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60].map((part) =>
    String(part).padStart(2, '0'),
  );
  const zone = `${minutes < 0 ? '-' : '+'}${hours}:${rest}`;
  return CELL_FORMATS.map((format) =>
    format.kind === 'DateTime' && format.only === undefined
      ? { ...format, read: (cell) => format.read(`${cell}${zone}`) ?? format.read(cell) }
      : format,
  );
}

/** Returns the text as the kind stores it; undefined if it is no valid value. */
function storedValue(kind: FieldKind, text: string | undefined, options = {}): string | undefined {
  if (text === undefined) return undefined;
  const result = checkValue({ kind, options }, text);
  return 'value' in result ? result.value : undefined;
}

/** Joins matched parts to `YYYY-MM-DD`, unchecked (`2026-02-31` is possible); undefined for no match. */
function isoDate(order: DateOrder, parts: RegExpExecArray | null): string | undefined {
  if (!parts) return undefined;
  const [, a = '', b = '', c = ''] = parts;
  const [year, month, day] = order === 'YMD' ? [a, b, c] : order === 'DMY' ? [c, b, a] : [c, a, b];
  return `${fullYear(year) ?? ''}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/**
 * Returns a time with the hour in 24-hour form and two digits; undefined without minutes, for `13:00 PM` and `0:30 AM`.
 */
function readClock(parts: readonly (string | undefined)[] | null): string | undefined {
  const [, clock = '', half] = parts ?? [];
  const [hours = '', ...others] = clock.split(':');
  if (others.length === 0) return undefined;
  const isPossible = half === undefined || (Number(hours) >= 1 && Number(hours) <= 12);
  const hour = half === undefined ? hours : String((Number(hours) % 12) + (/p/i.test(half) ? 12 : 0));
  return isPossible ? [hour.padStart(2, '0'), ...others].join(':') : undefined;
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/**
 * Returns the stored UTC time of a date and matched clock parts, which without a zone are local time. Undefined if
 * either is missing or invalid, or if summer time skips the local time.
 */
function readDateTime(
  date: string | undefined,
  parts: readonly (string | undefined)[] = [],
): string | undefined {
  const time = readClock(parts);
  const [, , , zone] = parts;
  if (date === undefined || time === undefined) return undefined;
  const text = `${date}T${time}`;
  // PostgreSQL writes `+00`.
  if (zone !== undefined) return storedValue('DateTime', `${text}${zone.replace(/^[+-]\d\d$/, '$&:00')}`);
  const asUTC = storedValue('DateTime', text);
  const local = new Date(text);
  // Local clocks skip this time, so it may be another zone's: don't shift it.
  const minutes = local.getHours() * 60 + local.getMinutes();
  if (asUTC === undefined || minutes !== minutesOf(text.slice(11))) return undefined;
  return `${local.toISOString().slice(0, 19)}${asUTC.slice(19)}`;
}
