import { createYielder } from '../base/yield.ts';
import type { Ledger, LedgerLine } from '../federation/sharing/ledger.ts';
import type { KnownRows } from '../federation/sharing/sent-today.ts';
import type { Activity as Happened } from '../sync/status/history.ts';
import { said, type Said } from '../words/said.ts';
import type { Federation } from '../federation/federation.ts';
import type { Lists } from '../lists/lists.ts';
import type { FormerPartner } from '../contract/app/overview.ts';

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

/**
 * Returns a function that names a column ever shared with partner `nodeID` by its label, the present one if the column
 * still exists; by its name if that label is empty or the column unknown.
 */
export async function createColumnNamer(
  { federation, lists }: { federation: Pick<Federation, 'exposures'>; lists: Pick<Lists, 'modules'> },
  nodeID: string,
): Promise<(exposureID: string, name: string) => string> {
  const modules = new Map((await lists.modules()).map((module) => [module.moduleID, module]));
  const labels = new Map<string, ReadonlyMap<string, string>>();
  for (const { moduleID, composeModuleID, fields } of await federation.exposures.listEver(nodeID)) {
    const known = [...fields, ...(modules.get(composeModuleID)?.fields ?? [])];
    labels.set(moduleID, new Map(known.map(({ name, label }) => [name, label])));
  }
  return (exposureID, name) => {
    const label = labels.get(exposureID)?.get(name) ?? '';
    return label === '' ? name : label;
  };
}

/**
 * Returns removed partners, latest first, that were connected (and not replaced) or got rows: their sharing log stays.
 */
export async function listFormerPartners(
  { nodes }: { readonly nodes: Pick<Federation['nodes'], 'list'> },
  ledger: Pick<Ledger, 'page'>,
): Promise<FormerPartner[]> {
  const found: FormerPartner[] = [];
  for (const { nodeID, name, colour, tokenSince, deletedAt, replacedBy } of await nodes.list({
    deleted: true,
  })) {
    if (deletedAt === undefined) continue;
    const { total } = await ledger.page(nodeID, { page: 1, perPage: 1 });
    if (total > 0 || (tokenSince !== undefined && replacedBy === undefined))
      found.push({ nodeID, name, colour, until: deletedAt, left: total > 0 });
  }
  return found.sort((a, b) => (a.until < b.until ? 1 : -1));
}
