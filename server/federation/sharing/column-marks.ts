import { createHmac } from 'node:crypto';
import type { Partition, Table } from '../../store/store.ts';
import type { Exposure } from '../model.ts';
import { storedKey } from './stored-key.ts';

const MARKING: Table<string> = { name: 'column-marks' };

/** Stable column ids for partners, across renames, repeated sharing and pairing again. */
export interface ColumnMarks {
  /** Returns the marks in column order. */
  forExposure(exposure: Pick<Exposure, 'moduleID' | 'firstModuleID' | 'fieldIDs'>): readonly string[];
}

/**
 * Opens the marks by which a column keeps its identity when renamed: HMACs of our ids, one for each shared column in
 * order. Makes and stores the key if missing.
 */
export async function openColumnMarks(system: Partition): Promise<ColumnMarks> {
  const key = await storedKey(system, MARKING);
  const mark = (text: string): string =>
    createHmac('sha256', key).update(text).digest('base64url').slice(0, 22);
  return {
    forExposure: ({ moduleID, firstModuleID = moduleID, fieldIDs }) =>
      fieldIDs.map((fieldID) => mark(`${firstModuleID} ${fieldID}`)),
  };
}
