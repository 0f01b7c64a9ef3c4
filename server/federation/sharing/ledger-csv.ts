import Papa from 'papaparse';
import { escapeCell } from '../../lists/csv/cells.ts';
import type { Condition } from '../../lists/query/condition.ts';
import type { Ledger, LedgerLine } from './ledger.ts';

const HEADER = [
  'time',
  'partner',
  'list',
  'columns',
  'rows',
  'row ids',
  'address',
  'what',
  'asked',
  'times',
  'last time',
  'which rows',
  'taken back',
];

/** Yields the sharing log as CSV: the header, then partner by partner, from the oldest line. */
export async function* ledgerCSV(
  ledger: Pick<Ledger, 'scan'>,
  partners: readonly { readonly nodeID: string; readonly name: string }[],
): AsyncGenerator<string> {
  yield toCSV([HEADER]);
  for (const { nodeID, name } of partners)
    for await (const lines of ledger.scan(nodeID))
      // One by one, as a line may have all row ids of a list.
      for (const line of lines) yield toCSV([cellsOfLine(line, name)]);
}

/** Returns a line's cells in the order of the header. */
function cellsOfLine(line: LedgerLine, partner: string): string[] {
  const { at, listName, fields, recordIDs, address, digests, query, sort, times = 1, lastAt = at } = line;
  const { condition, changed, takenBack = 0 } = line;
  const digest = recordIDs.length === 0 ? 'sums of fingerprints' : 'fingerprints';
  const what = changed ? 'nothing: other rows chosen' : digests ? digest : 'values';
  const asked = [query && `query: ${query}`, sort && `sort: ${sort}`].filter(Boolean).join('; ');
  const rows = [String(recordIDs.length), recordIDs.join(' ')];
  const last = [String(times), lastAt, condition ? conditionText(condition) : 'all', String(takenBack)];
  return [at, partner, listName, fields.join(' '), ...rows, address, what, asked, ...last];
}

/** Returns a condition in words: `Country is "Germany" and Amount greater "3"`, `all`, `none` if closed. */
function conditionText({ join, parts, closed }: Condition): string {
  if (closed) return 'none';
  const texts = parts.map(({ label, test, value }) =>
    [label, test.replace('-', ' '), ...(value === undefined ? [] : [JSON.stringify(value)])].join(' '),
  );
  return texts.length === 0 ? 'all' : texts.join(join === 'all' ? ' and ' : ' or ');
}

/** Returns CSV lines, each ended by CRLF. Escapes cells that a spreadsheet would take for formulas. */
function toCSV(rows: string[][]): string {
  const cells = rows.map((row) => row.map((text) => escapeCell(text)));
  return `${Papa.unparse(cells, { newline: '\r\n' })}\r\n`;
}
