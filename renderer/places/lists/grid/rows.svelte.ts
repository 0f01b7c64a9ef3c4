import type { GridPage, GridRow } from '../../../../server/contract/app/lists.ts';

/** The rows of a list by position, fetched in pages as they come into view. */
export interface Rows {
  /** Undefined until the first page is there. */
  readonly total: number | undefined;
  readonly problem: unknown;
  at(index: number): GridRow | undefined;
  /** All rows from the first up to the end, those fetched that are not here. @throws what fetching them does */
  between(first: number, end: number): Promise<readonly GridRow[]>;
  /**
   * Says which rows are in view. What is missing of them is fetched, and the page that comes next the way one
   * scrolls; what is no longer wanted is not.
   */
  show(first: number, end: number): void;
  /** Puts the row that an answer brought in the place of its older self. */
  replace(row: GridRow): void;
  /** Puts a row that was just made behind the others; the next refresh knows where it really is. */
  append(row: GridRow): void;
  /**
   * Fetches anew what is in view; what is there stays until the new has come. Rows by another order, search or filter
   * have not arrived, however new they are to the view.
   */
  refresh(asks?: 'the same' | 'for others'): void;
  stop(): void;
}

/**
 * Why rows that are fetched may be others than before: something happened `now`; it did `meanwhile`, while they were
 * out of sight; or it did `not`: one scrolled, sorted, searched or changed them.
 */
export type Came = 'now' | 'meanwhile' | 'not';

export type FetchPage = (offset: number, limit: number, signal: AbortSignal) => Promise<GridPage>;

export const PAGE = 100;
const AT_ONCE = 2;
/** Rows asked for at a time where many are wanted that nobody looks at; more are not given. */
const MANY = 500;
/** While one drags through the list, pages are asked for no faster than this: most would come too late. */
const SPACING_MS = 80;
const LONGEST_MS = 60_000;
/** What is fetched so soon after something happened is fetched because of it. */
const JUST_MS = 2000;
/** Pages kept in memory; the ones farthest from the view go first. */
const KEPT = 80;

interface Page {
  readonly rows: readonly GridRow[];
  /** The refresh that it belongs to; an older page is shown until its successor comes. */
  readonly turn: number;
}

/** @param note told of all rows that are fetched */
export function createRows(
  fetchPage: FetchPage,
  note: (rows: readonly GridRow[], came: Came) => void = () => undefined,
): Rows {
  const pages = new Map<number, Page>();
  const running = new Map<number, AbortController>();
  let total = $state<number>();
  let problem = $state.raw<unknown>();
  let version = $state(0);
  let turn = 1;
  /** The first one that asks for these rows, in this order. */
  let firstTurn = turn;
  let turnedAt = Date.now();
  /** First row in view. */
  let at = 0;
  let from = 0;
  let until = 0;
  /** The page that comes into view next. */
  let ahead = 1;
  let spacing: ReturnType<typeof setTimeout> | undefined;

  const wanted = (number: number): boolean => (number >= from && number <= until) || number === ahead;
  const isPage = (number: number): boolean => number >= 0 && number * PAGE < (total ?? 1);

  function cameOf(number: number, mine: number): Came {
    if (mine <= firstTurn) return 'not';
    if (Date.now() - turnedAt < JUST_MS) return 'now';
    return (pages.get(number)?.turn ?? 0) >= firstTurn ? 'meanwhile' : 'not';
  }

  function forget(): void {
    if (pages.size <= KEPT) return;
    const middle = (from + until) / 2;
    const far = [...pages.keys()].sort((a, b) => Math.abs(b - middle) - Math.abs(a - middle));
    for (const number of far.slice(0, pages.size - KEPT)) pages.delete(number);
  }

  /** Of large rows fewer are given at a time than are asked for. */
  async function whole(offset: number, signal: AbortSignal): Promise<GridPage> {
    const page = await fetchPage(offset, PAGE, signal);
    const rows = [...page.rows];
    while (rows.length < Math.min(PAGE, page.total - offset)) {
      const next = await fetchPage(offset + rows.length, PAGE - rows.length, signal);
      if (next.rows.length === 0) break;
      rows.push(...next.rows);
    }
    return { ...page, rows };
  }

  async function load(number: number): Promise<void> {
    const mine = turn;
    const abort = new AbortController();
    running.set(number, abort);
    try {
      const page = await whole(number * PAGE, abort.signal);
      if (abort.signal.aborted) return;
      note(page.rows, cameOf(number, mine));
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
    if (spacing === undefined) pump();
  }

  /** After a jump others follow at once when one drags: what is in view then is fetched, and not what was passed. */
  function pumpSpaced(): void {
    if (spacing !== undefined) return;
    const pumped = at;
    pump();
    spacing = setTimeout(() => {
      spacing = undefined;
      if (at === pumped) pump();
      else pumpSpaced();
    }, SPACING_MS);
  }

  function pump(): void {
    for (const [number, abort] of running) {
      if (wanted(number)) continue;
      abort.abort();
      running.delete(number);
    }
    const fetchIf = (number: number, isWanted: boolean): void => {
      if (isWanted && running.size < AT_ONCE && !running.has(number)) void load(number);
    };
    for (let number = from; number <= until; number++) {
      fetchIf(number, (number === from || isPage(number)) && pages.get(number)?.turn !== turn);
    }
    fetchIf(ahead, total !== undefined && isPage(ahead) && !pages.has(ahead));
  }

  function refresh(asks: 'the same' | 'for others' = 'the same'): void {
    turn++;
    turnedAt = Date.now();
    if (asks === 'for others') firstTurn = turn;
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
    async between(first, end) {
      const found: GridRow[] = [];
      for (let index = first; index < end;) {
        const page = pages.get(Math.floor(index / PAGE));
        const known = page?.turn === turn ? page.rows.slice(index % PAGE, (index % PAGE) + end - index) : [];
        const rows =
          known.length > 0
            ? known
            : (await fetchPage(index, Math.min(MANY, end - index), AbortSignal.timeout(LONGEST_MS))).rows;
        // Rows went meanwhile: there are no more.
        if (rows.length === 0) break;
        found.push(...rows);
        index += rows.length;
      }
      return found;
    },
    show(first, end) {
      const jumps = Math.abs(first - at) > PAGE;
      from = Math.floor(first / PAGE);
      until = Math.floor(Math.max(first, end - 1) / PAGE);
      ahead = first < at ? from - 1 : until + 1;
      at = first;
      if (jumps) pumpSpaced();
      else if (spacing === undefined) pump();
    },
    replace(row) {
      note([row], 'not');
      for (const [number, page] of pages) {
        if (!page.rows.some((other) => other.recordID === row.recordID)) continue;
        const rows = page.rows.map((other) => (other.recordID === row.recordID ? row : other));
        pages.set(number, { ...page, rows });
      }
      version++;
    },
    append(row) {
      if (total === undefined) return;
      const number = Math.floor(total / PAGE);
      const page = pages.get(number);
      if (page) pages.set(number, { ...page, rows: [...page.rows.slice(0, total % PAGE), row] });
      else if (total % PAGE === 0) pages.set(number, { rows: [row], turn });
      total++;
      version++;
    },
    refresh,
    stop() {
      clearTimeout(spacing);
      for (const abort of running.values()) abort.abort();
      running.clear();
    },
  };
}
