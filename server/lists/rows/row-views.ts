import type { Clock } from '../../base/clock.ts';
import type { StoredBlock } from '../../store/store.ts';
import type { Row } from '../definitions/model.ts';
import { createPause } from '../../base/yield.ts';
import { createPackedRows, type PackedRows } from '../query/packed-rows.ts';
import type { Order } from '../query/sort.ts';
import { orderedPlaces, type OrderedPlaces } from './ordered-places.ts';
import type { RowSource } from './row-source.ts';
import { parseRow } from './row-table.ts';
import { createQuickRows, type QuickDefinition } from './quick-rows.ts';
import { createPlaceByID, withChanges, type PlaceByID } from './view-changes.ts';
import { viewOfPlaces, type View } from './view.ts';

/** What a view shows. Two definitions of one `key` must mean the same. */
export interface ViewDefinition {
  readonly key: string;
  readonly order: Order;
  readonly fits: (row: Row) => boolean;
  /** The same in terms of what is stored; absent where rows have to be parsed for it. */
  readonly quick?: QuickDefinition;
}

/** Keeps the views last used, of all lists, so that a grid is sorted once and not at every scroll. */
export interface Views {
  /** The view as of the last durable change; brought up to date at the cost of what changed. */
  view(source: RowSource, definition: ViewDefinition): Promise<View>;
}

interface Kept {
  readonly source: RowSource;
  readonly view: View;
  /** The keys of all rows that are in the view, and of some that were. */
  readonly rows: PackedRows;
  /** The places of those rows that are in the view, in its order. */
  readonly places: OrderedPlaces;
  readonly placeByID: PlaceByID;
  /** The view holds all changes up to this one. */
  readonly seq: number;
}

const MAX_VIEWS = 8;
/** As many where they hold no more rows than eight of a million: a list may have more tabs, all counted after each change. */
const MAX_SMALL_VIEWS = 64;
const FEW_ROWS = 8_000_000;
const IDLE_MS = 5 * 60_000;
/** With more changes than this, starting anew is cheaper. */
const MAX_CATCH_UP = 20_000;

export function createViews(clock: Clock): Views {
  const kept = new Map<string, Promise<Kept>>();
  /** How many rows each holds. */
  const held = new Map<string, number>();
  let lastUse = 0;
  let sweeping = false;

  /** Gives the memory back once nobody has looked for some minutes. */
  function sweepLater(): void {
    lastUse = clock.monotonic();
    if (sweeping) return;
    sweeping = true;
    clock.after(IDLE_MS, () => {
      sweeping = false;
      if (clock.monotonic() - lastUse >= IDLE_MS) {
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

  return {
    async view(source, definition) {
      sweepLater();
      const key = `${source.name}\n${definition.key}`;
      const before = kept.get(key);
      // One request at a time builds or refreshes a view; those that come meanwhile wait and refresh again.
      const next = (async () => {
        const old = await before?.catch(() => undefined);
        return old?.source === source ? refresh(old, definition) : build(source, definition);
      })();
      kept.delete(key);
      kept.set(key, next);
      next.catch(() => kept.delete(key));
      const { view, rows } = await next;
      if (kept.has(key)) held.set(key, rows.count());
      makeRoom();
      return view;
    },
  };
}

async function build(source: RowSource, definition: ViewDefinition): Promise<Kept> {
  const { order } = definition;
  const seq = await source.lastSeq();
  const rows = createPackedRows(order);
  if ('stored' in source) await readStored(source.stored(), rows, definition);
  else await readAll(source.all(), rows, definition);
  const places = orderedPlaces(await rows.sorted());
  const view = viewOfPlaces(places, rows, order);
  return refresh({ source, rows, places, placeByID: createPlaceByID(rows), view, seq }, definition);
}

async function readStored(
  blocks: AsyncIterable<StoredBlock>,
  rows: PackedRows,
  { order, quick, fits }: ViewDefinition,
): Promise<void> {
  // Asked once the number is known up to which changes are in: one that goes meanwhile is among those made later.
  const quickly = quick && createQuickRows(order, quick, await quick.areAllThere());
  const pause = createPause();
  for await (const block of blocks) {
    const parse = (at: number): void => {
      const row = parseRow(block, at);
      if (fits(row)) rows.add(order.keyOf(row));
    };
    if (quickly) quickly.read(block, rows, parse);
    else {
      for (let at = 0; at < block.keys.length; at++) {
        parse(at);
        await pause();
      }
    }
    await pause();
  }
}

async function readAll(
  pages: AsyncIterable<readonly Row[]>,
  rows: PackedRows,
  { order, fits }: ViewDefinition,
): Promise<void> {
  const pause = createPause();
  for await (const page of pages) {
    for (const row of page) {
      if (fits(row)) rows.add(order.keyOf(row));
      await pause();
    }
  }
}

/** Costs what the changed rows cost. What was given out before stays as it is. */
async function refresh(kept: Kept, definition: ViewDefinition): Promise<Kept> {
  const { source, rows, placeByID } = kept;
  const seq = await source.lastSeq();
  if (seq === kept.seq) return kept;
  const changes = await source.changed({ afterSeq: kept.seq }, MAX_CATCH_UP);
  const isWorn = rows.count() - kept.places.length > MAX_CATCH_UP + kept.places.length;
  if (changes.length >= MAX_CATCH_UP || isWorn) return build(source, definition);
  if (changes.length === 0) return { ...kept, seq };

  const { order } = definition;
  const gone: number[] = [];
  const come: number[] = [];
  const pause = createPause();
  for (const { value } of changes) {
    const before = placeByID.get(value.recordID);
    if (before !== undefined) gone.push(before);
    if (definition.fits(value)) {
      come.push(rows.count());
      placeByID.set(value.recordID, rows.count());
      rows.add(order.keyOf(value));
    } else if (before !== undefined) placeByID.delete(value.recordID);
    await pause();
  }
  const places = await withChanges(kept.places, { gone, come }, rows, order);
  const view = viewOfPlaces(places, rows, order);
  return { ...kept, places, view, seq: Math.max(seq, changes.at(-1)?.seq ?? 0) };
}
