import { dominantShape, shapeOf, type CellShape } from './cell-shape.ts';

export interface FoundHeading {
  /** Index of the heading, or of the first data row. */
  readonly at: number;
  readonly isHeading: boolean;
  /** The opposite (heading or none) fits too. */
  readonly isInDoubt: boolean;
  readonly isDistinct: boolean;
  readonly rival?: number;
}

const MAX_ROWS = 500;
const MAX_COLUMNS = 300;
const BODY = 50;
const LONGEST_NAME = 150;
/** From three columns on, rows filled no more are sections or footnotes. */
const SPARSE = 1 / 4;
const USUAL =
  /^(?:id|nr|no|num(?:ber|mer|éro|ero)?|nº|n°|name|names?|nom|nombre|vorname|nachname|first ?name|last ?name|prénom|apellidos?|ort|stadt|city|town|ville|ciudad|land|country|pays|país|adresse|address|dirección|street|straße|strasse|rue|calle|plz|zip|e-?mail|tel(?:efon|ephone|éfono)?|phone|teléfono|date|datum|fecha|betrag|amount|montant|importe|preis|price|prix|precio|menge|quantity|quantité|cantidad|text|note|notes|notiz|bemerkung|kommentar|comment|artikel|article|artículo|product|produkt|produit|producto|kunde|customer|client|cliente|firma|company|société|empresa|code|key|title|titel|titre|título|type|typ|art|status|state|description|beschreibung|kategorie|category|farben?|colou?rs?|[\p{L}\d]+_[\p{L}\d_]+)$/iu;

export interface Row {
  readonly cells: readonly string[];
  readonly shapes: readonly CellShape[];
  readonly filled: number;
  readonly extent: number;
  /** Cached per row, as each cell asks. */
  readonly isSequence: boolean;
  readonly isNumbered: boolean;
}

/**
 * Finds a heading in the first 500 rows that names the columns below, with no similar row above; `isHeading` says
 * whether there is one.
 * @param rows the file's first non-blank rows
 * @param gaps indexes of rows behind blank lines
 */
export function findHeading(
  rows: readonly (readonly string[])[],
  gaps: readonly number[] = [],
): FoundHeading {
  const all = rows.slice(0, MAX_ROWS).map(toRow);
  const candidates = all.slice(0, Math.max(1, all.length - 1)).map((_row, at) => createCandidate(all, at));
  const best = pickBest(candidates, ['no', 'unlikely']);
  const other = pickBest(candidates, best.isTooLong === 'unlikely' ? ['no'] : ['no', 'unlikely', 'likely']);
  const afterKeys = findRowAfterKeys(all, best.at);
  if (afterKeys !== undefined && isHeadingAfterKeys(all, best.at, { behind: afterKeys, gaps })) {
    const isSure = all
      .slice(afterKeys, afterKeys + 1)
      .some((row) => differsByType(row, all.slice(afterKeys + 1)));
    return { ...describeHeading(all, afterKeys), ...(isSure ? {} : { rival: best.at }) };
  }
  const [firstLine, secondLine] = hasTwoLines(all, best.at) ? all.slice(best.at, best.at + 2) : [];
  // Below usual names, others are values (`on request`).
  const isOfTwoLines = firstLine && secondLine && (hasUsualNames(secondLine) || !areMostlyUsual(firstLine));
  const at = best.at + (isOfTwoLines ? 1 : 0);
  const found = describeHeading(all, at);
  if (at > 0 && !found.isHeading && (all[0]?.filled ?? 0) > 1) return describeHeading(all, 0);
  const isComplete = firstLine?.filled === secondLine?.extent;
  const otherLine =
    firstLine && hasNamesOnly(firstLine) && (best.at === 0 || isComplete)
      ? best.at + (isOfTwoLines ? 0 : 1)
      : undefined;
  const names =
    findUsualNamesAbove(all, at) ??
    findHeadingBelowKeys(all, best.at) ??
    otherLine ??
    afterKeys ??
    findHeadingAfterGap(all, at, gaps) ??
    findNamesBelowGroups(all, at) ??
    findAsFilledAbove(all, at) ??
    (all[at]?.filled === 1 && (all[at + 1]?.filled ?? 0) > 1 ? at + 1 : undefined);
  const rival = other.at === best.at ? names : other.at;
  return rival === undefined || rival === at ? found : { ...found, rival };
}

