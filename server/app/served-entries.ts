import { createYielder } from '../base/yield.ts';
import type { Ledger, LedgerLine } from '../federation/sharing/ledger.ts';
import type { KnownRows } from '../federation/sharing/sent-today.ts';
import type { Activity as Happened } from '../sync/status/history.ts';
import { said, type Said } from '../words/said.ts';

/** A list's pages within this time are one fetch. */
const TOGETHER_MS = 60_000;
/** Lines of the sharing log a read, and reads: a million rows need ten. */
const LINES = 500;
const MAX_LOOKS = 20;
const ENOUGH = 200;

interface Fetch {
  /** The time of its last page, in ISO 8601. */
  readonly at: string;
  readonly listName: string;
  readonly compared: boolean;
  /** Row ids of each page; repeats count once. */
  readonly pages: Set<readonly string[]>;
  /** The time of its first page. */
  from: string;
}

/** Returns a partner's recent fetches from the sharing log as activity, latest first. */
export async function servedEntries(
  ledger: Pick<Ledger, 'page'>,
  { nodeID, name }: { readonly nodeID: string; readonly name: string },
): Promise<Happened[]> {
  const entries: Happened[] = [];
  for (const { at, listName, compared, pages } of await latestFetches(ledger, nodeID))
    entries.push({
      activityID: `served-${entries.length}-${at}`,
      at,
      nodeID,
      partner: name,
      kind: 'served',
      outcome: 'ok',
      listName,
      message: rowsMessage(await countRows(pages), compared),
    });
  return entries;
}

/** Counts distinct rows on these pages. */
async function countRows(pages: Iterable<readonly string[]>): Promise<number> {
  const rows = new Set<string>();
  const pause = createYielder();
  for (const recordIDs of pages) {
    for (const recordID of recordIDs) rows.add(recordID);
    await pause();
  }
  return rows.size;
}

/**
 * Returns the fetches in the sharing log, latest first: all, or at least 200 unless its last 10,000 lines have fewer.
 */
async function latestFetches(ledger: Pick<Ledger, 'page'>, nodeID: string): Promise<readonly Fetch[]> {
  const all: LedgerLine[] = [];
  const known: KnownRows = new Map();
  for (let page = 1; ; page++) {
    const { lines, total } = await ledger.page(nodeID, { page, perPage: LINES, known });
    for (const line of lines)
      if (line.recordIDs.length > 0) all.push({ ...line, at: line.lastAt ?? line.at });
    const isAll = page * LINES >= total;
    if (!isAll && page < MAX_LOOKS && all.length < 2 * LINES) continue;
    all.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
    const found = groupFetches(all);
    if (isAll || page >= MAX_LOOKS || found.length > ENOUGH) return found;
  }
}

/**
 * Returns log lines, latest first, grouped into fetches: those of one list less than a minute apart, rows sent and rows
 * compared in separate ones.
 */
function groupFetches(lines: readonly LedgerLine[]): Fetch[] {
  const found: Fetch[] = [];
  const open = new Map<string, Fetch>();
  for (const { at, moduleID, listName, recordIDs, digests } of lines) {
    const key = `${moduleID} ${digests ? 'compared' : 'sent'}`;
    let fetch = open.get(key);
    if (!fetch || Date.parse(fetch.from) - Date.parse(at) >= TOGETHER_MS) {
      fetch = { at, from: at, listName, compared: digests === true, pages: new Set() };
      open.set(key, fetch);
      found.push(fetch);
    }
    fetch.from = at;
    fetch.pages.add(recordIDs);
  }
  return found;
}

/** Says how many rows were sent, or compared only. */
function rowsMessage(rows: number, compared: boolean): Said {
  return compared ? said('served.compared', { n: rows }) : said('served.sent', { n: rows });
}
