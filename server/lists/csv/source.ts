import { isAscii } from 'node:buffer';
import { readTextOfFormula, unescapeCell } from './cells.ts';
import type { FormatHints } from './columns.ts';
import {
  readDeclaredDelimiter,
  guessDelimiter,
  hasPaddedQuotes,
  isBoxed,
  isInApostrophes,
  isPadded,
  ONE_COLUMN,
  swapQuotes,
} from './delimiter.ts';
import { decodeSlices, guessEncoding, type GuessedEncoding } from './encoding.ts';
import { countLetterFlaws } from './letter-flaws.ts';
import { readRecords, type Slice } from './records.ts';
import type { Doubt, LeftOut } from '../../base/vocabulary.ts';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';

export interface TableSource {
  /** Empty for a workbook. */
  readonly encoding: string;
  /**
   * The guess that the chosen encoding of a followed file overrules or equals; without a chosen one, a guess without
   * doubt of a text beyond ASCII.
   */
  readonly encodingGuess?: string;
  readonly delimiter: string;
  readonly sheet?: string;
  readonly sheets?: readonly string[];
  /** Returns a sheet's frozen rows; call it after the first row. */
  readonly frozenRows?: () => number;
  /** From 0, after a complete read. */
  readonly hiddenColumns?: ReadonlySet<number>;
  /** After a complete read. */
  readonly notes?: SheetNotes;
  readonly hints: FormatHints;
  readonly doubts: readonly Doubt[];
  /** Leading declarations of how to read the others. */
  readonly linesBefore: number;
  /** Removes marks and escapes. */
  text(cell: string): string;
  /** Starts over each time. */
  records(): AsyncGenerator<Slice>;
}

export interface SheetNotes {
  /** First lines, each once, of cells merged downwards, or sideways only. */
  readonly merged: { readonly rows: readonly number[]; readonly columns: readonly number[] };
  readonly leftOut: readonly LeftOut[];
  /** Counts links whose address the text lacks. */
  readonly linked: () => number;
  /** Counts formulas without a result. */
  readonly uncalculated: () => number;
  /** The first 20 others with rows. */
  readonly otherSheets: readonly string[];
}

const START = 64 * 1024;
/** Last byte of DOS texts. */
const END_OF_FILE = 0x1a;

/**
 * Guesses encoding and delimiter unless given, with the doubts; a followed file's encoding again, as programs rewrite
 * it, with a doubt if that contradicts the given one. Throws `csv.delimiter`, `csv.encoding` for unusable options,
 * `csv.no-text` if the file is no text.
 */
export async function csvSource(
  given: Buffer,
  options: FormatHints & {
    readonly encoding?: string;
    readonly delimiter?: string;
    readonly isFollowed?: boolean;
    readonly encodingGuess?: string;
    readonly guessBeforeAnswer?: string;
    readonly readsTextMarks?: boolean;
  },
): Promise<TableSource> {
  const bytes = given.at(-1) === END_OF_FILE ? given.subarray(0, -1) : given;
  const { encoding: chosen, isFollowed = false } = options;
  const found = chosen === undefined || isFollowed ? await guessEncoding(bytes) : undefined;
  const guessed =
    found && chosen !== undefined && !isRewritten(bytes, found, chosen)
      ? contradictChosen(bytes, found, {
          chosen,
          before: options.encodingGuess,
          former: options.guessBeforeAnswer,
        })
      : found && withoutKnownDoubt(found, options);
  const encoding = guessed?.encoding ?? chosen ?? 'UTF-8';
  const written = decodeStart(bytes, encoding);
  const { readsTextMarks = true } = options;
  const areSwapped = readsTextMarks && isInApostrophes(written);
  const text = areSwapped ? swapQuotes(written) : written;
  const guess = options.delimiter === undefined ? guessDelimiter(text, bytes.length > START) : undefined;
  const delimiter = checkDelimiter(guess?.delimiter ?? options.delimiter ?? ',');
  // Our files use commas, even in a single column.
  const escapedBy = delimiter === ONE_COLUMN ? ',' : delimiter;
  const isDrawn = readsTextMarks && isBoxed(text, delimiter);
  // Blanks that separate values pad none, and the patterns would be quadratic.
  const mayBePadded = delimiter !== ONE_COLUMN && delimiter !== ' ';
  const areTrimmed = mayBePadded && (isDrawn || isPadded(text, delimiter));
  const arePadded = mayBePadded && hasPaddedQuotes(text, delimiter);
  return {
    encoding,
    ...(found && (chosen !== undefined || (found.alternatives.length === 0 && !isAscii(bytes)))
      ? { encodingGuess: found.encoding }
      : {}),
    delimiter,
    hints: options,
    doubts: [
      ...(guess && guess.alternatives.length > 0
        ? [{ kind: 'delimiter', chosen: delimiter, alternatives: guess.alternatives } as const]
        : []),
      ...(guessed ? encodingDoubts(guessed) : []),
    ],
    linesBefore: readDeclaredDelimiter(text) === undefined ? 0 : 1,
    text: (given) => {
      const cell = areTrimmed ? given.trim() : given;
      const formula = readsTextMarks ? readTextOfFormula(cell) : undefined;
      return formula ?? unescapeCell(cell, escapedBy, readsTextMarks);
    },
    records: () =>
      readRecords(bytes, {
        ...{ encoding, delimiter },
        hasPaddedQuotes: arePadded,
        isInApostrophes: areSwapped,
      }),
  };
}

