import { randomInt } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import { omit } from '../../base/omit.ts';
import type { Partition, Table, Tx } from '../../store/store.ts';
import type { Field, HiddenFrom, Row, Values } from '../definitions/model.ts';
import { createRowFilterUpdates, type RowFilterUpdates } from './row-filter-updates.ts';
import type { RowFilter } from './row-filter-table.ts';
import { keepLastEdit } from './edits.ts';
import { recordImport } from './import-notes.ts';
import { createTitleChanges, type TitleChanges } from './title-changes.ts';
import { createHistoryRecorder, type HistoryRecorder } from './row-history.ts';
import { createRunNotes } from './row-runs.ts';
import { amendRow, changedRows, newestRow, putNewRows, putRow, type NewRowsAsStored } from './row-table.ts';
import { NO_ROWS, CountsUpdate, ROW_COUNTS, ROW_COUNTS_KEY } from './row-counts.ts';
import { createStepRecorder, forgetSteps, type StepBegun, type StepRecorder } from './undo-log.ts';
import { lastChangeTime } from '../values/times.ts';
import { hiddenFrom } from './sources.ts';

/** A write to a list; its methods keep times and counts right. */
export interface Batch {
  readonly tx: Tx;
  /** ISO 8601; never before an earlier write. */
  readonly now: string;
  /** Returns an id greater than all from earlier runs, whatever the clock. */
  newID(): string;
  /**
   * Writes a row with counts, history, titles, filters and undo step; returns it as written: `now` is its `updatedAt`,
   * or `retitledAt` if nobody changed it.
   * @param before undefined for a new row
   * @param from local id of the version's partner, if not the write's
   */
  put(before: Row | undefined, after: Row, from?: string): Row;
  /** Like `put` without undo step, which has the cells already. */
  putMatched(before: Row, after: Row): Row;
  /** Undefined if row filters must test each row. */
  readonly putNew: ((rows: NewRowsAsStored) => void) | undefined;
  /** The write's undo step, if any. */
  readonly steps: StepRecorder | undefined;
  /**
   * Moves values to other columns, without titles and undo step, with a history of converted values only.
   * @param isEdit a value was also converted, or came back
   * @param converted previous values by column id, and the user
   */
  rearrange(
    before: Row,
    after: Row,
    isEdit: boolean,
    converted?: { readonly was: Values; readonly by: string },
  ): void;
  /** Deletes it, with all undo steps, when the write ends. */
  dropHistory(recordID: string): void;
  /** Keeps times and sequence number, so nobody is sent it again. */
  amend(before: Row, after: Row): void;
  /** Notifies a filter's viewer without a changed row. */
  markFilterChanged(filterID: string): void;
}

export interface WrittenFrom {
  readonly partner?: string;
  readonly file?: { readonly file: string; readonly by: string };
  readonly step?: StepBegun;
}

/** Runs one write at a time, each a durable transaction. */
export type WriteRows = <R>(body: (batch: Batch) => R | Promise<R>, from?: WrittenFrom) => Promise<R>;

export interface RowWriter {
  /** For writes that find rows through `batch.tx`. */
  readonly write: WriteRows;
  /** Exclusive, with earlier writes durable: for reading the whole partition. */
  readonly writeAlone: WriteRows;
  /** Advances the hybrid logical clock and returns it, ISO 8601: earlier writes have smaller times. */
  readonly advanceClock: () => Promise<string>;
  readonly isAhead: () => Promise<boolean>;
  /** Runs `body` without concurrent writes, earlier ones durable. */
  readonly whileStill: <R>(body: () => Promise<R>) => Promise<R>;
}

export interface Written {
  readonly rows: boolean;
  readonly filterIDs: ReadonlySet<string>;
  readonly hiddenFrom?: HiddenFrom;
}

const MINUTE_MS = 60_000;
/** Many writes in one millisecond explain smaller leads. */
const FENCED_FROM_MS = 1000;

const FENCE: Table<number> = { name: 'line' };
const FENCE_KEY = 'last';

interface RowWriterDeps {
  readonly partition: Partition;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Called after durable writes of rows or row filters. */
  readonly onWritten: (written: Written) => void;
  /** Columns that title this list's rows elsewhere. */
  readonly naming: () => readonly Field[];
  readonly filters?: () => readonly RowFilter[];
  readonly fields: () => readonly Field[];
}

/**
 * Creates the writes of a list. Each is one transaction with a time later than all before, and once durable is reported
 * to `onWritten` unless it wrote nothing.
 */
