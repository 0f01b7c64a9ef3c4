import type { Lists } from '../lists.ts';
import type { Field } from '../definitions/model.ts';
import { createRowsByTitle, type RowsByTitle } from '../rows/rows-by-title.ts';
import { isReferring } from '../rows/references.ts';
import { Refusal } from '../../base/refusal.ts';
import { said, type Words } from '../../words/said.ts';

export interface Referring {
  /** Returns row ids for titles, other texts unchanged; problems go to `problems`. */
  read(field: Field, cell: Cell, problems: Words[]): readonly string[];
}

export interface Cell {
  readonly texts: readonly string[];
  /** From the column beside; decide between rows of the same title. */
  readonly ids: readonly string[];
}

/**
 * Creates the conversion of titles in cells to row ids; reads each referenced list once. Throws `csv.refers-to` if a
 * column's list is unset or unknown.
 */
export async function createReferring(lists: Lists, fields: readonly Field[]): Promise<Referring> {
  const known = new Map((await lists.modules()).map((module) => [module.moduleID, module]));
  const named = new Map<string, RowsByTitle>();
  for (const field of fields) {
    if (field.kind !== 'Record') continue;
    if (!isReferring(field) || !known.has(field.options.moduleID)) {
      throw new Refusal(
        'impossible',
        'csv.refers-to',
        said('import.refers-nowhere', { column: field.label || field.name }),
      );
    }
    const { moduleID } = field.options;
    if (!named.has(moduleID)) named.set(moduleID, await lists.withStableColumns(moduleID, createRowsByTitle));
  }
  return {
    /**
     * Returns the texts with row ids for titles; unchanged in a column that refers to no list. Adds a problem for a
     * title without exactly one row.
     */
    read(field, { texts, ids }, problems) {
      const rows = isReferring(field) ? named.get(field.options.moduleID) : undefined;
      if (!rows) return texts;
      return texts.map((text, at) => findRow({ field, rows, id: ids[at] }, text, problems));
    },
  };
}

interface Looked {
  readonly field: Field;
  readonly rows: RowsByTitle;
  readonly id: string | undefined;
}

/**
 * Returns the id of the row with this title; of several, `id` decides. Otherwise adds a problem and returns the title
 * unchanged; an empty one without a problem.
 */
function findRow({ field, rows, id }: Looked, text: string, problems: Words[]): string {
  if (text === '') return text;
  const found = rows.find(text, id);
  if ('recordID' in found) return found.recordID;
  const label = field.label || field.name;
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  problems.push(
    found.rows === 'none'
      ? said('import.no-row-called', { column: label, list: rows.list, value: shown })
      : said('import.several-rows-called', { column: label, list: rows.list, value: shown }),
  );
  return text;
}
