import Papa from 'papaparse';
import { escapeCell } from '../../lists/csv/cells.ts';
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
];

/** The whole ledger of these partners as CSV with a header, in pieces; of each the oldest line first. */
export async function* ledgerCSV(
  ledger: Pick<Ledger, 'scan'>,
  partners: readonly { readonly nodeID: string; readonly name: string }[],
): AsyncGenerator<string> {
  yield toCSV([HEADER]);
  for (const { nodeID, name } of partners)
    for await (const lines of ledger.scan(nodeID)) yield toCSV(lines.map((line) => textsOf(line, name)));
}

function textsOf(line: LedgerLine, partner: string): string[] {
  const { at, listName, fields, recordIDs, address, digests, query, sort, times = 1, lastAt = at } = line;
  const what = digests ? (recordIDs.length === 0 ? 'sums of fingerprints' : 'fingerprints') : 'values';
  const asked = [query && `query: ${query}`, sort && `sort: ${sort}`].filter(Boolean).join('; ');
  const rows = [String(recordIDs.length), recordIDs.join(' ')];
  return [at, partner, listName, fields.join(' '), ...rows, address, what, asked, String(times), lastAt];
}

function toCSV(rows: string[][]): string {
  const cells = rows.map((row) => row.map((text) => escapeCell(text)));
  return `${Papa.unparse(cells, { newline: '\r\n' })}\r\n`;
}
