import type { Partition, Tx } from '../../store/store.ts';
import type { Candidates } from './apply.ts';
import type { IncomingRow, Row } from '../definitions/model.ts';
import { findAtHome, findRows, originText } from './row-table.ts';
import { homeOf, waysOf } from './ways.ts';

/** The rows of ours that some incoming rows of one partner are about, kept up while these are applied one by one. */
export interface CandidateLookup {
  /** None of them is about a row of ours, nor two about the same. */
  readonly allNew: boolean;
  of(incoming: IncomingRow): Candidates;
  /** An incoming row was applied: a later one may be about what became of it. */
  written(row: Row): void;
}

export async function lookUpCandidates(
  source: Tx | Partition,
  nodeID: string,
  incoming: readonly IncomingRow[],
): Promise<CandidateLookup> {
  const origins = incoming.map(({ recordID }) => originText(nodeID, recordID));
  const known = await findRows(source, origins);
  // Most rows are where they were: only the others have to be looked for a second time.
  const homes = incoming.map((row, at) => {
    const home = homeOf(row);
    const received = known[at]?.received;
    return received && homeOf(received) === home ? undefined : home;
  });
  const same = await findAtHome(source, homes);
  const formers = await findAtHome(
    source,
    homes.map((home, at) => (same[at] ? undefined : home)),
    'former',
  );
  // By our own ids: a row is found under several names, and must be the same under all of them.
  const current = new Map<string, Row>();
  const idOf = new Map<string, string>();
  const note = (name: string | undefined, row: Row | undefined): void => {
    if (name === undefined || !row) return;
    idOf.set(name, row.recordID);
    current.set(row.recordID, row);
  };
  known.forEach((row, at) => note(origins[at], row));
  same.forEach((row, at) => note(homes[at], row));
  const named = homes.filter((home) => home !== undefined);
  const areApart = new Set(origins).size === origins.length && new Set(named).size === named.length;
  const allNew = areApart && [known, same, formers].every((rows) => rows.every((row) => row === undefined));
  const wasAt = new Map(formers.map((row, at) => [homes[at], row?.recordID]));
  for (const row of formers) if (row) current.set(row.recordID, row);
  const rowAt = (name: string | undefined): Row | undefined =>
    name === undefined ? undefined : current.get(idOf.get(name) ?? '');
  return {
    allNew,
    of(row) {
      const home = homeOf(row);
      const same = rowAt(home);
      const isAtHome = same?.received && homeOf(same.received) === home;
      const kept = current.get(wasAt.get(home) ?? '');
      return {
        known: rowAt(originText(nodeID, row.recordID)),
        same: isAtHome ? same : undefined,
        former: kept?.former ? kept : undefined,
      };
    },
    written(row) {
      current.set(row.recordID, row);
      if (!row.received) return;
      note(homeOf(row.received), row);
      for (const way of waysOf(row.received)) note(originText(way.nodeID, way.recordID), row);
    },
  };
}
