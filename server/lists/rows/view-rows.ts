import type { StoredBlock } from '../../store/store.ts';
import { createYielder } from '../../base/yield.ts';
import { PackedRows } from '../query/packed-rows.ts';
import type { Order } from '../query/sort.ts';
import type { Row } from '../definitions/model.ts';
import { createQuickRows, type QuickDefinition } from './quick-rows.ts';
import type { RowReader } from './row-reader.ts';
import { parseRow } from './row-table.ts';

/** Rows of a view and their order. Definitions with equal `key` must mean the same. */
export interface ViewDefinition {
  readonly key: string;
  /** The partner that requests it, if any: the store keeps views per owner, and none displaces another's. */
  readonly owner?: string;
  readonly order: Order;
  readonly fits: (row: Row) => boolean;
  /** The same for stored bytes; absent if rows must be parsed. */
  readonly quick?: QuickDefinition;
}

/** Yields matching rows by id, in batches of at least `most`; the last one may be smaller, or empty. */
export async function* fittingRows(
  source: RowReader,
  definition: ViewDefinition,
  most = Infinity,
): AsyncGenerator<PackedRows, undefined> {
  let rows = new PackedRows(definition.order);
  for await (const read of readers(source, definition)) {
    await read(rows);
    if (rows.count() < most) continue;
    yield rows;
    rows = new PackedRows(definition.order);
  }
  yield rows;
}

type ReadInto = (rows: PackedRows) => Promise<void>;

/** Yields, for each block or page of rows, a function that adds its matching rows. */
async function* readers(source: RowReader, definition: ViewDefinition): AsyncGenerator<ReadInto> {
  const pause = createYielder();
  if ('stored' in source) {
    const { order, quick } = definition;
    // Call it after reading the sequence number: a row deleted meanwhile is among the later changes.
    const quickly = quick && createQuickRows(order, quick, await quick.areAllThere());
    for await (const block of source.stored())
      yield (rows) => readBlock(block, rows, { ...definition, quickly, pause });
  } else
    for await (const page of source.all()) yield (rows) => readPage(page, rows, { ...definition, pause });
}

type Reading = Pick<ViewDefinition, 'order' | 'fits'> & { readonly pause: ReturnType<typeof createYielder> };

/** Adds a block's matching rows, without parsing them if possible. */
async function readBlock(
  block: StoredBlock,
  rows: PackedRows,
  { order, fits, quickly, pause }: Reading & { readonly quickly: ReturnType<typeof createQuickRows> },
): Promise<void> {
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

/** Adds a page's matching rows. */
async function readPage(
  page: readonly Row[],
  rows: PackedRows,
  { order, fits, pause }: Reading,
): Promise<void> {
  for (const row of page) {
    if (fits(row)) rows.add(order.keyOf(row));
    await pause();
  }
}
