import type { Partition, Table, Tx } from '../../store/store.ts';
import {
  applyIncoming,
  withEndedSource,
  withoutPartner,
  type ApplyContext,
  type Candidates,
} from './apply-incoming.ts';
import type { Applied, Put } from './merge-sources.ts';
import { rowsOf, type IncomingColumns } from '../../base/incoming-row.ts';
import { forgetBinnedCells } from '../definitions/column-bin.ts';
import { detach } from './detached.ts';
import { showsOwn } from './matched-cells.ts';
import type { ApplyCounts, IncomingRow, Module, Row, RowSource } from '../definitions/model.ts';
import { findNewKeys, lookUpCandidates } from './candidates.ts';
import { omit } from '../../base/omit.ts';
import { createYielder } from '../../base/yield.ts';
import type { Batch, RowWriter } from './row-batch.ts';
import { isPlainRow, createNewRowsEncoder, type NewRowsEncoder } from './encode-new-rows.ts';
import { pageRows, receivedKey, getRowsByReceivedKey } from './row-table.ts';
import { ROW_COUNTS, ROW_COUNTS_KEY } from './row-counts.ts';
import { isDeletedThere, lineageOf, sourceFrom, sourcesOf } from './sources.ts';

export interface ReceivedPage {
  readonly nodeID: string;
  /** By local column name, converted, without empty texts; others are ignored. */
  readonly rows: readonly IncomingRow[];
  readonly columns?: IncomingColumns | undefined;
  /** Local columns filled by this partner, emptied if a row lacks them. */
  readonly mappedColumns: readonly string[];
  /** They win over later ours: after a comparison, or a partner's restoration. */
  readonly overrule?: boolean;
  /** Called before a change to existing rows. Default: applies all. */
  readonly judge?: Judge;
  /** In the same transaction: checkpoint, failed or quarantined rows. */
  readonly also?: (tx: Tx) => void | Promise<void>;
}

/** Decides what is applied of an incoming row: all, nothing, or only its id. */
export type Judge = (row: IncomingRow, foreseen: Foreseen) => 'apply' | 'wait' | 'id-only';

export interface Foreseen {
  readonly puts: readonly Put[];
  /** Existing row under any id; undefined: none, or one kept as ours. */
  readonly about: Row | undefined;
}

export interface RowReceive {
  /**
   * Applies a partner's page with what `also` writes, in one durable write (docs/architecture.md: The pull
   * engine). Rows match by partner and id, across partners by origin (docs/rings.md). Idempotent; local edits
   * and unmapped columns stay.
   */
  readonly receive: (page: ReceivedPage) => Promise<ApplyCounts>;
  /**
   * Ends a partner's rows: they become ours (`keep`), or are purged unless partly ours (`remove`); returns
   * their number. Rows of other sources stay, uncounted.
   */
  releaseFrom(nodeID: string, what: 'keep' | 'remove'): Promise<{ rows: number }>;
  endSource(nodeID: string, what?: 'keep' | 'remove'): Promise<void>;
  partnersWithRows(): Promise<readonly { readonly nodeID: string; readonly isLeft: boolean }[]>;
  countOnlyFrom(nodeID: string): Promise<{ readonly rows: number; readonly partlyOurs: number }>;
  /**
   * Returns when a partner was released or ended with others' rows, or a change of its mapping wrote cells: earlier
   * pulls must restart.
   */
  releasedFrom(nodeID: string): Promise<string | undefined>;
  /** Returns rows by this partner's ids, whatever their other sources. */
  findReceived(nodeID: string, recordIDs: readonly string[]): Promise<(Row | undefined)[]>;
  /** Returns rows unknown by id, present and former origin. */
  findUnknown(nodeID: string, incoming: readonly IncomingRow[]): Promise<readonly IncomingRow[]>;
}

/** By local id of the partner: when its rows were last released, or a change of its mapping wrote cells. */
export const RELEASED: Table<string> = { name: 'released' };

/** Partners ended as sources here, in one entry. */
const LEFT: Table<readonly string[]> = { name: 'left' };
const LEFT_KEY = 'partners';

const RECEIVED_AT_ONCE = 50;

const SLICE = 500;

