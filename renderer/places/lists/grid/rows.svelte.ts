import type { GridPage, GridRow } from '../../../../server/contract/app/lists.ts';

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
/** Rows added here that stay in sight; the node takes no more. */
const MAX_ADDED = 100;

interface Page {
  readonly rows: readonly GridRow[];
  /** The refresh that it belongs to; an older page is shown until its successor comes. */
  readonly turn: number;
}

const soonOver = (signal?: AbortSignal): AbortSignal =>
  AbortSignal.any([AbortSignal.timeout(LONGEST_MS), ...(signal ? [signal] : [])]);

/** The rows of a list by position, fetched in pages as they come into view. */
export class Rows {
  readonly #fetchPage: FetchPage;
  readonly #note: (rows: readonly GridRow[], came: Came) => void;
  readonly #pages = new Map<number, Page>();
  readonly #running = new Map<number, AbortController>();
  #total = $state<number>();
  #problem = $state.raw<unknown>();
  #version = $state(0);
  #grown = $state(0);
  #turn = 1;
  /** The first one that asks for these rows, in this order. */
  #firstTurn: number;
  #turnedAt = Date.now();
  /** First row in view. */
  #at = 0;
  #added: readonly string[] = [];
  #from = 0;
  #until = 0;
  /** The page that comes into view next. */
  #ahead = 1;
  #spacing: ReturnType<typeof setTimeout> | undefined;

  /** @param note told of all rows that are fetched */
  constructor(fetchPage: FetchPage, note: (rows: readonly GridRow[], came: Came) => void = () => undefined) {
    this.#fetchPage = fetchPage;
    this.#note = note;
    this.#firstTurn = this.#turn;
  }

  at(index: number): GridRow | undefined {
    // Reading the version ties the reader to what the plain map holds.
    return this.#version < 0 ? undefined : this.#pages.get(Math.floor(index / PAGE))?.rows[index % PAGE];
  }

