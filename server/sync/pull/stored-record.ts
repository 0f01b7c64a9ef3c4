import type { IncomingRow } from '../../lists/definitions/model.ts';
import type { FailedRow, StoredRecord } from '../tables.ts';

/** A partner's row in the form that the store keeps; columns that were not offered are left out. */
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

/** The row as the partner had sent it; none where it was not readable. */
export function remoteRecord({ recordID, record }: FailedRow): IncomingRow[] {
  return record ? [{ ...record, recordID, values: Object.fromEntries(record.values) }] : [];
}