/** Creates the writes of a list's rows that partners bring. */
export function createRowReceive(deps: {
  partition: Partition;
  module: () => Module;
  writer: RowWriter;
}): RowReceive {
  const { partition, module, writer } = deps;

  /** Returns whether any row is from this partner, bin included. */
  async function hasRowsFrom(nodeID: string): Promise<boolean> {
    const { received = {}, receivedInBin = {} } = (await partition.get(ROW_COUNTS, ROW_COUNTS_KEY)) ?? {};
    return received[nodeID] !== undefined || receivedInBin[nodeID] !== undefined;
  }

  /** Calls `body` with each row, bin included. */
  async function eachRow(body: (row: Row) => void): Promise<void> {
    const pause = createYielder();
    let page = await pageRows(partition, SLICE, undefined);
    while (page.length > 0) {
      for (const row of page) body(row);
      await pause();
      page = await pageRows(partition, SLICE, page.at(-1)?.recordID);
    }
  }

  /** Deletes what a removed partner brought beside the rows: history, cells of deleted columns, and all undo steps. */
  async function forgetRemoved(batch: Batch, recordIDs: readonly string[]): Promise<void> {
    for (const recordID of recordIDs) batch.dropHistory(recordID);
    await forgetBinnedCells(batch.tx, partition, recordIDs, { keepsOwn: true });
  }

  /** Calls `body` with each row from this partner, bin included; reads all rows. */
  const eachFrom = (nodeID: string, body: (row: Row) => void): Promise<void> =>
    eachRow((row) => {
      if (sourceFrom(row, nodeID)) body(row);
    });

  /**
   * Returns ids of the partner's rows that show a value of our user, and of rows into which a duplicate was joined that
   * the partner doesn't bring; reads all rows.
   * @param onRow called with each row from this partner
   */
  async function findPartlyOurs(nodeID: string, onRow?: (row: Row) => void): Promise<ReadonlySet<string>> {
    const found = new Set<string>();
    await eachRow((row) => {
      const { recordID, values, joinedInto, deletedAt } = row;
      if (sourceFrom(row, nodeID)) {
        onRow?.(row);
        if (Object.keys(values).some((name) => showsOwn(row, { name }))) found.add(recordID);
      } else if (joinedInto !== undefined && deletedAt !== undefined) found.add(joinedInto);
    });
    return found;
  }

  /**
   * Applies a partner's page and calls `also` at the end; returns the counts, without rows that wait for approval.
   * `judge` decides on changes of existing rows. A partner that sends rows no longer counts as ended.
   */
  async function receivePage(
    batch: Batch,
    { rows: sent, columns: further, judge, also, ...page }: ReceivedPage,
  ): Promise<ApplyCounts> {
    const allLeft = (await batch.tx.get(LEFT, LEFT_KEY)) ?? [];
    const left = allLeft.filter((nodeID) => nodeID !== page.nodeID);
    if ((sent.length > 0 || further) && left.length < allLeft.length) batch.tx.put(LEFT, LEFT_KEY, left);
    const { nodeID, mappedColumns, overrule = false } = page;
    const columns = module()
      .fields.map(({ name }) => name)
      .filter((name) => mappedColumns.includes(name));
    const context: ApplyContext = {
      nodeID,
      columns,
      now: batch.now,
      newID: () => batch.newID(),
      overrule,
      left,
    };
    const pause = createYielder();
    const counts = { created: 0, updated: 0, deleted: 0, unchanged: 0 } satisfies ApplyCounts;
    /**
     * Asks `judge` about a change of existing rows. Returns what to write, for a rejected change only the partner's new
     * id; undefined while it waits for approval.
     */
    const reviewApplied = (
      applied: Applied,
      candidates: Candidates,
      incoming: IncomingRow,
    ): Applied | undefined => {
      const about = candidates.known ?? candidates.same;
      const isAboutOurs = about !== undefined || applied.puts.some(({ before }) => before !== undefined);
      const word = (isAboutOurs ? judge?.(incoming, { puts: applied.puts, about }) : undefined) ?? 'apply';
      if (word === 'apply') return applied;
      if (word === 'wait') return undefined;
      return applyIncoming(candidates, { ...incoming, values: {}, idOnly: true }, context);
    };
    const asStored = createNewRowsEncoder(context);
    const areIn = further && (await putIfNew(batch, further, { nodeID, asStored }));
    if (areIn) counts.created += further.recordIDs.length;
    const rows = further && !areIn ? [...sent, ...rowsOf(further)] : sent;
    let size = RECEIVED_AT_ONCE;
    for (let part: readonly IncomingRow[], at = 0; at < rows.length; at += part.length) {
      part = rows.slice(at, at + size);
      const lookup = await lookUpCandidates(batch.tx, nodeID, part);
      if (batch.putNew && lookup.allNew && part.every(isPlainRow)) {
        for (const some of asStored.fromRows(part, lookup)) {
          batch.putNew(some);
          await pause();
        }
        counts.created += part.length;
        // The rest is usually new too.
        size = rows.length;
        continue;
      }
      size = RECEIVED_AT_ONCE;
      for (const [index, incoming] of part.entries()) {
        if (index % RECEIVED_AT_ONCE === 0) await pause();
        const candidates = lookup.find(incoming);
        const applied = reviewApplied(applyIncoming(candidates, incoming, context), candidates, incoming);
        if (!applied) continue;
        const { outcome, replaced, puts } = applied;
        counts[outcome]++;
        if (replaced) counts.deleted++;
        for (const { before, after } of puts) {
          lookup.recordApplied(putReceived(batch, before, after));
        }
      }
      await pause();
    }
    await also?.(batch.tx);
    return counts;
  }

  return {
    receive: (page) => writer.write((batch) => receivePage(batch, page), { partner: page.nodeID }),

    releaseFrom: (nodeID, what) =>
      writer.writeAlone(async (batch) => {
        let released = 0;
        const removed: string[] = [];
        const partlyOurs = what === 'remove' ? await findPartlyOurs(nodeID) : undefined;
        await eachFrom(nodeID, (row) => {
          const stays = withoutPartner(row, nodeID, { what, now: batch.now });
          if (!stays && !row.purged) released++;
          const fate = partlyOurs?.has(row.recordID) ? 'keep' : what;
          batch.put(row, stays ?? releasedRow(row, fate, batch.now), stays?.received?.nodeID);
          if (what === 'remove' && (stays || fate === 'remove')) removed.push(row.recordID);
        });
        await forgetRemoved(batch, removed);
        batch.tx.put(RELEASED, nodeID, batch.now);
        return { rows: released };
      }),

    /**
     * Records that the partner brings no rows any more. Until it sends some again, its rows from other sources too
     * follow those (`keep`, only if no value is lost), or lose what it alone brought (`remove`, with history). Does
     * nothing without rows from it.
     */
    async endSource(nodeID, what = 'keep') {
      if (!(await hasRowsFrom(nodeID))) return;
      await writer.writeAlone(async (batch) => {
        const left = (await batch.tx.get(LEFT, LEFT_KEY)) ?? [];
        if (!left.includes(nodeID)) batch.tx.put(LEFT, LEFT_KEY, [...left, nodeID]);
        const removed: string[] = [];
        await eachFrom(nodeID, (row) => {
          const others =
            what === 'keep'
              ? withEndedSource(row, nodeID, batch.now)
              : withoutPartner(row, nodeID, { what, now: batch.now });
          if (!others) return;
          batch.put(row, others, others.received?.nodeID);
          if (what === 'remove') removed.push(row.recordID);
          batch.tx.put(RELEASED, nodeID, batch.now);
        });
        await forgetRemoved(batch, removed);
      });
    },

    /** Returns our ids of partners that bring rows, bin included; `isLeft`: ended as sources. */
    async partnersWithRows() {
      const { received = {}, receivedInBin = {} } = (await partition.get(ROW_COUNTS, ROW_COUNTS_KEY)) ?? {};
      const left = (await partition.get(LEFT, LEFT_KEY)) ?? [];
      const all = new Set([...Object.keys(received), ...Object.keys(receivedInBin)]);
      return [...all].map((nodeID) => ({ nodeID, isLeft: left.includes(nodeID) }));
    },

    /** Counts rows outside the bin that only this partner brings, and those of them that are partly ours. */
    async countOnlyFrom(nodeID) {
      if (!(await hasRowsFrom(nodeID))) return { rows: 0, partlyOurs: 0 };
      const theirs: string[] = [];
      const isTheirs = (source: RowSource): boolean => source.nodeID === nodeID || isDeletedThere(source);
      const found = await findPartlyOurs(nodeID, ({ recordID, deletedAt, received }) => {
        if (deletedAt === undefined && received && sourcesOf(received).every(isTheirs)) theirs.push(recordID);
      });
      return { rows: theirs.length, partlyOurs: theirs.filter((recordID) => found.has(recordID)).length };
    },

    releasedFrom: (nodeID) => partition.get(RELEASED, nodeID),

    findReceived: (nodeID, recordIDs) =>
      getRowsByReceivedKey(
        partition,
        recordIDs.map((recordID) => receivedKey(nodeID, recordID)),
      ),

    /** Returns rows that the list lacks by the partner's id, and by present or former origin. */
    async findUnknown(nodeID, incoming) {
      const lookup = await lookUpCandidates(partition, nodeID, incoming);
      return incoming.filter((row) => Object.values(lookup.find(row)).every((known) => known === undefined));
    },
  };
}

