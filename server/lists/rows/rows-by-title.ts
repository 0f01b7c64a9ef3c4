import { createYielder } from '../../base/yield.ts';
import type { Field } from '../definitions/model.ts';
import type { ListAsOne } from './rows.ts';
import { isSurelyID } from './references.ts';
import { titleOf } from './row-titles.ts';

/** The row that a text means, or that none or several have the title. */
export type TitledRow = { readonly recordID: string } | { readonly rows: 'none' | 'several' };

export interface RowsByTitle {
  readonly list: string;
  /** Falls back to another case. A text as long as an id is one, unless a title. */
  find(text: string, id?: string): TitledRow;
}

/**
 * Reads a list once, to find rows outside the bin by title.
 * @param fields possible title columns; default: all of the list's
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
      addTitle(exact, title, recordID);
      addTitle(folded, fold(title), recordID);
    }
    await pause();
  }
  return {
    list: module.name,
    /**
     * Returns the row with this title, exact or else folded, or why there isn't one. A text that is surely an id, and
     * no title, is returned unchecked.
     * @param id the row to prefer among several
     */
    find(text, id) {
      if (isSurelyID(text) && !exact.has(text)) return { recordID: text };
      const called = exact.get(text) ?? folded.get(fold(text));
      if (called === undefined) return { rows: 'none' };
      if (typeof called === 'string') return { recordID: called };
      return id !== undefined && called.has(id) ? { recordID: id } : { rows: 'several' };
    },
  };
}

/** Its row id, or a set of several. */
type ByText = Map<string, string | Set<string>>;

/** Adds a row to those with this text. */
function addTitle(byText: ByText, text: string, recordID: string): void {
  const before = byText.get(text);
  if (before instanceof Set) before.add(recordID);
  else byText.set(text, before === undefined ? recordID : new Set([before, recordID]));
}

const fold = (text: string): string => text.trim().toLowerCase();
