import { compareIDs, type RowDifference } from '../../federation/sharing/digest.ts';
import type { Field, Row } from '../../lists/definitions/model.ts';
import { titleOf } from '../../lists/rows/row-titles.ts';
import type { ShownFault } from './compare-shown.ts';

export interface DifferingRow {
  readonly recordID: string;
  /** `shown` and `vanished` are our faults: the row shows values that never arrived, or is deleted. */
  readonly difference: RowDifference['difference'] | ShownFault['difference'];
  /** '' without one. */
  readonly title: string;
  /** Labels of our differing columns, if known. */
  readonly columns: readonly string[];
}

/** Differing rows, each with its first finding. */
export interface Findings {
  /** By id. */
  readonly rows: readonly DifferingRow[];
  readonly more: boolean;
  /**
   * Adds a row's first finding; at the limit only notes more. Without our row (`own`), `title` is theirs;
   * `columns` are our names.
   */
  add(
    recordID: string,
    difference: DifferingRow['difference'],
    what: { own?: Row | undefined; title?: string; columns?: readonly string[] },
  ): void;
}

export const MAX_NAMED = 5000;

/**
 * Creates a collection that names at most {@link MAX_NAMED} rows, the first finding of each; `rows` are in order of id,
 * `more` shows that others differ.
 */
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
    /** Adds a row; a no-op for a known one. Above the limit only sets `more`. */
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
