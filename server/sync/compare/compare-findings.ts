import { compareIDs, type RowDifference } from '../../federation/sharing/digest.ts';
import type { Field, Row } from '../../lists/definitions/model.ts';
import { titleOf } from '../../lists/rows/row-titles.ts';
import type { ShownFault } from './compare-shown.ts';

export interface DifferingRow {
  /** The row's id at the origin. */
  readonly recordID: string;
  /** The last two are our own faults: the row shows other values than arrived, or is deleted. */
  readonly difference: RowDifference['difference'] | ShownFault['difference'];
  /** The row's title; `` if it has none. */
  readonly title: string;
  /** Labels of our differing columns, if known. */
  readonly columns: readonly string[];
}

/** Differing rows, each once, with its first finding. */
export interface Findings {
  /** In the order of ids. */
  readonly rows: readonly DifferingRow[];
  /** There are more than are named. */
  readonly more: boolean;
  /** @param what our row if there is one, else their title; our names of the differing columns */
  add(
    recordID: string,
    difference: DifferingRow['difference'],
    what: { own?: Row | undefined; title?: string; columns?: readonly string[] },
  ): void;
}

export const MAX_NAMED = 5000;

/** Creates a collection of the differing rows that a comparison found. It names at most {@link MAX_NAMED}. */
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
    /** Adds a row's difference unless the row has one already. At the limit it only records that there are more. */
    add(recordID, difference, { own, title, columns = [] }) {
      if (known.has(recordID)) return;
      if (known.size >= MAX_NAMED) {
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
