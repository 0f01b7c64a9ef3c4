import Papa from 'papaparse';

const DELIMITERS = [',', ';', '\t', '|'];
const LINES = 200;
/** Lines of a title above the names of the columns. */
const TITLES = 10;

/** Excel writes and reads a first line like `sep=;`. In quotation marks it is a header like any other. */
const DECLARED = /^\uFEFF?sep=(.)\r?\n/i;

/** The delimiter that a first line of its own names; undefined: there is no such line. */
export function declaredDelimiter(start: string): string | undefined {
  return DECLARED.exec(start)?.[1];
}

/** Whether a first cell may be taken for the beginning of such a line, unless it stands in quotation marks. */
export const looksDeclared = (cell: string): boolean => /^sep=/i.test(cell);

/** The delimiter that cuts the most of the first lines into as many fields as the header has. */
export function guessDelimiter(start: string): string {
  const declared = declaredDelimiter(start);
  if (declared !== undefined) return declared;
  const newline = start.includes('\n') ? '\n' : '\r';
  const scores = DELIMITERS.map((delimiter) => {
    const { data } = Papa.parse<string[]>(start, { delimiter, newline, preview: LINES });
    const rows = data.filter((row) => row.length > 1 || row[0] !== '');
    const names = rows.slice(0, TITLES).findIndex((row) => row.length > 1);
    const width = rows[names]?.length ?? 0;
    // The last line may have been cut off.
    const whole = rows.slice(names + 1, Math.max(names + 2, rows.length - 1));
    const same = whole.filter((row) => row.length === width).length;
    const score = width < 2 ? 0 : (same + 1) / (whole.length + 1);
    // What stands above must be a title and not a list of one column with a comma somewhere.
    return { delimiter, width, score: names > 0 && (width < 3 || score < 0.5) ? 0 : score };
  });
  scores.sort((a, b) => b.score - a.score || b.width - a.width);
  return scores[0] && scores[0].score > 0 ? scores[0].delimiter : ',';
}
