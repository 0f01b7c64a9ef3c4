import type { Table } from '../../store/store.ts';
import type { Row, RowSource } from '../definitions/model.ts';
import { isDeletedThere, sourcesOf } from './sources.ts';

export interface RowCounts {
  readonly total: number;
  /** By local id of the bringing partner. */
  readonly received: Readonly<Record<string, number>>;
  readonly inBin: number;
  /** By local id of the partner. */
  readonly receivedInBin: Readonly<Record<string, number>>;
  readonly edited: number;
  /** Outside the bin, kept after their partner ended; absent if none. */
  readonly kept?: number;
  /** By installations passed through, at most 200; absent if none. */
  readonly keptFrom?: Readonly<Record<string, number>>;
  /** Changed, deleted or restored by our user, by partner whose version differs; absent if none. */
  readonly changedHere?: Readonly<Record<string, number>>;
}

/** The table keeps its first name. */
export const ROW_COUNTS: Table<RowCounts> = { name: 'tally' };
export const ROW_COUNTS_KEY = 'rows';

/** Partners choose the ids, and each write stores all. */
export const MAX_KEPT_FROM = 200;

export const NO_ROWS: RowCounts = { total: 0, received: {}, inBin: 0, receivedInBin: {}, edited: 0 };

export class CountsUpdate {
  #total: number;
  #inBin: number;
  #edited: number;
  #kept: number;
  readonly #received: Map<string, number>;
  readonly #receivedInBin: Map<string, number>;
  readonly #changedHere: Map<string, number>;
  readonly #keptFrom: Map<string, number>;

  constructor(start: RowCounts) {
    this.#total = start.total;
    this.#inBin = start.inBin;
    this.#edited = start.edited;
    this.#kept = start.kept ?? 0;
    this.#received = new Map(Object.entries(start.received));
    this.#receivedInBin = new Map(Object.entries(start.receivedInBin));
    this.#changedHere = new Map(Object.entries(start.changedHere ?? {}));
    this.#keptFrom = new Map(Object.entries(start.keptFrom ?? {}));
  }

  /** Replaces a row in the counts; `before` is undefined for a new one. */
  countChange(before: Row | undefined, after: Row): void {
    if (before) this.#addRow(before, -1);
    this.#addRow(after, 1);
  }

  /** Adds new rows outside the bin, from this partner alone, or ours (undefined). */
  addNew(nodeID: string | undefined, rows: number): void {
    this.#total += rows;
    if (nodeID !== undefined) changeCount(this.#received, nodeID, rows);
  }

  /** Returns the counts as stored, without optional ones that are zero. */
  counts(): RowCounts {
    return {
      total: this.#total,
      received: Object.fromEntries(this.#received),
      inBin: this.#inBin,
      receivedInBin: Object.fromEntries(this.#receivedInBin),
      edited: this.#edited,
      ...(this.#kept > 0 ? { kept: this.#kept } : {}),
      ...(this.#keptFrom.size > 0 ? { keptFrom: Object.fromEntries(this.#keptFrom) } : {}),
      ...(this.#changedHere.size > 0 ? { changedHere: Object.fromEntries(this.#changedHere) } : {}),
    };
  }

  /** Adds a row to its counts, or subtracts it. */
  #addRow(row: Row, by: 1 | -1): void {
    addChanged(this.#changedHere, row, by);
    if (row.purged) return;
    if (row.deletedAt !== undefined) {
      this.#inBin += by;
      addFor(this.#receivedInBin, row, by);
      return;
    }
    this.#total += by;
    if (row.former) {
      this.#kept += by;
      this.#countKept(row.former, by);
    }
    addFor(this.#received, row, by);
    if (row.received && row.received.edited.length > 0) this.#edited += by;
  }

  /**
   * Counts a kept row for up to 200 installations that it passed through, and for the last one, which no partner
   * invents.
   */
  #countKept({ via }: Pick<RowSource, 'via'>, by: 1 | -1): void {
    for (const installation of new Set(via)) {
      const isCounted = this.#keptFrom.has(installation) || this.#keptFrom.size < MAX_KEPT_FROM;
      if (isCounted || installation === via.at(-1)) changeCount(this.#keptFrom, installation, by);
    }
  }
}

/** Changes the count of each partner that brings the row. */
function addFor(byNode: Map<string, number>, { received }: Row, change: number): void {
  for (const { nodeID } of received ? sourcesOf(received) : []) changeCount(byNode, nodeID, change);
}

/**
 * Changes the count of each partner whose version differs: our user edited or deleted the row, or restored it after all
 * sources deleted it.
 */
function addChanged(
  byNode: Map<string, number>,
  { received, deletedAt, deletedBy }: Row,
  change: number,
): void {
  if (!received) return;
  const sources = sourcesOf(received);
  const isRestored = deletedAt === undefined && sources.every(isDeletedThere);
  const isChanged = deletedAt === undefined ? received.edited.length > 0 : deletedBy !== undefined;
  if (!isRestored && !isChanged) return;
  for (const source of sources)
    if (isRestored || !isDeletedThere(source)) changeCount(byNode, source.nodeID, change);
}

/** Adds `change` to a count; removes it at zero or below. */
function changeCount(byID: Map<string, number>, id: string, change: number): void {
  const now = (byID.get(id) ?? 0) + change;
  // Older versions missed some.
  if (now <= 0) byID.delete(id);
  else byID.set(id, now);
}
