import { createHmac } from 'node:crypto';
import type { Row, RowOrigin, Way } from '../../lists/definitions/model.ts';
import { seenSince } from '../../lists/values/times.ts';
import type { Partition, Table } from '../../store/store.ts';
import { storedKey } from './stored-key.ts';

/** The key that the names of our rows are made with. */
const NAMING: Table<string> = { name: 'row-naming' };
const NAME_LENGTH = 22;

/** What our rows are known by at whatever office they come to (docs/rings.md). */
export interface RowOrigins {
  /** As the row came by this way, where its partner told it; else we are the office that it comes from. */
  get(row: Row, way?: Way): RowOrigin;
}

/** A row's number alone would do to tell rows apart; but it can be guessed by who was not given the row. */
export async function openRowOrigins(system: Partition): Promise<RowOrigins> {
  const key = await storedKey(system, NAMING);
  return {
    get: (row, way) =>
      way?.origin ?? {
        id: createHmac('sha256', key).update(row.recordID).digest('base64url').slice(0, NAME_LENGTH),
        at: seenSince(row),
      },
  };
}