/**
 * Returns the last row above the assumed heading with usual names and fewer cells: the assumed one may be data with too
 * many values. Undefined if there is none, or if the assumed one has usual names, or texts above other types.
 */
function findUsualNamesAbove(all: readonly Row[], assumed: number): number | undefined {
  const heading = all[assumed];
  if (!heading || hasUsualNames(heading) || differsByType(heading, all.slice(assumed + 1))) return undefined;
  const above = all
    .slice(0, assumed)
    .findLastIndex(
      (row) =>
        row.filled > 1 &&
        row.filled === row.cells.length &&
        row.filled < heading.extent &&
        hasNamesOnly(row) &&
        hasUsualNames(row),
    );
  return above === -1 ? undefined : above;
}

/**
 * Returns the last row above the assumed heading that fills two columns or more, and at least as many. Undefined
 * without one, or if types or usual names confirm the assumed one.
 */
function findAsFilledAbove(all: readonly Row[], assumed: number): number | undefined {
  const heading = all[assumed];
  if (!heading || hasUsualNames(heading) || differsByType(heading, all.slice(assumed + 1))) return undefined;
  const above = all.slice(0, assumed).findLastIndex(({ filled }) => filled > 1 && filled >= heading.filled);
  return above === -1 ? undefined : above;
}

const MAX_UNIT_CHARS = 12;

/**
 * Returns whether the second row has units such as `kg` or `[mm]`: short texts above numbers or dates only.
 * @param rows the heading and the rows below it
 */
export function hasUnitsBelow(rows: readonly (readonly string[])[]): boolean {
  const [units, ...below] = rows.slice(1, 2 + BODY).map(toRow);
  if (!units || below.length < 2) return false;
  const shapes = findColumnShapes(below, units.extent);
  const named = units.cells.flatMap((cell, column) => (/^[[(\s]*[-–—]?[\])\s]*$/.test(cell) ? [] : [column]));
  /** Returns whether the column has a short text above numbers or dates. */
  const isUnit = (column: number): boolean =>
    units.shapes[column] === 'text' &&
    (units.cells[column] ?? '').trim().length <= MAX_UNIT_CHARS &&
    (shapes[column] === 'number' || shapes[column] === 'date');
  return named.length > 0 && named.every(isUnit);
}

const MAX_KEYS = 100;

/**
 * Returns a row up to 100 below the `assumed` heading that names the columns better, as after lines such as
 * `Stand;01.02.2026`. Types decide first, then usual names.
 */
function findHeadingBelowKeys(all: readonly Row[], assumed: number): number | undefined {
  for (let names = Math.min(assumed + MAX_KEYS, all.length - 3); names >= assumed + 2; names--) {
    const row = all[names];
    if (!row || !hasNamesOnly(row)) continue;
    const typed = findColumnShapes(all.slice(names + 1, names + 1 + BODY), row.extent);
    const isTyped = (column: number): boolean => ![undefined, 'text'].includes(typed[column]);
    /** Returns whether the row has values in the typed columns, none of their type. */
    const isKeyRow = ({ shapes }: Row): boolean => {
      const beside = shapes.filter((shape, column) => isTyped(column) && shape !== 'empty');
      return (
        beside.length > 0 && shapes.every((shape, column) => !isTyped(column) || shape !== typed[column])
      );
    };
    if (all.slice(assumed, names + 1).every(isKeyRow)) return names;
  }
  const below = all.slice(assumed + 1, assumed + 1 + MAX_KEYS);
  const usual = below.findIndex((row) => row.filled > 1 && isUsualOnly(row));
  return usual === -1 || all.slice(assumed, assumed + 1).some(isUsualOnly) ? undefined : assumed + 1 + usual;
}

const [KEY, KEY_AND_VALUE] = [/^\p{L}[^:]{0,40}:$/u, /^\p{L}[^:]{0,40}:\s+\S/u];
export const USUAL_KEY =
  /^(?:stand|zeitraum|period[e]?|période|período|projekt|projet|project|proyecto|auftrag|order|commande|pedido|bearbeiter|sachbearbeiter|author|autor|auteur|user|benutzer|created|erstellt|exported|exportiert|export|report|bericht|rapport|informe|currency|währung|devise|moneda|filter|version|page|seite|von|bis|from|to|account|konto|compte|cuenta|iban|department|abteilung)(?: .{1,20})?$/i;

