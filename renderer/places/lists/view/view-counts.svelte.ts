/** Rows come many times a second during a pull; counting follows at this pace. */
const CALM_MS = 1000;
/** And takes no more than such a part of the time: more views than the node keeps are each gone through anew. */
const PART = 1 / 10;

/** How many rows the views of a list have, counted one after the other, of those that somebody sees. */
export class ViewCounts {
  readonly #count: (viewID: string) => Promise<number | undefined>;
  #known = $state.raw<ReadonlyMap<string, number>>(new Map());
  #seen: readonly string[] = [];
  readonly #stale = new Set<string>();
  #due: ReturnType<typeof setTimeout> | undefined;
  #isCounting = false;
  #isOver = false;
  /** How long counting took the last time. */
  #took = 0;

  constructor(count: (viewID: string) => Promise<number | undefined>) {
    this.#count = count;
  }

  /** Undefined until it was counted. */
  of(viewID: string): number | undefined {
    return this.#known.get(viewID);
  }

  /** Says which views are seen: those that were not counted yet are, and only these are counted again. */
  show(viewIDs: readonly string[]): void {
    this.#seen = viewIDs;
    void this.#countAll();
  }

  /** Rows or views are others now. */
  changed(): void {
    for (const viewID of this.#known.keys()) this.#stale.add(viewID);
    this.#later();
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#due);
  }

  async #countAll(): Promise<void> {
    if (this.#isCounting) return;
    this.#isCounting = true;
    const began = performance.now();
    // What changes meanwhile is for the next time, or there would be no end while rows come.
    const before = new Set(this.#stale);
    for (;;) {
      const next = this.#seen.find((viewID) => before.has(viewID) || !this.#known.has(viewID));
      if (next === undefined || this.#isOver) break;
      before.delete(next);
      this.#stale.delete(next);
      // One that cannot be counted has no number until something changes: the rows themselves say why.
      const rows = await this.#count(next).catch(() => undefined);
      if (rows === undefined) this.#seen = this.#seen.filter((viewID) => viewID !== next);
      else this.#known = new Map([...this.#known, [next, rows]]);
      this.#took = performance.now() - began;
    }
    this.#isCounting = false;
    if (this.#seen.some((viewID) => this.#stale.has(viewID))) this.#later();
  }

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
