import type { Condition } from '../query/condition.ts';
import type { RowFilter } from './row-filter-table.ts';
import type { Rows } from './rows.ts';
import type { UndoMatching } from './undo.ts';

const NONE: ReadonlySet<string> = new Set();

/** State that shares and mappings derive from rows, registered at each start. */
export class DerivedState {
  readonly #kept = new Map<string, Set<string>>();
  readonly #filters = new Map<string, readonly RowFilter[]>();
  /** Runs before a list's rows are first used; never rejects. */
  beforeUse: (moduleID: string, rows: Rows) => Promise<void> = () => Promise.resolve();

  undoMatching: UndoMatching = () => Promise.resolve();

  /** Returns ids of columns that other lists display as titles. */
  keptTitles(moduleID: string): ReadonlySet<string> {
    return this.#kept.get(moduleID) ?? NONE;
  }

  /** Makes writes record the column's title changes from now on. */
  keepTitles(moduleID: string, fieldID: string): void {
    this.#kept.set(moduleID, (this.#kept.get(moduleID) ?? new Set()).add(fieldID));
  }

  /** Returns the conditions of viewers that see only some rows. */
  rowFilters(moduleID: string): readonly RowFilter[] {
    return this.#filters.get(moduleID) ?? [];
  }

  /** Replaces the filter's earlier condition; undefined removes it. */
  setRowFilter(moduleID: string, filterID: string, condition: Condition | undefined): void {
    const others = this.rowFilters(moduleID).filter(({ id }) => id !== filterID);
    this.#filters.set(moduleID, condition ? [...others, { id: filterID, condition }] : others);
  }
}
