import { createHmac } from 'node:crypto';
import type { Partition, Table } from '../../store/store.ts';
import type { Exposure } from '../model.ts';
import { storedKey } from './stored-key.ts';

/** The key that the marks of shared columns are made with. */
const MARKING: Table<string> = { name: 'column-marks' };

/**
 * By what a partner tells a column that is shared with it from another one that takes its name. A mark stays with its
 * column, whatever that is called and however often it is shared; of other columns, their number and their order it
 * tells nothing, nor has the column the same one towards anybody else.
 */
export interface ColumnMarks {
  /** In the order of the exposure's columns. */
  forExposure(exposure: Pick<Exposure, 'moduleID' | 'fieldIDs'>): readonly string[];
}

export async function openColumnMarks(system: Partition): Promise<ColumnMarks> {
  const key = await storedKey(system, MARKING);
  const mark = (text: string): string =>
    createHmac('sha256', key).update(text).digest('base64url').slice(0, 22);
  return {
    forExposure: ({ moduleID, fieldIDs }) => fieldIDs.map((fieldID) => mark(`${moduleID} ${fieldID}`)),
  };
}
