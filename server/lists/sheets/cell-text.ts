import type { CellValue } from 'hucre/xlsx';

/** What a cell of a workbook holds, as text that a list takes in, whatever the workbook shows it as. */
export function cellText(value: CellValue | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'boolean') return value ? 'true' : 'false';
  return momentText(value);
}

/** As many digits as a workbook keeps: what stands behind them is how computers count. */
const DIGITS = new Intl.NumberFormat('en', { useGrouping: false, maximumSignificantDigits: 15 });

function numberText(value: number): string {
  return Number.isFinite(value) ? DIGITS.format(value === 0 ? 0 : value) : '';
}

const DAY_MS = 24 * 3_600_000;
/** Days are counted from here on; what lies before its second day is a time of day. */
const FIRST_DAY = Date.UTC(1900, 0, 1);

/** A moment in a workbook has no zone: it is that of whoever looks at it, as in a CSV file. */
function momentText(moment: Date): string {
  const time = Math.round(moment.getTime() / 1000) * 1000;
  if (Number.isNaN(time)) return '';
  const [day = '', clock = ''] = new Date(time).toISOString().slice(0, 19).split('T');
  if (time < FIRST_DAY) return clock;
  return time % DAY_MS === 0 ? day : `${day} ${clock}`;
}
