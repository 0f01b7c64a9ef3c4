import { fullYear } from '../../base/full-year.ts';

const MONTHS: readonly (readonly string[])[] = [
  ['january', 'januar', 'jänner', 'janvier', 'enero'],
  ['february', 'februar', 'feber', 'février', 'febrero'],
  ['march', 'märz', 'mrz', 'mars', 'marzo'],
  ['april', 'avril', 'abril'],
  ['may', 'mai', 'mayo'],
  ['june', 'juni', 'juin', 'junio'],
  ['july', 'juli', 'juillet', 'julio'],
  ['august', 'août', 'agosto'],
  ['september', 'septembre', 'septiembre', 'setiembre', 'sept'],
  ['october', 'oktober', 'octobre', 'octubre'],
  ['november', 'novembre', 'noviembre'],
  ['december', 'dezember', 'décembre', 'diciembre'],
];
const MIN_NAME_CHARS = 3;

const plain = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
const PLAIN_MONTHS = MONTHS.map((names) => names.map(plain));

/** `8 Apr 2024`, `8. April 2024`, `le 8 avril 2024`, `8 de abril de 2024`, `08-Apr-2024`, `8/Apr/24`. */
const DAY_FIRST =
  /^(?:le )?(\d{1,2})(?:\.|er|st|nd|rd|th)?[ /-](?:de )?(\p{L}{3,10})\.?,?[ /-](?:de |del )?(\d{4}|\d\d)$/iu;
/** `April 8, 2024`, `Apr 8 2024`. */
const MONTH_FIRST = /^(\p{L}{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/iu;
const MAX_DATE_CHARS = 40;

/**
 * Returns 1 to 12 for a month's name in any of our languages or its start of three letters or more; undefined for
 * others.
 */
function monthNumber(name: string): number | undefined {
  const wanted = plain(name);
  const found = PLAIN_MONTHS.findIndex((names) =>
    names.some((month) => wanted.length >= MIN_NAME_CHARS && month.startsWith(wanted)),
  );
  return found === -1 ? undefined : found + 1;
}

/** Turns a date such as `8. April 2024` or `April 8, 2024` into `YYYY-MM-DD`, unchecked; undefined for other text. */
export function readMonthName(text: string): string | undefined {
  if (text.length > MAX_DATE_CHARS || !/\p{L}{3}/u.test(text) || !/\d\d$/.test(text)) return undefined;
  const [, day, name, year] = DAY_FIRST.exec(text) ?? [];
  const [, otherName = '', otherDay = '', otherYear = ''] =
    day === undefined ? (MONTH_FIRST.exec(text) ?? []) : [];
  const month = monthNumber(name ?? otherName);
  if (month === undefined) return undefined;
  return `${fullYear(year ?? otherYear) ?? ''}-${String(month).padStart(2, '0')}-${(day ?? otherDay).padStart(2, '0')}`;
}

export const readsMonthName = (text: string): boolean => readMonthName(text) !== undefined;
