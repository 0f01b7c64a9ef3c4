import type { Table } from '../store/store.ts';
import type { Row } from './model.ts';
import type { RowCounts } from './rows.ts';

/** The counts of a list, kept up in the same transaction as its rows so that nobody has to count them. */
export const TALLY: Table<RowCounts> = { name: 'tally' };
export const TALLY_KEY = 'rows';

export const EMPTY_TALLY: RowCounts = { total: 0, received: {}, inBin: 0, receivedInBin: {}, edited: 0 };

/** The counts after a row went from one state to another; undefined: it was not there before. */
export function retally(counts: RowCounts, before: Row | undefined, after: Row): RowCounts {
  return add(before ? add(counts, before, -1) : counts, after, 1);
}

function add(counts: RowCounts, row: Row, by: 1 | -1): RowCounts {
  const nodeID = row.received?.nodeID;
  if (row.purged) return counts;
  if (row.deletedAt !== undefined) {
    return {
      ...counts,
      inBin: counts.inBin + by,
      receivedInBin: addFor(counts.receivedInBin, nodeID, by),
    };
  }
  return {
    ...counts,
    total: counts.total + by,
    received: addFor(counts.received, nodeID, by),
    edited: counts.edited + (row.received && row.received.edited.length > 0 ? by : 0),
  };
}

function addFor(
  byNode: RowCounts['received'],
  nodeID: string | undefined,
  by: number,
): RowCounts['received'] {
  if (nodeID === undefined) return byNode;
  const { [nodeID]: old = 0, ...others } = byNode;
  return old + by === 0 ? others : { ...others, [nodeID]: old + by };
}
