import type { Clock } from '../../base/clock.ts';
import type { Partition } from '../../store/store.ts';
import type { Row } from '../definitions/model.ts';
import { createSorted, type Sorted } from '../../base/sorted.ts';
import { createPause } from '../../base/yield.ts';
import { changedRows, pageRows } from './row-table.ts';
import type { Order, SortKey } from '../query/sort.ts';
import { sortInSlices } from '../query/sort-in-slices.ts';
import { createKeysByID, type KeysByID } from './keys-by-id.ts';
import { viewOf, type View } from './view.ts';

/** What a view shows. Two definitions of one `key` must mean the same. */
export interface ViewDefinition {
  readonly key: string;
  readonly order: Order;
  fits(row: Row): boolean;
}

/** Keeps the views last used, of all lists, so that a grid is sorted once and not at every scroll. */
export interface Views {
  /** The view as of the last durable change; brought up to date at the cost of what changed. */
  view(partition: Partition, definition: ViewDefinition): Promise<View>;
}

interface Kept {
  readonly partition: Partition;
  readonly view: View;
  readonly sorted: Sorted<SortKey, SortKey>;
  /** The key of each row as it stands in `sorted`; found out when a row changes for the first time. */
  keysByID: KeysByID | undefined;
  /** The view holds all changes up to this one. */
  readonly seq: number;
}

const MAX_VIEWS = 8;
const IDLE_MS = 5 * 60_000;
const PAGE = 200;
/** With more changes than this, starting anew is cheaper. */
const MAX_CATCH_UP = 20_000;

export function createViews(clock: Clock): Views {
  const kept = new Map<string, Promise<Kept>>();
  let lastUse = 0;
  let sweeping = false;

  /** Gives the memory back once nobody has looked for some minutes. */
  function sweepLater(): void {
    lastUse = clock.monotonic();
    if (sweeping) return;
    sweeping = true;
    clock.after(IDLE_MS, () => {
      sweeping = false;
      if (clock.monotonic() - lastUse >= IDLE_MS) kept.clear();
      else if (kept.size > 0) sweepLater();
    });
  }

  return {
    async view(partition, definition) {
      sweepLater();
      const key = `${partition.name}\n${definition.key}`;
      const before = kept.get(key);
      // One request at a time builds or refreshes a view; those that come meanwhile wait and refresh again.
      const next = (async () => {
        const old = await before?.catch(() => undefined);
        return old?.partition === partition ? refresh(old, definition) : build(partition, definition);
      })();
      kept.delete(key);
      kept.set(key, next);
      next.catch(() => kept.delete(key));
      for (const oldest of [...kept.keys()].slice(0, Math.max(0, kept.size - MAX_VIEWS))) kept.delete(oldest);
      return (await next).view;
    },
  };
}

async function build(partition: Partition, definition: ViewDefinition): Promise<Kept> {
  const seq = await partition.lastSeq();
  const pause = createPause();
  const entries: SortKey[] = [];
  let page = await pageRows(partition, PAGE, undefined);
  while (page.length > 0) {
    for (const row of page) {
      if (definition.fits(row)) entries.push(definition.order.keyOf(row));
      await pause();
    }
    page = await pageRows(partition, PAGE, page.at(-1)?.recordID);
  }
  const sorted = createSorted<SortKey, SortKey>((key) => key, definition.order.compare);
  for (const entry of await sortInSlices(entries, definition.order.compare)) {
    sorted.put(entry);
    await pause();
  }
  return refresh(
    { partition, sorted, keysByID: undefined, view: viewOf(sorted, definition.order), seq },
    definition,
  );
}

/** Costs what the changed rows cost, but for the first time. What was given out before stays as it is. */
async function refresh(kept: Kept, definition: ViewDefinition): Promise<Kept> {
  const { partition, sorted } = kept;
  const seq = await partition.lastSeq();
  if (seq === kept.seq) return kept;
  const changes = await changedRows(partition, { afterSeq: kept.seq }, MAX_CATCH_UP);
  if (changes.length >= MAX_CATCH_UP) return build(partition, definition);
  if (changes.length === 0) return { ...kept, seq };

  const keysByID = kept.keysByID ?? (await createKeysByID(kept.view.slice(0)));
  const pause = createPause();
  for (const { value } of changes) {
    const before = keysByID.get(value.recordID);
    if (before) sorted.remove(before);
    if (definition.fits(value)) {
      const key = definition.order.keyOf(value);
      sorted.put(key);
      keysByID.set(key);
    } else if (before) keysByID.delete(value.recordID);
    await pause();
  }
  const view = viewOf(sorted, definition.order);
  return { partition, sorted, keysByID, view, seq: Math.max(seq, changes.at(-1)?.seq ?? 0) };
}
