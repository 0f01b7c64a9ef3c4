import type { GridRow } from '../../../../server/contract/app/lists.ts';
import type { Came } from './rows.svelte.ts';
import { sameValues } from './values.ts';

/** What a partner has just brought into a row that one looks at. */
export interface Mark {
  /** Names of the columns whose shown value changed; undefined: the row is new. */
  readonly columns: ReadonlySet<string> | undefined;
  /** It glows first; then a line stays. */
  readonly glows: boolean;
}

/** Which rows and cells arrived while one looked at their list, until they were seen. */
export interface Fresh {
  of(recordID: string): Mark | undefined;
  /** How many rows glow now. */
  readonly glowing: number;
  /** What came while the row was out of sight has its line at once. */
  note(rows: readonly GridRow[], came: Came): void;
  /** The user has gone to it: the line that stayed goes. */
  saw(recordID: string): void;
  stop(): void;
}

/** How long a new cell holds its glow and lets go of it: as long as the animation `settle` takes. */
const GLOW_MS = 2000;
/** Rows of which it is remembered what they showed; the ones not shown for longest go first. */
const REMEMBERED = 20_000;

/** The columns that show something else because it was received; none of those that were changed here. */
function changedIn({ values, received }: GridRow, before: GridRow): readonly string[] {
  return Object.keys(received?.values ?? {}).filter(
    (name) =>
      !sameValues(received?.values[name], before.received?.values[name]) &&
      !sameValues(values[name], before.values[name]),
  );
}

/** @param opened when the list came into view, in milliseconds: what arrived before is not new */
export function createFresh(opened: number): Fresh {
  const known = new Map<string, GridRow>();
  const settling = new Set<ReturnType<typeof setTimeout>>();
  let marks = $state.raw<ReadonlyMap<string, Mark>>(new Map());
  const glowing = $derived([...marks.values()].filter(({ glows }) => glows).length);

  function markOf(row: GridRow, glows: boolean): Mark | undefined {
    const before = known.get(row.recordID);
    if (!before) {
      const isNew = row.received !== undefined && Date.parse(row.received.receivedAt) >= opened;
      return isNew ? { columns: undefined, glows } : undefined;
    }
    const changed = changedIn(row, before);
    if (changed.length === 0) return undefined;
    const had = marks.get(row.recordID);
    // A row that is new stays so as a whole.
    const columns = had && !had.columns ? undefined : new Set([...(had?.columns ?? []), ...changed]);
    return { columns, glows };
  }

  function remember(rows: readonly GridRow[]): void {
    for (const row of rows) {
      known.delete(row.recordID);
      known.set(row.recordID, row);
    }
    for (const recordID of known.keys()) {
      if (known.size <= REMEMBERED) break;
      known.delete(recordID);
    }
  }

  /** The glow is over; but for rows that changed once more since then. */
  function settle(batch: ReadonlyMap<string, Mark>): void {
    const next = new Map(marks);
    for (const [recordID, mark] of batch)
      if (next.get(recordID) === mark) next.set(recordID, { ...mark, glows: false });
    marks = next;
  }

  return {
    of: (recordID) => marks.get(recordID),
    get glowing() {
      return glowing;
    },
    note(rows, came) {
      const batch = new Map<string, Mark>();
      for (const row of came === 'not' ? [] : rows) {
        const mark = markOf(row, came === 'now');
        if (mark) batch.set(row.recordID, mark);
      }
      remember(rows);
      if (batch.size === 0) return;
      marks = new Map([...marks, ...batch]);
      if (came !== 'now') return;
      const timer = setTimeout(() => {
        settling.delete(timer);
        settle(batch);
      }, GLOW_MS);
      settling.add(timer);
    },
    saw(recordID) {
      if (marks.get(recordID)?.glows !== false) return;
      marks = new Map([...marks].filter(([other]) => other !== recordID));
    },
    stop() {
      for (const timer of settling) clearTimeout(timer);
    },
  };
}
