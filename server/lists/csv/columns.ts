import { PERCENT, isSameUnit, toPercent, writtenAmount } from '../../base/amount.ts';
import type { FieldKind } from '../../base/vocabulary.ts';
import type { Field } from '../definitions/model.ts';
import { said, type Words } from '../../words/said.ts';
import { CELL_FORMATS, type CellFormat, type DateOrder } from './cell-formats.ts';
import { createTotals, type Span, type Totals } from './totals.ts';
import { createUnitsSeen, type UnitsSeen } from './units-seen.ts';

/** What the user says about a file where the guess is wrong. */
export interface FormatHints {
  readonly decimal?: '.' | ',';
  readonly dateOrder?: DateOrder;
}

/** Watches the cells of one column and tells in the end what they are. */
export interface ColumnGuess {
  see(cell: string, as?: SeenAs): void;
  /** Undefined: text, also where two readings are possible, such as 3/4/2024. */
  format(): CellFormat | undefined;
  /**
   * The reading for a column of this kind, where there is one that is not ambiguous. Cells that no reading of the kind
   * fits, such as “on request” among prices, have no say in it: they are told by themselves.
   */
  formatFor(kind: FieldKind, only: 'date' | 'time' | undefined): CellFormat | undefined;
  /**
   * Reads cells for a column of the list: undefined where one is not written in this way, or with a unit that the column
   * does not have, so that it would mean something else there.
   */
  readerFor(field: Pick<Field, 'kind' | 'options'>): (cell: string) => string | undefined;
  /**
   * Why a cell that is a number does not go into a column of the list: it may mean another one there.
   * @param isBareMeant whether a number without a sign is the number, be it in a column that shows percent
   */
  doubtsFor(
    field: Pick<Field, 'kind' | 'options'>,
    isBareMeant: boolean,
  ): (cell: string) => Words | undefined;
  /** What stands beside the numbers, as people write it: `%`, `€`; and how many decimals those have at most. */
  readonly units: Pick<UnitsSeen, 'all' | 'has' | 'decimals'>;
  /** Whether a number adds up those that were seen, as {@link Totals} has it; `also` are cells. */
  isSum(cell: string, span: Span): boolean;
  /** A sum stood here, as {@link Totals} has it. */
  markSum(from: number): void;
  /** Whether cells can be read as this, perhaps in several ways. */
  fits(kind: FieldKind, only: 'date' | 'time' | undefined): boolean;
  /** The first cells that are not empty. */
  readonly samples: readonly string[];
  isEmpty(): boolean;
}

/** What is known of a cell. */
export interface SeenAs {
  /** It is a text, though it may look like a number. */
  readonly isText?: boolean | undefined;
  /** A sum of its column may leave it out, or does. */
  readonly isNoPart?: boolean | 'surely';
}

const SAMPLES = 5;

/** The formats of numbers or of days or moments, and those of them that read each cell which any of them reads. */
interface Family {
  readonly all: readonly CellFormat[];
  left: readonly CellFormat[];
  isSeen: boolean;
}

