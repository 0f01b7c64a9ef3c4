import { PERCENT, isSameUnit, toPercent, parseAmount } from '../../base/amount.ts';
import type { FieldKind } from '../../base/vocabulary.ts';
import type { Field } from '../definitions/model.ts';
import { said, type Words } from '../../words/said.ts';
import { CELL_FORMATS, type CellFormat, type DateOrder } from './cell-formats.ts';
import type { CodeDaysSeen } from './code-columns.ts';
import { proofIn, type Decimal, type Proof } from './number-convention.ts';
import { createTotals, type Span, type Totals } from './totals.ts';
import { UnitsSeen, VersionsSeen } from './units-seen.ts';

export interface FormatHints {
  readonly decimal?: '.' | ',';
  readonly dateOrder?: DateOrder;
}

/** The notation of a column's days. */
export interface DayNotation {
  /** Between day and month; empty for years first, names of months and times. */
  readonly mark: string;
  readonly example: string;
  /** A day is read in the order of the hints alone. */
  readonly isProven: boolean;
}

export interface SeenAs {
  readonly isText?: boolean | undefined;
  /** The writer marked it as text (`'` before the first value). */
  readonly isMarkedText?: boolean;
  readonly isFormattedText?: boolean | undefined;
  /** A column's total may leave it out, or (`surely`) does. */
  readonly isNoPart?: boolean | 'surely';
}

const SAMPLES = 5;
/** Country codes too: Norway, Slovenia. */
const IS_COUNTRY = /^(?:NO|SI)$/;

/** People leave no blanks; programs write `false`, and leave unknown values blank. */
const SAYS_NO = /^(?:no|nein|non)$/i;

const REWRITTEN = /^(?:[-+]?0\d{1,40}(?:[.,]\d{1,40})?|\d{1,40}e\d{1,4})$/i;

/** A time without a zone, in an hour that the end of summer time may repeat. */
const LOCAL_TIME = /[^\d:](?:0?[0-3]|1[12]|23):\d\d(?!.*(?:Z|[+-]\d\d(?::?\d\d)?)$)/i;
const MAX_EXAMPLE_CHARS = 60;
const DAY_MARK = /^\d{1,2}([./-])\d/;
/** The pattern is quadratic in longer texts. */
const LONGEST_MOMENT = 60;

const TIMED = /^\d{4}-\d\d-\d\d[T ](?!00:00(?::00(?:\.0+)?)?(?:$|[^\d:.]))\d\d:\d\d/i;

/** Unknown number or day in R and SQL; elsewhere a text. */
export const UNKNOWN = /^(?:NA|NULL)$/;

const isOfMoments = ({ kind, only }: CellFormat): boolean => kind === 'DateTime' && only === undefined;

/** `left` read every cell that any of `all` does. */
interface Family {
  readonly all: readonly CellFormat[];
  left: readonly CellFormat[];
  isSeen: boolean;
}

export class ColumnGuess {
  readonly samples: string[] = [];
  readonly units = new UnitsSeen();
  #formats: readonly CellFormat[];
  /** Reads moments that begin with the year; value checks take them for UTC. */
  readonly #isoMoment: CellFormat | undefined;
  readonly #localMoments: readonly CellFormat[];
  readonly #families: readonly Family[];
  readonly #numbers: Family | undefined;
  /** Formats that read some cell differently: `1.234` can mean a thousand. */
  readonly #readsOtherwise = new Map<CellFormat, Set<CellFormat>>();
  readonly #totals: ReadonlyMap<CellFormat, Totals>;
  readonly #proofs = new Map<Proof, number>();
  #cellCount = 0;
  #formattedCount = 0;
  #isUniform = true;
  #hasNo = false;
  #numberCount = 0;
  readonly #versions = new VersionsSeen();
  #readTwice: string | undefined;
  #refusesAmbiguous = false;
  /** The first cell that a number would rewrite: `01067`, `12E3`. */
  rewritten: string | undefined;
  /** The first cell that numbers or days take as blank. */
  unknown: string | undefined;
  /** The first moment that a column of days would cut. */
  timed: string | undefined;
  /** By format, the first moment without a zone that clocks here show twice. */
  readonly #repeated = new Map<CellFormat, string>();
  readonly #codes: readonly RegExp[];
  readonly days: CodeDaysSeen | undefined;
  /** The user chose the order, so there are days. */
  readonly #isOrderChosen: boolean;
  #areCodes: boolean;
  readonly #hints: FormatHints;
  /** Excluded by hints. */
  readonly #excluded: readonly CellFormat[];
  /** By kind, the first cell that only excluded formats read; kinds of which only the hints' formats read a cell. */
  readonly #contradicted = new Map<FieldKind, string>();
  readonly #confirmed = new Set<FieldKind>();
  readonly #dayNotations = new Map<string, DayNotation>();

