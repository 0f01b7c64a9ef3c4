import type { FieldKind } from '../../base/vocabulary.ts';
import { CELL_FORMATS, type CellFormat, type DateOrder } from './cell-formats.ts';

/** What the user says about a file where the guess is wrong. */
export interface FormatHints {
  readonly decimal?: '.' | ',';
  readonly dateOrder?: DateOrder;
}

/** Watches the cells of one column and tells in the end what they are. */
export interface ColumnGuess {
  /** @param isText it is known to be a text, though it may look like a number */
  see(cell: string, isText?: boolean): void;
  /** Undefined: text, also where two readings are possible, such as 3/4/2024. */
  format(): CellFormat | undefined;
  /**
   * The reading for a column of this kind, where there is one that is not ambiguous. Cells that no reading of the kind
   * fits, such as “on request” among prices, have no say in it: they are told by themselves.
   */
  formatFor(kind: FieldKind, only: 'date' | 'time' | undefined): CellFormat | undefined;
  /** Whether cells can be read as this, perhaps in several ways. */
  fits(kind: FieldKind, only: 'date' | 'time' | undefined): boolean;
  /** The first cells that are not empty. */
  readonly samples: readonly string[];
  isEmpty(): boolean;
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
  const samples: string[] = [];

  const pick = (fitting: readonly CellFormat[]): CellFormat | undefined => {
    const [first, second] = samples.length > 0 ? fitting : [];
    if (!first) return undefined;
    // Plain digits read the same in all three number formats, as do dates that begin with the year.
    const isPlain = first === CELL_FORMATS[0] || first.dateOrder === 'YMD';
    const isAmbiguous = !isPlain && second?.kind === first.kind && second.only === first.only;
    return isAmbiguous ? undefined : first;
  };

  const of = (kind: FieldKind, only: 'date' | 'time' | undefined): readonly CellFormat[] => {
    const family = families.find(({ all: [format] }) => format?.kind === kind && format.only === only);
    if (!family) return formats.filter((format) => format.kind === kind && format.only === only);
    return family.isSeen ? family.left : [];
  };

  return {
    samples,
    see(cell, isText = false) {
      const trimmed = cell.trim();
      if (trimmed === '') return;
      if (samples.length < SAMPLES) samples.push(cell);
      const isRead = (format: CellFormat): boolean => format.read(trimmed) !== undefined;
      if (isText) formats = formats.filter(({ kind }) => kind !== 'Number');
      if (formats.length > 0) formats = formats.filter(isRead);
      if (/\d/.test(trimmed)) for (const family of families) look(family, isRead);
    },
    format: () => pick(formats),
    formatFor: (kind, only) => pick(of(kind, only)),
    fits: (kind, only) => of(kind, only).length > 0,
    isEmpty: () => samples.length === 0,
  };
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
