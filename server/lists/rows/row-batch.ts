import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import type { Partition, Table, Tx } from '../../store/store.ts';
import type { Field, Row } from '../definitions/model.ts';
import { createAudienceNotes } from './audience-notes.ts';
import type { Audience } from './audience-table.ts';
import { isImport, noteImport } from './import-notes.ts';
import { createRetitledNotes } from './retitled-notes.ts';
import { createHistoryNotes } from './row-history.ts';
import { createRunNotes } from './row-runs.ts';
import {
  amendRow,
  changedRows,
  isRow,
  newestRow,
  putNewRow,
  putRow,
  type NewRowAsStored,
} from './row-table.ts';
import { createTally, EMPTY_TALLY, TALLY, TALLY_KEY } from './tally.ts';
import { seenSince } from '../values/times.ts';

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
  readonly drawLine: () => Promise<string>;
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
}

/** The line that was drawn last, in milliseconds. */
const LINE: Table<number> = { name: 'line' };
const LINE_KEY = 'last';

/**
 * @param onWritten called after a write that put any row, or told an audience of one, is durable
 * @param naming the columns whose texts call the rows of this list something elsewhere
 */
export function createRowWriter(deps: {
  partition: Partition;
  clock: Clock;
  ids: Ids;
  onWritten: (written: Written) => void;
  naming: () => readonly Field[];
  /** Who sees those rows of the list that meet a condition. */
  audiences?: () => readonly Audience[];
  /** The columns that the rows have. */
  fields: () => readonly Field[];
}): RowWriter {
  const { partition, clock, ids, onWritten, naming, fields, audiences = () => [] } = deps;
  const noteRun = createRunNotes(partition);
  let lastStamp: number | undefined;
  /** As of before the first write of this run. */
  let newest: string | undefined;

  const latest = async (): Promise<number> =>
    lastStamp ??
    Math.max(await latestStamp(partition, clock.now()), (await partition.get(LINE, LINE_KEY)) ?? 0);

  const runs =
    (alone?: 'alone'): WriteRows =>
    async (body, from = {}) => {
      let puts = 0;
      const told = new Set<string>();
      const result = await partition.transaction(async (tx) => {
        const before = await latest();
        newest ??= await newestRow(partition);
        lastStamp = Math.max(clock.now(), before);
        // What a file brought is known by its time, which nothing else may have: clocks may stand or go back.
        if (lastStamp === before && (from.file || isImport(tx, new Date(before).toISOString()))) lastStamp++;
        const tally = createTally((await tx.get(TALLY, TALLY_KEY)) ?? EMPTY_TALLY);
        const beginRun = await noteRun(tx);
        const now = new Date(lastStamp).toISOString();
        const retitled = createRetitledNotes(naming());
        const history = createHistoryNotes({ tx, partition, now, fields: fields(), from: from.partner });
        const known = createAudienceNotes({ tx, now, audiences: audiences(), fields: fields() });
        const begin = (): void => {
          if (puts === 0 && told.size === 0) beginRun();
        };
        const write = (old: Row | undefined, row: Row): void => {
          begin();
          puts++;
          putRow(tx, old, row);
          tally.change(old, row);
        };
        const putNew = (row: NewRowAsStored): void => {
          begin();
          puts++;
          putNewRow(tx, row);
          tally.addNew(row.nodeID);
        };
        const answer = await body({
          tx,
          now,
          putNew: audiences().length === 0 ? putNew : undefined,
          newID() {
            let recordID = ids.next(newest);
            while (isRow(tx, recordID)) recordID = ids.next(newest);
            return recordID;
          },
          rearrange(old, row) {
            write(old, row);
            known.note(row, true);
          },
          put(old, row, whose) {
            write(old, row);
            known.note(row, false);
            retitled.compare(old, row);
            history.note(old, row, whose);
          },
          dropHistory: (recordID) => history.drop(recordID),
          tell(audienceID) {
            begin();
            told.add(audienceID);
          },
          amend(old, row) {
            begin();
            puts++;
            amendRow(tx, row);
            tally.change(old, row);
            history.note(old, row);
          },
        });
        for (const audienceID of await known.write()) told.add(audienceID);
        await retitled.write(tx);
        await history.write();
        if (from.file && puts > 0) await noteImport(partition, tx, now, from.file);
        if (puts > 0) tx.put(TALLY, TALLY_KEY, tally.counts());
        // No row has this time then, and what is written after a start with a clock put back must not come before it.
        else if (told.size > 0) tx.put(LINE, LINE_KEY, lastStamp);
        return answer;
      }, alone);
      if (puts > 0 || told.size > 0) onWritten({ rows: puts > 0, audiences: told });
      return result;
    };

  return {
    write: runs(),
    writeAlone: runs('alone'),
    whileStill: (body) => partition.transaction(body, 'alone'),
    isAhead: async () => (await latest()) > clock.now(),
    drawLine: () =>
      partition.transaction(async (tx) => {
        lastStamp = Math.max(clock.now(), (await latest()) + 1);
        tx.put(LINE, LINE_KEY, lastStamp);
        return new Date(lastStamp).toISOString();
      }),
  };
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
