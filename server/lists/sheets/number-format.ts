import { isUnit, PERCENT } from '../../base/amount.ts';
import type { Amount } from './workbook.ts';

/** Of what a workbook shows a number as, what decides about its meaning. */
export interface NumberFormat {
  /** For numbers that are names, such as postal codes: `00000`, or `000-000`. */
  readonly digits?: string;
  /** Hours that are added up: beyond a day, and below nothing. */
  readonly isElapsed: boolean;
  readonly hasDay: boolean;
}

const DAY: NumberFormat = { isElapsed: false, hasDay: true };
const CLOCK: NumberFormat = { isElapsed: false, hasDay: false };
const ELAPSED: NumberFormat = { isElapsed: true, hasDay: false };

/** Those that a workbook names by number alone, as far as they are of days and times (ECMA-376, 18.8.30). */
export function builtInFormat(id: number): NumberFormat | undefined {
  if (id === 46) return ELAPSED;
  if ((id >= 18 && id <= 21) || id === 45 || id === 47 || id === 32 || id === 33) return CLOCK;
  if ((id >= 14 && id <= 17) || id === 22 || (id >= 27 && id <= 36) || (id >= 50 && id <= 58)) return DAY;
  return undefined;
}

/** Of the formats that a workbook names by number alone, those of amounts. */
const BUILT_IN_AMOUNTS: Readonly<Record<number, string>> = {
  ...{ 2: '0.00', 4: '#,##0.00', 9: '0%', 10: '0.00%', 39: '#,##0.00', 40: '#,##0.00' },
  ...{ 5: '$#,##0', 6: '$#,##0', 7: '$#,##0.00', 8: '$#,##0.00', 42: '$#,##0', 44: '$#,##0.00' },
};

export const builtInAmount = (id: number): Amount | undefined => writtenAmount(BUILT_IN_AMOUNTS[id] ?? '');

/** How a format shows numbers, where that says more of them than their digits. */
export function writtenAmount(code: string): Amount | undefined {
  if (code.length > LONGEST || writtenFormat(code) !== undefined) return undefined;
  const [shown = ''] = code.replace(AS_IT_IS, '').split(';');
  const beside = shown.includes(PERCENT) ? { unit: PERCENT } : standingBeside(lettersIn(code));
  const decimals = /\.([0#?]+)/.exec(shown)?.[1]?.length ?? 0;
  return beside.unit !== undefined || beside.beside !== undefined || decimals > 0
    ? { decimals, ...beside }
    : undefined;
}

/**
 * What a format of positive numbers shows beside their digits. Room as wide as a sign is not shown, as `_€` in what German
 * programs call comma style, nor are colours and conditions.
 */
function lettersIn(code: string): string {
  let letters = '';
  for (const [, quoted, escaped, sign, plain, end] of code.matchAll(PARTS)) {
    if (end !== undefined) break;
    letters += quoted ?? escaped ?? sign ?? plain ?? ' ';
  }
  return letters;
}
const PARTS = /"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|\[[^\]]*\]|[_*].|general|e[+-]|(\p{Sc}|\p{L}+)|(;)|./giu;

/** What stands beside numbers, as a list can show it, or else as what it cannot; signs such as brackets say nothing. */
export function standingBeside(sign: string): Pick<Amount, 'unit' | 'beside'> {
  const text = sign.replace(/^[\s(−-]+|[\s)−-]+$/g, '').replace(/\s+/g, ' ');
  // What is in quotation marks multiplies nothing.
  if (text !== PERCENT && isUnit(text)) return { unit: text };
  return /[\p{L}\p{Sc}%‰°]/u.test(text) ? { beside: text.slice(0, LONGEST_BESIDE) } : {};
}
const LONGEST_BESIDE = 20;

/** Before the number, as those who have it write it; others stand behind. */
const STANDS_BEFORE = /^(?!€)[A-Z]{0,2}\p{Sc}$/u;

/** The format that shows numbers as a column of a list does; undefined where they stand there as they are. */
export function formatCode(unit: string | undefined, precision: number): string | undefined {
  const decimals = precision > 0 ? `.${'0'.repeat(precision)}` : '';
  if (unit === PERCENT) return `0${decimals}%`;
  if (unit === undefined) return precision > 0 ? `#,##0${decimals}` : undefined;
  return STANDS_BEFORE.test(unit) ? `[$${unit}]#,##0${decimals}` : `#,##0${decimals}\\ [$${unit}]`;
}

/** What stands in a format as it is: quoted, escaped, padding, colours, conditions, currencies. */
const AS_IT_IS = /"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi;

/** Nothing but digits, also where there are none, in groups: so a number is shown that is no amount. */
const DIGITS = /^0[0 /-]*0$/;

/** Letters of a format, as programs bound it; more would be looked through again and again. */
const LONGEST = 255;

/** A format that a workbook writes out; undefined for one of numbers or texts, and for one that is longer than any. */
export function writtenFormat(code: string): NumberFormat | undefined {
  if (code.length > LONGEST) return undefined;
  const [shown = ''] = code
    .replace(/\\(.)/g, '$1')
    .replace(/"([^"]*)"/g, '$1')
    .split(';');
  if (DIGITS.test(shown)) return { isElapsed: false, hasDay: false, digits: shown };
  const [positive = ''] = code
    .replace(AS_IT_IS, '')
    .replace(/general|e[+-]/gi, '')
    .split(';');
  if (/\[(h+|m+|s+)\]/i.test(positive)) return ELAPSED;
  const isClock = /[hs]|am\/pm/i.test(positive);
  if (/[dy]/i.test(positive) || (/m/i.test(positive) && !isClock)) return DAY;
  return isClock ? CLOCK : undefined;
}
