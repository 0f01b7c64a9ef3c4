import { createYielder } from '../../base/yield.ts';
import type { Field } from '../definitions/model.ts';
import type { ListAsOne } from './rows.ts';
import { isSurelyID } from './references.ts';
import { titleOf } from './row-titles.ts';

/** What a text means in a column that refers to a list: the id of a row, or that none or several are called so. */
export type TitledRow = { readonly recordID: string } | { readonly rows: 'none' | 'several' };

/** Finds the rows of one list by what they are called. */
export interface RowsByTitle {
  /** What the list is called. */
  readonly list: string;
  /**
   * By the exact text, else case aside. An id of a row stands for itself, wherever that row is by now. Where several
   * are called so, `id` says which of them is meant.
   */
  find(text: string, id?: string): TitledRow;
}

/**
 * Reads the list once; rows in the bin are called nothing.
 * @param fields columns that rows may be called by; absent: all of the list's
 */
export async function createRowsByTitle(
  { module, rows }: ListAsOne,
  fields: readonly Field[] = module.fields,
): Promise<RowsByTitle> {
  const exact: ByText = new Map();
  const folded: ByText = new Map();
  const pause = createYielder();
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
    find(text, id) {
      if (isSurelyID(text) && !exact.has(text)) return { recordID: text };
      const called = exact.get(text) ?? folded.get(fold(text));
      if (called === undefined) return { rows: 'none' };
      if (typeof called === 'string') return { recordID: called };
      return id !== undefined && called.has(id) ? { recordID: id } : { rows: 'several' };
    },
  };
}

/** The row that is called so; a set of them where there are several. */
type ByText = Map<string, string | Set<string>>;

function note(byText: ByText, text: string, recordID: string): void {
  const before = byText.get(text);
  if (before instanceof Set) before.add(recordID);
  else byText.set(text, before === undefined ? recordID : new Set([before, recordID]));
}

const fold = (text: string): string => text.trim().toLowerCase();
