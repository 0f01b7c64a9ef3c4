import type { RowChoice } from '../contract/app/lists.ts';
import type { Lists } from '../lists/lists.ts';
import type { Module, Row } from '../lists/definitions/model.ts';
import { isNaming, titleIn, titleOf } from '../lists/rows/row-titles.ts';

const MOST = 20;
/** Columns beside the title that tell rows of one name apart. */
const BESIDES = 2;

/** Rows of a list to choose from, those that hold the words that were typed; a few, as one types on to find others. */
export async function rowChoices(lists: Lists, moduleID: string, search: string): Promise<RowChoice[]> {
  const module = await lists.module(moduleID);
  const { rows } = await lists.listAsShown(moduleID, { limit: MOST, offset: 0, search });
  return rows.map((row) => choice(module, row));
}

function choice({ fields }: Module, row: Row): RowChoice {
  const { recordID, values } = row;
  const text = titleOf(fields, values);
  const more = fields
    .filter(({ kind }) => isNaming(kind))
    .map((field) => titleIn(row, field))
    .filter((other) => other !== '' && other !== text)
    .slice(0, BESIDES);
  return { recordID, text, more };
}
