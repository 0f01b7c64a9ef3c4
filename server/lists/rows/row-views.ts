import type { Clock } from '../../base/clock.ts';
import { createMutex } from '../../base/concurrency/mutex.ts';
import type { Ranking, Partition } from '../../store/store.ts';
import { PackedRows } from '../query/packed-rows.ts';
import { PackedView } from './packed-view.ts';
import { RankedView, findRanking, type AskedView } from './ranked-view.ts';
import type { RowReader } from './row-reader.ts';
import { readMatchingRows, type ViewDefinition } from './view-rows.ts';
import type { View } from './view.ts';
import type { Order, SortKey } from '../query/sort.ts';
import { getRows } from './row-table.ts';

export interface Views {
  view(source: RowReader, definition: ViewDefinition): Promise<View>;
}

type Made = PackedView | RankedView;

const MAX_VIEWS = 8;
/** More views stay while small together. */
const MAX_SMALL_VIEWS = 64;
const FEW_ROWS = 8_000_000;
const IDLE_MS = 5 * 60_000;
/** Beyond, views go to the store, if possible. */
const LARGE = 100_000;

/**
 * Caches views: evicts those used longest ago beyond the limits, and all after five minutes without use.
 * @param maxRows views of more rows are stored instead
 */
export function createViews(clock: Clock, maxRows = LARGE): Views {
  const cached = new Map<string, { readonly source: RowReader; readonly made: Promise<Made> }>();
  const rowCounts = new Map<string, number>();
  let lastUse = 0;
  let sweeping = false;
  /** Building and refreshing may exceed the idle limit. */
  let underWay = 0;
  const making = { maxRows, oneByOne: createMutex() };

  /** Notes a use, and starts a timer, unless one runs, that drops all views after five minutes without. */
  function dropIdleLater(): void {
    lastUse = clock.monotonic();
    if (sweeping) return;
    sweeping = true;
    clock.after(IDLE_MS, () => {
      sweeping = false;
      if (underWay === 0 && clock.monotonic() - lastUse >= IDLE_MS) {
        cached.clear();
        rowCounts.clear();
      } else if (cached.size > 0) dropIdleLater();
    });
  }

  /** Evicts the least recently used views beyond the limits. */
  function makeRoom(): void {
    let rows = [...cached.keys()].reduce((sum, key) => sum + (rowCounts.get(key) ?? 0), 0);
    for (const oldest of [...cached.keys()]) {
      if (cached.size <= (rows > FEW_ROWS ? MAX_VIEWS : MAX_SMALL_VIEWS)) return;
      rows -= rowCounts.get(oldest) ?? 0;
      cached.delete(oldest);
      rowCounts.delete(oldest);
    }
  }

  const views: Views = {
    /** Returns the view as of the last durable change, built, or refreshed at the cost of what changed. */
    async view(source, definition) {
      dropIdleLater();
      const key = `${source.name}\n${definition.key}`;
      const before = cached.get(key);
      const asked = { source, definition, again: () => views.view(source, definition) };
      // One request builds or refreshes; concurrent ones wait and refresh again.
      const made = (async () => {
        const old = before?.source === source ? await before.made.catch(() => undefined) : undefined;
        const isTooLarge = source.ranking !== undefined && (old?.held ?? 0) > 2 * maxRows;
        return (isTooLarge ? undefined : await old?.withChanges(definition)) ?? openOrBuild(asked, making);
      })();
      cached.delete(key);
      cached.set(key, { source, made });
      made.catch(() => cached.delete(key));
      underWay++;
      const { view, held: rows } = await made.finally(() => underWay--);
      if (cached.has(key)) rowCounts.set(key, rows);
      makeRoom();
      return view;
    },
  };
  return views;
}

interface Making {
  readonly maxRows: number;
  /** Partners' large views, possibly many, are built serially. */
  readonly oneByOne: ReturnType<typeof createMutex>;
}

/**
 * Opens the stored view, or builds it: in the store if it is large and the store has rankings, otherwise in memory.
 * Large ones of partners are built one by one.
 */
