/** Widths of columns that the user chose, in rem, so that large text gets large columns. Kept in this window's profile. */
export interface ChosenWidths {
  of(fieldID: string): number | undefined;
  /** Undefined gives the column back to the grid. */
  choose(fieldID: string, rems: number | undefined): void;
}

const KEY = 'footbridge.column-widths';
const NARROWEST = 4;
const WIDEST = 60;

export function createWidths(storage: Pick<Storage, 'getItem' | 'setItem'>): ChosenWidths {
  let chosen = $state.raw(read(storage.getItem(KEY)));
  return {
    of: (fieldID) => chosen.get(fieldID),
    choose(fieldID, rems) {
      const next = new Map(chosen);
      if (rems === undefined) next.delete(fieldID);
      else next.set(fieldID, Math.min(WIDEST, Math.max(NARROWEST, rems)));
      chosen = next;
      storage.setItem(KEY, JSON.stringify(Object.fromEntries(next)));
    },
  };
}

/** What was stored; anything else than sensible widths counts as nothing. */
function read(text: string | null): ReadonlyMap<string, number> {
  try {
    const stored: unknown = JSON.parse(text ?? '{}');
    const entries = typeof stored === 'object' && stored !== null ? Object.entries(stored) : [];
    return new Map(
      entries.flatMap(([fieldID, rems]): [string, number][] =>
        typeof rems === 'number' && rems >= NARROWEST && rems <= WIDEST ? [[fieldID, rems]] : [],
      ),
    );
  } catch {
    return new Map();
  }
}