/** Returns whether the row has only keys with a colon and values: `Customer:` beside `Kern`, or both in one cell. */
export function hasOnlyKeys({ cells }: Row): boolean {
  const filled = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
  const areAlternating = filled.every((cell, at) => KEY.test(cell) === (at % 2 === 0));
  return filled.length > 0 && (areAlternating || filled.every((cell) => KEY_AND_VALUE.test(cell)));
}

/**
 * Returns the index of the first row after lines of keys with colons from `firstKey` on; undefined without keys, if it
 * has no names, or keys follow it.
 */
function findRowAfterKeys(all: readonly Row[], firstKey: number): number | undefined {
  const keys = all.slice(firstKey, firstKey + MAX_KEYS).findIndex((row) => !hasOnlyKeys(row));
  const [names, ...below] = keys > 0 ? all.slice(firstKey + keys) : [];
  if (!names || below.length === 0 || !hasNamesOnly(names)) return undefined;
  return below.slice(0, BODY).some(hasOnlyKeys) ? undefined : firstKey + keys;
}

/**
 * Returns whether the row after the keys is the heading. A single line such as `Name:` beside `City` may be one itself,
 * unless blank lines follow.
 */
const isHeadingAfterKeys = (
  all: readonly Row[],
  firstKey: number,
  { behind: afterKeys, gaps }: { readonly behind: number; readonly gaps: readonly number[] },
): boolean =>
  afterKeys - firstKey > 1 ||
  gaps.includes(afterKeys) ||
  all.slice(firstKey, afterKeys).every(({ cells }) => cells.every((cell) => !KEY.test(cell.trim())));

/**
 * Returns a likelier heading below the assumed one: the row after at least two lines such as `Customer;Kern`, otherwise
 * after the only gap. Undefined unless it has only names and two rows below, or if usual names or types confirm the
 * assumed one.
 * @param gaps indexes of rows after blank lines
 */
function findHeadingAfterGap(
  all: readonly Row[],
  assumed: number,
  gaps: readonly number[],
): number | undefined {
  const [heading] = all.slice(assumed);
  if (!heading || isUsualOnly(heading) || differsByType(heading, all.slice(assumed + 1))) return undefined;
  const [firstGap, ...laterGaps] = gaps.filter((each) => each > assumed);
  const isKey = ({ cells: [first = '', second = ''] }: Row): boolean =>
    (isUsual(first) || USUAL_KEY.test(first.trim())) && second.trim() !== '' && !isUsual(second);
  const keyCount = all.slice(assumed, assumed + MAX_KEYS).findIndex((row) => !isKey(row));
  const candidate = keyCount >= 2 ? assumed + keyCount : laterGaps.length === 0 ? firstGap : undefined;
  if (candidate === undefined || candidate > assumed + MAX_KEYS) return undefined;
  return all.slice(candidate, candidate + 1).some(hasNamesOnly) && all.length - candidate > 2
    ? candidate
    : undefined;
}

/**
 * Returns the row below the assumed heading if it names what that leaves blank, as `Plan` and `Actual`, or years, below
 * groups, and is blank where the heading has names above values.
 */
function findNamesBelowGroups(all: readonly Row[], assumed: number): number | undefined {
  const [groups, names, ...below] = all.slice(assumed, assumed + 2 + BODY);
  if (!groups || !names || below.length === 0 || !hasNamesOnly(names)) return undefined;
  const isBlank = ({ shapes }: Row, column: number): boolean => (shapes[column] ?? 'empty') === 'empty';
  const columns = Array.from({ length: names.extent }, (_, column) => column);
  const completes = columns.some((column) => isBlank(groups, column) && !isBlank(names, column));
  const leavesOut = columns.some(
    (column) =>
      isBlank(names, column) && !isBlank(groups, column) && below.every((row) => !isBlank(row, column)),
  );
  return completes && leavesOut ? assumed + 1 : undefined;
}

export const isUsual = (cell: string): boolean => cell.length <= LONGEST_NAME && USUAL.test(cell.trim());
export const isUsualOnly = ({ cells }: Row): boolean =>
  cells.every((cell) => cell.trim() === '' || isUsual(cell));

interface Candidate {
  readonly at: number;
  readonly score: number;
  readonly isTooLong: TooLong;
}

/** Likelihood of data with too many values below the true heading. */
type TooLong = 'no' | 'unlikely' | 'likely' | 'surely';

/**
 * Scores the row as a heading, and rates whether it is data with too many values: `no` for the first and where none
 * fits.
 */
