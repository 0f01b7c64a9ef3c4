import type { GridPage, GridRow } from '../../../../server/contract/app.ts';

/** The rows of a list by position, fetched in pages as they come into view. */
export interface Rows {
  /** Undefined until the first page is there. */
  readonly total: number | undefined;
  readonly problem: unknown;
  at(index: number): GridRow | undefined;
  /** Says which rows are in view; what is missing of them is fetched, what is no longer wanted is not. */
  show(first: number, end: number): void;
  /** Puts the row that an answer brought in the place of its older self. */
  replace(row: GridRow): void;
  /** Fetches anew what is in view; what is there stays until the new has come. */
  refresh(): void;
  stop(): void;
}

export type FetchPage = (offset: number, limit: number, signal: AbortSignal) => Promise<GridPage>;

export const PAGE = 100;
const AT_ONCE = 2;
/** Pages kept in memory; the ones farthest from the view go first. */
const KEPT = 80;

interface Page {
  readonly rows: readonly GridRow[];
  /** The refresh that it belongs to; an older page is shown until its successor comes. */
  readonly turn: number;
}

export function createRows(fetchPage: FetchPage): Rows {
  const pages = new Map<number, Page>();
  const running = new Map<number, AbortController>();
  let total = $state<number>();
  let problem = $state.raw<unknown>();
  let version = $state(0);
  let turn = 1;
  let from = 0;
  let until = 0;

  const wanted = (number: number): boolean => number >= from && number <= until;

  function forget(): void {
    if (pages.size <= KEPT) return;
    const middle = (from + until) / 2;
    const far = [...pages.keys()].sort((a, b) => Math.abs(b - middle) - Math.abs(a - middle));
    for (const number of far.slice(0, pages.size - KEPT)) pages.delete(number);
  }

  async function load(number: number): Promise<void> {
    const mine = turn;
    const abort = new AbortController();
    running.set(number, abort);
    try {
      const page = await fetchPage(number * PAGE, PAGE, abort.signal);
      if (abort.signal.aborted) return;
      pages.set(number, { rows: page.rows, turn: mine });
      total = page.total;
      problem = undefined;
      forget();
      version++;
    } catch (cause) {
      if (!abort.signal.aborted) problem = cause;
      return;
    } finally {
      if (running.get(number) === abort) running.delete(number);
    }
    pump();
  }

  function pump(): void {
    for (const [number, abort] of running) {
      if (wanted(number)) continue;
      abort.abort();
      running.delete(number);
    }
    const last = total === undefined ? from : Math.min(until, Math.max(0, Math.ceil(total / PAGE) - 1));
    for (let number = from; number <= last && running.size < AT_ONCE; number++) {
      if (!running.has(number) && pages.get(number)?.turn !== turn) void load(number);
    }
  }

  function refresh(): void {
    turn++;
    for (const abort of running.values()) abort.abort();
    running.clear();
    pump();
  }

  return {
    get total() {
      return total;
    },
    get problem() {
      return problem;
    },
    at(index) {
      // Reading the version ties the reader to what the plain map holds.
      return version < 0 ? undefined : pages.get(Math.floor(index / PAGE))?.rows[index % PAGE];
    },
    show(first, end) {
      from = Math.floor(first / PAGE);
      until = Math.floor(Math.max(first, end - 1) / PAGE);
      pump();
    },
    replace(row) {
      for (const [number, page] of pages) {
        if (!page.rows.some((other) => other.recordID === row.recordID)) continue;
        const rows = page.rows.map((other) => (other.recordID === row.recordID ? row : other));
        pages.set(number, { ...page, rows });
      }
      version++;
    },
    refresh,
    stop() {
      for (const abort of running.values()) abort.abort();
      running.clear();
    },
  };
}
