import { z } from 'zod';
import { PartnerFaulty } from './errors.ts';
import type { PeerLimits } from './limits.ts';
import type { BadRecord, RemoteRecord } from './remote.ts';
import { said } from '../words/said.ts';

/** Id strings as everywhere (design §5); ids that are numbers have lost digits and are refused. */
export const remoteID = z
  .string()
  .regex(/^(0|[1-9][0-9]{0,19})$/)
  .refine((text) => text.length < 20 || BigInt(text) < 2n ** 64n);

/** A time as partners write it, up to nanoseconds. */
export const remoteTime = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/)
  .refine((text) => !Number.isNaN(Date.parse(text)));

const identified = z.object({ recordID: remoteID, moduleID: remoteID.nullish() });

interface RawValue {
  readonly name: string;
  readonly value?: string | null;
  readonly deletedAt?: string | null;
}

/**
 * Whether this is a row's values. By hand and not by a schema of its own: that would write down a fault for each
 * value, and a page of nothing but wrong ones would take a gigabyte to say so.
 */
function areValues(data: unknown): data is readonly RawValue[] {
  return Array.isArray(data) && data.every(isValue);
}

function isValue(data: unknown): data is RawValue {
  if (typeof data !== 'object' || data === null || !('name' in data) || typeof data.name !== 'string')
    return false;
  const isText = (text: unknown): boolean => text === undefined || text === null || typeof text === 'string';
  return isText('value' in data ? data.value : null) && isText('deletedAt' in data ? data.deletedAt : null);
}

const record = z.object({
  recordID: remoteID,
  moduleID: remoteID.nullish(),
  createdAt: remoteTime.nullish(),
  updatedAt: remoteTime.nullish(),
  deletedAt: remoteTime.nullish(),
  via: z.array(z.string().max(100)).max(100).nullish(),
  values: z.custom<readonly RawValue[]>(areValues).nullish(),
});

/** For rows whose partner gives no time at all: old enough never to win over anything. */
const NO_TIME = '1970-01-01T00:00:00Z';

/**
 * The rows of one page. A row without a usable id breaks the page: nothing could be said about it. A row
 * that is wrong otherwise is put aside with the reason, and its neighbours are taken (H6).
 * @param moduleIDs ids that the rows may name as their list; undefined: any
 * @throws PartnerFaulty
 */
export function readRecords(
  set: readonly unknown[],
  moduleIDs: ReadonlySet<string> | undefined,
  limits: PeerLimits,
): { records: RemoteRecord[]; bad: BadRecord[] } {
  if (set.length > limits.rowsPerPage) throw new PartnerFaulty('a page has too many rows.');
  const records: RemoteRecord[] = [];
  const bad: BadRecord[] = [];
  for (const item of set) {
    const parsed = record.safeParse(item);
    if (!parsed.success) {
      const named = identified.safeParse(item);
      if (!named.success) throw new PartnerFaulty('a row has no proper id.');
      const where = parsed.error.issues[0]?.path[0];
      bad.push({
        recordID: named.data.recordID,
        reason: said`Its “${String(where)}” is not what it should be.`,
      });
      continue;
    }
    const read = convert(parsed.data, moduleIDs, limits);
    if ('reason' in read) bad.push(read);
    else records.push(read);
  }
  return { records, bad };
}

function convert(
  raw: z.infer<typeof record>,
  moduleIDs: ReadonlySet<string> | undefined,
  limits: PeerLimits,
): RemoteRecord | BadRecord {
  const { recordID } = raw;
  if (raw.moduleID && moduleIDs && !moduleIDs.has(raw.moduleID)) {
    return { recordID, reason: said`It says that it belongs to another list.` };
  }
  const sent = raw.values ?? [];
  if (sent.length > limits.valuesPerRow) return { recordID, reason: said`It has too many values.` };
  const values = new Map<string, string[]>();
  let length = 0;
  for (const { name, value, deletedAt } of sent) {
    if (name.length > limits.nameLength) return { recordID, reason: said`A column’s name is too long.` };
    if (value && value.length > limits.valueLength) {
      return { recordID, reason: said`The value of “${name}” is larger than 1 MB.` };
    }
    length += value?.length ?? 0;
    if (length > limits.rowLength)
      return { recordID, reason: said`All its values together are larger than 4 MB.` };
    let texts = values.get(name);
    if (!texts) values.set(name, (texts = []));
    // Live servers leave `value` out where it is empty, and stamp values that were taken away.
    if (value && (!deletedAt || raw.deletedAt)) texts.push(value);
  }
  return {
    recordID,
    createdAt: raw.createdAt ?? raw.updatedAt ?? NO_TIME,
    updatedAt: raw.updatedAt ?? raw.createdAt ?? NO_TIME,
    ...(raw.deletedAt ? { deletedAt: raw.deletedAt } : {}),
    ...(raw.via ? { via: raw.via } : {}),
    values,
  };
}
