import type { Condition } from '../query/condition.ts';
import type { Lineage } from '../definitions/model.ts';
import type { Table } from '../../store/store.ts';

/** A viewer that sees the rows matching a condition, and the removal of former matches (docs/conditions.md). */
export interface RowFilter {
  readonly id: string;
  readonly condition: Condition;
}

/**
 * The knowledge of a viewer about a row; absent for rows that never matched. Stored beside the row and written
 * with it, with its own sequence number, so that the number discloses nothing else.
 */
export interface KnownRow {
  /** ISO 8601: when the row started or stopped matching; empty if before the first build. */
  readonly since: string;
  /** It matched and no longer does: for this viewer it is deleted. */
  readonly left?: true;
  /** With `left`: the provenance of the last version that the viewer may know. Later ones must not show. */
  readonly disclosed?: Lineage;
  /** Time of the entry: that of the row's change, or of the announcement. */
  readonly at: string;
}

/** Returns the table of one viewer's knowledge of rows, stamped by the time of the entries. Key: the row's id. */
export const knownRowsTable = (filterID: string): Table<KnownRow> => ({
  name: `known-${filterID}`,
  stamp: ({ at }) => Date.parse(at),
});

/** Validity of a filter's entries. Key: its id. The table keeps its first name. */
export const ROW_FILTERS: Table<RowFilterState> = { name: 'audience' };

export interface RowFilterState {
  /** {@link conditionMark} of the condition that all entries follow; absent: they differ. */
  readonly fits?: string;
  /** Number of visible rows. */
  readonly rows: number;
}
