import type { StoredBlock } from '../../store/store.ts';
import { createYielder } from '../../base/yield.ts';
import { PackedRows } from '../query/packed-rows.ts';
import type { Order } from '../query/sort.ts';
import type { Row } from '../definitions/model.ts';
import { createQuickRows, type QuickDefinition } from './quick-rows.ts';
import type { RowReader } from './row-reader.ts';
import { parseRow } from './row-table.ts';

/** Rows and order. Equal `key` must mean the same. */
export interface ViewDefinition {
  readonly key: string;
  /** Requesting partner: stored views are per owner and never displace another's. */
  readonly owner?: string;
  readonly order: Order;
  readonly fits: (row: Row) => boolean;
  /** For stored bytes; absent: parse rows. */
  readonly quick?: QuickDefinition;
}

/** Yields matching rows' sort keys in batches of at least `minRows`; the last may be smaller, or empty. */
export async function* readMatchingRows(
  source: RowReader,
  definition: ViewDefinition,
  minRows = Infinity,
): AsyncGenerator<PackedRows, undefined> {
  let rows = new PackedRows(definition.order);
  for await (const read of createBatchReaders(source, definition)) {
    await read(rows);
    if (rows.count() < minRows) continue;
    yield rows;
    rows = new PackedRows(definition.order);
  }
  yield rows;
}

type ReadInto = (rows: PackedRows) => Promise<void>;

/** Yields for each stored block or parsed page a function that adds its matching rows. */
async function* createBatchReaders(source: RowReader, definition: ViewDefinition): AsyncGenerator<ReadInto> {
  const pause = createYielder();
  if ('stored' in source) {
    const { order, quick } = definition;
    // A row deleted after reading the sequence number is among later changes.
    const quickly = quick && createQuickRows(order, quick, await quick.hasNoDeletedRows());
    for await (const block of source.stored())
      yield (rows) => addRowsOfBlock(block, rows, { ...definition, quickly, pause });
  } else
    for await (const page of source.all())
      yield (rows) => addRowsOfPage(page, rows, { ...definition, pause });
}

type ReadContext = Pick<ViewDefinition, 'order' | 'fits'> & {
  readonly pause: ReturnType<typeof createYielder>;
};

/** Adds matching rows' sort keys, without parsing if possible. */
async function addRowsOfBlock(
  block: StoredBlock,
  rows: PackedRows,
  { order, fits, quickly, pause }: ReadContext & { readonly quickly: ReturnType<typeof createQuickRows> },
): Promise<void> {
  /** Parses the block's row at this index, and adds its sort key if it matches. */
  const parseAndAdd = (at: number): void => {
    const row = parseRow(block, at);
    if (fits(row)) rows.add(order.keyOf(row));
  };
  if (quickly) quickly.read(block, rows, parseAndAdd);
  else {
    for (let at = 0; at < block.keys.length; at++) {
      parseAndAdd(at);
      await pause();
    }
  }
  await pause();
}

/** Adds matching rows' sort keys. */
async function addRowsOfPage(
  page: readonly Row[],
  rows: PackedRows,
  { order, fits, pause }: ReadContext,
): Promise<void> {
  for (const row of page) {
    if (fits(row)) rows.add(order.keyOf(row));
    await pause();
  }
}
