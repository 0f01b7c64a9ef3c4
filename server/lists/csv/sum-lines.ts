import { writtenAmount } from '../../base/amount.ts';
import type { CsvRecord } from './records.ts';

/** A line below a table that adds up what stands above it. */
export interface SumLine {
  readonly line: number;
  /** What it says first, as `Summe`. */
  readonly text: string;
}

/** What people write in front of a sum, in the languages of the window and of their neighbours. */
const WORDS =
  /^(?:[Σ∑]|(?:gesamt|end|zwischen)?summe|gesamt(?:betrag)?|insgesamt|sum(?:a|as|s)?|somm[ea]|(?:grand |sub-?|sous-?)?tota(?:l|ls|le|les|ux|li))(?=$|[\s:.(])/iu;
const LONGEST = 40;
/** Sums below one another, such as one before and one after tax. */
const MOST = 5;

/** Holds back the last lines of a table, as only behind the last one it is known which of them may be sums. */
export interface LastLines {
  /** The next line; gives one that is no sum for sure, as others follow. */
  next(record: CsvRecord): CsvRecord | undefined;
  /** The lines that are left, and behind them those that begin as sums do and say nothing but numbers. */
  end(): { readonly others: readonly CsvRecord[]; readonly sums: readonly CsvRecord[] };
}

export function createLastLines(says: (cell: string) => string): LastLines {
  const held: CsvRecord[] = [];
  const isSum = (record: CsvRecord): boolean => beginsAsSum(record, says) && saysNumbersAlone(record, says);
  return {
    next(record) {
      held.push(record);
      return held.length > MOST ? held.shift() : undefined;
    },
    end() {
      const from = held.findLastIndex((record) => !isSum(record)) + 1;
      return { others: held.slice(0, from), sums: held.slice(from) };
    },
  };
}

export function beginsAsSum(record: CsvRecord, says: (cell: string) => string): boolean {
  const { text } = sumLineOf(record, says);
  return text.length <= LONGEST && WORDS.test(text);
}

export const sumLineOf = ({ line, fields }: CsvRecord, says: (cell: string) => string): SumLine => ({
  line,
  text: says(fields.find((field) => field.trim() !== '') ?? '').trim(),
});

/** What such a line says beside its first word, with its column. */
const besideItsWord = ({ fields }: CsvRecord): (readonly [column: number, cell: string])[] =>
  [...fields.entries()].filter(([, field]) => field.trim() !== '').slice(1);

/** Numbers, or the formulas of some that nobody has computed: a customer may be called Total, but lives somewhere. */
const saysNumbersAlone = (record: CsvRecord, says: (cell: string) => string): boolean =>
  besideItsWord(record).every(([, field]) => {
    const cell = says(field);
    return writtenAmount(cell) !== undefined || cell.startsWith('=');
  });

const SUMMING = /^=.*\b(?:SUM|SUBTOTAL|AGGREGATE)/i;

/** Whether a line that begins as a sum is one: in some column it says what stands above it added up. */
export const addsUp = (
  record: CsvRecord,
  says: (cell: string) => string,
  isSum: (column: number, cell: string) => boolean,
): boolean =>
  besideItsWord(record).some(([column, field]) => {
    const cell = says(field);
    return cell.startsWith('=') ? SUMMING.test(cell) : isSum(column, cell);
  });