function createCandidate(all: readonly Row[], index: number): Candidate {
  const score = all.length > 1 ? scoreHeading(all, index) : 0;
  const row = all[index];
  const isTooLong =
    row && index > 0 && score > -1 ? rateTooLong(row, all.slice(0, index), all.slice(index + 1)) : 'no';
  return { at: index, score, isTooLong };
}

/**
 * Returns the best-scored, the earliest of equals, of the first row, whatever its rating, and the candidates with an
 * allowed rating.
 */
function pickBest(candidates: readonly Candidate[], allowed: readonly TooLong[]): Candidate {
  let best = candidates[0] ?? { at: 0, score: 0, isTooLong: 'no' };
  for (const each of candidates)
    if (allowed.includes(each.isTooLong) && each.score > best.score + 1e-9) best = each;
  return best;
}

/** Classifies the row at `at` by up to 50 rows below; a missing one is an undoubted heading. */
function describeHeading(all: readonly Row[], at: number): FoundHeading {
  const heading = all[at];
  if (!heading) return { at, isHeading: true, isInDoubt: false, isDistinct: false };
  return { at, ...classifyFirstRow(heading, all.slice(at + 1, at + 1 + BODY), at > 0) };
}

/** Returns the first 300 cells with their shapes. */
export function toRow(given: readonly string[]): Row {
  const cells = given.slice(0, MAX_COLUMNS);
  const shapes = cells.map(shapeOf);
  return {
    cells,
    shapes,
    filled: shapes.filter((shape) => shape !== 'empty').length,
    extent: shapes.findLastIndex((shape) => shape !== 'empty') + 1,
    isSequence: isSequence(cells, shapes),
    isNumbered: isNumbered(cells, shapes),
  };
}

/**
 * Scores from about -2 to 1: rows below within its width count for it, wider ones below and similar ones above against
 * it; cells that aren't like names lower it. -1 if none below fits, except for the first line.
 */
function scoreHeading(all: readonly Row[], index: number): number {
  const heading = all[index];
  if (!heading) return 0;
  const [above, below] = [all.slice(0, index), all.slice(index + 1)];
  const width = Math.max(heading.cells.length, heading.extent);
  const isSparse = ({ filled }: Row): boolean => heading.filled > 2 && filled <= heading.filled * SPARSE;
  const fits = below.filter((row) => row.extent <= width && !isSparse(row));
  const tooWide = below.filter((row) => row.extent > width).length;
  const alike = above.filter(
    ({ extent, filled }) => extent >= heading.extent * 0.75 && filled >= heading.filled * 0.6,
  ).length;
  if (index > 0 && fits.length === 0) return -1;
  const used = fits.slice(0, BODY).reduce((most, { extent }) => Math.max(most, extent), heading.extent);
  const isNumbered = createNumberedTest(heading, below);
  const names = heading.shapes.filter(
    (shape, column) => isName(heading, shape, column) || isNumbered(shape, column),
  ).length;
  const share = (fits.length - 2 * tooWide - alike) / Math.max(1, below.length + alike);
  const quality = (names / Math.max(1, heading.filled)) * (heading.filled / Math.max(1, used));
  return (share > 0 ? share * quality : share) - 0.02 * Math.min(10, above.length - alike);
}

/**
 * Returns a test whether a cell with a digit first names its column: no cell below begins so, and it is a text such as
 * `2. Telefon`, or one of at least three different numbers, as of rooms. A row of two cells may be a key and its value.
 */
function createNumberedTest(
  { cells, shapes, filled }: Row,
  below: readonly Row[],
): (shape: CellShape, column: number) => boolean {
  const numbers = cells.filter((_cell, column) => shapes[column] === 'number');
  const areNames = numbers.length > 2 && new Set(numbers).size === numbers.length;
  const beginsWithDigit = (cell = ''): boolean => /^\s*\d/.test(cell);
  return (shape, column) =>
    filled > 2 &&
    (shape === 'text' || (shape === 'number' && areNames)) &&
    beginsWithDigit(cells[column]) &&
    !below.slice(0, BODY).some((row) => beginsWithDigit(row.cells[column]));
}

/**
 * Rates whether the row is data with more values than columns: wider than a row of names above that is as wide as most
 * rows below. `no` if types or usual names make it the heading. Values that can't be names make it likelier; wide rows
 * below less, as the row above may be a title.
 */
