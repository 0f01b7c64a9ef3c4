import type { Condition } from '../query/condition.ts';
import type { Lineage } from '../definitions/model.ts';
import type { Table } from '../../store/store.ts';

/** Marks a filter (`RowFilterState.fits`) whose entries may be outdated by writes. */
export const OUTDATED = 'stale';

/** Rows that match one viewer's condition (docs/conditions.md). */
export interface RowFilter {
  readonly id: string;
  readonly condition: Condition;
}

/** For one viewer; absent if never matched. The row's own change number would disclose too much. */
export interface KnownRow {
  /** Start or end of matching, ISO 8601; empty before the first build. */
  readonly since: string;
  /** No longer matches: deleted for this viewer. */
  readonly left?: true;
  /** With `left`: provenance that the viewer may know. */
  readonly disclosed?: Lineage;
  /** Time of the row's change, or of the announcement. */
  readonly at: string;
}

/** Returns the table of a filter's entries, stamped with the time of their last change. */
export const knownRowsTable = (filterID: string): Table<KnownRow> => ({
  name: `known-${filterID}`,
  stamp: ({ at }) => Date.parse(at),
});

/** Key: filter id. The table keeps its first name. */
export const ROW_FILTERS: Table<RowFilterState> = { name: 'audience' };

export interface RowFilterState {
  /** `conditionSignature` that all entries follow; absent: they differ. */
  readonly fits?: string;
  readonly rows: number;
}
