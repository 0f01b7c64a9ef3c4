import type { ImportPreview, ImportAnswer } from '../../../../server/contract/app/import.ts';
import type { ListColumn } from '../../../../server/contract/app/lists.ts';
import type { App } from '../../../state/app.svelte.ts';

const stripToLetters = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

type FileColumn = ImportPreview['columns'][number];

/** A renamed column keeps its name, which may be a new one's label. */
const ARE_EQUAL: readonly ((column: FileColumn, field: ListColumn) => boolean)[] = [
  (column, { label }) => column.label === label || column.name === label,
  (column, { name }) => column.label === name || column.name === name,
  (column, { label }) =>
    stripToLetters(column.label) === stripToLetters(label) ||
    stripToLetters(column.name) === stripToLetters(label),
  (column, { name }) =>
    stripToLetters(column.label) === stripToLetters(name) ||
    stripToLetters(column.name) === stripToLetters(name),
];

/**
 * Returns each file column's list column, by name: of equal label, else name, else either but for case and punctuation.
 * Leaves out those without one; each list column is matched once.
 */
export function matchColumns(
  columns: ImportPreview['columns'],
  fields: readonly ListColumn[],
): Readonly<Record<string, string>> {
  const free = new Set(fields);
  const match = new Map<string, string>();
  for (const areEqual of ARE_EQUAL)
    for (const column of columns) {
      const field = match.has(column.name) ? undefined : [...free].find((other) => areEqual(column, other));
      if (!field) continue;
      free.delete(field);
      match.set(column.name, field.name);
    }
  return Object.fromEntries(match);
}

/** Returns a file's name without extension, underscores as blanks, cut at 200 characters. */
export const listNameFromFile = (file: string): string =>
  file
    .replace(/\.[^.]{1,4}$/, '')
    .replaceAll('_', ' ')
    .trim()
    .slice(0, 200);

const SHOWN = 6;

/** Lists lines: quotes the first six and counts further ones. */
export function summarizeLines(app: Pick<App, 't' | 'format'>, lines: ImportAnswer['sums']): string {
  const named = lines.slice(0, SHOWN).map(({ line, text }) => app.t('import.line', { line, reason: text }));
  const others = lines.length - named.length;
  return others > 0 ? `${named.join(', ')} ${app.t('import.more', { n: others })}` : app.format.list(named);
}

/** Returns how many filled cells a file would empty, in which columns; names the first six. */
export function describeEmptied(
  { t, format }: Pick<App, 't' | 'format'>,
  emptied: ImportAnswer['emptied'],
  fields: readonly ListColumn[],
): { readonly n: number; readonly columns: string } {
  const names = emptied.map(({ column }) => {
    const field = fields.find(({ name }) => name === column);
    return field ? field.label || field.name : column;
  });
  const others = names.length - SHOWN;
  return {
    n: emptied.reduce((sum, { cells }) => sum + cells, 0),
    columns:
      others > 0
        ? `${names.slice(0, SHOWN).join(', ')} ${t('import.more', { n: others })}`
        : format.list(names),
  };
}
