import type { Row } from '../../lists/definitions/model.ts';
import type { VisibleRows } from '../../lists/rows/row-filter-index.ts';
import type { Clock } from '../../base/clock.ts';
import { createYielder } from '../../base/yield.ts';
import type { Entry } from '../../store/store.ts';
import type { Exposure, Node } from '../model.ts';
import { isAnnouncedTo } from './visibility.ts';
import {
  countSince,
  trackExcludedRows,
  indexAfter,
  type ExcludedRows,
  type ExcludedRowsTracker,
} from './excluded-rows.ts';

export interface ChangesSince {
  /** May be too large during changes. */
  readonly count: number;
  /** Reads at most `limit` of them, in order of change. */
  readonly first: (limit: number) => Promise<Entry<Row>[]>;
}

/** Finds visible changes; page ends would disclose the number of others. */
export interface VisibleChanges {
  /** Returns the number of visible changes after `after`, and a reader of the first. */
  findSince(rows: VisibleRows, exposure: Exposure, node: Node, after: number): Promise<ChangesSince>;
}

/** Cached rows in all, about 60 bytes each. */
const MAX_CHANGES = 400_000;
const IDLE_MS = 5 * 60_000;
const PAGE = 1000;

interface CacheEntry {
  readonly rows: VisibleRows;
  readonly tracker: ExcludedRowsTracker;
  readonly excluded: ExcludedRows;
}

/**
 * Creates the finder of changes that a partner sees. It caches excluded rows, up to a number in all, until it is idle.
 */
export function createVisibleChanges(clock: Pick<Clock, 'after'>): VisibleChanges {
  const cache = new Map<string, Promise<CacheEntry>>();
  const sizes = new Map<string, number>();
  let cancelSweep = (): void => undefined;

  /** Restarts the time without use after which the cache is cleared. */
  function scheduleClearing(): void {
    cancelSweep();
    cancelSweep = clock.after(IDLE_MS, () => {
      cache.clear();
      sizes.clear();
    });
  }

  /** Marks an entry as used. Evicts others, least recently used first, beyond the limit. `size` is in rows. */
  function recordUse(key: string, size: number): void {
    sizes.delete(key);
    sizes.set(key, size);
    let all = [...sizes.values()].reduce((sum, each) => sum + each, 0);
    for (const [oldest, freed] of sizes) {
      if (all <= MAX_CHANGES || oldest === key) return;
      sizes.delete(oldest);
      cache.delete(oldest);
      all -= freed;
    }
  }

  /**
   * Returns excluded rows: all that changed after this number, perhaps more. Calls for one share run in turn. Restarts
   * the time until the cache is cleared.
   */
  async function readExcluded(
    rows: VisibleRows,
    exposure: Exposure,
    node: Node,
    after: number,
  ): Promise<ExcludedRows> {
    scheduleClearing();
    const key = cacheKey(rows, exposure, node);
    const before = cache.get(key);
    const isAnnounced = (row: Row): boolean => isAnnouncedTo(row, exposure, node);
    const next = (async (): Promise<CacheEntry> => {
      const old = await before?.catch(() => undefined);
      const follows = old?.rows === rows ? old.tracker : trackExcludedRows(rows, isAnnounced, after);
      return { rows, tracker: follows, excluded: await follows.readSince(after) };
    })();
    cache.set(key, next);
    next.catch(() => cache.delete(key));
    const { tracker: follows, excluded } = await next;
    if (cache.get(key) === next) recordUse(key, follows.size());
    return excluded;
  }

  return {
    /**
     * Returns the number (`count`) of visible changes above `after`, without exclusions by counters alone, and a
     * function (`first`) that reads the first ones, never more than `count`.
     */
    async findSince(rows, exposure, node, after) {
      if (exposure.condition === undefined && (await isEverythingVisible(rows)))
        return {
          count: await rows.countSince(after),
          first: (limit) => rows.changesSince({ afterSeq: after }, limit),
        };
      const excluded = await readExcluded(rows, exposure, node, after);
      const excludedCount = countSince(excluded, after);
      // Counted last, so never less than what is found.
      const count = Math.max((await rows.countSince(after)) - excludedCount, 0);
      return { count, first: (limit) => readFirstVisible(rows, excluded, after, Math.min(limit, count)) };
    },
  };
}

/** Returns whether no row has or ever had a source, nor was purged, by counts alone. */
async function isEverythingVisible(rows: VisibleRows): Promise<boolean> {
  const { total, received, kept = 0 } = await rows.counts();
  return kept === 0 && Object.keys(received).length === 0 && (await rows.countSince(0)) === total;
}

/** Returns a key of everything, except the rows themselves, that decides which of them the partner sees. */
function cacheKey(
  { source: { name } }: VisibleRows,
  { moduleID, createdAt, began, gaps }: Exposure,
  { nodeID, installation }: Node,
): string {
  return JSON.stringify([name, moduleID, createdAt, began, gaps, nodeID, installation]);
}

/** Returns the first `limit` visible changes above `after`; fewer if exclusions aren't known further (`upTo`). */
async function readFirstVisible(
  rows: VisibleRows,
  { seqs, upTo }: ExcludedRows,
  after: number,
  limit: number,
): Promise<Entry<Row>[]> {
  const found: Entry<Row>[] = [];
  const pause = createYielder();
  let index = indexAfter(seqs, after);
  for (let last = after; found.length < limit && last < upTo;) {
    const page = await rows.changesSince({ afterSeq: last }, PAGE);
    for (const entry of page) {
      if (entry.seq > upTo || found.length === limit) return found;
      while ((seqs[index] ?? Infinity) < entry.seq) index++;
      if (seqs[index] !== entry.seq) found.push(entry);
    }
    last = page.length < PAGE ? upTo : (page.at(-1)?.seq ?? upTo);
    await pause();
  }
  return found;
}
