/** How many rows the views of a list have, counted one after the other, of those that somebody sees. */
export interface ViewCounts {
  /** Undefined until it was counted. */
  of(viewID: string): number | undefined;
  /** Says which views are seen: those that were not counted yet are, and only these are counted again. */
  show(viewIDs: readonly string[]): void;
  /** Rows or views are others now. */
  changed(): void;
  stop(): void;
}

/** Rows come many times a second during a pull; counting follows at this pace. */
const CALM_MS = 1000;
/** And takes no more than such a part of the time: more views than the node keeps are each gone through anew. */
const PART = 1 / 10;

export function createViewCounts(count: (viewID: string) => Promise<number | undefined>): ViewCounts {
  let known = $state.raw<ReadonlyMap<string, number>>(new Map());
  let seen: readonly string[] = [];
  const stale = new Set<string>();
  let due: ReturnType<typeof setTimeout> | undefined;
  let counting = false;
  let over = false;
  /** How long counting took the last time. */
  let took = 0;

  async function countAll(): Promise<void> {
    if (counting) return;
    counting = true;
    const began = performance.now();
    // What changes meanwhile is for the next time, or there would be no end while rows come.
    const before = new Set(stale);
    for (;;) {
      const next = seen.find((viewID) => before.has(viewID) || !known.has(viewID));
      if (next === undefined || over) break;
      before.delete(next);
      stale.delete(next);
      // One that cannot be counted has no number until something changes: the rows themselves say why.
      const rows = await count(next).catch(() => undefined);
      if (rows === undefined) seen = seen.filter((viewID) => viewID !== next);
      else known = new Map([...known, [next, rows]]);
      took = performance.now() - began;
    }
    counting = false;
    if (seen.some((viewID) => stale.has(viewID))) later();
  }

  function later(): void {
    if (over) return;
    due ??= setTimeout(
      () => {
        due = undefined;
        void countAll();
      },
      Math.max(CALM_MS, took / PART),
    );
  }

  return {
    of: (viewID) => known.get(viewID),
    show(viewIDs) {
      seen = viewIDs;
      void countAll();
    },
    changed() {
      for (const viewID of known.keys()) stale.add(viewID);
      later();
    },
    stop() {
      over = true;
      clearTimeout(due);
    },
  };
}
