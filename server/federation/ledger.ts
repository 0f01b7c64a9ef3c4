import { createHash } from 'node:crypto';
import { omit } from '../lists/omit.ts';
import { Refusal } from '../lists/refusal.ts';
import type { Clock } from '../store/clock.ts';
import type { Partition, Store, Table } from '../store/store.ts';
import { said } from '../words/said.ts';

/** One page of rows that a partner is about to get, or one question about them that it is about to get answered. */
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
  /** Names what the rows held: the same rows in another state are something else that leaves. */
  readonly state: string;
  /** What the partner had compared, of all rows and not only of those that it got; present where it asked so. */
  readonly query?: string;
  readonly sort?: string;
  /** Only fingerprints of the values left, for comparing: who knows what a value may be can tell which it is. */
  readonly digests?: true;
}

export interface LedgerLine extends Omit<Disclosure, 'state'> {
  readonly at: string;
  /** Set: the very same left several times on that day, so often and then for the last time. */
  readonly times?: number;
  readonly lastAt?: string;
}

export interface LedgerTotal {
  /** Different rows that ever went to this partner from this list. */
  readonly rows: number;
  readonly lastServedAt: string;
}

/**
 * The disclosure ledger: what left, when, to whom. Lines are only ever added, and there is no way to switch
 * it off: a page whose line cannot be written is not served. A partner that asks again and again cannot make it grow
 * without bounds: what it gets again is counted, and what is new to it has its measure for each day.
 */
export interface Ledger {
  /**
   * Resolves when it is on disk; serve the page after that. A page without rows for which nothing was compared leaves
   * no line; sums of fingerprints always leave one, with the rows of which so few were added up that they show. What leaves again unchanged on the same day adds to the line that there is.
   * @throws Refusal `too-many` when a partner takes more in a day than is written down for it
   */
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
  readonly query?: string;
  readonly sort?: string;
  readonly digest: string;
  /** Names what left, to find it when it leaves again; absent in lines of before that was counted. */
  readonly what?: string;
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
  indexes: {
    rows: (line) => (line.recordIDs ? `${line.nodeID} ${line.digest}` : undefined),
    what: (line) => (line.what === undefined ? undefined : `${line.nodeID} ${line.what}`),
  },
};
/** Key: as that of the line that left again. */
const REPEATS: Table<{ readonly times: number; readonly lastAt: string }> = { name: 'repeat' };
/** Key: the partner's id. How many lines there are, and how much was written on its last day. */
const COUNTS: Table<{ readonly lines: number; readonly day?: string; readonly bytes?: number }> = {
  name: 'count',
};
/** Key: ids of partner and exposure. */
const LAST: Table<LastServed> = { name: 'last-served', indexes: { node: (last) => last.nodeID } };

const STRETCH = 500;

/** Whether a partition holds the ledger: what left, left, also when older data is put back. */
export const isOfLedger = (partition: string): boolean => partition.startsWith('ledger');

/** Room for the ids of some millions of rows, or as many questions as one can ask: far from what an office takes. */
const BYTES_A_DAY = 128 * 1024 * 1024;
/** What a line takes besides its rows and its question. */
const LINE_BYTES = 400;

export function createLedger(deps: {
  readonly store: Store;
  readonly clock: Pick<Clock, 'now'>;
  readonly bytesADay?: number;
}): Ledger {
  const { bytesADay = BYTES_A_DAY } = deps;
  const partition = (): Promise<Partition> => deps.store.partition('ledger');
  const lineKey = (nodeID: string, number: number): string => `${nodeID}-${number}`;
  const moduleKey = (nodeID: string, moduleID: string): string => `${nodeID}-${moduleID}`;
  /** Rows that went out, by exposure; made when first asked for, then kept up to date. */
  const sent = new Map<string, Promise<Map<string, Set<string>>>>();

  async function lines(nodeID: string, numbers: readonly number[]): Promise<LedgerLine[]> {
    const ledger = await partition();
    const keys = numbers.map((number) => lineKey(nodeID, number));
    const stored = await ledger.getMany(LINES, keys);
    const repeats = await ledger.getMany(REPEATS, keys);
    const referred = await ledger.getMany(
      LINES,
      stored.map((line) => lineKey(nodeID, line?.sameAs ?? 0)),
    );
    return stored.flatMap((line, at) => {
      if (!line) return [];
      const recordIDs = line.recordIDs ?? referred[at]?.recordIDs ?? [];
      return [{ ...omit(line, 'digest', 'what', 'sameAs'), recordIDs, ...repeats[at] }];
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
    async note(disclosure) {
      const { nodeID, moduleID, fields, recordIDs, digests, query, sort } = disclosure;
      if (recordIDs.length === 0 && !digests && query === undefined && sort === undefined) return;
      const at = new Date(deps.clock.now()).toISOString();
      const day = at.slice(0, 10);
      const digest = digestOf([moduleID, fields, recordIDs]);
      const what = digestOf([day, digest, disclosure.state, disclosure.address, digests, query, sort]);
      const ledger = await partition();
      await ledger.transaction(async (tx) => {
        if (!digests) tx.put(LAST, moduleKey(nodeID, moduleID), { nodeID, moduleID, at });
        const [again] = await tx.find(LINES, 'what', `${nodeID} ${what}`);
        if (again) {
          const times = ((await tx.get(REPEATS, again.key))?.times ?? 1) + 1;
          tx.put(REPEATS, again.key, { times, lastAt: at });
          return;
        }
        const [before] = await tx.find(LINES, 'rows', `${nodeID} ${digest}`);
        const rows = before ? { sameAs: Number(before.key.slice(nodeID.length + 1)) } : { recordIDs };
        const count = (await tx.get(COUNTS, nodeID)) ?? { lines: 0 };
        const bytes = (count.day === day ? (count.bytes ?? 0) : 0) + sizeOf(disclosure, before !== undefined);
        if (bytes > bytesADay) throw tooMuch();
        const lines = count.lines + 1;
        tx.put(LINES, lineKey(nodeID, lines), {
          ...omit(disclosure, 'recordIDs', 'state'),
          ...{ at, digest, what, ...rows },
        });
        tx.put(COUNTS, nodeID, { lines, day, bytes });
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

function digestOf(what: unknown): string {
  return createHash('sha256').update(JSON.stringify(what)).digest('base64url');
}

function sizeOf({ recordIDs, query = '' }: Disclosure, isKnown: boolean): number {
  const rows = isKnown ? 0 : recordIDs.reduce((sum, { length }) => sum + length + 3, 0);
  return LINE_BYTES + Buffer.byteLength(query) + rows;
}

const tooMuch = (): Refusal =>
  new Refusal(
    'too-many',
    'ledger.full-today',
    said`So much was asked for today that it can no longer be written down. Ask for less, or again tomorrow.`,
  );

/** Whole numbers from `first` to `last`; none when `last` is smaller. */
function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, at) => first + at);
}
