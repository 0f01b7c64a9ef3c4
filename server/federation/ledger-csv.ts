import Papa from 'papaparse';
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
/** Spreadsheets would run these as formulas (ASVS 1.2.10). */
const FORMULA = /^[=+\-@\t\r\n\0]/;

/** The whole ledger of these partners as CSV with a header, in pieces; of each the oldest line first. */
export async function* ledgerCSV(
  ledger: Pick<Ledger, 'scan'>,
  partners: readonly { readonly nodeID: string; readonly name: string }[],
): AsyncGenerator<string> {
  yield toCSV([HEADER]);
  for (const { nodeID, name } of partners)
    for await (const lines of ledger.scan(nodeID)) yield toCSV(lines.map((line) => cells(line, name)));
}

function cells(line: LedgerLine, partner: string): string[] {
  const { at, listName, fields, recordIDs, address, digests, query, sort, times = 1, lastAt = at } = line;
  const what = digests ? 'fingerprints' : 'values';
  const asked = [query && `query: ${query}`, sort && `sort: ${sort}`].filter(Boolean).join('; ');
  const rows = [String(recordIDs.length), recordIDs.join(' ')];
  return [at, partner, listName, fields.join(' '), ...rows, address, what, asked, String(times), lastAt];
}

function toCSV(rows: string[][]): string {
  return `${Papa.unparse(rows, { escapeFormulae: FORMULA, newline: '\r\n' })}\r\n`;
}
