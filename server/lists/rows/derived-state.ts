import type { Condition } from '../query/condition.ts';
import type { RowFilter } from './row-filter-table.ts';
import type { Rows } from './rows.ts';
import type { TurnMatching } from './undo.ts';

const NONE: ReadonlySet<string> = new Set();

/** What is kept up beside the rows of lists, as shares and matches want it. They say so anew in each run of the node. */
export class DerivedState {
  readonly #kept = new Map<string, Set<string>>();
  readonly #audiences = new Map<string, readonly RowFilter[]>();
  /** Done to the rows of a list before anybody uses them; fails nobody. */
  beforeUse: (moduleID: string, rows: Rows) => Promise<void> = () => Promise.resolve();

  /** Takes a step back that matched an offered list. */
  turnMatching: TurnMatching = () => Promise.resolve();

  /** Columns of a list, by their ids, whose texts stand for its rows elsewhere. */
  keptTitles(moduleID: string): ReadonlySet<string> {
    return this.#kept.get(moduleID) ?? NONE;
  }

  keepTitles(moduleID: string, fieldID: string): void {
    this.#kept.set(moduleID, (this.#kept.get(moduleID) ?? new Set()).add(fieldID));
  }

  /** Who sees only those rows of a list that meet a condition. */
  rowFilters(moduleID: string): readonly RowFilter[] {
    return this.#audiences.get(moduleID) ?? [];
  }

  setRowFilter(moduleID: string, audienceID: string, condition: Condition | undefined): void {
    const others = this.rowFilters(moduleID).filter(({ id }) => id !== audienceID);
    this.#audiences.set(moduleID, condition ? [...others, { id: audienceID, condition }] : others);
  }
}
