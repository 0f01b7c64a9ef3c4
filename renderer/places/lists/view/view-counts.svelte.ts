/** Rows arrive many times a second during a pull; counting is limited to this pace. */
const CALM_MS = 1000;
/** Counting takes at most this fraction of the time: views beyond the node's cache are scanned each time. */
const PART = 1 / 10;

/** Row counts of a list's visible views, computed one after the other. */
export class ViewCounts {
  readonly #count: (viewID: string) => Promise<number | undefined>;
  #known = $state.raw<ReadonlyMap<string, number>>(new Map());
  #seen: readonly string[] = [];
  readonly #stale = new Set<string>();
  #due: ReturnType<typeof setTimeout> | undefined;
  #isCounting = false;
  #isOver = false;
  /** Duration of the last count. */
  #took = 0;

  constructor(count: (viewID: string) => Promise<number | undefined>) {
    this.#count = count;
  }

  /** Undefined until counted. */
  of(viewID: string): number | undefined {
    return this.#known.get(viewID);
  }

  /**
   * Sets the visible views and counts those without a number in the background; only visible views are counted
   * again.
   */
  show(viewIDs: readonly string[]): void {
    this.#seen = viewIDs;
    void this.#countAll();
  }

  /** Marks all counts as outdated, as rows or views changed, and schedules counting. */
  changed(): void {
    for (const viewID of this.#known.keys()) this.#stale.add(viewID);
    this.#later();
  }

  /** Stops counting for good. */
  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#due);
  }

  /**
   * Counts visible views that are outdated or uncounted, one after the other. A view that can't be counted has no
   * number. Schedules the next round if some became outdated meanwhile.
   */
  async #countAll(): Promise<void> {
    if (this.#isCounting) return;
    this.#isCounting = true;
    const began = performance.now();
    // Later changes wait for the next round, which would otherwise never end while rows arrive.
    const before = new Set(this.#stale);
    for (;;) {
      const next = this.#seen.find((viewID) => before.has(viewID) || !this.#known.has(viewID));
      if (next === undefined || this.#isOver) break;
      before.delete(next);
      this.#stale.delete(next);
      // A view that can't be counted has no number until something changes: the rows say why.
      const rows = await this.#count(next).catch(() => undefined);
      if (rows === undefined) this.#seen = this.#seen.filter((viewID) => viewID !== next);
      else this.#known = new Map([...this.#known, [next, rows]]);
      this.#took = performance.now() - began;
    }
    this.#isCounting = false;
    if (this.#seen.some((viewID) => this.#stale.has(viewID))) this.#later();
  }

  /** Schedules counting, so that it takes at most a tenth of the time, unless it is scheduled already. */
  #later(): void {
    if (this.#isOver || this.#due !== undefined) return;
    this.#due = setTimeout(
      () => {
        this.#due = undefined;
        void this.#countAll();
      },
      Math.max(CALM_MS, this.#took / PART),
    );
  }
}
