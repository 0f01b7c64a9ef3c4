import { isBoolWord } from '../values/kinds/bool.ts';
import { checkValue } from '../values/kinds/check.ts';
import type { FieldKind } from '../../base/vocabulary.ts';
import { readMonthName } from './month-names.ts';
import { fromPercent, PERCENT, parseAmount, type WrittenAmount } from '../../base/amount.ts';

export interface CellFormat {
  readonly kind: FieldKind;
  readonly only?: 'date' | 'time';
  readonly decimal?: '.' | ',';
  readonly dateOrder?: DateOrder;
  /** Returns the stored text; undefined if the cell isn't in this notation. */
  read(cell: string): string | undefined;
}

export type DateOrder = 'YMD' | 'DMY' | 'MDY';

const NUMBERS: readonly (readonly ['.' | ',', RegExp, RegExp])[] = [
  ['.', /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/, /,/g],
  [
    ',',
    /^-?(?:(?:0|[1-9]\d*|[1-9]\d{0,2}(?:[.\u00a0\u202f]\d{3})+)(?:,\d+)?|[1-9]\d{0,2}(?:[ '’]\d{3})+,\d+)$/,
    /[. '’\u00a0\u202f]/g,
  ],
  [
    '.',
    /^-?(?:(?:0|[1-9]\d*|[1-9]\d{0,2}(?:(?:,\d{3})+|(?:['’\u00a0\u202f]\d{3})+))(?:\.\d+)?|[1-9]\d{0,2}(?: \d{3})+\.\d+)$/,
    /[, '’\u00a0\u202f]/g,
  ],
];

const PLAIN = /^-?[\d.,]+$/;
/** Its points separate no thousands: `192.168.178.101`. */
const IP_ADDRESS = /^(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])(?:\.(?:1\d\d|2[0-4]\d|25[0-5])){3}$/;

/** Returns a percentage as its fraction (`12 %`: `0.12`). Undefined if `pattern` doesn't match. */
function readNumber(cell: string, pattern: RegExp, thousandsSeparators: RegExp): string | undefined {
  const { number, unit }: Partial<WrittenAmount> = PLAIN.test(cell)
    ? { number: cell }
    : (parseAmount(cell) ?? {});
  if (number === undefined || !pattern.test(number) || IP_ADDRESS.test(number)) return undefined;
  const plain = number.replace(thousandsSeparators, '').replace(',', '.');
  return unit === PERCENT ? fromPercent(plain) : plain;
}

const TIME = '(?:[ T]+(\\d{1,2}:\\d\\d(?::\\d\\d(?:\\.\\d{1,9})?)?)\\s*(Z|[+-]\\d\\d:?\\d\\d)?)';
/** Databases write a day so: `2024-04-06 00:00:00.000`. */
const MIDNIGHT = '(?:[ T]+0?0:00(?::00(?:\\.0{1,9})?)?)';
/** Other years are of chapters (`01.01.0010`), or of the calendars of Iran (1404) and Thailand (2569). */
const GREGORIAN_YEAR = '(?!0|1[0-4]|25[4-9])\\d{4}';
const DATES: readonly (readonly [DateOrder, string])[] = [
  [
    'YMD',
    `(\\d{4}(?=-\\d\\d-\\d\\d(?!\\d))|${GREGORIAN_YEAR}(?=\\.\\d\\d\\.\\d\\d(?!\\d)|/\\d{1,2}/))[-./](\\d{1,2})[-./](\\d{1,2})`,
  ],
  ['DMY', `(\\d{1,2})[./-](\\d{1,2})[./-](${GREGORIAN_YEAR})`],
  ['MDY', `(\\d{1,2})[/-](\\d{1,2})[/-](${GREGORIAN_YEAR})`],
];

/**
 * The three of numbers come first. A plain space separates thousands only before decimals, since `912 345 678` is a
 * telephone number. Times without a zone are this computer's local time.
 */
export const CELL_FORMATS: readonly CellFormat[] = [
  ...NUMBERS.map(([decimal, pattern, grouping]): CellFormat => ({
    kind: 'Number',
    decimal,
    read: (cell) => readNumber(cell, pattern, grouping),
  })),
  ...DATES.map(([dateOrder, date]): CellFormat => {
    const pattern = new RegExp(`^${date}${MIDNIGHT}?$`);
    const options = { only: 'date' } as const;
    return {
      kind: 'DateTime',
      ...options,
      dateOrder,
      read: (cell) => storedValue('DateTime', isoDate(dateOrder, pattern.exec(cell)), options),
    };
  }),
  ...DATES.map(([dateOrder, date]): CellFormat => {
    const pattern = new RegExp(`^${date}${TIME}$`);
    const day = new RegExp(`^${date}$`);
    return {
      kind: 'DateTime',
      dateOrder,
      read: (cell) =>
        readDateTime(dateOrder, pattern.exec(cell)) ??
        storedValue('DateTime', isoDate(dateOrder, day.exec(cell))),
    };
  }),
  {
    kind: 'DateTime',
    only: 'date',
    read: (cell) => storedValue('DateTime', readMonthName(cell), { only: 'date' }),
  },
  {
    kind: 'DateTime',
    only: 'time',
    read: (cell) =>
      /^\d{1,2}:\d\d(:\d\d)?$/.test(cell) ? storedValue('DateTime', cell, { only: 'time' }) : undefined,
  },
  {
    kind: 'Bool',
    read: (cell) => (isBoolWord(cell) ? storedValue('Bool', cell) : undefined),
  },
  { kind: 'Email', read: (cell) => storedValue('Email', cell) },
  { kind: 'Url', read: (cell) => (/^https?:\/\//i.test(cell) ? storedValue('Url', cell) : undefined) },
  { kind: 'Geometry', read: (cell) => (cell.startsWith('{') ? storedValue('Geometry', cell) : undefined) },
];

/** Undefined for no valid value. */
function storedValue(kind: FieldKind, text: string | undefined, options = {}): string | undefined {
  if (text === undefined) return undefined;
  const result = checkValue({ kind, options }, text);
  return 'value' in result ? result.value : undefined;
}

/** `YYYY-MM-DD`, unchecked: `2026-02-31` is possible. */
function isoDate(order: DateOrder, parts: RegExpExecArray | null): string | undefined {
  if (!parts) return undefined;
  const [, a = '', b = '', c = ''] = parts;
  const [year, month, day] = order === 'YMD' ? [a, b, c] : order === 'DMY' ? [c, b, a] : [c, a, b];
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** In UTC; without a zone it is this computer's local time. */
function readDateTime(order: DateOrder, parts: RegExpExecArray | null): string | undefined {
  const date = isoDate(order, parts);
  const [, , , , time = '', zone] = parts ?? [];
  if (date === undefined) return undefined;
  const text = `${date}T${time.padStart(time.indexOf(':') === 1 ? time.length + 1 : 0, '0')}`;
  if (zone !== undefined) return storedValue('DateTime', `${text}${zone}`);
  const asUTC = storedValue('DateTime', text);
  const local = new Date(text);
  // No clock shows a time that summer time skips: it may be another zone's, which a shift by an hour would alter.
  const minutes = local.getHours() * 60 + local.getMinutes();
  if (asUTC === undefined || minutes !== minutesOf(text.slice(11))) return undefined;
  return `${local.toISOString().slice(0, 19)}${asUTC.slice(19)}`;
}