const IS_UNICODE = /^utf-?\d/i;

/** Returns whether a file of a chosen encoding was saved in another one since, as far as Unicode proves it. */
const isRewritten = (bytes: Buffer, found: GuessedEncoding, chosen: string): boolean =>
  found.encoding.toLowerCase() !== chosen.toLowerCase() &&
  !found.alternatives.includes(chosen) &&
  (IS_UNICODE.test(chosen) || (IS_UNICODE.test(found.encoding) && !isAscii(bytes)));

/**
 * Returns the guess without alternatives if earlier versions were read so without doubt. Broken UTF-8 stays in doubt.
 */
const withoutKnownDoubt = (
  found: GuessedEncoding,
  { encoding, encodingGuess }: { readonly encoding?: string; readonly encodingGuess?: string },
): GuessedEncoding =>
  encoding === undefined && found.encoding === encodingGuess && !IS_UNICODE.test(encodingGuess)
    ? { encoding: encodingGuess, alternatives: [] }
    : found;

const EXAMPLE_LENGTH = 60;

/**
 * Returns the guess, with the chosen encoding as its first alternative, if it is sure and gives another text, or if
 * the chosen one gives more letters that seem wrong, or if the guess changed back. Undefined otherwise, and if a
 * person chose against this guess.
 * @param choice `before`: the guess that the person saw; undefined: nothing contradicts the choice; `former`: the one
 * before the answer to a doubt
 */
function contradictChosen(
  bytes: Buffer,
  found: GuessedEncoding,
  {
    chosen,
    before,
    former,
  }: { readonly chosen: string; readonly before: string | undefined; readonly former: string | undefined },
): GuessedEncoding | undefined {
  if (before === undefined || [before, chosen].includes(found.encoding)) return undefined;
  // ASCII proves nothing. Shift_JIS has another sign for a backslash.
  if (IS_UNICODE.test(found.encoding) && isAscii(bytes)) return undefined;
  const isSure = found.alternatives.length === 0;
  const others = decodeSlices(bytes, chosen);
  let example: string | undefined;
  let flaws = 0;
  for (const text of decodeSlices(bytes, found.encoding)) {
    const next = others.next();
    const other = next.done === true ? '' : next.value;
    if (text === other) continue;
    flaws += countLetterFlaws(other).flaws - countLetterFlaws(text).flaws;
    const lines = other.split(/[\r\n]+/);
    example ??= text.split(/[\r\n]+/).find((line, at) => line !== lines[at]);
    if (isSure) break;
  }
  if (example === undefined || (!isSure && flaws <= 0 && found.encoding !== former)) return undefined;
  return {
    encoding: found.encoding,
    alternatives: [...new Set([chosen, ...found.alternatives])],
    example: example.trim().slice(0, EXAMPLE_LENGTH),
  };
}

/** Returns the doubt to show if other encodings are possible. */
function encodingDoubts({ encoding: chosen, alternatives, example }: GuessedEncoding): readonly Doubt[] {
  if (alternatives.length === 0) return [];
  return [{ kind: 'encoding', chosen, alternatives, ...(example === undefined ? {} : { example }) }];
}

/** Decodes the first slice of the first 64 KiB; empty for an empty file. */
function decodeStart(bytes: Buffer, encoding: string): string {
  for (const text of decodeSlices(bytes.subarray(0, START), encoding)) return text;
  return '';
}

/**
 * Returns the delimiter. Throws `csv.delimiter` unless it is one character, no `"` and no line end, or stands for one
 * column.
 */
function checkDelimiter(delimiter: string): string {
  if (delimiter === ONE_COLUMN) return delimiter;
  if (delimiter.length === 1 && !/["\r\n\uFEFF]/.test(delimiter)) return delimiter;
  throw new Refusal('malformed', 'csv.delimiter', said('csv.bad-separator'));
}
