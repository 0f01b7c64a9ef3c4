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
const STRETCH = 500;

/**
 * Rows that partners brought while one looks at their list, and that lie out of sight: those by which it has grown, as
 * far as they came from partners, less those that were in sight.
 */
export class Further {
  readonly #deps: FurtherDeps;
  #brought = $state(0);
  /** New ones that were in sight. */
  readonly #seen = new Set<string>();
  #seenSince = $state(0);
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

  /** They are told of no longer. */
  passed(): void {
    this.#seenSince = 0;
    this.#before = { brought: this.#brought, grown: this.#deps.rows.grown };
  }

  /** The place of the first of them, and all rows that were read with it; undefined: none is found. */
  async find(): Promise<{ readonly at: number; readonly rows: readonly GridRow[] } | undefined> {
    const { rows, isNew, sorted } = this.#deps;
    const total = rows.total ?? 0;
    let first = sorted() ? 0 : Math.max(0, total - (rows.grown - this.#before.grown));
    for (; first < total; first += STRETCH) {
      const read = await rows.between(first, Math.min(total, first + STRETCH));
      const at = read.findIndex((row) => isNew(row) && !this.#seen.has(row.recordID));
      if (at >= 0) return { at: first + at, rows: read };
    }
    return undefined;
  }
}