export function createRowWriter(deps: RowWriterDeps): RowWriter {
  const { partition, clock, onWritten } = deps;
  const noteRun = createRunNotes(partition);
  let lastStamp: number | undefined;
  /** Before this run's first write. */
  let newest: string | undefined;

  /**
   * Returns the latest time of a write, in ms. If the greatest time is in the future at this run's first write, adds a
   * random part of a minute: a restored backup must not give out the same times again.
   */
  const findLatestTime = async (): Promise<number> => {
    if (lastStamp !== undefined) return lastStamp;
    const fence = (await partition.get(FENCE, FENCE_KEY)) ?? 0;
    const stored = Math.max(await readLatestStamp(partition, clock.now()), fence);
    return (lastStamp = stored > clock.now() + FENCED_FROM_MS ? stored + randomInt(MINUTE_MS) : stored);
  };

  /**
   * Creates a function that calls `body` with a batch in one transaction, then reports what it wrote.
   * @param alone no other write of the partition runs meanwhile
   */
  const createWrite =
    (alone?: 'alone'): WriteRows =>
    async (body, from = {}) => {
      let written: Written | undefined;
      const result = await partition.transaction(async (tx) => {
        const before = await findLatestTime();
        newest ??= await newestRow(partition);
        // Unique: shows stale changes and identifies an import.
        lastStamp = Math.max(clock.now(), before + 1);
        // Binned rows may keep their time, so none would show this one after a restart.
        if (lastStamp > clock.now() + FENCED_FROM_MS) tx.put(FENCE, FENCE_KEY, lastStamp);
        const update = new CountsUpdate((await tx.get(ROW_COUNTS, ROW_COUNTS_KEY)) ?? NO_ROWS);
        const batch = new OpenBatch(deps, tx, {
          ...{ stamp: lastStamp, newest, update, from },
          beginRun: await noteRun(tx),
        });
        const answer = await body(batch);
        written = await batch.close();
        return answer;
      }, alone);
      if (written) onWritten(written);
      return result;
    };

  return {
    write: createWrite(),
    writeAlone: createWrite('alone'),
    whileStill: (body) => partition.transaction(body, 'alone'),
    isAhead: async () => (await findLatestTime()) > clock.now(),
    advanceClock: () =>
      partition.transaction(async (tx) => {
        lastStamp = Math.max(clock.now(), (await findLatestTime()) + 1);
        tx.put(FENCE, FENCE_KEY, lastStamp);
        return new Date(lastStamp).toISOString();
      }),
  };
}

interface Beginning {
  readonly stamp: number;
  readonly newest: string | undefined;
  readonly update: CountsUpdate;
  readonly beginRun: () => void;
  readonly from: WrittenFrom;
}

class OpenBatch implements Batch {
  readonly tx: Tx;
  readonly now: string;
  readonly putNew: Batch['putNew'];
  readonly steps: StepRecorder | undefined;
  readonly #deps: RowWriterDeps;
  readonly #beginning: Beginning;
  readonly #titleChanges: TitleChanges;
  readonly #history: HistoryRecorder;
  readonly #known: RowFilterUpdates;

  readonly #filterIDs = new Set<string>();
  #forgetsSteps = false;
  #puts = 0;
  #hiddenFrom: HiddenFrom | undefined;

  constructor(deps: RowWriterDeps, tx: Tx, beginning: Beginning) {
    const { partition } = deps;
    const fields = deps.fields();
    const filters = deps.filters?.() ?? [];
    const now = new Date(beginning.stamp).toISOString();
    this.tx = tx;
    this.now = now;
    this.#deps = deps;
    this.#beginning = beginning;
    this.#titleChanges = createTitleChanges(deps.naming());
    this.#history = createHistoryRecorder({ tx, partition, now, fields, from: beginning.from.partner });
    this.#known = createRowFilterUpdates({ tx, now, filters, fields });
    const { step } = beginning.from;
    this.steps = step && createStepRecorder({ tx, partition, now, fields }, step);
    this.putNew = filters.length === 0 ? (rows) => this.#putNew(rows) : undefined;
  }

  /** Returns an unused id, greater than all from before this run, whatever the clock. */
  newID(): string {
    return this.#deps.ids.next(this.#beginning.newest);
  }

  /**
   * Writes a row with counts, history, titles, filters and undo step; returns it as written, with its last edit's
   * stamps.
   */
  put(old: Row | undefined, changed: Row, whose?: string): Row {
    const row = this.#putRow(old, changed, whose);
    this.steps?.recordRow(old, row);
    return row;
  }

  /** Writes a row like {@link put} without the undo step, which has its cells already. */
  putMatched(old: Row, changed: Row): Row {
    return this.#putRow(old, changed);
  }

