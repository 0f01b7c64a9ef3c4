import type { GridRow } from '../../../../server/contract/app/lists.ts';
import type { Came } from './rows.svelte.ts';
import { sameValues } from './values.ts';

/** What a partner has just brought into a row that one looks at. */
export interface Highlight {
  /** Names of the columns whose shown value changed; undefined: the row is new. */
  readonly columns: ReadonlySet<string> | undefined;
  /** It glows first; then a line stays. */
  readonly glows: boolean;
}

/** How long a new cell holds its glow and lets go of it: as long as the animation `settle` takes. */
const GLOW_MS = 2000;
/** Rows of which it is remembered what they showed; the ones not shown for longest go first. */
const MAX_REMEMBERED_ROWS = 20_000;

/** The columns that show something else because it was received; none of those that were changed here. */
function changedIn({ values, received }: GridRow, before: GridRow): readonly string[] {
  return Object.keys(received?.values ?? {}).filter(
    (name) =>
      !sameValues(received?.values[name], before.received?.values[name]) &&
      !sameValues(values[name], before.values[name]),
  );
}

/** Which rows and cells arrived while one looked at their list, until they were seen. */
export class Highlights {
  readonly #opened: number;
  readonly #known = new Map<string, GridRow>();
  readonly #settling = new Set<ReturnType<typeof setTimeout>>();
  #marks = $state.raw<ReadonlyMap<string, Highlight>>(new Map());
  readonly #glowing = $derived([...this.#marks.values()].filter(({ glows }) => glows).length);

  /** @param opened when the list came into view, in milliseconds: what arrived before is not new */
  constructor(opened: number) {
    this.#opened = opened;
  }

  of(recordID: string): Highlight | undefined {
    return this.#marks.get(recordID);
  }

  /** What came while the row was out of sight has its line at once. */
  note(rows: readonly GridRow[], came: Came): void {
    const batch = new Map<string, Highlight>();
    for (const row of came === 'not' ? [] : rows) {
      const mark = this.#markOf(row, came === 'now');
      if (mark) batch.set(row.recordID, mark);
    }
    this.#remember(rows);
    if (batch.size === 0) return;
    this.#marks = new Map([...this.#marks, ...batch]);
    if (came !== 'now') return;
    const timer = setTimeout(() => {
      this.#settling.delete(timer);
      this.#settle(batch);
    }, GLOW_MS);
    this.#settling.add(timer);
  }

  /** Whether it came since the list came into view. */
  isNew({ recordID, received }: GridRow): boolean {
    const mark = this.#marks.get(recordID);
    if (mark) return !mark.columns;
    if (this.#known.has(recordID) || !received) return false;
    return Date.parse(received.receivedAt) >= this.#opened;
  }

  /** The user has gone to it: the line that stayed goes. */
  saw(recordID: string): void {
    if (this.#marks.get(recordID)?.glows !== false) return;
    this.#marks = new Map([...this.#marks].filter(([other]) => other !== recordID));
  }

  stop(): void {
    for (const timer of this.#settling) clearTimeout(timer);
  }

  /** How many rows glow now. */
  get glowing(): number {
    return this.#glowing;
  }

  #markOf(row: GridRow, glows: boolean): Highlight | undefined {
    const before = this.#known.get(row.recordID);
    if (!before) {
      return this.isNew(row) ? { columns: undefined, glows } : undefined;
    }
    const changed = changedIn(row, before);
    if (changed.length === 0) return undefined;
    const had = this.#marks.get(row.recordID);
    // A row that is new stays so as a whole.
    const columns = had && !had.columns ? undefined : new Set([...(had?.columns ?? []), ...changed]);
    return { columns, glows };
  }

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

  /** The glow is over; but for rows that changed once more since then. */
  #settle(batch: ReadonlyMap<string, Highlight>): void {
    const next = new Map(this.#marks);
    for (const [recordID, mark] of batch)
      if (next.get(recordID) === mark) next.set(recordID, { ...mark, glows: false });
    this.#marks = next;
  }
}