  /**
   * @param codes patterns of cells that its name makes codes, unless other cells show otherwise
   * @param days notices codes that look like days; default: they are days
   * @param all reads moments without a zone in another one than the computer's; default: {@link CELL_FORMATS}
   */
  constructor(hints: FormatHints, codes: readonly RegExp[] = [], days?: CodeDaysSeen, all = CELL_FORMATS) {
    this.#codes = codes;
    this.days = days;
    this.#isOrderChosen = hints.dateOrder !== undefined && hints.dateOrder !== 'YMD';
    this.#areCodes = codes.length > 0;
    this.#isoMoment = all.find((format) => isOfMoments(format) && format.dateOrder === 'YMD');
    this.#localMoments = all === CELL_FORMATS ? all.filter(isOfMoments) : [];
    this.#formats = all.filter(
      ({ decimal, dateOrder }) =>
        (decimal ?? hints.decimal) === (hints.decimal ?? decimal) &&
        (dateOrder === 'YMD' || (dateOrder ?? hints.dateOrder) === (hints.dateOrder ?? dateOrder)),
    );
    this.#hints = hints;
    this.#excluded = all.filter((format) => !this.#formats.includes(format));
    this.#families = groupIntoFamilies(this.#formats);
    this.#numbers = this.#families.find(({ all: [format] }) => format?.kind === 'Number');
    this.#totals = new Map(this.#numbers?.all.map((format) => [format, createTotals()]));
  }

  /**
   * Records a non-blank cell: drops formats that can't read it, and gathers samples, codes, days and numbers. Words
   * such as `n/a` only leave formats of numbers and days. Text marks drop all formats, text storage those of numbers.
   */
  recordCell(
    cell: string,
    { isText = false, isMarkedText = false, isFormattedText = false, isNoPart = false }: SeenAs = {},
  ): void {
    const trimmed = cell.trim();
    if (trimmed === '') return;
    if (UNKNOWN.test(trimmed)) {
      this.unknown ??= trimmed;
      this.#formats = this.#formats.filter(({ kind }) => isOfUnknowns(kind));
      return;
    }
    if (this.samples.length < SAMPLES) this.samples.push(cell);
    this.#isUniform &&= trimmed === this.samples[0]?.trim();
    this.#hasNo ||= SAYS_NO.test(trimmed);
    this.#cellCount++;
    if (isFormattedText) this.#formattedCount++;
    this.#areCodes &&= this.#codes.some((code) => code.test(trimmed));
    this.days?.recordCell(trimmed);
    const isRead = (format: CellFormat): boolean => format.read(trimmed) !== undefined;
    if (isMarkedText) this.#formats = [];
    if (isText) this.#formats = this.#formats.filter(({ kind }) => kind !== 'Number');
    if (this.#formats.length > 0) this.#formats = this.#formats.filter(isRead);
    if (!/\d/.test(trimmed)) return;
    if (this.rewritten === undefined && REWRITTEN.test(trimmed)) this.rewritten = trimmed;
    if (this.timed === undefined && TIMED.test(trimmed)) this.timed = trimmed;
    if (trimmed.length <= LONGEST_MOMENT && LOCAL_TIME.test(trimmed)) this.#recordRepeated(trimmed);
    for (const family of this.#families) narrowFamily(family, isRead);
    this.#weighHints(trimmed);
    this.#observeNumber(trimmed, isNoPart);
  }

  /**
   * Returns the format that reads all cells; undefined for text: read differently by two (`3/4/2024`), formatted as
   * text, codes, or perhaps names (`TOP 10`), versions, days with short years, or one country code.
   * @param isFilled no cell is blank: blanks beside `no` differ from it, which a yes/no column can't store
   */
  format(isFilled = true): CellFormat | undefined {
    if (this.#formattedCount === this.#cellCount || this.#areCodes) return undefined;
    const found = this.#findUnambiguous(this.#formats);
    if (found?.kind === 'DateTime' && !this.#isOrderChosen && this.dayDoubt() === 'likely') return undefined;
    if (found?.kind === 'DateTime' && !(this.#areYearsLast() && this.#mayBeDays(found))) return undefined;
    if (found?.kind === 'Bool' && this.#hasNo && !isFilled) return undefined;
    if (found?.kind === 'Bool' && this.#isUniform && IS_COUNTRY.test(this.samples[0]?.trim() ?? ''))
      return undefined;
    const isNumber = this.units.areSurelyNumbers() && !this.mayBeVersions();
    return found?.kind === 'Number' && !isNumber ? undefined : found;
  }

  /**
   * Returns this kind's format by {@link #findUnambiguous}; undefined also if years of two digits may be first. Ignores
   * cells that none reads, such as “on request” among prices.
   */
  formatFor(kind: FieldKind, only: 'date' | 'time' | undefined): CellFormat | undefined {
    const found = this.#findUnambiguous(this.#formatsOf(kind, only));
    return kind === 'DateTime' && !this.#areYearsLast() ? undefined : found;
  }

  /**
   * Returns a reader of cells, which returns the stored value; undefined for another notation, an ambiguous number, or
   * a unit that means something else in this column. Moments with the year first are local time beside any notation.
   * Days that another order reads too are undefined where the column contradicts the order of the hints.
   */
  readerFor({
    kind,
    options: { only, unit },
  }: Pick<Field, 'kind' | 'options'>): (cell: string) => string | undefined {
    const mayBe = (cell: string): boolean => this.#fitsUnit(parseAmount(cell)?.unit, unit);
    const format = this.formatFor(kind, only);
    const excluded = this.#rivalsOf(kind).filter((each) => each.only === only);
    if (kind === 'DateTime' && excluded.length > 0)
      return (cell) => {
        const read = format?.read(cell);
        const isOther = excluded.some((each) => ![undefined, read].includes(each.read(cell)));
        return isOther ? undefined : (read ?? (only === undefined ? this.#isoMoment?.read(cell) : undefined));
      };
    if (kind === 'DateTime' && only === undefined)
      return (cell) => format?.read(cell) ?? this.#isoMoment?.read(cell);
    if (kind !== 'Number' || format)
      return (cell) => (kind === 'Number' && !mayBe(cell) ? undefined : format?.read(cell));
    const numbersOf = createNumberReader(this.#formatsOf(kind, only));
    return (cell) => {
      const [number, ...others] = mayBe(cell) ? numbersOf(cell) : [];
      return others.length === 0 ? number : undefined;
    };
  }

  /**
   * Returns a function that says why a number may mean something else in this column: read as two numbers, in brackets,
   * or without a percent sign. So may a local moment that summer time skips. It returns undefined otherwise.
   * @param isBareMeant a number without a sign is the stored number, even in a percent column
   */
  doubtsFor(
    { kind, options: { only, unit, precision = 0 } }: Pick<Field, 'kind' | 'options'>,
    isBareMeant: boolean,
  ): (cell: string) => Words | undefined {
    if (kind === 'DateTime' && only === undefined)
      return (cell) => (this.#isSkippedMoment(cell) ? said('value.skipped-time') : undefined);
    const isBareInDoubt = unit === PERCENT && (!isBareMeant || this.units.has(PERCENT));
    const isOfMoney = unit !== undefined || precision > 0 || this.units.areMoney();
    const left = this.#formatsOf('Number', undefined);
    const format = this.#findUnambiguous(left);
    const numbersOf = createNumberReader([
      ...(format ? [format] : left.length > 0 ? left : (this.#numbers?.all ?? [])),
      ...this.#rivalsOf('Number'),
    ]);
    return (cell) => {
      const written = kind === 'Number' ? parseAmount(cell) : undefined;
      // `+5` is read as a number, though it may be a telephone's.
      if (!written) return isBareInDoubt ? askBarePercent(cell.trim().replace(/^\+/, '')) : undefined;
      const [number = written.number, ...others] = numbersOf(cell);
      if (others.length > 0) return said('value.two-numbers');
      if (written.unit !== undefined) return undefined;
      if (written.isInBrackets && !isOfMoney)
        return said('value.in-brackets', { number: number.replace('-', '') });
      return isBareInDoubt ? askBarePercent(number) : undefined;
    };
  }

  /**
   * Returns the first cell that decimal comma and point read differently; undefined if none, if other cells decide, or
   * most are text.
   */
  numberInDoubt(): string | undefined {
    const left = this.isMostlyNumbers() ? (this.#numbers?.left ?? []) : [];
    return new Set(left.map(({ decimal }) => decimal)).size > 1 ? this.#readTwice : undefined;
  }

  /**
   * Counts cells that prove a decimal mark this way; 0 for weaker proofs of points if the column can't be all numbers.
   * Weak ones (`8.15`) count as likely beside `1.200`, as the column holds no times then.
   */
  countProofs(proof: Proof): number {
    const count = (wanted: Proof): number => (this.#areCodes ? 0 : (this.#proofs.get(wanted) ?? 0));
    if (proof !== 'likely-point' && proof !== 'weak-point') return count(proof);
    if (!this.#formats.some(({ kind }) => kind === 'Number')) return 0;
    const isWeakLikely = this.#readTwice !== undefined;
    if (proof === 'weak-point') return isWeakLikely ? 0 : count(proof);
    return count(proof) + (isWeakLikely ? count('weak-point') : 0);
  }

  /** Returns whether all cells are numbers that may be versions or chapters, in which `1.10` differs from `1.1`. */
  mayBeVersions(): boolean {
    return this.#cellCount === this.#numberCount && this.#versions.areLikely();
  }

  /**
   * Returns how sure it is that cells like days are document numbers; undefined if they are text, no days, or not in
   * doubt.
   */
  dayDoubt(): ReturnType<CodeDaysSeen['doubt']> {
    const areTexts = this.#areCodes || this.#formattedCount === this.#cellCount;
    const areDays = !areTexts && this.#formats.some(({ only }) => only === 'date');
    return areDays ? this.days?.doubt() : undefined;
  }

  /** Returns the day of {@link CodeDaysSeen.shortDay} as stored; undefined if the column's days can't be read. */
  readShortDay(): string | undefined {
    const found = this.formatFor('DateTime', 'date') ?? this.formatFor('DateTime', undefined);
    const format = CELL_FORMATS.find(
      ({ only, dateOrder }) => only === 'date' && dateOrder === found?.dateOrder,
    );
    return found && format?.read(this.days?.shortDay ?? '');
  }

  /** Returns the first moment without a zone that clocks here show twice; undefined if the column has none. */
  repeatedMoment(): string | undefined {
    const formats = [this.formatFor('DateTime', undefined), this.#isoMoment];
    return formats.map((format) => format && this.#repeated.get(format)).find((cell) => cell !== undefined);
  }

  /** Returns whether no local clock shows the moment, which a check of values would take for UTC. */
  #isSkippedMoment(cell: string): boolean {
    return this.#isoMoment?.read(cell) === undefined && this.#isoMoment?.read(`${cell}Z`) !== undefined;
  }

  /** Records the cell for each format of moments in which clocks here show it twice. */
  #recordRepeated(cell: string): void {
    for (const format of this.#localMoments)
      if (!this.#repeated.has(format) && isShownTwice(format.read(cell))) this.#repeated.set(format, cell);
  }

  /** Returns whether its texts may be days whose order of day, month and year is in doubt, and no document numbers. */
  isDayOrderInDoubt(): boolean {
    const areTexts = this.#areCodes || this.#formattedCount === this.#cellCount;
    const orders = new Set(
      this.#formats.filter((format) => this.#mayBeDays(format)).flatMap(({ dateOrder }) => dateOrder ?? []),
    );
    const isOpen = orders.size > (this.days?.shortDay === undefined ? 1 : 0);
    return isOpen && !areTexts && this.dayDoubt() !== 'likely';
  }

  /** Returns whether days may end in the year: the user chose such an order, or {@link CodeDaysSeen.endsInYears}. */
  #areYearsLast(): boolean {
    return this.#isOrderChosen || this.days?.endsInYears() !== false;
  }

  /**
   * Returns false for a format of days that may not read the column: with short years, days of numbers alone need a
   * name of days. True for other formats.
   */
  #mayBeDays({ dateOrder }: CellFormat): boolean {
    return dateOrder === undefined || this.days?.shortDay === undefined || this.days.isOfDays();
  }

  /** Returns whether at least half of the cells are numbers; true without cells. */
  isMostlyNumbers(): boolean {
    return this.#cellCount <= 2 * this.#numberCount;
  }

  /** The first number that decimal comma and point read differently. */
  get readTwice(): string | undefined {
    return this.#readTwice;
  }

  /** Makes {@link format} find no number format if decimal comma and point read a cell differently. */
  refuseAmbiguous(): void {
    this.#refusesAmbiguous = true;
  }

  /** Rules out formats of numbers. */
  dropNumbers(): void {
    this.#formats = this.#formats.filter(({ kind }) => kind !== 'Number');
  }

  /** Drops formats with another decimal mark, unless none would remain. */
  chooseDecimal(decimal: Decimal): void {
    const family = this.#numbers;
    if (!family?.left.some((format) => format.decimal === decimal)) return;
    const isDropped = (format: CellFormat): boolean => format.kind === 'Number' && format.decimal !== decimal;
    family.left = family.left.filter((format) => !isDropped(format));
    this.#formats = this.#formats.filter((format) => !isDropped(format));
  }

  /** Returns whether `cell`, in some number format, is the sum of a span of cells and `also`. */
  isSum(cell: string, { also = [], ...span }: Span): boolean {
    return [...readAsNumbers(cell.trim(), this.#numbers?.left ?? [])].some(([format, number]) => {
      const others = also.flatMap((each) => format.read(each) ?? []);
      return this.#totals.get(format)?.isSum(number, { ...span, also: others }) === true;
    });
  }

  /** Records in all number formats that a span for {@link isSum} begins at `from`. */
  markSum(from: number): void {
    for (const each of this.#totals.values()) each.recordMark(from);
  }

  /** Returns whether no possible format reads this cell; false if none is left or after fewer than `least` cells. */
  isUnlike(cell: string, least: number): boolean {
    const formats = this.#cellCount < least ? [] : this.#formats;
    return formats.length > 0 && formats.every((format) => format.read(cell) === undefined);
  }

  /** Returns whether a format of this kind is still possible. */
  fits(kind: FieldKind, only: 'date' | 'time' | undefined): boolean {
    return this.#formatsOf(kind, only).length > 0;
  }

  /** Returns whether there was no non-blank cell. */
  isEmpty(): boolean {
    return this.samples.length === 0;
  }

  /**
   * Returns the first of these formats; undefined if the column is empty, for days if another is left too, and for
   * numbers if another reads a cell differently. `YYYY-MM-DD` wins over others; so does the plain number, unless cells
   * are amounts or ambiguity is refused.
   */
  #findUnambiguous(fitting: readonly CellFormat[]): CellFormat | undefined {
    const [first] = this.isEmpty() ? [] : fitting;
    if (!first) return undefined;
    const same = fitting.filter(({ kind, only }) => kind === first.kind && only === first.only);
    const isPlain = first === CELL_FORMATS[0] || first.dateOrder === 'YMD';
    const others = this.#readsOtherwise.get(first);
    const isTwo = same.some((format) => others?.has(format));
    const isOpen = this.#refusesAmbiguous || this.units.areAmounts() || !isPlain;
    if (first.kind === 'Number') return isTwo && isOpen ? undefined : first;
    return !isPlain && same.length > 1 ? undefined : first;
  }

  /**
   * Returns a kind's possible formats; for numbers and dates those that read each cell that any reads, none before
   * such a cell.
   */
  #formatsOf(kind: FieldKind, only: 'date' | 'time' | undefined): readonly CellFormat[] {
    const family = this.#families.find(({ all: [format] }) => format?.kind === kind && format.only === only);
    if (!family) return this.#formats.filter((format) => format.kind === kind && format.only === only);
    return family.isSeen ? family.left : [];
  }

  /**
   * Records a number for units, versions, decimal marks, ambiguities and sums; ignores other cells.
   * @param isNoPart `surely`: no total includes it; true: a total may
   */
  #observeNumber(cell: string, isNoPart: boolean | 'surely'): void {
    const amount = parseAmount(cell);
    const read = readAsNumbers(cell, this.#numbers?.all ?? []);
    if (!amount || read.size === 0) return;
    this.units.recordNumber(amount);
    this.#versions.recordNumber(amount, cell.startsWith('+'));
    this.#numberCount++;
    const proof = proofIn(amount);
    if (proof) this.#proofs.set(proof, (this.#proofs.get(proof) ?? 0) + 1);
    if (isNoPart !== 'surely')
      for (const [format, number] of read) this.#totals.get(format)?.addToTotal(number, !isNoPart);
    if (new Set(read.values()).size < 2) return;
    this.#readTwice ??= cell;
    for (const [one, number] of read)
      for (const [other, otherwise] of read) if (number !== otherwise) this.#noteReadsDifferently(one, other);
  }

  /** Records whether the cell contradicts the hints' decimal mark or order of days, or confirms it. */
  #weighHints(cell: string): void {
    if (this.#excluded.length === 0) return;
    const { decimal, dateOrder } = this.#hints;
    for (const kind of ['Number', 'DateTime'] as const) {
      const isRead = (format: CellFormat): boolean => format.kind === kind && format.read(cell) !== undefined;
      const isOther = this.#excluded.some(isRead);
      const own = this.#families.flatMap(({ all }) => all.filter(isRead));
      const isOwn = own.some((format) =>
        kind === 'Number' ? format.decimal === decimal : format.dateOrder === dateOrder,
      );
      if (isOther && own.length === 0 && !this.#contradicted.has(kind))
        this.#contradicted.set(kind, cell.slice(0, MAX_EXAMPLE_CHARS));
      if (isOwn && !isOther) this.#confirmed.add(kind);
      if (kind === 'DateTime' && own.length > 0) this.#recordDayNotation(cell, !isOther);
    }
  }

  /** Records how a day is written that is read in the order of the hints; `isProven`: in no other one. */
  #recordDayNotation(cell: string, isProven: boolean): void {
    const [, mark = ''] = DAY_MARK.exec(cell) ?? [];
    const known = this.#dayNotations.get(mark);
    if (known && (known.isProven || !isProven)) return;
    const example = known?.example ?? cell.slice(0, MAX_EXAMPLE_CHARS);
    this.#dayNotations.set(mark, { mark, example, isProven });
  }

  /** Returns how days are written that are read in the chosen order; none without a choice. */
  dayNotations(): readonly DayNotation[] {
    return this.#hints.dateOrder === undefined ? [] : [...this.#dayNotations.values()];
  }

  /** Returns the formats that the hints exclude, if cells of this kind only contradict the hints. */
  #rivalsOf(kind: FieldKind): readonly CellFormat[] {
    if (!this.#contradicted.has(kind) || this.#confirmed.has(kind)) return [];
    return this.#excluded.filter((format) => format.kind === kind);
  }

  /**
   * Returns the first number that contradicts the chosen decimal mark, and whether another confirms it. Without that
   * hint, as for texts of a workbook, a number contradicts it that only other formats read, beside no confirming one.
   */
  weighDecimal(chosen: Decimal): {
    readonly contradiction: string | undefined;
    readonly isConfirmed: boolean;
  } {
    if (this.#hints.decimal !== undefined)
      return { contradiction: this.#contradicted.get('Number'), isConfirmed: this.#confirmed.has('Number') };
    const { all = [], left = [] } = this.#numbers ?? {};
    const own = all.filter(({ decimal }) => decimal === chosen);
    const isOther = left.length > 0 && left.every((format) => !own.includes(format));
    const isUnread = (cell: string): boolean => own.every((format) => format.read(cell.trim()) === undefined);
    return {
      contradiction: isOther ? (this.samples.find(isUnread) ?? this.samples[0]) : undefined,
      isConfirmed: false,
    };
  }

  /** Lets cells of this kind that contradict the hints count for all columns of a file, unless one confirms them. */
  static shareContradictions(columns: readonly ColumnGuess[], kind: FieldKind): void {
    if (columns.some((column) => column.#confirmed.has(kind))) return;
    const cell = columns.map((column) => column.#contradicted.get(kind)).find((found) => found !== undefined);
    if (cell === undefined) return;
    for (const column of columns) if (!column.#contradicted.has(kind)) column.#contradicted.set(kind, cell);
  }

  /** Records that `other` reads some cell differently from `one`. */
  #noteReadsDifferently(one: CellFormat, other: CellFormat): void {
    this.#readsOtherwise.set(one, (this.#readsOtherwise.get(one) ?? new Set()).add(other));
  }

  /** Returns whether a number with `unit` means the same in a column that displays `shown`. */
  #fitsUnit(unit: string | undefined, shown: string | undefined): boolean {
    if (unit === undefined) return true;
    if (unit === PERCENT || shown === PERCENT) return unit === shown;
    return shown === undefined ? !this.units.isOfSeveralCurrencies() : isSameUnit(unit, shown);
  }
}

/** Returns whether local clocks show the stored moment again later, as summer time ends. */
function isShownTwice(stored: string | undefined): boolean {
  const at = Date.parse(stored ?? '');
  const offsetAfter = (minutes: number): number => new Date(at + minutes * 60_000).getTimezoneOffset();
  return [30, 60].some((minutes) => offsetAfter(minutes) - offsetAfter(0) === minutes);
}

/** Its columns can be blank, and hold no texts. */
export const isOfUnknowns = (kind: FieldKind): boolean => kind === 'Number' || kind === 'DateTime';

/** Returns what each format reads; those that can't read the cell are absent. */
function readAsNumbers(cell: string, formats: readonly CellFormat[]): ReadonlyMap<CellFormat, string> {
  const read = new Map<CellFormat, string>();
  for (const format of formats) {
    const number = format.read(cell);
    if (number !== undefined) read.set(format, number);
  }
  return read;
}

/** Returns a reader of a cell's different numbers in these formats. Several mean that the cell is ambiguous. */
const createNumberReader =
  (formats: readonly CellFormat[]) =>
  (cell: string): readonly string[] => [...new Set(readAsNumbers(cell, formats).values())];

/** Returns the question whether a bare percentage means `n %` or the fraction; undefined for zero or text. */
export function askBarePercent(number: string): Words | undefined {
  if (!/^-?(?=.*[1-9])\d+(?:\.\d+)?$/.test(number)) return undefined;
  return said('value.bare-percent', { percent: `${number} %`, number: `${toPercent(number)} %` });
}

/** Groups the formats of numbers, and of dates, times and both, into a family each; omits other kinds. */
function groupIntoFamilies(formats: readonly CellFormat[]): Family[] {
  const families = new Map<string, CellFormat[]>();
  for (const format of formats.filter(({ kind }) => kind === 'Number' || kind === 'DateTime')) {
    const key = `${format.kind} ${format.only ?? ''}`;
    families.set(key, [...(families.get(key) ?? []), format]);
  }
  return [...families.values()].map((all) => ({ all, left: all, isSeen: false }));
}

/** Marks the family as seen and drops its formats that can't read the cell; nothing if none of all can. */
function narrowFamily(family: Family, isRead: (format: CellFormat) => boolean): void {
  if (!family.all.some(isRead)) return;
  family.isSeen = true;
  family.left = family.left.filter(isRead);
}
