import type { Table } from '../../store/store.ts';
import type { Row, RowSource } from '../definitions/model.ts';
import { isDeletedThere, sourcesOf } from './sources.ts';

export interface RowCounts {
  /** Rows outside the bin. */
  readonly total: number;
  /** Of these, by the node they came from. */
  readonly received: Readonly<Record<string, number>>;
  /** Deleted rows that can be restored. */
  readonly inBin: number;
  /** Of these, by the node they came from. */
  readonly receivedInBin: Readonly<Record<string, number>>;
  /** Rows outside the bin with at least one local edit over a received value. */
  readonly edited: number;
  /** Rows outside the bin that were kept when their partner was not heard of any more; absent where there is none. */
  readonly kept?: number;
  /** The same by the installations that they had come through, {@link MAX_KEPT_FROM} of many; absent where there is none. */
  readonly keptFrom?: Readonly<Record<string, number>>;
  /**
   * Rows that the user changed, removed or restored here, by the node that they came from, which has them as they were or
   * has removed them; absent where there is none.
   */
  readonly changedHere?: Readonly<Record<string, number>>;
}

/** The counts of a list, kept up in the same transaction as its rows so that nobody has to count them. */
export const ROW_COUNTS: Table<RowCounts> = { name: 'tally' };
export const ROW_COUNTS_KEY = 'rows';

/**
 * More than ever pass rows on between offices. Partners name those on the way of a row, and the counts are written with
 * each write: made-up ones would make every later change of the list a large one.
 */
export const MAX_KEPT_FROM = 200;

export const NO_ROWS: RowCounts = { total: 0, received: {}, inBin: 0, receivedInBin: {}, edited: 0 };

/** The counts of a list while one write changes its rows. */
export class CountsUpdate {
  #total: number;
  #inBin: number;
  #edited: number;
  #kept: number;
  readonly #received: Map<string, number>;
  readonly #receivedInBin: Map<string, number>;
  readonly #changedHere: Map<string, number>;
  readonly #keptFrom: Map<string, number>;

  /** Counts on from `start`, which stays as it is. */
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

  /** A row went from one state to another; undefined: it was not there before. */
  change(before: Row | undefined, after: Row): void {
    if (before) this.#add(before, -1);
    this.#add(after, 1);
  }

  /** There is one more, which this partner brought and nobody else. */
  addNew(nodeID: string): void {
    this.#total++;
    count(this.#received, nodeID, 1);
  }

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

  #add(row: Row, by: 1 | -1): void {
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
      this.#addKept(row.former, by);
    }
    addFor(this.#received, row, by);
    if (row.received && row.received.edited.length > 0) this.#edited += by;
  }

  /** The partner that brought it, which nobody makes up, in any case. */
  #addKept({ via }: Pick<RowSource, 'via'>, by: 1 | -1): void {
    for (const installation of new Set(via)) {
      const isCounted = this.#keptFrom.has(installation) || this.#keptFrom.size < MAX_KEPT_FROM;
      if (isCounted || installation === via.at(-1)) count(this.#keptFrom, installation, by);
    }
  }
}

/** A row counts for each partner that brings it. */
function addFor(byNode: Map<string, number>, { received }: Row, by: number): void {
  for (const { nodeID } of received ? sourcesOf(received) : []) count(byNode, nodeID, by);
}

/**
 * Our user changed or removed it, and the partner has it as it was, also when the bin was emptied since; or brought it
 * back after all who had brought it removed it.
 */
function addChanged(byNode: Map<string, number>, { received, deletedAt, deletedBy }: Row, by: number): void {
  if (!received) return;
  const ways = sourcesOf(received);
  const isRestored = deletedAt === undefined && ways.every(isDeletedThere);
  const isChanged = deletedAt === undefined ? received.edited.length > 0 : deletedBy !== undefined;
  if (!isRestored && !isChanged) return;
  for (const way of ways) if (isRestored || !isDeletedThere(way)) count(byNode, way.nodeID, by);
}

function count(byID: Map<string, number>, id: string, by: number): void {
  const now = (byID.get(id) ?? 0) + by;
  // A tally of an older version did not count some of them.
  if (now <= 0) byID.delete(id);
  else byID.set(id, now);
}
