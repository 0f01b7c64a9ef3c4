import { meeting } from '../query/condition.ts';
import type { Tx } from '../../store/store.ts';
import type { Field, Row } from '../definitions/model.ts';
import { seenSince } from '../values/times.ts';
import { AUDIENCES, knownTo, type Audience, type AudienceState, type Known } from './audience-table.ts';

/** Keeps what audiences know true to the rows of one write, in that same write. */
export interface AudienceNotes {
  /** @param moved its values went to other columns: whether it meets anything is found out when the columns are there */
  note(after: Row, moved: boolean): void;
  /** Answers the audiences that have something to be told. */
  write(): Promise<ReadonlySet<string>>;
}

export function createAudienceNotes(deps: {
  readonly tx: Tx;
  readonly now: string;
  readonly audiences: readonly Audience[];
  readonly fields: readonly Field[];
}): AudienceNotes {
  const { tx, now, audiences, fields } = deps;
  const noted = new Map<string, { readonly row: Row; readonly moved: boolean }>();
  return {
    note(row, moved) {
      if (audiences.length > 0) noted.set(row.recordID, { row, moved });
    },
    async write() {
      const told = new Set<string>();
      if (noted.size === 0) return told;
      for (const { id, condition } of audiences) {
        const meets = meeting(condition, fields);
        const writing = await openKnown(tx, id, [...noted.keys()]);
        for (const { row, moved } of noted.values()) {
          const before = writing.of(row.recordID);
          const sees = before !== undefined && before.left === undefined;
          if (moved ? sees : meets(row)) writing.put(row, { since: sees ? before.since : now, at: now });
          else if (sees && !moved) writing.put(row, { since: now, left: true, at: now });
        }
        if (writing.finish()) told.add(id);
      }
      return told;
    },
  };
}

/** What an audience knows of some rows, while one write changes it. */
export interface KnownWriting {
  of(recordID: string): Known | undefined;
  put(row: Row, known: Known): void;
  /** Whether anything was put; the number of rows that it sees is kept up. */
  finish(): boolean;
}

export async function openKnown(
  tx: Tx,
  audienceID: string,
  recordIDs: readonly string[],
): Promise<KnownWriting> {
  const table = knownTo(audienceID);
  const found = await tx.getMany(table, recordIDs);
  const known = new Map(recordIDs.map((recordID, at) => [recordID, found[at]]));
  const state: AudienceState = (await tx.get(AUDIENCES, audienceID)) ?? { rows: 0 };
  let [rows, isPut] = [state.rows, false];
  const counted = (each: Known | undefined): number => (each && each.left === undefined ? 1 : 0);
  return {
    of: (recordID) => known.get(recordID),
    put({ recordID }, next) {
      rows += counted(next) - counted(known.get(recordID));
      known.set(recordID, next);
      tx.put(table, recordID, next);
      isPut = true;
    },
    finish() {
      if (rows !== state.rows) tx.put(AUDIENCES, audienceID, { ...state, rows });
      return isPut;
    },
  };
}

/**
 * What an audience is to know of a row once its condition is applied to it, where that is not what it knows; for rows
 * that nobody wrote. `first`: nothing was told of the list yet.
 */
export function fitted(
  row: Row,
  before: Known | undefined,
  { meets, now, first }: { readonly meets: boolean; readonly now: string; readonly first: boolean },
): Known | undefined {
  const sees = before !== undefined && before.left === undefined;
  if (!meets) return sees ? { since: now, left: true, at: now } : undefined;
  if (!sees) return { since: first && !before ? '' : now, at: now };
  // It was written while nobody kept this up.
  return seenSince(row) > before.at ? { since: before.since, at: now } : undefined;
}