/** Writes rows as stored if all are new and nobody sees the list by a condition; returns whether it did. */
async function putIfNew(
  { tx, putNew }: Batch,
  columns: IncomingColumns,
  { nodeID, asStored }: { readonly nodeID: string; readonly asStored: NewRowsEncoder },
): Promise<boolean> {
  const keys = putNew && (await findNewKeys(tx, nodeID, columns));
  if (!keys) return false;
  const pause = createYielder();
  for (const some of asStored.fromColumns(columns, keys)) {
    putNew(some);
    await pause();
  }
  return true;
}

/**
 * Writes a received row. One that our user deleted keeps sequence number, time and disclosed provenance, as its
 * partners mustn't notice edits; `lastEdit` tells them here.
 */
function putReceived(batch: Batch, before: Row | undefined, after: Row): Row {
  if (before?.deletedBy === undefined || after.deletedAt === undefined) return batch.put(before, after);
  const lineage = lineageOf(before);
  const { updatedAt, updatedBy } = after;
  const hidden = {
    ...{ ...after, updatedAt: before.updatedAt },
    ...(lineage && { disclosed: lineage }),
    ...(after.values !== before.values && { lastEdit: { updatedAt, updatedBy } }),
  };
  batch.amend(before, hidden);
  return hidden;
}

/** Returns a row as one of ours (`keep`), or purged. */
function releasedRow(row: Row, what: 'keep' | 'remove', now: string): Row {
  if (what === 'keep') return { ...detach(row), updatedAt: now };
  const ours = { ...omit(row, 'received'), updatedAt: now };
  return { ...ours, values: {}, deletedAt: row.deletedAt ?? now, purged: true };
}
