import type { FoundInList } from '../contract/app/search.ts';
import type { Language } from '../base/vocabulary.ts';
import type { Lists } from '../lists/lists.ts';
import { titleOf, isNaming, titleIn } from '../lists/rows/row-titles.ts';
import type { RowChoice } from '../contract/app/lists.ts';
import type { Module, Row } from '../lists/definitions/model.ts';
import type { Rows } from '../lists/rows/rows.ts';
import { valuesOf } from '../lists/values/value-sets.ts';

const NAMED = 3;
const SHOWN_LETTERS = 120;

/**
 * Returns readable lists with matching rows (as the language shows them), by name, each with their number and the first
 * three titles. Throws the signal's reason.
 */
export async function searchLists(
  lists: Pick<Lists, 'modules' | 'isUnreadable' | 'listAsShown'>,
  asked: { readonly text: string; readonly language: Language },
  signal: AbortSignal,
): Promise<FoundInList[]> {
  const found: FoundInList[] = [];
  for (const { moduleID, name, fields } of await lists.modules()) {
    signal.throwIfAborted();
    if (await lists.isUnreadable(moduleID)) continue;
    const page = await lists.listAsShown(moduleID, {
      search: asked.text,
      language: asked.language,
      limit: NAMED,
      incTotal: true,
    });
    if (page.rows.length === 0) continue;
    const rows = page.rows.map(({ recordID, values }) => ({
      recordID,
      title: titleOf(fields, values).slice(0, SHOWN_LETTERS),
    }));
    found.push({ moduleID, name, total: page.total ?? rows.length, rows });
  }
  const order = new Intl.Collator(asked.language, { numeric: true });
  return found.sort((a, b) => order.compare(a.name, b.name));
}

const MAX_CHOICES = 20;
const BESIDES = 2;

/** Returns up to 20 rows that match the typed words, to choose a reference from. */
export async function rowChoices(lists: Lists, moduleID: string, search: string): Promise<RowChoice[]> {
  const module = await lists.module(moduleID);
  const { rows } = await lists.listAsShown(moduleID, { limit: MAX_CHOICES, offset: 0, search });
  return rows.map((row) => toChoice(module, row));
}

/** Returns a row's title and up to two other texts, which tell rows of the same title apart. */
function toChoice({ fields }: Module, row: Row): RowChoice {
  const { recordID, values } = row;
  const text = titleOf(fields, values);
  const more = fields
    .filter(({ kind }) => isNaming(kind))
    .map((field) => titleIn(row, field))
    .filter((other) => other !== '' && other !== text)
    .slice(0, BESIDES);
  return { recordID, text, more };
}

const MAX_VALUE_CHARS = 1000;

/**
 * Returns the first `most` different values of rows outside the bin, without empty ones and those over 1,000
 * characters.
 */
export async function findValuesInUse(rows: Rows, column: string, most: number): Promise<string[]> {
  const found = new Set<string>();
  for await (const page of rows.scan()) {
    for (const { values } of page)
      for (const text of valuesOf(values, column)) if (text.length <= MAX_VALUE_CHARS) found.add(text);
    if (found.size >= most) break;
  }
  found.delete('');
  return [...found].slice(0, most);
}
