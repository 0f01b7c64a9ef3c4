import { createHmac } from 'node:crypto';
import type { Row, RowOrigin, RowSource } from '../../lists/definitions/model.ts';
import { seenSince } from '../../lists/values/times.ts';
import type { Partition, Table } from '../../store/store.ts';
import { storedKey } from './stored-key.ts';

/** Key of the HMAC that names our rows. */
const NAMING: Table<string> = { name: 'row-naming' };
const NAME_LENGTH = 22;

/** Identifies our rows at every office that they reach (docs/rings.md). */
export interface RowOrigins {
  /** Returns the origin that came with this source; without one ours. */
  get(row: Row, way?: RowSource): RowOrigin;
}

/** Opens the origins of rows, with their key. Our rows are named by an HMAC, as ids could be guessed. */
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
