import type { ChangePoint, Entry, Partition, Ranking, StoredBlock } from '../../store/store.ts';
import type { Row } from '../definitions/model.ts';
import { changedRows, storedRows } from './row-table.ts';

/** Rows to read and follow, deletions included: of a list, or as a row filter shows. */
export type RowReader = {
  readonly name: string;
  /** In the order of their last change. */
  readonly changed: (point: ChangePoint, limit: number) => Promise<Entry<Row>[]>;
  readonly lastSeq: () => Promise<number>;
  /** Absent if orders of these rows are kept in memory. */
  readonly ranking?: ((name: string) => Ranking) | undefined;
} & (
  | {
      /** By id. */
      readonly stored: () => AsyncIterable<StoredBlock>;
    }
  | {
      /** By id, in batches. */
      readonly all: () => AsyncIterable<readonly Row[]>;
    }
);

/** Returns the reader of all stored rows, deleted ones included. */
export function rowReaderOf(partition: Partition): RowReader {
  return {
    name: partition.name,
    stored: () => storedRows(partition),
    changed: (point, limit) => changedRows(partition, point, limit),
    lastSeq: () => partition.lastSeq(),
    ranking: partition.ranking,
  };
}
