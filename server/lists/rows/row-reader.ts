import type { ChangePoint, Entry, Partition, Ranking, StoredBlock } from '../../store/store.ts';
import type { Row } from '../definitions/model.ts';
import { changedRows, storedRows } from './row-table.ts';

/** Rows that somebody follows: those of a list, or what an audience of it sees; deleted ones included. */
export type RowReader = {
  /** Another one for rows of another kind. */
  readonly name: string;
  /** In the order of their last change. */
  readonly changed: (point: ChangePoint, limit: number) => Promise<Entry<Row>[]>;
  readonly lastSeq: () => Promise<number>;
  /** Absent where orders of these rows are kept in memory: {@link Partition.ranking}. */
  readonly ranking?: ((name: string) => Ranking) | undefined;
} & (
  | {
      /** In the order of their ids, as they are stored. */
      readonly stored: () => AsyncIterable<StoredBlock>;
    }
  | {
      /** The same, some at a time. */
      readonly all: () => AsyncIterable<readonly Row[]>;
    }
);

/** All rows of a list. */
export function rowReaderOf(partition: Partition): RowReader {
  return {
    name: partition.name,
    stored: () => storedRows(partition),
    changed: (point, limit) => changedRows(partition, point, limit),
    lastSeq: () => partition.lastSeq(),
    ranking: partition.ranking,
  };
}
