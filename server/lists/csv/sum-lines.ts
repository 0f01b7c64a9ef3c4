import { parseAmount } from '../../base/amount.ts';
import type { CsvRecord } from './records.ts';
import { MAX_MARKS, type Span } from './totals.ts';

export interface SumLine {
  readonly line: number;
  /** Its texts (`Summe`); else its first number. */
  readonly text: string;
}

const SUM =
  /(?:^|[^\p{L}\p{N}])(?:[Σ∑]|(?:gesamt|end|zwischen|teil|netto|brutto)?summen?|gesamt|(?:gesamt|end|netto|brutto|rechnungs|zahl)betrag|(?:gesamt|teil|zwischen)?ergebnis|insgesamt|sum(?:ma|a|as|s)?|somm[ea]|(?:grand |sub-?|sous-?)?tota(?:l|ls|le|les|ux|li|al)|subtotales|razem|łącznie|celkem|összesen|toplam|итого|всего|всього|общо|i alt|yhteensä|kokku|ukupno|skupaj|iš viso|kopā|σύνολο|합계|[合总總小][計计])(?=$|[^\p{L}\p{N}])/iu;
const CLOSING =
  /^[#*\s]*(?:(?:end|anfangs|schluss|abschluss|rechnungs)?(?:saldo|bestand)|(?:alter|neuer|aktueller)? ?kontostand|übertrag|durchschnitt|mittelwert|(?:daten)?stand (?:am|vom|der)|(?:erstellt|gedruckt|exportiert|erzeugt|abgerufen) (?:am|von|durch|um)|quelle|(?:opening|closing|ending|final|current|available)? ?balance|(?:brought|carried) forward|average|(?:created|generated|printed|exported) (?:on|by|at)|as of|source|(?:ancien|nouveau)? ?solde|report à nouveau|moyenne|(?:créé|édité|imprimé|généré) (?:le|par)|promedio|(?:creado|generado|impreso) (?:el|por)|media|średnia|zůstatek|остаток|сальдо|残高|余额|平均)(?=$|[^\p{L}])|:$/iu;
/** Unlike `Saldo`, never a row's name, so valid behind a day too. */
const CLOSING_BALANCE =
  /^(?:(?:end|schluss|abschluss|eind|slut)(?:saldo|bestand)|neuer (?:saldo|kontostand)|(?:closing|ending|final) balance|solde (?:final|de clôture)|nouveau solde|saldo (?:finale?|de cierre|końcowe)|nuevo saldo|utgående saldo)(?=$|[^\p{L}])/iu;
const TAX =
  /(?:^|[^\p{L}\p{N}])(?:mwst|ust|umsatzsteuer|mehrwertsteuer|vat|tax|gst|tva|iva|btw|moms)(?=$|[^\p{L}\p{N}])/iu;
/** Total only without other values: `***` may be a rating. */
const STARS = /^\*{1,9}$/;
const NET_OR_STARS = /^(?:(?:netto|brutto|net|gross|ht|ttc|neto|bruto)\.?:?|\*{1,9})$/iu;
/** A unit, or dashes. */
const NO_VALUE = /^(?:(?:\p{Sc}|[A-Z]{3})\.?:?|[-–—]{1,3})$/iu;
const MAX_LABEL_CHARS = 40;
/** Net total, taxes, and totals including them. */
const MAX_HELD = 5;
const SUMMING = /^=.*\b(?:SUM|SUBTOTAL|AGGREGATE)/i;
/** One equal number proves little. */
const MIN_ADDENDS = 2;
/** Fewer prove little without a word or earlier totals. */
const MIN_UNCALLED = 6;

/** Numbers per file; beyond, people wouldn't add up lines. */
const MAX_WORK = 100_000;

export interface ColumnSums {
  /** Allows for rounding; `also`: more addends. */
  isSum(column: number, cell: string, span: Span): boolean;
  /** Returns whether at least `least` other cells are all of another kind. */
  isUnlike(column: number, cell: string, least: number): boolean;
  markSum(from: number): void;
}

export interface Settled {
  readonly record: CsvRecord;
  readonly isSum: boolean;
}

type Cell = readonly [column: number, cell: string];

type Kind = 'sum' | 'tax' | 'bare' | 'uncalled';

/** Lines between dashes or stars, and final phrases of reports. */
const ENDING =
  /^(?:[-–—=*#_~<[(]{2,} ?.{1,30} ?[-–—=*#_~>\])]{2,}|(?:end of (?:report|file|list|data|export)|ende (?:der|des) [\p{L} ]{3,20}|fin d(?:u|e|el|e la) [\p{L} ]{3,20}|(?:seite|page|página|pagina):? \d+(?: ?(?:von|of|sur|de|di|\/) ?\d+)?)[.!]?)$/iu;
const COUNTED =
  /(?:^|[^\p{L}])(?:rows?|records?|lines?|entries|zeilen?|datens[aä]tze|eintr[aä]ge|lignes?|enregistrements?|filas?|registros?|l[ií]neas?)(?=$|[^\p{L}])|共\s*\d|\d\s*[笔筆条條件](?=$|[^\p{L}]|记录|記錄)/iu;
/** Words for counts; the number must be that of rows. */
const COUNT = /(?:^|[^\p{L}])(?:count|anzahl|nombre|número|cantidad|total|gesamt)(?=$|[^\p{L}])/iu;
const MAX_OF_FOOTER = 2;
/** Closing lines are short: a balance with its day. */
const [MAX_OF_CLOSING, MAX_CLOSING] = [3, 3];

/** Rows that make a sparse last line (less than half of any row's cells) suspicious. */
const MIN_ROWS_OF_SPARSE = 3;

const MAX_OTHER_HEADINGS = 10;

/** Some totals count only if no row follows. */
type Adding = 'surely' | 'at the end' | 'perhaps' | undefined;

export class SumFinder {
  readonly #says: (cell: string) => string;
  readonly #columns: ColumnSums;
  readonly #heading: readonly string[];
  #titles: ReadonlySet<string> = new Set();
  /** Set at the end: last lines taken as rows, in doubt. */
  doubtful: readonly CsvRecord[] = [];
  readonly #otherHeadings: CsvRecord[] = [];
  /** Possible totals and footers. */
  #held: CsvRecord[] = [];
  /** A first row called a total, which may add up all that follow. */
  #first: CsvRecord | undefined;
  #rows = 0;
  /** Filled cells of the sparsest row. */
  #fewestCells = Infinity;
  /** Rows behind blank lines. */
  #gaps = 0;
  /** Held lines taken as rows, in doubt. */
  readonly #doubtful = new Set<CsvRecord>();
  #isBehindSum = false;
  #marks = 0;
  #work = 0;
  #last: CsvRecord | undefined;
  /** Line below the last row, if known. */
  #end: number | undefined;

  /**
   * @param heading the columns' names, which reports repeat on each page
   * @param above lines above it, such as a title with the page
   */
  constructor(
    says: (cell: string) => string,
    columns: ColumnSums,
    heading?: readonly string[],
    above: readonly CsvRecord[] = [],
  ) {
    this.#says = says;
    this.#columns = columns;
    this.#heading = heading?.map((field) => field.trim()) ?? [];
    if (heading) this.#titles = new Set(above.slice(-MAX_HELD).map(toTitle));
  }

  /**
   * Yields, in order, the lines that this one decides: up to five possible totals wait for what follows, a first one for
   * the end. Call it again only after counting the yielded rows in `columns`.
   */
  *takeLine(record: CsvRecord): Generator<Settled> {
    if (!this.#last && !this.#first && this.#classifySuspect(record) === 'sum') {
      this.#first = record;
      return;
    }
    if (this.#isRepeatedHeading(record)) {
      // Page breaks repeat `Page 1 of 2` and a title.
      yield* this.#releaseHeld(
        (held) => this.#isSparse(cellsOf(held)) || this.#isFooter(held) || this.#isPageTitle(held),
      );
      yield { record, isSum: true };
      return;
    }
    if (this.#isFooter(record) || this.#isPageTitle(record)) {
      this.#held.push(record);
      if (this.#held.length > MAX_HELD) yield* this.#releaseHeld();
      return;
    }
    const kind = this.#classifySuspect(record);
    const adding = kind === undefined ? undefined : this.#recogniseTotal(record, kind);
    if (adding === 'surely') {
      for (const held of this.#held) yield { record: held, isSum: !this.#doubtful.has(held) };
      this.#clearHeld();
      this.#isBehindSum = true;
      yield { record, isSum: true };
      return;
    }
    const isAtEnd = adding === 'at the end';
    const isHeld = isAtEnd || kind === 'tax' || (kind === 'sum' && this.#isBehindSum);
    const closing = isHeld ? undefined : (this.#rateClosing(record) ?? (adding && 'maybe'));
    if (isHeld || closing !== undefined) {
      this.#held.push(record);
      if (closing === 'maybe') this.#doubtful.add(record);
      this.#isBehindSum ||= isAtEnd;
      if (this.#held.length > MAX_HELD) yield* this.#releaseHeld();
    } else {
      const headings = this.#otherHeadings.length;
      yield* this.#releaseHeld();
      if (this.#otherHeadings.length === headings) this.#noteOtherHeading([record]);
      if (this.#isBehindGap(record)) this.#gaps++;
      this.#last = record;
      this.#end = undefined;
      this.#countRow(record);
      yield { record, isSum: false };
    }
  }

  /**
   * Yields held totals behind a sum, footers and closing lines as sums; others, and all doubtful ones, as rows. Sets
   * `doubtful` unless there are too many.
   */
  *end(): Generator<Settled> {
    // Decide before yielding: counting one changes the comparison.
    yield* this.#held.map((record) => {
      const isOther = this.#isBehindSum || this.#isFooter(record) || this.#rateClosing(record) === 'surely';
      return { record, isSum: isOther && !this.#doubtful.has(record) };
    });
    if (this.#doubtful.size <= MAX_CLOSING) this.doubtful = [...this.#doubtful];
    this.#clearHeld();
    if (!this.#first) return;
    const numbers = cellsOf(this.#first).filter(([, field]) => isNumber(this.#says(field)));
    const added = this.#countTotals(numbers, 0, MIN_ADDENDS);
    yield { record: this.#first, isSum: added > 0 && added * 2 > numbers.length };
  }

  /** Returns at most ten repeated or other headings, each followed by other rows. */
  otherHeadings(): readonly CsvRecord[] {
    return this.#otherHeadings.filter((record) => record !== this.#last);
  }

  /** Forgets the held lines, also doubtful ones. */
  #clearHeld(): void {
    this.#held = [];
    this.#doubtful.clear();
  }

  /**
   * Yields and empties the held lines: as sums where `isNoRow` is true, otherwise as rows, which it counts. Then no
   * line counts as behind a sum. Without `isNoRow`, as no total follows, it records headings of other tables in them.
   */
  *#releaseHeld(isNoRow?: (record: CsvRecord) => boolean): Generator<Settled> {
    if (!isNoRow) this.#noteOtherHeading(this.#held);
    const settled = this.#held.map((record) => ({ record, isSum: isNoRow?.(record) === true }));
    this.#clearHeld();
    this.#isBehindSum = false;
    for (const { record, isSum } of settled) if (!isSum) this.#countRow(record);
    yield* settled;
  }

  /** Records the first heading of another table among the rows, up to ten in all. */
  #noteOtherHeading(rows: readonly CsvRecord[]): void {
    const heading = rows.find((row) => this.#isOtherHeading(row));
    if (heading && this.#otherHeadings.length < MAX_OTHER_HEADINGS) this.#otherHeadings.push(heading);
  }

  /** Counts a row, and records the fewest cells of any. */
  #countRow(record: CsvRecord): void {
    this.#rows++;
    this.#fewestCells = Math.min(this.#fewestCells, cellsOf(record).length);
  }

  /** Returns whether the line is only the heading, of at least two names. */
  #isRepeatedHeading({ fields }: CsvRecord): boolean {
    const names = this.#heading;
    if (fields[0]?.trim() !== names[0] || names.filter((name) => name !== '').length < 2) return false;
    const width = Math.max(fields.length, names.length);
    return Array.from({ length: width }).every(
      (_, column) => (fields[column]?.trim() ?? '') === (names[column] ?? ''),
    );
  }

  /**
   * Returns whether the line is a footer if no row follows: a phrase such as `end of report`, the number of rows, or a
   * single text below blank lines.
   */
  #isFooter(record: CsvRecord): boolean {
    const cells = cellsOf(record);
    const before = this.#last ? cellsOf(this.#last).length : 0;
    if (cells.length === 0 || cells.length > MAX_OF_FOOTER || before <= cells.length) return false;
    const text = cells.map(([, field]) => this.#says(field).trim()).join(' ');
    if (cells.length === 1 && this.#isSeparated(record, text)) return true;
    if (text.length > 2 * MAX_LABEL_CHARS) return false;
    if (cells.length === 1 && ENDING.test(text)) return true;
    const [number, ...others] = text.match(/\d+/g) ?? [];
    if (number === undefined || others.length > 0) return false;
    const isRowCount = Number(number) === this.#rows;
    return COUNTED.test(text) ? cells.length === 1 || isRowCount : COUNT.test(text) && isRowCount;
  }

  /**
   * Rates a line as a closing one if no row follows. `surely` if it is short and named like `closing balance`, or has
   * at most three cells, a text first, with two of these: it follows blank lines, is unlike its column, says a word
   * such as `balance` or `total`. `maybe` for one of them, or far fewer cells than rows have.
   */
  #rateClosing(record: CsvRecord): 'surely' | 'maybe' | undefined {
    if (!this.#last) return undefined;
    const cells = cellsOf(record);
    const isShort = cells.length < cellsOf(this.#last).length;
    const isBalance = cells
      .slice(0, MAX_OF_CLOSING)
      .some(([, field]) => CLOSING_BALANCE.test(this.#says(field).trim()));
    if (isBalance) return isShort ? 'surely' : 'maybe';
    const [[column, first] = [0, '']] = cells;
    const text = this.#says(first).trim();
    const isLong = text.length > MAX_LABEL_CHARS && cells.length > 1;
    if (cells.length > MAX_OF_CLOSING || isLong || isNumber(text)) return undefined;
    const isUnlike = this.#columns.isUnlike(column, text, 2);
    const isNamed = CLOSING.test(text) || isCalledSum(text);
    if (isUnlike && isNamed) return 'surely';
    const isApart = isShort && this.#isSeparated(record, text);
    if (isApart && (isUnlike || isNamed)) return 'surely';
    return isNamed || isApart || this.#isSparse(cells) || (isShort && isUnlike) ? 'maybe' : undefined;
  }

  /** Returns whether the line equals one above the heading, but for page number or time. */
  #isPageTitle(record: CsvRecord): boolean {
    return this.#titles.size > 0 && this.#titles.has(toTitle(record));
  }

  /** Returns whether the line has less than half the cells of any row, once enough rows were seen. */
  #isSparse(cells: readonly Cell[]): boolean {
    return this.#rows >= MIN_ROWS_OF_SPARSE && cells.length * 2 < this.#fewestCells;
  }

  /** Returns whether the line follows blank ones and has only texts, at least two, one unlike all cells above. */
  #isOtherHeading(record: CsvRecord): boolean {
    if (!this.#last || record.line <= this.#last.line + 1) return false;
    const [[, first] = [0, ''], ...others] = cellsOf(record);
    if (others.length === 0 || !this.#isSeparated(record, this.#says(first))) return false;
    const cells = cellsOf(record).map(([column, field]) => [column, this.#says(field).trim()] as const);
    return (
      cells.every(([, text]) => !isNumber(text)) &&
      cells.some(([column, text]) => this.#columns.isUnlike(column, text, 1))
    );
  }

  /**
   * Returns whether blank lines, unless half of the rows have them, set a line apart, and `text`, its first cell, is no
   * number.
   */
  #isSeparated(record: CsvRecord, text: string): boolean {
    return !isNumber(text) && this.#gaps * 2 < this.#rows && this.#isBehindGap(record);
  }

  /** Returns whether blank lines are between the last row and this line. */
  #isBehindGap({ line }: CsvRecord): boolean {
    if (!this.#last || line === this.#last.line + 1) return false;
    // The last row may span many lines.
    this.#end ??= this.#last.line + this.#last.fields.join('').split('\n').length;
    return line > this.#end;
  }

  /** Classifies a line that may be a total; undefined for a row, as a customer named Total has an address too. */
  #classifySuspect(record: CsvRecord): Kind | undefined {
    const texts = cellsOf(record).filter(([, field]) => !isNumber(this.#says(field)));
    if (texts.length === 0) return cellsOf(record).length > 0 && this.#hasGap(record) ? 'bare' : undefined;
    const isNamed = (text: string): boolean => isCalledSum(text) || isTax(text);
    const named =
      texts.find(([, field]) => isNamed(this.#says(field))) ??
      // SAP names the currency of such a total too.
      (this.#hasGap(record) ? texts.find(([, field]) => STARS.test(this.#says(field).trim())) : undefined);
    // `All regions together` has nothing else that rows have.
    if (!named) {
      const [[, only] = [0, ''], ...others] = texts;
      if (others.length > 0) return undefined;
      return this.#hasGap(record) && NET_OR_STARS.test(this.#says(only).trim()) ? 'sum' : 'uncalled';
    }
    const areMeant = texts.every(([column, field]) => {
      if (column === named[0]) return true;
      const text = this.#says(field).trim();
      return this.#last?.fields[column] === field || NET_OR_STARS.test(text) || NO_VALUE.test(text);
    });
    if (!areMeant) return undefined;
    const name = this.#says(named[1]);
    return isTax(name) && !isCalledSum(name) ? 'tax' : 'sum';
  }

  /** Returns whether a column is blank here but filled in the last row. */
  #hasGap(record: CsvRecord): boolean {
    const isBlank = (field = ''): boolean => field.trim() === '';
    return this.#last?.fields.some((field, at) => !isBlank(field) && isBlank(record.fields[at])) === true;
  }

  /**
   * Rates a suspect as a total. A named sum is one `surely`, and recorded in all columns' sums, by a formula or if most
   * numbers add up; `at the end`, where no row follows, if only some do, or all of an unnamed one. `perhaps` if all of
   * an unnamed one add up only few rows. Undefined otherwise, and for taxes.
   */
  #recogniseTotal(record: CsvRecord, kind: Kind): Adding {
    if (kind === 'tax') return undefined;
    const numbers = cellsOf(record).filter(([, field]) => isNumber(this.#says(field)));
    const formulas = numbers.filter(([, field]) => SUMMING.test(this.#says(field)));
    if (kind === 'sum' && formulas.length > 0) {
      this.#recordTotal(this.#marks);
      return 'surely';
    }
    const isSameAsOne = this.#countTotals(numbers, this.#marks, 1) === numbers.length;
    if (kind === 'sum' && numbers.length > 0 && isSameAsOne) {
      this.#recordTotal(this.#marks);
      return 'surely';
    }
    if (numbers.length === 0) return undefined;
    const least = kind === 'uncalled' && this.#marks === 0 ? MIN_UNCALLED : MIN_ADDENDS;
    let isAtEnd = false;
    let isPerhaps = false;
    for (const from of this.#marksToTest(numbers.length)) {
      const added = this.#countTotals(numbers, from, least);
      if (kind === 'bare' || kind === 'uncalled') {
        isAtEnd ||= added === numbers.length;
        isPerhaps ||= this.#countTotals(numbers, from, MIN_ADDENDS) === numbers.length;
      } else if (added * 2 > numbers.length) {
        this.#recordTotal(from);
        return 'surely';
      } else isAtEnd ||= added > 0;
    }
    // A row may add up the others by chance, as no cell of it is blank.
    if (kind === 'uncalled' && !this.#hasGap(record)) return isAtEnd ? 'perhaps' : undefined;
    return isAtEnd ? 'at the end' : isPerhaps ? 'perhaps' : undefined;
  }

  /**
   * Returns the marks from which a total may add up, nearest first. Adds to the file's cost; once that is too much,
   * returns only the nearest and 0.
   */
  #marksToTest(numbers: number): readonly number[] {
    const all = Array.from({ length: this.#marks + 1 }, (_, at) => this.#marks - at);
    this.#work += numbers * all.length;
    return this.#work > MAX_WORK ? [...new Set([this.#marks, 0])] : all;
  }

  /**
   * Counts the numbers that are sums of their columns since mark `from`, with or without held lines.
   * @param least minimum number of addends
   */
  #countTotals(numbers: readonly Cell[], from: number, least: number): number {
    /** Returns whether a number is the sum since the mark, with or without held lines. */
    const isAdded = ([column, field]: Cell): boolean => {
      const also = this.#held.flatMap(({ fields }) => this.#says(fields[column] ?? '').trim() || []);
      const cell = this.#says(field);
      return [[], also].some((beside) => this.#columns.isSum(column, cell, { from, least, also: beside }));
    };
    return numbers.filter(isAdded).length;
  }

  /** Records a total of the numbers since mark `from` in all columns, and drops later marks. */
  #recordTotal(from: number): void {
    this.#columns.markSum(from);
    this.#marks = Math.min(from + 1, MAX_MARKS - 1);
  }
}

/** Writes each number as 0. */
const toTitle = ({ fields }: CsvRecord): string => fields.join('\t').trim().replace(/\d+/g, '0');

const cellsOf = ({ fields }: CsvRecord): Cell[] =>
  [...fields.entries()].filter(([, field]) => field.trim() !== '');

/** Includes uncomputed formulas. */
const isNumber = (cell: string): boolean => parseAmount(cell) !== undefined || cell.startsWith('=');

const isCalledSum = (text: string): boolean => text.length <= MAX_LABEL_CHARS && SUM.test(text);
const isTax = (text: string): boolean => text.length <= MAX_LABEL_CHARS && TAX.test(text);

/** Returns whether later totals may exclude a line, as its first text calls it a total. */
export const mayBeSum = ({ fields }: CsvRecord, says: (cell: string) => string): boolean =>
  isCalledSum(says(fields.find((field) => field.trim() !== '') ?? '').trim());

/** Returns the total's line number, labelled by all its texts, else by its first number. */
export function sumLineOf({ line, fields }: CsvRecord, says: (cell: string) => string): SumLine {
  const cells = fields.map((field) => says(field).trim()).filter((cell) => cell !== '');
  const texts = cells.filter((cell) => !isNumber(cell));
  return { line, text: texts.length > 0 ? texts.join(' ') : (cells[0] ?? '') };
}
