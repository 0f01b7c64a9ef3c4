/** Pulls bring rows many times a second. */
const CALM_MS = 1000;
/** Maximum part of the time spent counting: some views are scanned. */
const PART = 1 / 10;

/** Counts visible views one by one. */
export class ViewCounts {
  readonly #count: (viewID: string) => Promise<number | undefined>;
  #known = $state.raw<ReadonlyMap<string, number>>(new Map());
  #seen: readonly string[] = [];
  readonly #stale = new Set<string>();
  #due: ReturnType<typeof setTimeout> | undefined;
  #isCounting = false;
  #isOver = false;
  #took = 0;

  constructor(count: (viewID: string) => Promise<number | undefined>) {
    this.#count = count;
  }

  /** Returns a view's number of rows, maybe outdated; undefined if not counted. */
  countOf(viewID: string): number | undefined {
    return this.#known.get(viewID);
  }

  /** Counts visible views without a number in the background. */
  countVisible(viewIDs: readonly string[]): void {
    this.#seen = viewIDs;
    void this.#countAll();
  }

  /** Counts all again soon; outdated numbers stay visible until then. */
  invalidate(): void {
    for (const viewID of this.#known.keys()) this.#stale.add(viewID);
    this.#scheduleRound();
  }

  /** Stops counting for good. */
  stopCounting(): void {
    this.#isOver = true;
    clearTimeout(this.#due);
  }

  /**
   * Counts outdated or uncounted visible views in turn, in one round at a time; views outdated since wait for the next.
   * Leaves out a view that can't be counted until it is shown again.
   */
  async #countAll(): Promise<void> {
    if (this.#isCounting) return;
    this.#isCounting = true;
    const began = performance.now();
    // Later changes wait: while rows arrive, this round would never end.
    const before = new Set(this.#stale);
    for (;;) {
      const next = this.#seen.find((viewID) => before.has(viewID) || !this.#known.has(viewID));
      if (next === undefined || this.#isOver) break;
      before.delete(next);
      this.#stale.delete(next);
      const rows = await this.#count(next).catch(() => undefined);
      if (rows === undefined) this.#seen = this.#seen.filter((viewID) => viewID !== next);
      else this.#known = new Map([...this.#known, [next, rows]]);
      this.#took = performance.now() - began;
    }
    this.#isCounting = false;
    if (this.#seen.some((viewID) => this.#stale.has(viewID))) this.#scheduleRound();
  }

  /**
   * Starts a timer for the next round, in a second or, if longer, ten times the last duration; not if one is due or the
   * list was left.
   */
  #scheduleRound(): void {
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
