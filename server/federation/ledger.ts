import { createHash } from 'node:crypto';
import type { Clock } from '../store/clock.ts';
import type { Partition, Store, Table } from '../store/store.ts';

/** One page of rows that a partner is about to get. */
export interface Disclosure {
  readonly nodeID: string;
  /** The exposure's id. */
  readonly moduleID: string;
  /** The list's name as of now. */
  readonly listName: string;
  /** Names of the columns that the page holds. */
  readonly fields: readonly string[];
  readonly recordIDs: readonly string[];
  /** The network address that asked. */
  readonly address: string;
  /** Only fingerprints of the values left, for comparing: who knows what a value may be can tell which it is. */
  readonly digests?: true;
}

export interface LedgerLine extends Disclosure {
  readonly at: string;
}

export interface LedgerTotal {
  /** Different rows that ever went to this partner from this list. */
  readonly rows: number;
  readonly lastServedAt: string;
}

/**
 * The disclosure ledger: what left, when, to whom. Lines are only ever added, and there is no way to switch
 * it off: a page whose line cannot be written is not served.
 */
export interface Ledger {
  /** Resolves when the line is on disk; serve the page after that. A page without rows leaves no line. */
  note(disclosure: Disclosure): Promise<void>;
  /** The latest first; `page` counts from 1. */
  page(
    nodeID: string,
    options: { readonly page: number; readonly perPage: number },
  ): Promise<{ readonly total: number; readonly lines: readonly LedgerLine[] }>;
  /** All lines of a partner, oldest first, in stretches. */
  scan(nodeID: string): AsyncIterable<readonly LedgerLine[]>;
  /** By the exposure's id; rows of which only fingerprints left are not counted. */
  totals(nodeID: string): Promise<ReadonlyMap<string, LedgerTotal>>;
}

/** A line as stored: a page that went out before, unchanged, points to the line that lists its rows. */
interface StoredLine {
  readonly at: string;
  readonly nodeID: string;
  readonly moduleID: string;
  readonly listName: string;
  readonly fields: readonly string[];
  readonly address: string;
  readonly digests?: true;
  readonly digest: string;
  readonly recordIDs?: readonly string[];
  /** Number of the line that has them. */
  readonly sameAs?: number;
}

interface LastServed {
  readonly nodeID: string;
  readonly moduleID: string;
  readonly at: string;
}

/** Key: the partner's id and the line's number among the partner's lines, from 1. */
const LINES: Table<StoredLine> = {
  name: 'line',
  indexes: { rows: (line) => (line.recordIDs ? `${line.nodeID} ${line.digest}` : undefined) },
};
/** Key: the partner's id. */
const COUNTS: Table<{ readonly lines: number }> = { name: 'count' };
/** Key: ids of partner and exposure. */
const LAST: Table<LastServed> = { name: 'last-served', indexes: { node: (last) => last.nodeID } };

const STRETCH = 500;

/** Whether a partition holds the ledger: what left, left, also when older data is put back. */
export const isOfLedger = (partition: string): boolean => partition.startsWith('ledger');

export function createLedger(deps: { readonly store: Store; readonly clock: Pick<Clock, 'now'> }): Ledger {
  const partition = (): Promise<Partition> => deps.store.partition('ledger');
  const lineKey = (nodeID: string, number: number): string => `${nodeID}-${number}`;
  const moduleKey = (nodeID: string, moduleID: string): string => `${nodeID}-${moduleID}`;
  /** Rows that went out, by exposure; made when first asked for, then kept up to date. */
  const sent = new Map<string, Promise<Map<string, Set<string>>>>();

  async function lines(nodeID: string, numbers: readonly number[]): Promise<LedgerLine[]> {
    const ledger = await partition();
    const stored = await ledger.getMany(
      LINES,
      numbers.map((number) => lineKey(nodeID, number)),
    );
    const referred = await ledger.getMany(
      LINES,
      stored.map((line) => lineKey(nodeID, line?.sameAs ?? 0)),
    );
    return stored.flatMap((line, at) => {
      if (!line) return [];
      const { moduleID, listName, fields, address, digests } = line;
      const recordIDs = line.recordIDs ?? referred[at]?.recordIDs ?? [];
      const shown = { at: line.at, nodeID, moduleID, listName, fields, recordIDs, address };
      return [digests ? { ...shown, digests } : shown];
    });
  }

  const count = async (nodeID: string): Promise<number> =>
    (await (await partition()).get(COUNTS, nodeID))?.lines ?? 0;

  async function* scan(nodeID: string): AsyncGenerator<LedgerLine[]> {
    const total = await count(nodeID);
    for (let first = 1; first <= total; first += STRETCH)
      yield lines(nodeID, range(first, Math.min(first + STRETCH - 1, total)));
  }

  async function gather(nodeID: string): Promise<Map<string, Set<string>>> {
    const rows = new Map<string, Set<string>>();
    for await (const stretch of scan(nodeID)) for (const line of stretch) if (!line.digests) add(rows, line);
    return rows;
  }

  return {
    async note({ nodeID, moduleID, listName, fields, recordIDs, address, digests }) {
      if (recordIDs.length === 0) return;
      const at = new Date(deps.clock.now()).toISOString();
      const digest = digestOf(moduleID, fields, recordIDs);
      const ledger = await partition();
      await ledger.transaction(async (tx) => {
        const number = ((await tx.get(COUNTS, nodeID))?.lines ?? 0) + 1;
        const [before] = await tx.find(LINES, 'rows', `${nodeID} ${digest}`);
        const rows = before ? { sameAs: Number(before.key.slice(nodeID.length + 1)) } : { recordIDs };
        const line = { at, nodeID, moduleID, listName, fields, address, digest, ...rows };
        tx.put(LINES, lineKey(nodeID, number), digests ? { ...line, digests } : line);
        tx.put(COUNTS, nodeID, { lines: number });
        if (!digests) tx.put(LAST, moduleKey(nodeID, moduleID), { nodeID, moduleID, at });
      });
      const known = await sent.get(nodeID);
      if (known && !digests) add(known, { moduleID, recordIDs });
    },

    async page(nodeID, { page, perPage }) {
      const total = await count(nodeID);
      const last = total - (page - 1) * perPage;
      return { total, lines: await lines(nodeID, range(Math.max(last - perPage + 1, 1), last).reverse()) };
    },

    scan,

    async totals(nodeID) {
      let gathered = sent.get(nodeID);
      if (!gathered) {
        gathered = gather(nodeID);
        sent.set(nodeID, gathered);
        gathered.catch(() => sent.delete(nodeID));
      }
      const rows = await gathered;
      const last = await (await partition()).find(LAST, 'node', nodeID);
      return new Map(
        last.map(({ value }) => [
          value.moduleID,
          { rows: rows.get(value.moduleID)?.size ?? 0, lastServedAt: value.at },
        ]),
      );
    },
  };
}

function add(
  rows: Map<string, Set<string>>,
  { moduleID, recordIDs }: Pick<Disclosure, 'moduleID' | 'recordIDs'>,
): void {
  const known = rows.get(moduleID) ?? new Set();
  for (const recordID of recordIDs) known.add(recordID);
  rows.set(moduleID, known);
}

function digestOf(moduleID: string, fields: readonly string[], recordIDs: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([moduleID, fields, recordIDs]))
    .digest('base64url');
}

/** Whole numbers from `first` to `last`; none when `last` is smaller. */
function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, at) => first + at);
}