function rateTooLong(row: Row, above: readonly Row[], below: readonly Row[]): TooLong {
  const widths = new Map<number, number>();
  for (const { cells } of below) widths.set(cells.length, (widths.get(cells.length) ?? 0) + 1);
  const alike = above.filter(
    ({ cells, filled }) =>
      filled > 1 &&
      filled === cells.length &&
      filled < row.extent &&
      (widths.get(filled) ?? 0) * 2 > below.length,
  );
  const [first, second] = alike;
  if (!first || !hasNamesOnly(first)) return 'no';
  const isTable = second !== undefined || hasUsualNames(first);
  const isFilled = below.some(({ extent }) => extent > first.filled);
  if (!hasNamesOnly(row)) return isTable || !isFilled ? 'surely' : 'unlikely';
  if (differsByType(row, below) || hasUsualNames(row)) return 'no';
  if (isTable) return isFilled ? 'likely' : 'surely';
  return isFilled ? 'unlikely' : 'likely';
}

/** Returns whether the row has a text in a column of mostly numbers, dates or another type. */
export function differsByType(row: Row, below: readonly Row[]): boolean {
  const typed = findColumnShapes(below.slice(0, BODY), row.extent);
  return row.shapes.some((shape, column) => shape === 'text' && ![undefined, 'text'].includes(typed[column]));
}

const areMostlyUsual = ({ cells, filled }: Row): boolean => cells.filter(isUsual).length * 2 > filled;
const hasUsualNames = ({ cells, filled }: Row): boolean => cells.filter(isUsual).length * 2 >= filled;

/** Ignores blank cells. */
export const hasNamesOnly = (row: Row): boolean =>
  row.shapes.every((shape, column) => shape === 'empty' || isName(row, shape, column));

/**
 * Returns whether the row below is a second line of the heading: only names, with text above half of the typed columns.
 */
function hasTwoLines(all: readonly Row[], index: number): boolean {
  const [heading, next] = [all[index], all[index + 1]];
  const below = all.slice(index + 2, index + 2 + BODY);
  if (!heading || !next || below.length < 2 || next.filled < heading.filled) return false;
  if (!hasNamesOnly(next)) return false;
  const typed = findColumnShapes(below, next.extent).map((shape) => shape !== undefined && shape !== 'text');
  const breaking = typed.filter((isTyped, column) => isTyped && next.shapes[column] === 'text').length;
  return breaking > 0 && breaking * 2 >= typed.filter(Boolean).length && typed.some((each) => !each);
}

/**
 * Returns whether the cell may name a column: up to 150 characters with a letter or a sign such as `%`, no digit first.
 * Numbers and dates may in a row that counts up, such as years, texts and times with a digit beside others of their
 * form.
 */
