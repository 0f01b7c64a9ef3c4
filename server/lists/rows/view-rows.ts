import type { StoredBlock } from '../../store/store.ts';
import { createYielder } from '../../base/yield.ts';
import { PackedRows } from '../query/packed-rows.ts';
import type { Order } from '../query/sort.ts';
import type { Row } from '../definitions/model.ts';
import { createQuickRows, type QuickDefinition } from './quick-rows.ts';
import type { RowReader } from './row-reader.ts';
import { parseRow } from './row-table.ts';

/** What a view shows. Two definitions of one `key` must mean the same. */
export interface ViewDefinition {
  readonly key: string;
  /**
   * Who asks for it, where that is not our own user: where the store keeps views, it keeps one for each of them, which takes the
   * place of no other one's.
   */
  readonly owner?: string;
  readonly order: Order;
  readonly fits: (row: Row) => boolean;
  /** The same in terms of what is stored; absent where rows have to be parsed for it. */
  readonly quick?: QuickDefinition;
}

/**
 * All rows that fit, in the order of their ids: so many at a time, about, and all at once where there is no such number.
 * At least one portion comes, be it empty.
 */
export async function* fittingRows(
  source: RowReader,
  definition: ViewDefinition,
  most = Infinity,
): AsyncGenerator<PackedRows, undefined> {
  let rows = new PackedRows(definition.order);
  for await (const read of reading(source, definition)) {
    await read(rows);
    if (rows.count() < most) continue;
    yield rows;
    rows = new PackedRows(definition.order);
  }
  yield rows;
}

/** Adds rows of one block or page. */
type ReadInto = (rows: PackedRows) => Promise<void>;

async function* reading(source: RowReader, definition: ViewDefinition): AsyncGenerator<ReadInto> {
  const pause = createYielder();
  if ('stored' in source) {
    const { order, quick } = definition;
    // Asked once the number is known up to which changes are in: one that goes meanwhile is among those made later.
    const quickly = quick && createQuickRows(order, quick, await quick.areAllThere());
    for await (const block of source.stored())
      yield (rows) => readBlock(block, rows, { ...definition, quickly, pause });
  } else
    for await (const page of source.all()) yield (rows) => readPage(page, rows, { ...definition, pause });
}

type Reading = Pick<ViewDefinition, 'order' | 'fits'> & { readonly pause: ReturnType<typeof createYielder> };

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
