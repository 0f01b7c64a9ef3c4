import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import { omit } from '../../base/omit.ts';
import type { Partition, Table, Tx } from '../../store/store.ts';
import type { Field, HiddenFrom, Row } from '../definitions/model.ts';
import { createRowFilterUpdates, type RowFilterUpdates } from './row-filter-updates.ts';
import type { RowFilter } from './row-filter-table.ts';
import { isImport, noteImport } from './import-notes.ts';
import { createTitleChanges, type TitleChanges } from './title-changes.ts';
import { createHistoryNotes, type HistoryNotes } from './row-history.ts';
import { createRunNotes } from './row-runs.ts';
import { amendRow, changedRows, newestRow, putNewRow, putRow, type NewRowAsStored } from './row-table.ts';
import { NO_ROWS, CountsUpdate, ROW_COUNTS, ROW_COUNTS_KEY } from './row-counts.ts';
import { createStepRecorder, forgetSteps, type StepBegun, type StepRecorder } from './undo-log.ts';
import { seenSince } from '../values/times.ts';
import { hiddenFrom } from './sources.ts';

/** What a write to a list may do: every row goes through `put`, or through `putNew` where it is new, so that stamps and counts hold. */
export interface Batch {
  readonly tx: Tx;
  /** Time of this write, ISO 8601; never earlier than that of any write before it in this list. */
  readonly now: string;
  /**
   * An id that no row of this list has, behind those of all that it has had since before this run: a clock may have gone
   * back over a start, and then one may come a second time.
   */
  newID(): string;
  /**
   * @param before the row as it was, undefined for a new one; `after` must carry `now` as `updatedAt`, or as
   * `retitledAt` where nobody changed it
   * @param from our id of the partner whose word the row shows by that, where it is not who the write is for
   */
  put(before: Row | undefined, after: Row, from?: string): void;
  /** A new row that is written out already; undefined where it has to be looked at, as somebody sees it by a condition. */
  readonly putNew: ((row: NewRowAsStored) => void) | undefined;
  /** Records the step of the undo log that this write belongs to, if a user did it. */
  readonly steps: StepRecorder | undefined;
  /** The same for a row whose values go to other columns: what it is called by one of them is not compared. */
  rearrange(before: Row, after: Row): void;
  /** Nothing of what the row was before is to be kept: {@link HistoryNotes.drop}. */
  dropHistory(recordID: string): void;
  /** Of what partners know already: `after` keeps the times of `before`, and its place among the changes. */
  amend(before: Row, after: Row): void;
  /** Something is written for an audience that no row was put for. */
  tell(audienceID: string): void;
}

/** Where what is written came from, unless from the user's hand. */
export interface WrittenFrom {
  /** Our id of the partner that brings it. */
  readonly partner?: string;
  /** The file that is put in, by this user. */
  readonly file?: { readonly file: string; readonly by: string };
  /** The step of the undo log that it belongs to, where a user did it. */
  readonly step?: StepBegun;
}

/** Runs a write to one list; bodies run one at a time, each one durable transaction. */
export type WriteRows = <R>(body: (batch: Batch) => R | Promise<R>, from?: WrittenFrom) => Promise<R>;

export interface RowWriter {
  /** For writes that find their rows through `batch.tx`. */
  readonly write: WriteRows;
  /** For writes that read the whole partition: everything before is durable, nothing else runs meanwhile. */
  readonly writeAlone: WriteRows;
  /**
   * Draws a line in the list's own time, ISO 8601: what was written before has earlier times, what is written after it
   * has this one or later ones, whatever the clock does.
   */
  readonly advanceClock: () => Promise<string>;
  /** Whether the list's own time is ahead of the clock, which was put back. */
  readonly isAhead: () => Promise<boolean>;
  /** Runs `body` while nothing is written in this list; all that was written before is durable. */
  readonly whileStill: <R>(body: () => Promise<R>) => Promise<R>;
}

