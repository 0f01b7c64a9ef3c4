import type { WrittenAmount } from '../../base/amount.ts';
import type { Doubt } from '../../base/vocabulary.ts';

export type Decimal = '.' | ',';

/**
 * The decimal mark that a number proves for its file. `118.68` proves points unless as many commas are proven
 * (versions). `1,5` proves commas unless comma-separated (two sizes). `8.15` may be a time or chapter,
 * `10.2026` a month. `126.949` and `1,234` prove nothing.
 */
export type Proof = ',' | '.' | 'likely-comma' | 'likely-point' | 'weak-point';

const COMMA = /\.\d{3},\d|^-?\d+,(?:\d{1,2}|\d{4,})$|^-?0,\d|[\d]\.\d{3}\.\d{3}|[ \u00a0\u202f'’]\d{3},\d/;
const POINT = /,\d{3}\.\d|\d,\d{2,3},\d{3}|[ \u00a0\u202f'’]\d{3}\.\d/;
const LIKELY_COMMA = /^\d{1,2},\d{1,2}$/;
const LIKELY_POINT = /^-?\d+\.(?:\d{1,2}|\d{4,})$|^-?0\.\d/;
const WEAK_POINT = /^\d{1,2}\.[0-5]\d$|^\d{1,2}\.\d$|^(?:[1-9]|1[0-2])\.(?:19|20)\d\d$/;

/** `¥12,000`: thousands. */
const WITHOUT_DECIMALS = /[¥￥₩￦₫]$|^(?:JPY|KRW|VND|CLP|ISK|PYG|XAF|XOF)$/;
const THOUSANDS = /^-?\d{1,3}([.,])\d{3}$/;

/** Returns which decimal mark the notation proves or makes likely; undefined if it favours neither. */
export function proofIn({ number, unit }: Pick<WrittenAmount, 'number' | 'unit'>): Proof | undefined {
  const [, mark] = WITHOUT_DECIMALS.test(unit ?? '') ? (THOUSANDS.exec(number) ?? []) : [];
  if (mark !== undefined) return mark === ',' ? '.' : ',';
  if (unit === undefined && LIKELY_COMMA.test(number) && !number.startsWith('0')) return 'likely-comma';
  if (COMMA.test(number)) return ',';
  if (POINT.test(number)) return '.';
  if (!LIKELY_POINT.test(number)) return undefined;
  return unit === undefined && WEAK_POINT.test(number) ? 'weak-point' : 'likely-point';
}

interface NumberGuess {
  /** Returns a number that allows both decimal marks; undefined if most cells are text. */
  numberInDoubt(): string | undefined;
  chooseDecimal(decimal: Decimal): void;
  countProofs(proof: Proof): number;
  isMostlyNumbers(): boolean;
}

interface Column {
  readonly header: string;
  readonly guess: NumberGuess;
}

interface SheetColumn {
  readonly guess: { dropNumbers(): void };
  readonly texts?:
    (NumberGuess & { readonly readTwice: string | undefined; refuseAmbiguous(): void }) | undefined;
}

/**
 * Chooses for all ambiguous columns, and drops their other formats: without proof, commas in semicolon-separated files,
 * otherwise points. Returns the doubt to show, if any.
 */
export function chooseDecimalMark(columns: readonly Column[], delimiter: string): Doubt | undefined {
  const open = columns.filter(({ guess }) => guess.numberInDoubt() !== undefined);
  if (open.length === 0) return undefined;
  const { chosen, isSure } = findDecimalMark(
    columns.map(({ guess }) => guess),
    delimiter,
  );
  const example = open[0]?.guess.numberInDoubt() ?? '';
  for (const { guess } of open) guess.chooseDecimal(chosen);
  if (isSure) return undefined;
  return {
    ...{ kind: 'numbers', chosen, alternatives: [chosen === ',' ? '.' : ','], example },
    columns: open.map(({ header }) => header),
  };
}

/** Returns the decimal mark by the proofs in all columns, otherwise by the delimiter, and whether a proof decided. */
function findDecimalMark(
  guesses: readonly NumberGuess[],
  delimiter: string,
): { readonly chosen: Decimal; readonly isSure: boolean } {
  const usual = delimiter === ';' ? ',' : '.';
  const proving = (proof: Proof, all = guesses): number =>
    all.reduce((sum, guess) => sum + guess.countProofs(proof), 0);
  const provingCommas = (all = guesses): number => proving(',', all) + proving('likely-comma', all);
  const numbers = guesses.filter((guess) => guess.isMostlyNumbers());
  const commas = delimiter === ',' ? proving(',', numbers) : provingCommas(numbers);
  const surePoints = proving('likely-point');
  const likelyPoints = surePoints + proving('weak-point');
  // `1,299.00` among remarks may be another program's.
  if (proving('.', numbers) > 0)
    return commas > 0 ? { chosen: usual, isSure: false } : { chosen: '.', isSure: true };
  // `12,14` may be two seats beside prices with points.
  if (commas > 0)
    return likelyPoints > commas ? { chosen: usual, isSure: false } : { chosen: ',', isSure: true };
  // `4,5` may be two pages.
  const isCommaLikely = provingCommas() > 0;
  if (likelyPoints > 0 && isCommaLikely) return { chosen: usual, isSure: false };
  // `12.50` contradicts semicolons, which suggest commas. Tabs and bars suggest nothing.
  if (likelyPoints > 0)
    return { chosen: '.', isSure: delimiter === ',' || (usual === '.' && surePoints > 0) };
  return { chosen: isCommaLikely ? ',' : usual, isSure: false };
}

/**
 * Sets how a workbook's texts, such as `1.234 €`, are read: as `wanted`, or as one of them proves. Otherwise columns
 * with texts that can be two numbers are no number columns; by default only a sure point makes them such.
 */
export function chooseMarkOfTexts(columns: readonly SheetColumn[], wanted: Decimal | undefined): void {
  const all = columns.flatMap(({ texts }) => texts ?? []);
  const { chosen, isSure } =
    wanted === undefined ? findDecimalMark(all, '') : { chosen: wanted, isSure: true };
  for (const { guess, texts } of columns) {
    if (isSure) texts?.chooseDecimal(chosen);
    else texts?.refuseAmbiguous();
    if (texts?.readTwice !== undefined && !(isSure && chosen === '.')) guess.dropNumbers();
  }
}
