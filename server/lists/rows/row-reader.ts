import type { ChangePoint, Entry, Partition, Ranking, StoredBlock } from '../../store/store.ts';
import type { Row } from '../definitions/model.ts';
import { changedRows, storedRows } from './row-table.ts';

/** Rows, deletions included: of a list, or as a row filter shows them. */
export type RowReader = {
  readonly name: string;
  /** In change order. */
  readonly changed: (point: ChangePoint, limit: number) => Promise<Entry<Row>[]>;
  readonly lastSeq: () => Promise<number>;
  /** Absent: orders stay in memory. */
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