async function openOrBuild(asked: AskedView, making: Making): Promise<Made> {
  const { source, definition } = asked;
  const { maxRows, oneByOne } = making;
  const ranking = findRanking(source, definition);
  const known = ranking && (await RankedView.open(ranking, asked));
  if (known) return known;
  const begun = await buildUnlessLarge(asked, ranking, maxRows);
  if (begun instanceof PackedView)
    return (await begun.withChanges(definition)) ?? (await openOrBuild(asked, making));
  if (ranking && begun === 'one of many')
    await oneByOne(async () => {
      // A waiting build must not block others, so this one starts over.
      const portions = readMatchingRows(source, definition, maxRows);
      const seq = await source.lastSeq();
      await storeRanked(ranking, definition, { seq, portions, begun: [] });
    });
  return (ranking && (await RankedView.open(ranking, asked))) ?? (await openOrBuild(asked, making));
}

/**
 * Builds small views, and all without `ranking`, in memory. Stores larger ones and returns `made`; leaves a partner's
 * largest, to be built one by one, and returns `one of many`. A function of its own so that waiting builds hold no
 * rows.
 */
async function buildUnlessLarge(
  { source, definition }: AskedView,
  ranking: Ranking | undefined,
  maxRows: number,
): Promise<PackedView | 'made' | 'one of many'> {
  const portions = readMatchingRows(source, definition, ranking ? maxRows : Infinity);
  try {
    const seq = await source.lastSeq();
    const { begun, areAll } = await firstPortions(
      portions,
      definition.owner === undefined ? 2 : FEW_PORTIONS,
    );
    if (!ranking || (areAll && begun.length < 2)) {
      const rows = begun[0] ?? new PackedRows(definition.order);
      // Concurrent changes may be partly included.
      return await PackedView.create(source, definition, { rows, seq });
    }
    if (definition.owner !== undefined && !areAll) return 'one of many';
    await storeRanked(ranking, definition, { seq, portions, begun });
    return 'made';
  } finally {
    await portions.return(undefined);
  }
}

const FEW_PORTIONS = 5;

/** Returns up to `count` batches, and whether these are all. */
async function firstPortions(
  portions: AsyncIterator<PackedRows, undefined>,
  count: number,
): Promise<{ readonly begun: readonly PackedRows[]; readonly areAll: boolean }> {
  const begun: PackedRows[] = [];
  while (begun.length < count) {
    const next = await portions.next();
    if (next.done === true) return { begun, areAll: true };
    begun.push(next.value);
  }
  return { begun, areAll: false };
}

interface Portions {
  readonly begun: readonly PackedRows[];
  readonly portions: AsyncGenerator<PackedRows, undefined>;
  readonly seq: number;
}

/** Stores a ranking of all batches, those already read too, and closes their reader. */
async function storeRanked(
  ranking: Ranking,
  definition: ViewDefinition,
  { seq, portions, begun }: Portions,
): Promise<void> {
  const all = (async function* () {
    yield* begun;
    yield* portions;
  })();
  try {
    await RankedView.write(ranking, definition, { portions: all, seq });
  } finally {
    await portions.return(undefined);
  }
}

/**
 * Returns ascending positions in a shared view of those pinned rows that it contains. They are new rows, which order
 * or filter would hide at once: they are listed last.
 */
export async function findPinnedPlaces(
  partition: Partition,
  view: View,
  recordIDs: readonly string[],
  order: Order,
): Promise<readonly number[]> {
  const places: number[] = [];
  for (const row of await getRows(partition, recordIDs)) {
    if (!row) continue;
    const place = await findFirstPlaceFrom(view, order.keyOf(row), order);
    const [found] = await view.ids(place, place + 1);
    if (found === row.recordID) places.push(place);
  }
  return places.sort((one, other) => one - other);
}

/** Returns the index of the first key not before `key`, by binary search; the length if there is none. */
async function findFirstPlaceFrom(view: View, key: SortKey, order: Order): Promise<number> {
  let [low, high] = [0, view.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const [entry] = await view.slice(middle, middle + 1);
    if (entry && order.compare(entry, key) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns keys from `start` to `end` of the view, counted without the positions `pinned` (ascending). */
export async function sliceWithout(
  view: View,
  pinned: readonly number[],
  start: number,
  end: number,
): Promise<readonly SortKey[]> {
  const from = start + pinned.filter((place, at) => place - at <= start).length;
  const keys = await view.slice(from, end + pinned.length);
  const isHeld = new Set(pinned.map((place) => place - from));
  return keys.filter((_, at) => !isHeld.has(at)).slice(0, end - start);
}
