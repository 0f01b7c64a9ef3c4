import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import type { BadLine, CsvRecord, Slice } from './records.ts';

/** So far into a file a line with the names of its columns may stand. */
const LOOKED_AT = 20;
/** Fewer columns tell no title from a name, unless a blank line does. */
const LEAST_COLUMNS = 3;
/** A title fills no more than this share of the columns. */
const TITLE_SHARE = 1 / 4;

type Line = CsvRecord | BadLine;

/** The first lines behind the given one that are not blank. */
export async function firstRecords(slices: AsyncGenerator<Slice>, after: number): Promise<readonly Line[]> {
  const found: Line[] = [];
  for await (const { records } of slices) {
    found.push(...records.filter(({ line }) => line > after));
    if (found.length >= LOOKED_AT) break;
  }
  return found.slice(0, LOOKED_AT);
}

/**
 * The line that names the columns: the one asked for, else the first that is no title above the table. Undefined: the
 * file has no lines.
 * @throws Refusal `impossible` when that line cannot be read
 */
export function headerOf(
  opening: readonly Line[],
  { headerLine }: { readonly headerLine?: number },
): CsvRecord | undefined {
  const chosen = headerLine === undefined ? undefined : opening.find(({ line }) => line >= headerLine);
  const found = chosen ?? (headerLine === undefined ? belowTitles(opening) : undefined) ?? opening[0];
  if (found === undefined || 'fields' in found) return found;
  throw new Refusal(
    'impossible',
    'csv.header',
    said('csv.bad-header', { line: found.line, reason: found.reason }),
  );
}

/** What comes below the titles, where that can be names; a row of numbers cannot, so that none is lost as names. */
function belowTitles(opening: readonly Line[]): CsvRecord | undefined {
  const lines = opening.filter((line) => 'fields' in line);
  const most = Math.max(0, ...lines.map((line) => filled(line).length));
  if (most < 2) return undefined;
  const isTitle = (line: Line): boolean =>
    'fields' in line && filled(line).length <= Math.max(1, most * TITLE_SHARE);
  const at = opening.findIndex((line) => !isTitle(line));
  const [title, below] = [opening[at - 1], opening[at]];
  const isApart = title === undefined || title.line + 1 < (below?.line ?? 0);
  if (most < LEAST_COLUMNS && !isApart) return undefined;
  return below && 'fields' in below && filled(below).every(isName) ? below : undefined;
}

const filled = ({ fields }: CsvRecord): string[] => fields.filter((field) => field.trim() !== '');

const isName = (cell: string): boolean => /\p{L}/u.test(cell);
