import { createPause } from '../../base/yield.ts';
import type { Field } from '../definitions/model.ts';
import type { ListAsOne } from './rows.ts';
import { isSurelyID } from './references.ts';
import { titleOf } from './row-titles.ts';

/** What a text means in a column that refers to a list: the id of a row, or that none or several are called so. */
export type NamedRow = { readonly recordID: string } | { readonly rows: 'none' | 'several' };

/** Finds the rows of one list by what they are called. */
export interface NamedRows {
  /** What the list is called. */
  readonly list: string;
  /** By the exact text, else case aside. An id of a row stands for itself, wherever that row is by now. */
  find(text: string): NamedRow;
}

const SEVERAL = 'several';

/**
 * Reads the list once; rows in the bin are called nothing.
 * @param fields columns that rows may be called by; absent: all of the list's
 */
export async function createNamedRows(
  { module, rows }: ListAsOne,
  fields: readonly Field[] = module.fields,
): Promise<NamedRows> {
  const exact = new Map<string, string>();
  const folded = new Map<string, string>();
  const pause = createPause();
  for await (const page of rows.scan()) {
    for (const { recordID, values } of page) {
      const title = titleOf(fields, values);
      if (title === '') continue;
      note(exact, title, recordID);
      note(folded, fold(title), recordID);
    }
    await pause();
  }
  return {
    list: module.name,
    find(text) {
      if (isSurelyID(text) && !exact.has(text)) return { recordID: text };
      const recordID = exact.get(text) ?? folded.get(fold(text));
      if (recordID === undefined) return { rows: 'none' };
      return recordID === SEVERAL ? { rows: 'several' } : { recordID };
    },
  };
}

function note(byText: Map<string, string>, text: string, recordID: string): void {
  byText.set(text, byText.has(text) ? SEVERAL : recordID);
}

const fold = (text: string): string => text.trim().toLowerCase();
