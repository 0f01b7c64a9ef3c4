import type { GridPage, GridRow } from '../../../../server/contract/app/lists.ts';

/**
 * Why fetched rows may differ: an event just `now`, or `meanwhile`, out of sight; `not` an event, but the
 * user's scrolling, sorting, searching or changes.
 */
export type Came = 'now' | 'meanwhile' | 'not';

type FetchPage = (offset: number, limit: number, signal: AbortSignal) => Promise<GridPage>;

export const PAGE = 100;
const AT_ONCE = 2;
/** The node's limit per request. */
const MANY = 500;
/** Dragging the scroll bar: most answers would come too late. */
const SPACING_MS = 80;
const LONGEST_MS = 60_000;
/** An event counts as the cause of a request so soon after. */
const JUST_MS = 2000;
/** In memory; those farthest from the view go first. */
const KEPT = 80;
/** Added rows kept in sight; the node's limit. */
const MAX_ADDED = 100;

interface Page {
  readonly rows: readonly GridRow[];
  /** The refresh that fetched it; shown until newer. */
  readonly turn: number;
}

const withTimeout = (signal?: AbortSignal): AbortSignal =>
  AbortSignal.any([AbortSignal.timeout(LONGEST_MS), ...(signal ? [signal] : [])]);

/** Rows by position, fetched in pages as they become visible. */
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
  /** With the present order and filters. */
  #firstTurn: number;
  #turnedAt = Date.now();
  #at = 0;
  #added: readonly string[] = [];
  #kept: readonly string[] = [];
  #view = $state(0);
  #from = 0;
  #until = 0;
  /** In the direction of scrolling. */
  #ahead = 1;
  #spacing: ReturnType<typeof setTimeout> | undefined;
  /** To be refreshed once the requests under way are answered. */
  #isOutdated = false;

  /** `note` gets all rows that are fetched or replaced. */
  constructor(fetchPage: FetchPage, note: (rows: readonly GridRow[], came: Came) => void = () => undefined) {
    this.#fetchPage = fetchPage;
    this.#note = note;
    this.#firstTurn = this.#turn;
  }

  /** Returns a loaded row, reactively; undefined if not loaded. */
  rowAt(index: number): GridRow | undefined {
    // Subscribes to the plain map.
    return this.#version < 0 ? undefined : this.#pages.get(Math.floor(index / PAGE))?.rows[index % PAGE];
  }

  /**
   * Returns rows up to `end`, exclusive, or the list's; fetches missing and outdated ones without keeping them. Throws
   * like fetching, and after a minute without an answer.
   */
  async fetchRange(first: number, end: number, signal?: AbortSignal): Promise<readonly GridRow[]> {
    const found: GridRow[] = [];
    for (let index = first; index < end;) {
      const page = this.#pages.get(Math.floor(index / PAGE));
      const known =
        page?.turn === this.#turn ? page.rows.slice(index % PAGE, (index % PAGE) + end - index) : [];
      const rows =
        known.length > 0
          ? known
          : (await this.#fetchPage(index, Math.min(MANY, end - index), withTimeout(signal))).rows;
      if (rows.length === 0) break;
      found.push(...rows);
      index += rows.length;
    }
    return found;
  }

  /**
   * Sets the visible rows: fetches missing ones and the page ahead in the direction of scrolling, aborting other
   * requests; less often while the scroll bar is dragged.
   */
  showRange(first: number, end: number): void {
    const jumps = Math.abs(first - this.#at) > PAGE;
    this.#from = Math.floor(first / PAGE);
    this.#until = Math.floor(Math.max(first, end - 1) / PAGE);
    this.#ahead = first < this.#at ? this.#from - 1 : this.#until + 1;
    this.#at = first;
    if (jumps) this.#requestVisibleSpaced();
    else if (this.#spacing === undefined) this.#requestVisible();
  }

  /** Shows a changed row, unmarked, where it was loaded. */
  replaceRow(row: GridRow): void {
    this.#note([row], 'not');
    for (const [number, page] of this.#pages) {
      if (!page.rows.some((other) => other.recordID === row.recordID)) continue;
      const rows = page.rows.map((other) => (other.recordID === row.recordID ? row : other));
      this.#pages.set(number, { ...page, rows });
    }
    this.#version++;
  }

  /** Rows to stay in sight, at most 100: added since order, search or filters changed, or kept. */
  get pinned(): readonly string[] {
    return [...new Set([...this.#added, ...this.#kept])].slice(-MAX_ADDED);
  }

  /** Keeps these rows in sight, and no others, when order, search or filters change; fetches those out of sight. */
  keepInView(recordIDs: readonly string[]): void {
    const isHidden = recordIDs.some((id) => !this.#kept.includes(id) && this.indexOf(id) === undefined);
    this.#kept = recordIDs;
    if (!isHidden) return;
    this.refresh();
    this.#firstTurn = this.#turn;
  }

  /** Changes once rows of another order, search or filters are loaded. */
  get view(): number {
    return this.#view;
  }

  /** Returns the index of a row loaded with the present order, search and filters, reactively; otherwise undefined. */
  indexOf(recordID: string): number | undefined {
    if (this.#version < 0) return undefined;
    for (const [number, page] of this.#pages) {
      const at = page.turn < this.#firstTurn ? -1 : page.rows.findIndex((row) => row.recordID === recordID);
      if (at >= 0) return number * PAGE + at;
    }
    return undefined;
  }

  /** Shows a new row last, until a refresh brings its real place; pins it until order, search or filters change. */
  appendRow(row: GridRow): void {
    if (this.indexOf(row.recordID) !== undefined) {
      this.replaceRow(row);
      return;
    }
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
   * Aborts requests and fetches visible rows; shows loaded ones until then. `for others`: order, search or filters
   * changed, so rows that come into view haven't just arrived, and added ones are no longer pinned.
   */
  refresh(asks: 'the same' | 'for others' = 'the same'): void {
    this.#turn++;
    this.#turnedAt = Date.now();
    this.#isOutdated = false;
    if (asks === 'for others') {
      this.#firstTurn = this.#turn;
      this.#added = [];
    }
    for (const abort of this.#running.values()) abort.abort();
    this.#running.clear();
    this.#requestVisible();
  }

  /** Refreshes once the requests under way are answered: changes that come faster would abort each. */
  refreshAfterAnswers(): void {
    if (this.#running.size > 0) this.#isOutdated = true;
    else this.refresh();
  }

  /** Aborts all requests and the pause between them. */
  abortRequests(): void {
    this.#isOutdated = false;
    clearTimeout(this.#spacing);
    for (const abort of this.#running.values()) abort.abort();
    this.#running.clear();
  }

  /** Undefined before the first page. */
  get total(): number | undefined {
    return this.#total;
  }

  /**
   * Number of rows that the list grew by in refreshes of the same order, search and filters; filling an empty list is
   * none.
   */
  get grown(): number {
    return this.#grown;
  }

  /** Returns whether rows of the present order, search and filters are shown, perhaps out of date. */
  get isLoaded(): boolean {
    return this.#total !== undefined && this.#view === this.#firstTurn;
  }

  /** Error of the last request; undefined after a successful one. */
  get problem(): unknown {
    return this.#problem;
  }

  /** Returns whether the page is visible, or the next one to be. */
  #isWantedPage(number: number): boolean {
    return (number >= this.#from && number <= this.#until) || number === this.#ahead;
  }

  /** Returns whether the list has the page; only the first one while its length is unknown. */
  #isPageOfList(number: number): boolean {
    return number >= 0 && number * PAGE < (this.#total ?? 1);
  }

  /**
   * Returns how rows came, for their marks: `not` with this order's first load (`mine` is the refresh that fetched the
   * page), `now` just after a later refresh, else `meanwhile` on a page loaded before, `not` on others.
   */
  #pageChangeReason(number: number, mine: number): Came {
    if (mine <= this.#firstTurn) return 'not';
    if (Date.now() - this.#turnedAt < JUST_MS) return 'now';
    return (this.#pages.get(number)?.turn ?? 0) >= this.#firstTurn ? 'meanwhile' : 'not';
  }

  /** Forgets pages beyond 80, farthest from the visible rows. */
  #dropFarPages(): void {
    if (this.#pages.size <= KEPT) return;
    const middle = (this.#from + this.#until) / 2;
    const far = [...this.#pages.keys()].sort((a, b) => Math.abs(b - middle) - Math.abs(a - middle));
    for (const number of far.slice(0, this.#pages.size - KEPT)) this.#pages.delete(number);
  }

  /** Fetches a whole page, in several requests if the node returns fewer rows, as of large ones. */
  async #fetchFullPage(offset: number, signal: AbortSignal): Promise<GridPage> {
    const page = await this.#fetchPage(offset, PAGE, signal);
    const rows = [...page.rows];
    while (rows.length < Math.min(PAGE, page.total - offset)) {
      const next = await this.#fetchPage(offset + rows.length, PAGE - rows.length, signal);
      if (next.rows.length === 0) break;
      rows.push(...next.rows);
    }
    return { ...page, rows };
  }

  /**
   * Fetches and stores a page unless aborted; drops pages that are far away or beyond the end, updates total and
   * growth, then fetches missing visible ones. Stores a failure as `problem`; never rejects.
   */
  async #loadPage(number: number): Promise<void> {
    const mine = this.#turn;
    const abort = new AbortController();
    this.#running.set(number, abort);
    try {
      const page = await this.#fetchFullPage(number * PAGE, abort.signal);
      if (abort.signal.aborted) return;
      this.#note(page.rows, this.#pageChangeReason(number, mine));
      this.#pages.set(number, { rows: page.rows, turn: mine });
      // Filling an empty list is no growth.
      if (mine > this.#firstTurn && this.#total) this.#grown += Math.max(0, page.total - this.#total);
      this.#total = page.total;
      // Otherwise the line for a new row, behind a full page, would find a row that is gone.
      for (const other of this.#pages.keys()) if (!this.#isPageOfList(other)) this.#pages.delete(other);
      this.#view = this.#firstTurn;
      this.#problem = undefined;
      this.#dropFarPages();
      this.#version++;
    } catch (cause) {
      if (!abort.signal.aborted) this.#problem = cause;
      return;
    } finally {
      if (this.#running.get(number) === abort) this.#running.delete(number);
    }
    if (this.#spacing === undefined) this.#requestVisible();
  }

  /**
   * Requests visible rows now, or at the end of a running pause, then after each pause until one changed nothing. In a
   * pause, even answers start no requests.
   */
  #requestVisibleSpaced(): void {
    if (this.#spacing !== undefined) return;
    const pumped = this.#at;
    this.#requestVisible();
    this.#spacing = setTimeout(() => {
      this.#spacing = undefined;
      if (this.#at === pumped) this.#requestVisible();
      else this.#requestVisibleSpaced();
    }, SPACING_MS);
  }

  /** Requests visible pages and, unless loaded, the one ahead, two at a time; aborts requests for others. */
  #requestVisible(): void {
    for (const [number, abort] of this.#running) {
      if (this.#isWantedPage(number)) continue;
      abort.abort();
      this.#running.delete(number);
    }
    /** Loads a page unless it is being loaded or too many are. */
    const loadPageIf = (number: number, isWanted: boolean): void => {
      if (!isWanted || this.#running.size >= AT_ONCE || this.#running.has(number)) return;
      void this.#loadPage(number).then(() => {
        if (this.#isOutdated && this.#running.size === 0) this.refresh();
      });
    };
    for (let number = this.#from; number <= this.#until; number++) {
      loadPageIf(
        number,
        (number === this.#from || this.#isPageOfList(number)) && this.#pages.get(number)?.turn !== this.#turn,
      );
    }
    loadPageIf(
      this.#ahead,
      this.#total !== undefined && this.#isPageOfList(this.#ahead) && !this.#pages.has(this.#ahead),
    );
  }
}