export function createColumnGuess(hints: FormatHints): ColumnGuess {
  let formats = CELL_FORMATS.filter(
    ({ decimal, dateOrder }) =>
      (decimal ?? hints.decimal) === (hints.decimal ?? decimal) &&
      (dateOrder ?? hints.dateOrder) === (hints.dateOrder ?? dateOrder),
  );
  const families = familiesOf(formats);
  const numbers = families.find(({ all: [format] }) => format?.kind === 'Number');
  const units = createUnitsSeen();
  /** Those that read a cell as another number than the format does: `1.234`. Among amounts that is a thousand and more to some. */
  const readsOtherwise = new Map<CellFormat, Set<CellFormat>>();
  const samples: string[] = [];
  const totals = new Map<CellFormat, Totals>(numbers?.all.map((format) => [format, createTotals()]));

  const pick = (fitting: readonly CellFormat[]): CellFormat | undefined => {
    const [first] = samples.length > 0 ? fitting : [];
    if (!first) return undefined;
    const same = fitting.filter(({ kind, only }) => kind === first.kind && only === first.only);
    // Plain digits read the same in all three number formats, as do dates that begin with the year.
    const isPlain = first === CELL_FORMATS[0] || first.dateOrder === 'YMD';
    const isTwo = units.areAmounts() && same.some((format) => readsOtherwise.get(first)?.has(format));
    return isTwo || (!isPlain && same.length > 1) ? undefined : first;
  };

  const of = (kind: FieldKind, only: 'date' | 'time' | undefined): readonly CellFormat[] => {
    const family = families.find(({ all: [format] }) => format?.kind === kind && format.only === only);
    if (!family) return formats.filter((format) => format.kind === kind && format.only === only);
    return family.isSeen ? family.left : [];
  };

  const readAsNumbers = (cell: string, by: readonly CellFormat[]): ReadonlyMap<CellFormat, string> => {
    const read = new Map<CellFormat, string>();
    for (const format of by) {
      const number = format.read(cell);
      if (number !== undefined) read.set(format, number);
    }
    return read;
  };

  function seeNumber(cell: string, isNoPart: boolean | 'surely'): void {
    const amount = writtenAmount(cell);
    const read = readAsNumbers(cell, numbers?.all ?? []);
    if (!amount || read.size === 0) return;
    units.see(amount);
    if (isNoPart !== 'surely')
      for (const [format, number] of read) totals.get(format)?.see(number, !isNoPart);
    if (new Set(read.values()).size < 2) return;
    for (const [one, number] of read)
      for (const [other, otherwise] of read)
        if (number !== otherwise) readsOtherwise.set(one, (readsOtherwise.get(one) ?? new Set()).add(other));
  }

  /** What a cell may be, in a column that leaves it open how its numbers are written. */
  const numbersBy =
    (formats: readonly CellFormat[]) =>
    (cell: string): readonly string[] => [...new Set(readAsNumbers(cell, formats).values())];

  /** Whether a number with this beside it means the same in a column that shows `shown`. */
  function fitsUnit(unit: string | undefined, shown: string | undefined): boolean {
    if (unit === undefined) return true;
    if (unit === PERCENT || shown === PERCENT) return unit === shown;
    return shown === undefined ? !units.isOfSeveralCurrencies() : isSameUnit(unit, shown);
  }

  return {
    samples,
    units,
    see(cell, { isText = false, isNoPart = false } = {}) {
      const trimmed = cell.trim();
      if (trimmed === '') return;
      if (samples.length < SAMPLES) samples.push(cell);
      const isRead = (format: CellFormat): boolean => format.read(trimmed) !== undefined;
      if (isText) formats = formats.filter(({ kind }) => kind !== 'Number');
      if (formats.length > 0) formats = formats.filter(isRead);
      if (!/\d/.test(trimmed)) return;
      for (const family of families) look(family, isRead);
      seeNumber(trimmed, isNoPart);
    },
    format() {
      const found = pick(formats);
      return found?.kind === 'Number' && !units.areSurelyNumbers() ? undefined : found;
    },
    formatFor: (kind, only) => pick(of(kind, only)),
    readerFor({ kind, options: { only, unit } }) {
      const format = pick(of(kind, only));
      if (kind !== 'Number' || format)
        return (cell) =>
          kind === 'Number' && !fitsUnit(writtenAmount(cell)?.unit, unit) ? undefined : format?.read(cell);
      const numbersOf = numbersBy(of(kind, only));
      return (cell) => {
        const [number, ...others] = fitsUnit(writtenAmount(cell)?.unit, unit) ? numbersOf(cell) : [];
        return others.length === 0 ? number : undefined;
      };
    },
    doubtsFor({ kind, options: { unit, precision = 0 } }, isBareMeant) {
      const isBareInDoubt = unit === PERCENT && (!isBareMeant || units.has(PERCENT));
      const isOfMoney = unit !== undefined || precision > 0 || units.areMoney();
      const format = pick(of('Number', undefined));
      const left = of('Number', undefined);
      // Where they contradict each other, each is asked for by itself.
      const numbersOf = numbersBy(format ? [format] : left.length > 0 ? left : (numbers?.all ?? []));
      return (cell) => {
        const written = kind === 'Number' ? writtenAmount(cell) : undefined;
        if (!written) return undefined;
        const [number = written.number, ...others] = numbersOf(cell);
        if (others.length > 0) return said('value.two-numbers');
        if (written.unit !== undefined) return undefined;
        if (written.isInBrackets && !isOfMoney)
          return said('value.in-brackets', { number: number.replace('-', '') });
        return isBareInDoubt ? barePercent(number) : undefined;
      };
    },
    isSum: (cell, { also = [], ...span }) =>
      [...readAsNumbers(cell.trim(), numbers?.left ?? [])].some(
        ([format, number]) =>
          totals
            .get(format)
            ?.isSum(number, { ...span, also: also.flatMap((each) => format.read(each) ?? []) }) === true,
      ),
    markSum: (from) => {
      for (const each of totals.values()) each.mark(from);
    },
    fits: (kind, only) => of(kind, only).length > 0,
    isEmpty: () => samples.length === 0,
  };
}

/** Of a number that lacks the sign of its column nobody knows whether it counts percent already; of nothing it is the same. */
export function barePercent(number: string): Words | undefined {
  if (!/^-?[\d.]*[1-9][\d.]*$/.test(number)) return undefined;
  return said('value.bare-percent', { percent: `${number} %`, number: `${toPercent(number)} %` });
}

function familiesOf(formats: readonly CellFormat[]): Family[] {
  const families = new Map<string, CellFormat[]>();
  for (const format of formats.filter(({ kind }) => kind === 'Number' || kind === 'DateTime')) {
    const key = `${format.kind} ${format.only ?? ''}`;
    families.set(key, [...(families.get(key) ?? []), format]);
  }
  return [...families.values()].map((all) => ({ all, left: all, isSeen: false }));
}

function look(family: Family, isRead: (format: CellFormat) => boolean): void {
  if (!family.all.some(isRead)) return;
  family.isSeen = true;
  family.left = family.left.filter(isRead);
}
