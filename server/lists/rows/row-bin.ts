import type { Partition } from '../../store/store.ts';
import { forgetBinnedCells } from '../definitions/column-bin.ts';
import type { Row } from '../definitions/model.ts';
import { createYielder } from '../../base/yield.ts';
import type { RowWriter } from './row-batch.ts';
import { getRows, pageRows } from './row-table.ts';
import { forgetSteps } from './undo-log.ts';
import type { RowCounts } from './row-counts.ts';
import { withoutValues } from './sources.ts';

const SLICE = 200;

/**
 * Purges the values of rows deleted before a time, which stay as tombstones, with their binned cells, and undo steps
 * before it; returns the number of rows. Searches outside the writes, so that nobody waits.
 * @param before ms since the epoch
 */
export async function emptyBin(
  deps: {
    readonly partition: Partition;
    readonly writer: RowWriter;
    readonly counts: () => Promise<RowCounts>;
  },
  before: number,
): Promise<number> {
  const { partition, writer, counts } = deps;
  // Undo steps may contain binned rows' former states.
  await partition.transaction((tx) => forgetSteps(partition, tx, before));
  if ((await counts()).inBin === 0) return 0;
  const time = new Date(before).toISOString();
  const isOver = (row: Row | undefined): row is Row =>
    row?.deletedAt !== undefined && row.deletedAt < time && row.purged !== true;
  const pause = createYielder();
  let gone = 0;
  let page = await pageRows(partition, SLICE, undefined);
  while (page.length > 0) {
    const ids = page.filter(isOver).map(({ recordID }) => recordID);
    if (ids.length > 0) {
      gone += await writer.write(async (batch) => {
        const rows = (await getRows(batch.tx, ids)).filter(isOver);
        for (const row of rows) batch.amend(row, purgedRow(row));
        await forgetBinnedCells(
          batch.tx,
          partition,
          rows.map(({ recordID }) => recordID),
        );
        return rows.length;
      });
    }
    await pause();
    page = await pageRows(partition, SLICE, page.at(-1)?.recordID);
  }
  return gone;
}

/** Returns the row as purged: its values, and those in `received` and `former`, are emptied; these members stay. */
function purgedRow({ received, former, ...row }: Row): Row {
  return {
    ...row,
    values: {},
    purged: true,
    ...(received && { received: withoutValues(received) }),
    ...(former && { former: withoutValues(former) }),
  };
}
