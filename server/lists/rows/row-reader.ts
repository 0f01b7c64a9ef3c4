import type { ChangePoint, Entry, Partition, Ranking, StoredBlock } from '../../store/store.ts';
import type { Row } from '../definitions/model.ts';
import { changedRows, storedRows } from './row-table.ts';

/** Rows to read and follow: those of a list, or those that a row filter shows. Includes deletions. */
export type RowReader = {
  /** Unique for each set of rows. */
  readonly name: string;
  /** In order of their last change. */
  readonly changed: (point: ChangePoint, limit: number) => Promise<Entry<Row>[]>;
  readonly lastSeq: () => Promise<number>;
  /** Absent if orders of these rows are kept in memory: {@link Partition.ranking}. */
  readonly ranking?: ((name: string) => Ranking) | undefined;
} & (
  | {
      /** Ordered by id, as stored. */
      readonly stored: () => AsyncIterable<StoredBlock>;
    }
  | {
      /** The same, in batches. */
      readonly all: () => AsyncIterable<readonly Row[]>;
    }
);

/** Returns a reader of all rows of a list. */
export function rowReaderOf(partition: Partition): RowReader {
  return {
    name: partition.name,
    stored: () => storedRows(partition),
    changed: (point, limit) => changedRows(partition, point, limit),
    lastSeq: () => partition.lastSeq(),
    ranking: partition.ranking,
  };
}
