import type { RowChoice } from '../contract/app/lists.ts';
import type { Lists } from '../lists/lists.ts';
import type { Module, Row } from '../lists/definitions/model.ts';
import { isNaming, titleIn, titleOf } from '../lists/rows/row-titles.ts';

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
