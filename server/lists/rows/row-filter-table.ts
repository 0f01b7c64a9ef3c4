import type { Condition } from '../query/condition.ts';
import type { Lineage } from '../definitions/model.ts';
import type { Table } from '../../store/store.ts';

/**
 * Somebody elsewhere who sees those rows of a list that meet a condition, and hears of those that he saw and that meet it
 * no more (docs/conditions.md).
 */
export interface RowFilter {
  readonly id: string;
  readonly condition: Condition;
}

/**
 * What an audience may know of a row: there is none of a row that never met its condition. Its own entry, beside the row
 * and written with it, so that its number tells of what this audience sees and of nothing else.
 */
export interface KnownRow {
  /** ISO 8601: when the row began to meet the condition, or ceased to; empty where that was before anybody looked. */
  readonly since: string;
  /** It met the condition, and does not now: for this audience it is deleted. */
  readonly left?: true;
  /** With `left`: the provenance of the last version that the audience may know. What arrives later must not show. */
  readonly disclosed?: Lineage;
  /** When this was written: that of the row's change, or of whatever else was to be told. */
  readonly at: string;
}

/** What one audience knows. Key: the row's id. */
export const knownTo = (audienceID: string): Table<KnownRow> => ({
  name: `known-${audienceID}`,
  stamp: ({ at }) => Date.parse(at),
});

/** How far the entries of an audience are true. Key: its id. */
export const ROW_FILTERS: Table<RowFilterState> = { name: 'audience' };

export interface RowFilterState {
  /** {@link conditionMark} of the condition that all of its entries are by; absent: not all are by one. */
  readonly fits?: string;
  /** Rows that it sees. */
  readonly rows: number;
}
