import type { Condition } from '../query/condition.ts';
import type { Lineage } from '../definitions/model.ts';
import type { Table } from '../../store/store.ts';

/** Marks a filter (`RowFilterState.fits`) whose rows may have been written without updating its entries. */
export const OUTDATED = 'stale';

/** Rows that match a condition, for one viewer (docs/conditions.md). */
export interface RowFilter {
  readonly id: string;
  readonly condition: Condition;
}

/** For one viewer; absent if the row never matched. Its change number isn't the row's, which would tell. */
export interface KnownRow {
  /** When the row started or stopped matching, ISO 8601; empty if before the first build. */
  readonly since: string;
  /** It no longer matches: for this viewer it is deleted. */
  readonly left?: true;
  /** With `left`: provenance of the last version that the viewer may know. */
  readonly disclosed?: Lineage;
  /** Time of the row's change, or of the announcement. */
  readonly at: string;
}

/** Returns the table of a filter's entries, stamped with the time of their last change. */
export const knownRowsTable = (filterID: string): Table<KnownRow> => ({
  name: `known-${filterID}`,
  stamp: ({ at }) => Date.parse(at),
});

/** Key: the filter's id. The table keeps its first name. */
export const ROW_FILTERS: Table<RowFilterState> = { name: 'audience' };

export interface RowFilterState {
  /** `conditionSignature` of the condition that all entries follow; absent: they differ. */
  readonly fits?: string;
  readonly rows: number;
}
