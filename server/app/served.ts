import type { Ledger, LedgerLine } from '../federation/sharing/ledger.ts';
import type { Activity as Happened } from '../sync/status/history.ts';
import { said, type Said } from '../words/said.ts';

/** Pages of one list that follow each other within this time are one fetch, told once. */
const TOGETHER_MS = 60_000;
/** Lines of the ledger that are looked through: more than anybody pages back to. */
const LINES = 500;

interface Fetch {
  /** ISO 8601, of its last page. */
  readonly at: string;
  readonly listName: string;
  readonly compared: boolean;
  readonly rows: Set<string>;
  /** ISO 8601, of its first page. */
  from: string;
}

/** What a partner fetched from us lately, as entries of its history, latest first. */
export async function servedEntries(
  ledger: Pick<Ledger, 'page'>,
  { nodeID, name }: { readonly nodeID: string; readonly name: string },
): Promise<Happened[]> {
  const { lines } = await ledger.page(nodeID, { page: 1, perPage: LINES });
  const latest = lines.map((line) => ({ ...line, at: line.lastAt ?? line.at }));
  latest.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
  return fetches(latest.filter(({ recordIDs }) => recordIDs.length > 0)).map(
    ({ at, listName, compared, rows }, index) => ({
      activityID: `served-${index}-${at}`,
      at,
      nodeID,
      partner: name,
      kind: 'served',
      outcome: 'ok',
      listName,
      message: told(rows.size, compared),
    }),
  );
}

/** Groups ledger lines, latest first, by list and moment. */
function fetches(lines: readonly LedgerLine[]): Fetch[] {
  const found: Fetch[] = [];
  const open = new Map<string, Fetch>();
  for (const { at, moduleID, listName, recordIDs, digests } of lines) {
    const key = `${moduleID} ${digests ? 'compared' : 'sent'}`;
    let fetch = open.get(key);
    if (!fetch || Date.parse(fetch.from) - Date.parse(at) >= TOGETHER_MS) {
      fetch = { at, from: at, listName, compared: digests === true, rows: new Set() };
      open.set(key, fetch);
      found.push(fetch);
    }
    fetch.from = at;
    for (const recordID of recordIDs) fetch.rows.add(recordID);
  }
  return found;
}

function told(rows: number, compared: boolean): Said {
  return compared ? said('served.compared', { n: rows }) : said('served.sent', { n: rows });
}
