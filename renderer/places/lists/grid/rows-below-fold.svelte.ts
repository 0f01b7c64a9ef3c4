import type { GridRow } from '../../../../server/contract/app/lists.ts';
import type { AppEvent } from '../../../../server/contract/app/overview.ts';
import type { Rows } from './rows.svelte.ts';

interface FurtherDeps {
  readonly moduleID: string;
  readonly rows: Pick<Rows, 'grown' | 'total' | 'fetchRange'>;
  readonly isNew: (row: GridRow) => boolean;
  readonly sorted: () => boolean;
}

const BATCH_ROWS = 500;
/** In a sorted list new rows may be anywhere. */
export const MAX_SEARCHED_ROWS = 50_000;

interface Found {
  readonly at: number;
  readonly rows: readonly GridRow[];
}

/** Counts partners' rows that came meanwhile, out of sight: growth less visible ones. */
export class RowsBelowFold {
  readonly #deps: FurtherDeps;
  #brought = $state(0);
  readonly #seen = new Set<string>();
  #seenSince = $state(0);
  #looking = $state.raw<AbortController>();
  #before = $state.raw({ brought: 0, grown: 0 });

  constructor(deps: FurtherDeps) {
    this.#deps = deps;
  }

  /** Counts a pull's new rows here; ignores other events. */
  countEvent(event: AppEvent): void {
    if (event.type !== 'activity') return;
    const { kind, moduleID, counts } = event.activity;
    if (kind === 'pull' && moduleID === this.#deps.moduleID) this.#brought += counts?.created ?? 0;
  }

  /** Number of rows that pulls brought and the list grew by since the last reset, less those seen; at least 0. */
  get count(): number {
    const brought = this.#brought - this.#before.brought;
    return Math.max(0, Math.min(brought, this.#deps.rows.grown - this.#before.grown) - this.#seenSince);
  }

  /**
   * Stops counting rows that are visible now.
   * @param isEnd includes the last row, after which an unsorted list has nothing out of sight
   */
  markSeen(rows: readonly GridRow[], isEnd: boolean): void {
    const { isNew, sorted, rows: all } = this.#deps;
    for (const row of rows) {
      if (!isNew(row) || this.#seen.has(row.recordID)) continue;
      this.#seen.add(row.recordID);
      // Without growth it was counted before, or never.
      if (this.#seenSince < all.grown - this.#before.grown) this.#seenSince++;
    }
    if (isEnd && !sorted() && this.count > 0) this.resetCount();
  }

  get isLooking(): boolean {
    return this.#looking !== undefined;
  }

  /** Aborts the running search, if any. */
  stopSearch(): void {
    this.#looking?.abort();
    this.#looking = undefined;
  }

  /** Counts only rows that come from now on; ends a search. */
  resetCount(): void {
    this.stopSearch();
    this.#seenSince = 0;
    this.#before = { brought: this.#brought, grown: this.#deps.rows.grown };
  }

  /**
   * Finds the first new row out of sight; ends an earlier search, which returns `stopped`. `too far` is beyond 50,000
   * rows of a sorted list. Throws like fetching rows.
   */
  async findNewRow(): Promise<Found | 'none' | 'too far' | 'stopped'> {
    this.stopSearch();
    const looking = new AbortController();
    this.#looking = looking;
    try {
      return await this.#scanForNewRow(looking.signal);
    } catch (cause) {
      if (looking.signal.aborted) return 'stopped';
      throw cause;
    } finally {
      if (this.#looking === looking) this.#looking = undefined;
    }
  }

  /** Searches rows in batches, of an unsorted list only those that came since the count began. */
  async #scanForNewRow(signal: AbortSignal): Promise<Found | 'none' | 'too far' | 'stopped'> {
    const { rows, isNew, sorted } = this.#deps;
    const total = rows.total ?? 0;
    const start = sorted() ? 0 : Math.max(0, total - (rows.grown - this.#before.grown));
    const end = sorted() ? Math.min(total, start + MAX_SEARCHED_ROWS) : total;
    for (let first = start; first < end; first += BATCH_ROWS) {
      const read = await rows.fetchRange(first, Math.min(end, first + BATCH_ROWS), signal);
      if (signal.aborted) return 'stopped';
      const at = read.findIndex((row) => isNew(row) && !this.#seen.has(row.recordID));
      if (at >= 0) return { at: first + at, rows: read };
    }
    return end < total ? 'too far' : 'none';
  }
}