  /** Writes a row like {@link put}, without the undo step. */
  #putRow(old: Row | undefined, changed: Row, whose?: string): Row {
    const next = changed.valuesSeq === undefined ? changed : omit(changed, 'valuesSeq');
    const row = old ? keepLastEdit(old, next, old.values !== next.values) : next;
    this.#writeRow(old, row);
    this.#known.markChanged(old, row, false);
    this.#titleChanges.compare(old, row);
    this.#history.recordChange(old, row, whose);
    return row;
  }

  /** Writes and counts new rows as stored, without history. */
  #putNew(rows: NewRowsAsStored): void {
    const { nodeID, keys } = rows;
    this.#countPut(nodeID === undefined ? undefined : { nodeID }, keys.length);
    putNewRows(this.tx, rows);
    this.#beginning.update.addNew(nodeID, keys.length);
  }

  /**
   * Writes and counts a row whose values only moved to other columns: no undo step, no changed titles, and history of
   * `converted` values only.
   * @param isEdit its last edit is this write
   */
  rearrange(
    old: Row,
    changed: Row,
    isEdit: boolean,
    converted?: { readonly was: Values; readonly by: string },
  ): void {
    const row = keepLastEdit(old, changed, isEdit);
    this.#writeRow(old, row);
    this.#known.markChanged(old, row, true);
    if (converted) this.#history.recordConversion(row, converted.was, converted.by);
  }

  /** Deletes the row's history when the write ends, with all undo steps of the list. */
  dropHistory(recordID: string): void {
    this.#history.deleteHistory(recordID);
    this.#forgetsSteps = true;
  }

  /**
   * Writes a row with its former times and sequence number, so that nobody is sent it again; counts it and its history.
   */
  amend(old: Row, row: Row): void {
    this.#countPut('all');
    amendRow(this.tx, old, row);
    this.#beginning.update.countChange(old, row);
    this.#history.recordChange(old, row);
  }

  /** Notifies a row filter's viewer without a changed row. */
  markFilterChanged(filterID: string): void {
    this.#recordNodeRun();
    this.#filterIDs.add(filterID);
  }

  /**
   * Adds what was collected beside the rows to the transaction. Returns what to announce once it is durable; undefined
   * if neither rows nor row filters changed.
   */
  async close(): Promise<Written | undefined> {
    const { tx } = this;
    const { from, update, stamp } = this.#beginning;
    for (const filterID of await this.#known.write()) this.#filterIDs.add(filterID);
    await this.#titleChanges.write(tx);
    await this.#history.write();
    if (this.#forgetsSteps) await forgetSteps(this.#deps.partition, tx);
    await this.steps?.write();
    const rows = this.#puts > 0;
    if (from.file && rows) await recordImport(this.#deps.partition, tx, this.now, from.file);
    if (rows) tx.put(ROW_COUNTS, ROW_COUNTS_KEY, update.counts());
    // No row has this time; after a restart, an earlier clock must not write before it.
    else if (this.#filterIDs.size > 0) tx.put(FENCE, FENCE_KEY, stamp);
    if (!rows && this.#filterIDs.size === 0) return undefined;
    return { rows, filterIDs: this.#filterIDs, ...(this.#hiddenFrom && { hiddenFrom: this.#hiddenFrom }) };
  }

  /** Writes the row and counts it, without history, titles and filters. */
  #writeRow(old: Row | undefined, row: Row): void {
    this.#countPut(hiddenFrom(old, row));
    putRow(this.tx, old, row);
    this.#beginning.update.countChange(old, row);
  }

  /**
   * Counts written rows, records the node's run before the write's first, and keeps only the partners that see none
   * of the written rows.
   */
  #countPut(hidden: HiddenFrom | undefined, puts = 1): void {
    this.#recordNodeRun();
    this.#hiddenFrom = this.#puts === 0 ? hidden : hiddenFromBoth(this.#hiddenFrom, hidden);
    this.#puts += puts;
  }

  /** Records the node's run (start to end) as the writer, before the write's first change; does nothing later. */
  #recordNodeRun(): void {
    if (this.#puts === 0 && this.#filterIDs.size === 0) this.#beginning.beginRun();
  }
}

/** Returns the partners that neither change is visible to; undefined if each partner sees one. */
function hiddenFromBoth(one: HiddenFrom | undefined, other: HiddenFrom | undefined): HiddenFrom | undefined {
  if (one === 'all') return other;
  if (other === 'all' || one === undefined || one.nodeID === other?.nodeID) return one;
  return undefined;
}

/** Returns the latest time of a row change in ms; `now - 1` if all are earlier than `now`. */
async function readLatestStamp(partition: Partition, now: number): Promise<number> {
  let latest = now - 1;
  let page = await changedRows(partition, { sinceTime: now }, 1000);
  while (page.length > 0) {
    const last = page[page.length - 1];
    if (!last) break;
    latest = Math.max(latest, Date.parse(lastChangeTime(last.value)));
    page = await changedRows(partition, { afterSeq: last.seq }, 1000);
  }
  return latest;
}
