import type { IncomingRow } from '../../lists/definitions/model.ts';
import type { FailedRow, StoredRecord } from '../tables.ts';

/** Returns a partner's row in storable form, without columns that weren't offered. */
export function storedRecord(record: IncomingRow, offered: ReadonlySet<string>): StoredRecord {
  return {
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
    ...(record.deletedAt === undefined ? {} : { deletedAt: record.deletedAt }),
    ...(record.via === undefined ? {} : { via: record.via }),
    ...(record.origin === undefined ? {} : { origin: record.origin }),
    values: Object.entries(record.values).filter(([name]) => offered.has(name)),
  };
}

/** Returns the row as the partner sent it; none if it wasn't readable. */
export function remoteRecord({ recordID, record }: FailedRow): IncomingRow[] {
  return record ? [{ ...record, recordID, values: Object.fromEntries(record.values) }] : [];
}
