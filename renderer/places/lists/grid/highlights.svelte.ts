import type { GridRow } from '../../../../server/contract/app/lists.ts';
import type { Came } from './rows.svelte.ts';
import { sameValues } from './values.ts';

export interface Highlight {
  /** Changed columns' names; undefined for a new row. */
  readonly columns: ReadonlySet<string> | undefined;
  readonly glows: boolean;
}

const GLOW_MS = 2000;
const MAX_REMEMBERED_ROWS = 20_000;

/** Returns columns that a partner changed since `before` and that look different now. */
function findChangedColumns({ values, received }: GridRow, before: GridRow): readonly string[] {
  return Object.keys(received?.values ?? {}).filter(
    (name) =>
      !sameValues(received?.values[name], before.received?.values[name]) &&
      !sameValues(values[name], before.values[name]),
  );
}

/** Marks rows and cells that arrived meanwhile, until seen. */
export class Highlights {
  readonly #opened: number;
  readonly #known = new Map<string, GridRow>();
  readonly #settling = new Set<ReturnType<typeof setTimeout>>();
  #marks = $state.raw<ReadonlyMap<string, Highlight>>(new Map());
  readonly #glowing = $derived([...this.#marks.values()].filter(({ glows }) => glows).length);

  /** @param opened in milliseconds */
  constructor(opened: number) {
    this.#opened = opened;
  }

  /** Returns how the row is marked; undefined if it isn't. */
  highlightOf(recordID: string): Highlight | undefined {
    return this.#marks.get(recordID);
  }

  /**
   * Marks rows new or changed since last shown: those that came `now` glow for two seconds, then have a line;
   * `meanwhile` a line; `not` nothing.
   */
  record(rows: readonly GridRow[], came: Came): void {
    const batch = new Map<string, Highlight>();
    for (const row of came === 'not' ? [] : rows) {
      const mark = this.#createMark(row, came === 'now');
      if (mark) batch.set(row.recordID, mark);
    }
    this.#remember(rows);
    if (batch.size === 0) return;
    this.#marks = new Map([...this.#marks, ...batch]);
    if (came !== 'now') return;
    const timer = setTimeout(() => {
      this.#settling.delete(timer);
      this.#endGlow(batch);
    }, GLOW_MS);
    this.#settling.add(timer);
  }

  /** Returns whether the row arrived since the list was opened; false if shown unmarked before. */
  isNew({ recordID, received }: GridRow): boolean {
    const mark = this.#marks.get(recordID);
    if (mark) return !mark.columns;
    if (this.#known.has(recordID) || !received) return false;
    return Date.parse(received.receivedAt) >= this.#opened;
  }

  /** Removes a visited row's line; a glow stays. */
  markSeen(recordID: string): void {
    if (this.#marks.get(recordID)?.glows !== false) return;
    this.#marks = new Map([...this.#marks].filter(([other]) => other !== recordID));
  }

  /** Cancels the timers; rows keep their glow. */
  stopGlowTimers(): void {
    for (const timer of this.#settling) clearTimeout(timer);
  }

  /** Number of rows that glow. */
  get glowing(): number {
    return this.#glowing;
  }

  /** Returns how to mark a row, by its earlier content and mark; undefined if neither new nor changed. */
  #createMark(row: GridRow, glows: boolean): Highlight | undefined {
    const before = this.#known.get(row.recordID);
    if (!before) {
      return this.isNew(row) ? { columns: undefined, glows } : undefined;
    }
    const changed = findChangedColumns(row, before);
    if (changed.length === 0) return undefined;
    const had = this.#marks.get(row.recordID);
    // A new row stays new as a whole.
    const columns = had && !had.columns ? undefined : new Set([...(had?.columns ?? []), ...changed]);
    return { columns, glows };
  }

  /** Remembers the rows as shown; beyond 20,000, forgets those shown longest ago. */
  #remember(rows: readonly GridRow[]): void {
    for (const row of rows) {
      this.#known.delete(row.recordID);
      this.#known.set(row.recordID, row);
    }
    for (const recordID of this.#known.keys()) {
      if (this.#known.size <= MAX_REMEMBERED_ROWS) break;
      this.#known.delete(recordID);
    }
  }

  /** Replaces these rows' glow by a line, unless they changed again. */
  #endGlow(batch: ReadonlyMap<string, Highlight>): void {
    const next = new Map(this.#marks);
    for (const [recordID, mark] of batch)
      if (next.get(recordID) === mark) next.set(recordID, { ...mark, glows: false });
    this.#marks = next;
  }
}