/** What a write that is durable was about. */
export interface Written {
  /** Any row was put. */
  readonly rows: boolean;
  /** Audiences that have something to be told. */
  readonly audiences: ReadonlySet<string>;
  /** As in {@link ListsChange}. */
  readonly hiddenFrom?: HiddenFrom;
}

/** The line that was drawn last, in milliseconds. */
const FENCE: Table<number> = { name: 'line' };
const FENCE_KEY = 'last';

interface RowWriterDeps {
  readonly partition: Partition;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Called after a write that put any row, or told an audience of one, is durable. */
  readonly onWritten: (written: Written) => void;
  /** The columns whose texts call the rows of this list something elsewhere. */
  readonly naming: () => readonly Field[];
  /** Who sees those rows of the list that meet a condition. */
  readonly audiences?: () => readonly RowFilter[];
  /** The columns that the rows have. */
  readonly fields: () => readonly Field[];
}

export function createRowWriter(deps: RowWriterDeps): RowWriter {
  const { partition, clock, onWritten } = deps;
  const noteRun = createRunNotes(partition);
  let lastStamp: number | undefined;
  /** As of before the first write of this run. */
  let newest: string | undefined;

  const latest = async (): Promise<number> =>
    lastStamp ??
    Math.max(await latestStamp(partition, clock.now()), (await partition.get(FENCE, FENCE_KEY)) ?? 0);

  const runs =
    (alone?: 'alone'): WriteRows =>
    async (body, from = {}) => {
      let written: Written | undefined;
      const result = await partition.transaction(async (tx) => {
        const before = await latest();
        newest ??= await newestRow(partition);
        lastStamp = Math.max(clock.now(), before);
        // What a file brought is known by its time, which nothing else may have: clocks may stand or go back.
        if (lastStamp === before && (from.file || (await isImport(tx, new Date(before).toISOString()))))
          lastStamp++;
        const tally = new CountsUpdate((await tx.get(ROW_COUNTS, ROW_COUNTS_KEY)) ?? NO_ROWS);
        const batch = new OpenBatch(deps, tx, {
          ...{ stamp: lastStamp, newest, tally, from },
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
    write: runs(),
    writeAlone: runs('alone'),
    whileStill: (body) => partition.transaction(body, 'alone'),
    isAhead: async () => (await latest()) > clock.now(),
    advanceClock: () =>
      partition.transaction(async (tx) => {
        lastStamp = Math.max(clock.now(), (await latest()) + 1);
        tx.put(FENCE, FENCE_KEY, lastStamp);
        return new Date(lastStamp).toISOString();
      }),
  };
}

/** What a batch begins with. */
interface Beginning {
  /** Its time, in milliseconds. */
  readonly stamp: number;
  /** The newest row as of before the first write of this run. */
  readonly newest: string | undefined;
  readonly tally: CountsUpdate;
  readonly beginRun: () => void;
  readonly from: WrittenFrom;
}

/** A write under way: its rows, and what is noted of them behind it. */
class OpenBatch implements Batch {
  readonly tx: Tx;
  readonly now: string;
  readonly putNew: Batch['putNew'];
  readonly steps: StepRecorder | undefined;
  readonly #deps: RowWriterDeps;
  readonly #beginning: Beginning;
  readonly #retitled: TitleChanges;
  readonly #history: HistoryNotes;
  readonly #known: RowFilterUpdates;

  readonly #told = new Set<string>();
  #forgetsSteps = false;
  #puts = 0;
  #hiddenFrom: HiddenFrom | undefined;

  constructor(deps: RowWriterDeps, tx: Tx, beginning: Beginning) {
    const { partition } = deps;
    const fields = deps.fields();
    const audiences = deps.audiences?.() ?? [];
    const now = new Date(beginning.stamp).toISOString();
    this.tx = tx;
    this.now = now;
    this.#deps = deps;
    this.#beginning = beginning;
    this.#retitled = createTitleChanges(deps.naming());
    this.#history = createHistoryNotes({ tx, partition, now, fields, from: beginning.from.partner });
    this.#known = createRowFilterUpdates({ tx, now, audiences, fields });
    const { step } = beginning.from;
    this.steps = step && createStepRecorder({ tx, partition, now, fields }, step);
    this.putNew = audiences.length === 0 ? (row) => this.#putNew(row) : undefined;
  }

  newID(): string {
    return this.#deps.ids.next(this.#beginning.newest);
  }

  put(old: Row | undefined, changed: Row, whose?: string): void {
    const row = changed.valuesSeq === undefined ? changed : omit(changed, 'valuesSeq');
    this.#write(old, row);
    this.#known.markChanged(old, row, false);
    this.#retitled.compare(old, row);
    this.#history.note(old, row, whose);
    this.steps?.note(old, row);
  }

  #putNew(row: NewRowAsStored): void {
    this.#count({ nodeID: row.nodeID });
    putNewRow(this.tx, row);
    this.#beginning.tally.addNew(row.nodeID);
  }

  rearrange(old: Row, row: Row): void {
    this.#write(old, row);
    this.#known.markChanged(old, row, true);
  }

  dropHistory(recordID: string): void {
    this.#history.drop(recordID);
    // A step may hold what the row was.
    this.#forgetsSteps = true;
  }

  amend(old: Row, row: Row): void {
    this.#count('all');
    amendRow(this.tx, old, row);
    this.#beginning.tally.change(old, row);
    this.#history.note(old, row);
  }

  tell(audienceID: string): void {
    this.#begin();
    this.#told.add(audienceID);
  }

  /** Writes what is noted of the rows; undefined where nothing was written. */
  async close(): Promise<Written | undefined> {
    const { tx } = this;
    const { from, tally, stamp } = this.#beginning;
    for (const audienceID of await this.#known.write()) this.#told.add(audienceID);
    await this.#retitled.write(tx);
    await this.#history.write();
    if (this.#forgetsSteps) await forgetSteps(this.#deps.partition, tx);
    await this.steps?.write();
    const rows = this.#puts > 0;
    if (from.file && rows) await noteImport(this.#deps.partition, tx, this.now, from.file);
    if (rows) tx.put(ROW_COUNTS, ROW_COUNTS_KEY, tally.counts());
    // No row has this time then, and what is written after a start with a clock put back must not come before it.
    else if (this.#told.size > 0) tx.put(FENCE, FENCE_KEY, stamp);
    if (!rows && this.#told.size === 0) return undefined;
    return { rows, audiences: this.#told, ...(this.#hiddenFrom && { hiddenFrom: this.#hiddenFrom }) };
  }

  #write(old: Row | undefined, row: Row): void {
    this.#count(hiddenFrom(old, row));
    putRow(this.tx, old, row);
    this.#beginning.tally.change(old, row);
  }

  #count(hidden: HiddenFrom | undefined): void {
    this.#begin();
    this.#hiddenFrom = this.#puts === 0 ? hidden : hiddenFromBoth(this.#hiddenFrom, hidden);
    this.#puts++;
  }

  #begin(): void {
    if (this.#puts === 0 && this.#told.size === 0) this.#beginning.beginRun();
  }
}

function hiddenFromBoth(one: HiddenFrom | undefined, other: HiddenFrom | undefined): HiddenFrom | undefined {
  if (one === 'all') return other;
  if (other === 'all' || one === undefined || one.nodeID === other?.nodeID) return one;
  return undefined;
}

/** The stamp of the last change, where the clock has gone back behind it since; else the time now. */
async function latestStamp(partition: Partition, now: number): Promise<number> {
  let latest = now;
  let page = await changedRows(partition, { sinceTime: now }, 1000);
  while (page.length > 0) {
    const last = page[page.length - 1];
    if (!last) break;
    latest = Math.max(latest, Date.parse(seenSince(last.value)));
    page = await changedRows(partition, { afterSeq: last.seq }, 1000);
  }
  return latest;
}
