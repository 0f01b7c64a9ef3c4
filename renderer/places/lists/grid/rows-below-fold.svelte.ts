import type { GridRow } from '../../../../server/contract/app/lists.ts';
import type { AppEvent } from '../../../../server/contract/app/overview.ts';
import type { Rows } from './rows.svelte.ts';

interface FurtherDeps {
  readonly moduleID: string;
  readonly rows: Pick<Rows, 'grown' | 'total' | 'between'>;
  /** Whether it came while one looks at the list. */
  readonly isNew: (row: GridRow) => boolean;
  /** Rows stand in another order than they came, which is at the end. */
  readonly sorted: () => boolean;
}

/** So many rows are read at a time to find one that came. */
const BATCH_ROWS = 500;
/** And no more than so many in all: of a list in another order nobody knows where they stand. */
export const MAX_SEARCHED_ROWS = 50_000;

/** The place of the first of them, and all rows that were read with it. */
interface Found {
  readonly at: number;
  readonly rows: readonly GridRow[];
}

/**
 * Rows that partners brought while one looks at their list, and that lie out of sight: those by which it has grown, as
 * far as they came from partners, less those that were in sight.
 */
export class RowsBelowFold {
  readonly #deps: FurtherDeps;
  #brought = $state(0);
  /** New ones that were in sight. */
  readonly #seen = new Set<string>();
  #seenSince = $state(0);
  #looking = $state.raw<AbortController>();
  /** What was counted when nothing was out of sight the last time. */
  #before = $state.raw({ brought: 0, grown: 0 });

  constructor(deps: FurtherDeps) {
    this.#deps = deps;
  }

  heard(event: AppEvent): void {
    if (event.type !== 'activity') return;
    const { kind, moduleID, counts } = event.activity;
    if (kind === 'pull' && moduleID === this.#deps.moduleID) this.#brought += counts?.created ?? 0;
  }

  get count(): number {
    const brought = this.#brought - this.#before.brought;
    return Math.max(0, Math.min(brought, this.#deps.rows.grown - this.#before.grown) - this.#seenSince);
  }

  /** These rows are in sight. @param isEnd the last one is among them */
  saw(rows: readonly GridRow[], isEnd: boolean): void {
    const { isNew, sorted, rows: all } = this.#deps;
    for (const row of rows) {
      if (!isNew(row) || this.#seen.has(row.recordID)) continue;
      this.#seen.add(row.recordID);
      // What it has not grown by was told of before, or never.
      if (this.#seenSince < all.grown - this.#before.grown) this.#seenSince++;
    }
    if (isEnd && !sorted() && this.count > 0) this.passed();
  }

  /** They are looked for. */
  get isLooking(): boolean {
    return this.#looking !== undefined;
  }

  /** They are looked for no longer, and told of still. */
  stop(): void {
    this.#looking?.abort();
    this.#looking = undefined;
  }

  /** They are told of no longer. */
  passed(): void {
    this.stop();
    this.#seenSince = 0;
    this.#before = { brought: this.#brought, grown: this.#deps.rows.grown };
  }

  /**
   * Looks for the first of them. Ends without it where there is none, where it is not among the first
   * {@link MAX_SEARCHED_ROWS} of a sorted list, and where it was stopped. @throws what fetching rows does
   */
  async find(): Promise<Found | 'none' | 'too far' | 'stopped'> {
    this.stop();
    const looking = new AbortController();
    this.#looking = looking;
    try {
      return await this.#find(looking.signal);
    } catch (cause) {
      if (looking.signal.aborted) return 'stopped';
      throw cause;
    } finally {
      if (this.#looking === looking) this.#looking = undefined;
    }
  }

  async #find(signal: AbortSignal): Promise<Found | 'none' | 'too far' | 'stopped'> {
    const { rows, isNew, sorted } = this.#deps;
    const total = rows.total ?? 0;
    const start = sorted() ? 0 : Math.max(0, total - (rows.grown - this.#before.grown));
    const end = sorted() ? Math.min(total, start + MAX_SEARCHED_ROWS) : total;
    for (let first = start; first < end; first += BATCH_ROWS) {
      const read = await rows.between(first, Math.min(end, first + BATCH_ROWS), signal);
      if (signal.aborted) return 'stopped';
      const at = read.findIndex((row) => isNew(row) && !this.#seen.has(row.recordID));
      if (at >= 0) return { at: first + at, rows: read };
    }
    return end < total ? 'too far' : 'none';
  }
}