function isName(row: Row, shape: CellShape, column: number): boolean {
  const cell = (row.cells[column] ?? '').trim();
  if (cell.length > LONGEST_NAME) return false;
  if (shape === 'number' || shape === 'date') return row.isSequence;
  if (shape !== 'text' && shape !== 'bool' && shape !== 'time') return false;
  return /^\d/.test(cell) ? row.isNumbered : /\p{L}|^[%#€$№*<>≤≥]/u.test(cell);
}

/**
 * Returns whether cells with a digit first differ but are of one form: `5a` and `5b`, `05.01.` and `12.01.`, `8:00` and
 * `9:00`.
 */
function isNumbered(cells: readonly string[], shapes: readonly CellShape[]): boolean {
  const numbered = cells.filter(
    (cell, column) => /^\s*\d/.test(cell) && (shapes[column] === 'text' || shapes[column] === 'time'),
  );
  const forms = new Set(
    numbered.map((cell) =>
      cell
        .trim()
        .replace(/\d+/g, '0')
        .replace(/\p{L}$/u, 'a'),
    ),
  );
  return numbered.length > 1 && forms.size === 1 && new Set(numbered).size === numbered.length;
}

/** Returns whether numbers and dates are only years, different dates, or three or more numbers in steps of 1 or -1. */
function isSequence(cells: readonly string[], shapes: readonly CellShape[]): boolean {
  const counted = cells.filter((_cell, column) => shapes[column] === 'number' || shapes[column] === 'date');
  if (counted.length === 0) return false;
  if (counted.every(isYear)) return true;
  if (shapes.includes('date'))
    return counted.length > 1 && new Set(counted).size === counted.length && !shapes.includes('number');
  if (counted.length < 3) return false;
  const numbers = counted.map((cell) => Number(cell.trim()));
  const [first = 0, second = 0] = numbers;
  const step = second - first;
  return Math.abs(step) === 1 && numbers.every((number, at) => number === first + at * step);
}

/** Returns whether the cell is a number from 1900 to 2100. */
function isYear(cell: string): boolean {
  const number = Number(cell.trim());
  return Number.isInteger(number) && number >= 1900 && number <= 2100;
}

const hasOnlyNumbers = ({ shapes }: Row): boolean =>
  shapes.every((shape) => shape === 'number' || shape === 'empty');

/** Returns each column's dominant shape; undefined for mixed or empty columns. */
const findColumnShapes = (rows: readonly Row[], width: number): (CellShape | undefined)[] =>
  Array.from({ length: width }, (_, column) =>
    dominantShape(rows.map(({ shapes }) => shapes[column] ?? 'empty')),
  );

/**
 * Judges by types and texts below whether a first row is a heading, and how sure that is.
 * @param isBelowTitle lines above are skipped as a title
 */
function classifyFirstRow(
  heading: Row,
  below: readonly Row[],
  isBelowTitle: boolean,
): Omit<FoundHeading, 'at'> {
  const shapes = findColumnShapes(below, Math.max(heading.extent, ...below.map(({ extent }) => extent)));
  const isTyped = (column: number): boolean => ![undefined, 'text'].includes(shapes[column]);
  const counts = heading.isSequence;
  let [same, other] = [0, 0];
  heading.shapes.forEach((shape, column) => {
    if (!isTyped(column) || shape === 'empty') return;
    if (shape === shapes[column] && (shape === 'date' || !counts || isYearAboveYears(heading, below, column)))
      same++;
    else if (shape === 'text') other++;
  });
  const hasNoName = heading.shapes.some((shape) => shape === 'email' || shape === 'url');
  if (same > other || (hasNoName && other === 0))
    return { isHeading: false, isInDoubt: below.length > 0, isDistinct: true };
  const isDistinct =
    other > 0 || counts || heading.cells.some((cell, column) => looksUnlikeBelow(cell, below, column));
  const recurs = heading.cells.some(
    (cell, column) => cell.trim() !== '' && below.some(({ cells }) => cells[column] === cell),
  );
  // An amount or day names no column: the line may be about the account.
  const hasValue = heading.shapes.some(
    (shape, column) => (shape === 'number' || shape === 'date') && !isName(heading, shape, column),
  );
  const isBareCount = counts && hasOnlyNumbers(heading) && !heading.cells.every(isYear);
  const isUnlike = same > 0 || !isDistinct || (recurs && other === 0) || hasValue || isBareCount;
  const isOfTitleOrAlone = isBelowTitle || below.length === 0;
  const isInDoubt = isCard(heading, below) || (isOfTitleOrAlone ? hasValue || isBareCount : isUnlike);
  return { isHeading: true, isInDoubt, isDistinct };
}

/** Returns whether two columns look like keys and their values, as on a card: `Firma;Kern`, `Ort;Ulm`. */
const isCard = ({ cells: [key = '', value = ''], extent }: Row, below: readonly Row[]): boolean =>
  extent === 2 &&
  isUsual(key) &&
  !isUsual(value) &&
  below.length > 0 &&
  below.filter(({ cells: [first = ''] }) => isUsual(first)).length * 2 >= below.length;

/** Returns whether the cell is a year above only years or blanks, so may be a value. */
const isYearAboveYears = (heading: Row, below: readonly Row[], column: number): boolean =>
  /^(?:19|20)\d\d$/.test(heading.cells[column]?.trim() ?? '') &&
  below.every(({ cells }) => /^(?:19|20)\d\d$|^\s*$/.test(cells[column]?.trim() ?? ''));

/** Returns whether the cell is a usual name, or differs from all below by digits, blanks or length. */
function looksUnlikeBelow(cell: string, below: readonly Row[], column: number): boolean {
  // The pattern is quadratic in signs.
  if (cell.length > LONGEST_NAME) return false;
  const name = cell.trim().replace(/[.:*]+$/, '');
  if (name === '') return false;
  if (USUAL.test(name)) return true;
  const texts = below.map(({ cells }) => cells[column]?.trim() ?? '').filter((text) => text !== '');
  if (texts.length < 2) return false;
  return (
    (!/\d/.test(name) && texts.every((text) => /\d/.test(text))) ||
    (!/[\s,]/.test(name) && texts.every((text) => /[\s,]/.test(text))) ||
    (name.length > 3 &&
      texts.every((text) => text.length === texts[0]?.length && text.length !== name.length))
  );
}
