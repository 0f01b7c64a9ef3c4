import type { Clock } from '../../base/clock.ts';
import { createMutex } from '../../base/concurrency/mutex.ts';
import type { Ranking } from '../../store/store.ts';
import { PackedRows } from '../query/packed-rows.ts';
import { PackedView } from './packed-view.ts';
import { RankedView, rankingOf, type AskedView } from './ranked-view.ts';
import type { RowReader } from './row-reader.ts';
import { fittingRows, type ViewDefinition } from './view-rows.ts';
import type { View } from './view.ts';

/** Keeps the views last used, of all lists, so that a grid is sorted once and not at every scroll. */
export interface Views {
  /** The view as of the last durable change; brought up to date at the cost of what changed. */
  view(source: RowReader, definition: ViewDefinition): Promise<View>;
}

type Made = PackedView | RankedView;

const MAX_VIEWS = 8;
/** As many where they hold no more rows than eight of a million: a list may have more tabs, all counted after each change. */
const MAX_SMALL_VIEWS = 64;
const FEW_ROWS = 8_000_000;
const IDLE_MS = 5 * 60_000;
/** Rows of a view that is kept in memory by a store that keeps rows elsewhere. */
const LARGE = 100_000;

/** @param most a view of more rows is kept where the rows are, by a store that does so, and not in memory */
export function createViews(clock: Clock, most = LARGE): Views {
  const kept = new Map<string, { readonly source: RowReader; readonly made: Promise<Made> }>();
  /** How many rows each holds. */
  const held = new Map<string, number>();
  let lastUse = 0;
  let sweeping = false;
  /** Views that are being made or brought up to date, which may take longer than anybody looks at anything. */
  let underWay = 0;
  const making = { most, oneByOne: createMutex() };

  /** Gives the memory back once nobody has looked for some minutes. */
  function sweepLater(): void {
    lastUse = clock.monotonic();
    if (sweeping) return;
    sweeping = true;
    clock.after(IDLE_MS, () => {
      sweeping = false;
      if (underWay === 0 && clock.monotonic() - lastUse >= IDLE_MS) {
        kept.clear();
        held.clear();
      } else if (kept.size > 0) sweepLater();
    });
  }

  /** Those that were not used for longest go. */
  function makeRoom(): void {
    let rows = [...kept.keys()].reduce((sum, key) => sum + (held.get(key) ?? 0), 0);
    for (const oldest of [...kept.keys()]) {
      if (kept.size <= (rows > FEW_ROWS ? MAX_VIEWS : MAX_SMALL_VIEWS)) return;
      rows -= held.get(oldest) ?? 0;
      kept.delete(oldest);
      held.delete(oldest);
    }
  }

  const views: Views = {
    async view(source, definition) {
      sweepLater();
      const key = `${source.name}\n${definition.key}`;
      const before = kept.get(key);
      const asked = { source, definition, again: () => views.view(source, definition) };
      // One request at a time builds or refreshes a view; those that come meanwhile wait and refresh again.
      const made = (async () => {
        const old = before?.source === source ? await before.made.catch(() => undefined) : undefined;
        const isTooLarge = source.ranking !== undefined && (old?.held ?? 0) > 2 * most;
        return (isTooLarge ? undefined : await old?.refreshed(definition)) ?? build(asked, making);
      })();
      kept.delete(key);
      kept.set(key, { source, made });
      made.catch(() => kept.delete(key));
      underWay++;
      const { view, held: rows } = await made.finally(() => underWay--);
      if (kept.has(key)) held.set(key, rows);
      makeRoom();
      return view;
    },
  };
  return views;
}

interface Making {
  readonly most: number;
  /** Large ones of partners: there may be very many of those, and the database, and our own user, have others to see to. */
  readonly oneByOne: ReturnType<typeof createMutex>;
}

async function build(asked: AskedView, making: Making): Promise<Made> {
  const { source, definition } = asked;
  const { most, oneByOne } = making;
  const ranking = rankingOf(source, definition);
  const known = ranking && (await RankedView.of(ranking, asked));
  if (known) return known;
  const begun = await beginning(asked, ranking, most);
  if (begun instanceof PackedView) return (await begun.refreshed(definition)) ?? (await build(asked, making));
  if (ranking && begun === 'one of many')
    await oneByOne(async () => {
      // From the beginning: who waits must not hold what others need for theirs.
      const portions = fittingRows(source, definition, most);
      const seq = await source.lastSeq();
      await makeRanked(ranking, definition, { seq, portions, begun: [] });
    });
  return (ranking && (await RankedView.of(ranking, asked))) ?? (await build(asked, making));
}

/**
 * Makes a view of few rows, or one that is not of a partner; else answers that it is one of many. By itself, as a function that waits holds
 * all that it ever read until it goes on: what was read by many that wait would be very much.
 */
async function beginning(
  { source, definition }: AskedView,
  ranking: Ranking | undefined,
  most: number,
): Promise<PackedView | 'made' | 'one of many'> {
  const portions = fittingRows(source, definition, ranking ? most : Infinity);
  try {
    const seq = await source.lastSeq();
    const { begun, areAll } = await firstPortions(
      portions,
      definition.owner === undefined ? 2 : FEW_PORTIONS,
    );
    if (!ranking || (areAll && begun.length < 2)) {
      const rows = begun[0] ?? new PackedRows(definition.order);
      // Of what changed meanwhile, some may be in and some not.
      return await PackedView.of(source, definition, { rows, seq });
    }
    if (definition.owner !== undefined && !areAll) return 'one of many';
    await makeRanked(ranking, definition, { seq, portions, begun });
    return 'made';
  } finally {
    await portions.return(undefined);
  }
}

/** So many portions of a partner's order are held at the most, before it has to wait for those of others. */
const FEW_PORTIONS = 5;

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
  /** Read already. */
  readonly begun: readonly PackedRows[];
  readonly portions: AsyncGenerator<PackedRows, undefined>;
  /** The last change that is in. */
  readonly seq: number;
}

async function makeRanked(
  ranking: Ranking,
  definition: ViewDefinition,
  { seq, portions, begun }: Portions,
): Promise<void> {
  const all = (async function* () {
    yield* begun;
    yield* portions;
  })();
  try {
    await RankedView.make(ranking, definition, { portions: all, seq });
  } finally {
    await portions.return(undefined);
  }
}