  /**
   * All rows from the first up to the end, those fetched that are not here.
   * @param signal ends the fetching; so does a minute without an answer
   * @throws what fetching them does
   */
  async between(first: number, end: number, signal?: AbortSignal): Promise<readonly GridRow[]> {
    const found: GridRow[] = [];
    for (let index = first; index < end;) {
      const page = this.#pages.get(Math.floor(index / PAGE));
      const known =
        page?.turn === this.#turn ? page.rows.slice(index % PAGE, (index % PAGE) + end - index) : [];
      const rows =
        known.length > 0
          ? known
          : (await this.#fetchPage(index, Math.min(MANY, end - index), soonOver(signal))).rows;
      // Rows went meanwhile: there are no more.
      if (rows.length === 0) break;
      found.push(...rows);
      index += rows.length;
    }
    return found;
  }

  /**
   * Says which rows are in view. What is missing of them is fetched, and the page that comes next the way one
   * scrolls; what is no longer wanted is not.
   */
  show(first: number, end: number): void {
    const jumps = Math.abs(first - this.#at) > PAGE;
    this.#from = Math.floor(first / PAGE);
    this.#until = Math.floor(Math.max(first, end - 1) / PAGE);
    this.#ahead = first < this.#at ? this.#from - 1 : this.#until + 1;
    this.#at = first;
    if (jumps) this.#pumpSpaced();
    else if (this.#spacing === undefined) this.#pump();
  }

  /** Puts the row that an answer brought in the place of its older self. */
  replace(row: GridRow): void {
    this.#note([row], 'not');
    for (const [number, page] of this.#pages) {
      if (!page.rows.some((other) => other.recordID === row.recordID)) continue;
      const rows = page.rows.map((other) => (other.recordID === row.recordID ? row : other));
      this.#pages.set(number, { ...page, rows });
    }
    this.#version++;
  }

  /** Ids of the rows that were added since the order, search or filters changed, which stay in sight. */
  get added(): readonly string[] {
    return this.#added;
  }

  /** Puts a row that was just made behind the others; the next refresh knows where it really is. */
  append(row: GridRow): void {
    this.#added = [...this.#added, row.recordID].slice(-MAX_ADDED);
    if (this.#total === undefined) return;
    const number = Math.floor(this.#total / PAGE);
    const page = this.#pages.get(number);
    if (page) this.#pages.set(number, { ...page, rows: [...page.rows.slice(0, this.#total % PAGE), row] });
    else if (this.#total % PAGE === 0) this.#pages.set(number, { rows: [row], turn: this.#turn });
    this.#total++;
    this.#version++;
  }

  /**
   * Fetches anew what is in view; what is there stays until the new has come. Rows by another order, search or filter
   * have not arrived, however new they are to the view.
   */
  refresh(asks: 'the same' | 'for others' = 'the same'): void {
    this.#turn++;
    this.#turnedAt = Date.now();
    if (asks === 'for others') {
      this.#firstTurn = this.#turn;
      this.#added = [];
    }
    for (const abort of this.#running.values()) abort.abort();
    this.#running.clear();
    this.#pump();
  }

  stop(): void {
    clearTimeout(this.#spacing);
    for (const abort of this.#running.values()) abort.abort();
    this.#running.clear();
  }

  /** Undefined until the first page is there. */
  get total(): number | undefined {
    return this.#total;
  }

  /** By so many rows there were more after something happened, all in all. */
  get grown(): number {
    return this.#grown;
  }

  get problem(): unknown {
    return this.#problem;
  }

  #wanted(number: number): boolean {
    return (number >= this.#from && number <= this.#until) || number === this.#ahead;
  }

  #isPage(number: number): boolean {
    return number >= 0 && number * PAGE < (this.#total ?? 1);
  }

  #cameOf(number: number, mine: number): Came {
    if (mine <= this.#firstTurn) return 'not';
    if (Date.now() - this.#turnedAt < JUST_MS) return 'now';
    return (this.#pages.get(number)?.turn ?? 0) >= this.#firstTurn ? 'meanwhile' : 'not';
  }

  #forget(): void {
    if (this.#pages.size <= KEPT) return;
    const middle = (this.#from + this.#until) / 2;
    const far = [...this.#pages.keys()].sort((a, b) => Math.abs(b - middle) - Math.abs(a - middle));
    for (const number of far.slice(0, this.#pages.size - KEPT)) this.#pages.delete(number);
  }

  /** Of large rows fewer are given at a time than are asked for. */
  async #whole(offset: number, signal: AbortSignal): Promise<GridPage> {
    const page = await this.#fetchPage(offset, PAGE, signal);
    const rows = [...page.rows];
    while (rows.length < Math.min(PAGE, page.total - offset)) {
      const next = await this.#fetchPage(offset + rows.length, PAGE - rows.length, signal);
      if (next.rows.length === 0) break;
      rows.push(...next.rows);
    }
    return { ...page, rows };
  }

  async #load(number: number): Promise<void> {
    const mine = this.#turn;
    const abort = new AbortController();
    this.#running.set(number, abort);
    try {
      const page = await this.#whole(number * PAGE, abort.signal);
      if (abort.signal.aborted) return;
      this.#note(page.rows, this.#cameOf(number, mine));
      this.#pages.set(number, { rows: page.rows, turn: mine });
      // From nothing it does not grow: it is filled.
      if (mine > this.#firstTurn && this.#total) this.#grown += Math.max(0, page.total - this.#total);
      this.#total = page.total;
      this.#problem = undefined;
      this.#forget();
      this.#version++;
    } catch (cause) {
      if (!abort.signal.aborted) this.#problem = cause;
      return;
    } finally {
      if (this.#running.get(number) === abort) this.#running.delete(number);
    }
    if (this.#spacing === undefined) this.#pump();
  }

  /** After a jump others follow at once when one drags: what is in view then is fetched, and not what was passed. */
  #pumpSpaced(): void {
    if (this.#spacing !== undefined) return;
    const pumped = this.#at;
    this.#pump();
    this.#spacing = setTimeout(() => {
      this.#spacing = undefined;
      if (this.#at === pumped) this.#pump();
      else this.#pumpSpaced();
    }, SPACING_MS);
  }

  #pump(): void {
    for (const [number, abort] of this.#running) {
      if (this.#wanted(number)) continue;
      abort.abort();
      this.#running.delete(number);
    }
    const fetchIf = (number: number, isWanted: boolean): void => {
      if (isWanted && this.#running.size < AT_ONCE && !this.#running.has(number)) void this.#load(number);
    };
    for (let number = this.#from; number <= this.#until; number++) {
      fetchIf(
        number,
        (number === this.#from || this.#isPage(number)) && this.#pages.get(number)?.turn !== this.#turn,
      );
    }
    fetchIf(
      this.#ahead,
      this.#total !== undefined && this.#isPage(this.#ahead) && !this.#pages.has(this.#ahead),
    );
  }
}
