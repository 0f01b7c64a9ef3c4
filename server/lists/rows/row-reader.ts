import type { ChangePoint, Entry, Partition, Ranking, StoredBlock } from '../../store/store.ts';
import type { Row } from '../definitions/model.ts';
import { changedRows, storedRows } from './row-table.ts';

/** Rows to read and follow, deletions included: those of a list, or those that a row filter shows. */
export type RowReader = {
  readonly name: string;
  /** Returns entries in the order of their last change. */
  readonly changed: (point: ChangePoint, limit: number) => Promise<Entry<Row>[]>;
  readonly lastSeq: () => Promise<number>;
  /** Absent if orders of these rows are kept in memory. */
  readonly ranking?: ((name: string) => Ranking) | undefined;
} & (
  | {
      /** Yields rows by id, as stored. */
      readonly stored: () => AsyncIterable<StoredBlock>;
    }
  | {
      /** Yields rows by id, in batches. */
      readonly all: () => AsyncIterable<readonly Row[]>;
    }
);

export function rowReaderOf(partition: Partition): RowReader {
  return {
    name: partition.name,
    stored: () => storedRows(partition),
    changed: (point, limit) => changedRows(partition, point, limit),
    lastSeq: () => partition.lastSeq(),
    ranking: partition.ranking,
  };
}
