import type { Partition, Tx } from '../../store/store.ts';
import type { IncomingColumns } from '../../base/incoming-row.ts';
import { createYielder } from '../../base/yield.ts';
import type { Candidates } from './apply-incoming.ts';
import type { IncomingRow, Row } from '../definitions/model.ts';
import { receivedKey, getRowsByOriginKey, getRowsByReceivedKey } from './row-table.ts';
import { originKey, sourcesOf } from './sources.ts';

/** {@link receivedKey} and {@link originKey} per row, in order. */
export interface RowKeys {
  readonly received: readonly string[];
  readonly origins: readonly (string | undefined)[];
}

/** Rows that incoming ones refer to, updated while those are applied. */
export interface CandidateLookup extends RowKeys {
  /** No row exists already or shares another's id or origin. */
  readonly allNew: boolean;
  find(incoming: IncomingRow): Candidates;
  recordApplied(row: Row): void;
}

/** The first of a page of known rows decide, before other work may run. */
const LOOKED_UP_AT_ONCE = 100;

/**
 * Returns the index keys of rows that are surely new; undefined if a row may be an existing one, or two may be the
 * same.
 */
export async function findNewKeys(
  source: Tx | Partition,
  nodeID: string,
  { recordIDs, vias, originIDs }: IncomingColumns,
): Promise<RowKeys | undefined> {
  if (new Set(originIDs).size < originIDs.length) return undefined;
  const received = recordIDs.map((recordID) => receivedKey(nodeID, recordID));
  const origins = originIDs.map((id, at) => originKey({ via: vias[at], origin: { id } }));
  const pause = createYielder();
  for (let from = 0; from < recordIDs.length; from += LOOKED_UP_AT_ONCE) {
    const to = from + LOOKED_UP_AT_ONCE;
    const [theirs, made] = [received.slice(from, to), origins.slice(from, to)];
    for (const find of [
      () => getRowsByReceivedKey(source, theirs),
      () => getRowsByOriginKey(source, made),
      () => getRowsByOriginKey(source, made, 'former'),
    ])
      if ((await find()).some((row) => row !== undefined)) return undefined;
    await pause();
  }
  return { received, origins };
}

/**
 * Looks rows up by the partner's ids and by present and former origins. Call `recordApplied` after each write, so that
 * `find` knows it.
 */
export async function lookUpCandidates(
  source: Tx | Partition,
  nodeID: string,
  incoming: readonly IncomingRow[],
): Promise<CandidateLookup> {
  const theirs = incoming.map(({ recordID }) => receivedKey(nodeID, recordID));
  const known = await getRowsByReceivedKey(source, theirs);
  // Most keys stay; only changed ones need a second look-up.
  const origins = incoming.map((row, at) => {
    const origin = originKey(row);
    const received = known[at]?.received;
    return received && originKey(received) === origin ? undefined : origin;
  });
  const same = await getRowsByOriginKey(source, origins);
  const formers = await getRowsByOriginKey(
    source,
    origins.map((origin, at) => (same[at] ? undefined : origin)),
    'former',
  );
  // All keys of a row must find the same object.
  const current = new Map<string, Row>();
  const idOf = new Map<string, string>();
  /** Lets `find` return this row for the key; nothing without either. */
  const recordRow = (name: string | undefined, row: Row | undefined): void => {
    if (name === undefined || !row) return;
    idOf.set(name, row.recordID);
    current.set(row.recordID, row);
  };
  known.forEach((row, at) => recordRow(theirs[at], row));
  same.forEach((row, at) => recordRow(origins[at], row));
  const named = origins.filter((origin) => origin !== undefined);
  const areApart = new Set(theirs).size === theirs.length && new Set(named).size === named.length;
  const allNew = areApart && [known, same, formers].every((rows) => rows.every((row) => row === undefined));
  const formerOf = new Map<string | undefined, string>();
  for (const [at, row] of formers.entries()) {
    if (!row) continue;
    formerOf.set(origins[at], row.recordID);
    current.set(row.recordID, row);
  }
  const rowAt = (name: string | undefined): Row | undefined =>
    name === undefined ? undefined : current.get(idOf.get(name) ?? '');
  return {
    allNew,
    received: theirs,
    origins,
    /**
     * Returns the rows that this one may update, as last passed to `recordApplied`: the one with the partner's id, the
     * one of the same origin, and one kept from an earlier connection.
     */
    find(row) {
      const origin = originKey(row);
      const same = rowAt(origin);
      const isOfOrigin = same?.received && originKey(same.received) === origin;
      const kept = current.get(formerOf.get(origin) ?? '');
      return {
        known: rowAt(receivedKey(nodeID, row.recordID)),
        same: isOfOrigin ? same : undefined,
        former: kept?.former ? kept : undefined,
      };
    },
    /** Lets later calls of `find` see the written row. */
    recordApplied(row) {
      current.set(row.recordID, row);
      if (!row.received) return;
      recordRow(originKey(row.received), row);
      for (const each of sourcesOf(row.received)) recordRow(receivedKey(each.nodeID, each.recordID), row);
    },
  };
}
