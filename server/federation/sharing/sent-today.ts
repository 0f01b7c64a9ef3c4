import { startOfDay } from '../../base/day.ts';
import { createYielder } from '../../base/yield.ts';
import type { StoredLine } from './ledger-tables.ts';

/** Ids by content, across pages: repeated content is read once. */
export type KnownRows = Map<string, readonly string[]>;

export interface SentToday {
  /** As last sent. */
  readonly listName: string;
  /** Distinct rows, except those of digests only. */
  readonly rows: number;
  /** The last time, ISO 8601. */
  readonly at: string;
}

interface SentRows extends Pick<StoredLine, 'nodeID' | 'moduleID' | 'listName' | 'takenBack' | 'digests'> {
  readonly recordIDs: readonly string[];
}

interface Gathered {
  listName: string;
  at: string;
  readonly rows: Set<string>;
}

interface Day {
  readonly from: number;
  readonly lists: Promise<Map<string, Gathered>>;
}

export interface SentTodayOf {
  /** Returns, by exposure id, what was sent since midnight; a day's first call reads the sharing log. */
  forPartner(nodeID: string): Promise<ReadonlyMap<string, SentToday>>;
  record(disclosure: SentRows, at: string): Promise<void>;
}

const PER_PAGE = 200;
const DAY_MS = 86_400_000;

/**
 * Creates the record of what each partner was sent since midnight, in memory; the sharing log is read at a partner's
 * first use each day.
 */
export function createSentToday(deps: {
  readonly now: () => number;
  /** Returns a partner's log lines, newest first. */
  readonly page: (
    nodeID: string,
    options: { readonly page: number; readonly perPage: number; readonly known: KnownRows },
  ) => Promise<{ readonly lines: readonly (SentRows & { readonly at: string; readonly lastAt?: string })[] }>;
}): SentTodayOf {
  const days = new Map<string, Day>();

  /**
   * Returns, by exposure id, distinct rows and last times of disclosures since `from` (milliseconds). Reads a day
   * further back, as repeated content is counted in the first line of its UTC day.
   */
  async function readDay(nodeID: string, from: number): Promise<Map<string, Gathered>> {
    const lists = new Map<string, Gathered>();
    const known: KnownRows = new Map();
    const counted = new Set<readonly string[]>();
    const pause = createYielder();
    for (let page = 1; ; page++) {
      const { lines } = await deps.page(nodeID, { page, perPage: PER_PAGE, known });
      for (const line of lines) {
        const at = line.lastAt ?? line.at;
        if (Date.parse(at) < from || !disclosesValues(line)) continue;
        addRows(lists, counted.has(line.recordIDs) ? { ...line, recordIDs: [] } : line, at);
        counted.add(line.recordIDs);
        await pause();
      }
      const oldest = lines.at(-1);
      if (lines.length < PER_PAGE || !oldest || Date.parse(oldest.at) < from - DAY_MS) return lists;
    }
  }

  return {
    /**
     * Returns, by exposure id, the number of distinct rows sent since midnight and when last. A partner's first call on
     * a day reads the sharing log.
     */
    async forPartner(nodeID) {
      const from = startOfDay(deps.now());
      let day = days.get(nodeID);
      if (day?.from !== from) {
        day = { from, lists: readDay(nodeID, from) };
        days.set(nodeID, day);
        day.lists.catch(() => days.delete(nodeID));
      }
      return new Map(
        [...(await day.lists)].map(([moduleID, { listName, rows, at }]) => [
          moduleID,
          { listName, rows: rows.size, at },
        ]),
      );
    },
    /** Adds a disclosure of values to its partner's day, if that is loaded and includes `at`. */
    async record(disclosure, at) {
      const day = days.get(disclosure.nodeID);
      if (day && Date.parse(at) >= day.from && disclosesValues(disclosure))
        addRows(await day.lists, disclosure, at);
    },
  };
}

/** Returns whether an answer sent values of rows: not only digests or reports of deleted rows. */
const disclosesValues = ({
  recordIDs,
  digests,
  takenBack = 0,
}: Pick<SentRows, 'recordIDs' | 'digests' | 'takenBack'>): boolean =>
  !digests && recordIDs.length > takenBack;

/** Adds an answer's rows to its list's entry, each row once. The latest answer gives name and time. `at`: ISO 8601. */
function addRows(
  lists: Map<string, Gathered>,
  { moduleID, listName, recordIDs }: Pick<SentRows, 'moduleID' | 'listName' | 'recordIDs'>,
  at: string,
): void {
  const known = lists.get(moduleID) ?? { listName, at, rows: new Set<string>() };
  if (at >= known.at) Object.assign(known, { listName, at });
  for (const recordID of recordIDs) known.rows.add(recordID);
  lists.set(moduleID, known);
}
