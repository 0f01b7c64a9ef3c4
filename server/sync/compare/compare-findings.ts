import { compareIDs, type RowDifference } from '../../federation/sharing/digest.ts';
import type { Field, Row } from '../../lists/definitions/model.ts';
import { titleOf } from '../../lists/rows/row-titles.ts';
import type { ShownFault } from './compare-shown.ts';

/** A row that is not the same on both sides. */
export interface DifferingRow {
  /** The row's id at the origin. */
  readonly recordID: string;
  /** The last two concern us alone: the row shows other values than arrived, or is gone, and nobody did that. */
  readonly difference: RowDifference['difference'] | ShownFault['difference'];
  /** What the row is called; `` where nothing in it says so. */
  readonly title: string;
  /** Labels of our columns that differ, where that is known. */
  readonly columns: readonly string[];
}

/** What a comparison finds, each row once: as what was found of it first. */
export interface Findings {
  /** In the order of the ids. */
  readonly rows: readonly DifferingRow[];
  /** There are more than are named. */
  readonly more: boolean;
  /** @param what our row where there is one, else what theirs is called; our names of the columns that differ */
  add(
    recordID: string,
    difference: DifferingRow['difference'],
    what: { own?: Row | undefined; title?: string; columns?: readonly string[] },
  ): void;
}

/** More rows than these are not named. */
export const MOST_NAMED = 5000;

/** @param fields the columns of our list */
export function createFindings(fields: readonly Field[]): Findings {
  const known = new Map<string, DifferingRow>();
  const labels = new Map(fields.map(({ name, label }) => [name, label]));
  let more = false;
  return {
    get rows() {
      return [...known.values()].sort((one, other) => compareIDs(one.recordID, other.recordID));
    },
    get more() {
      return more;
    },
    add(recordID, difference, { own, title, columns = [] }) {
      if (known.has(recordID)) return;
      if (known.size >= MOST_NAMED) {
        more = true;
        return;
      }
      known.set(recordID, {
        recordID,
        difference,
        title: title ?? titleOf(fields, own?.values ?? {}),
        columns: columns.map((name) => labels.get(name) ?? name),
      });
    },
  };
}
