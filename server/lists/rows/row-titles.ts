import type { Field, Row, Values } from '../definitions/model.ts';
import type { FieldKind } from '../../base/vocabulary.ts';
import { valuesOf } from '../values/value-sets.ts';

/** Kinds whose values name a row; what is listed first is preferred. The others say nothing by themselves. */
const NAMING: readonly (readonly FieldKind[])[] = [
  ['String'],
  ['Email', 'Url', 'Select', 'User', 'File', 'Number', 'DateTime'],
];

/** Whether a column's values can be shown as they are to tell rows apart. */
export const isNaming = (kind: FieldKind): boolean => NAMING.some((kinds) => kinds.includes(kind));

/** Letters of a name: of a longer text it is the beginning. One row may name ten thousand others. */
const MAX_TITLE_CHARS = 1000;

/** What a row is called where another refers to it: its first text, else its first other value; `` if it has none. */
export function titleOf(fields: readonly Pick<Field, 'name' | 'kind'>[], values: Values): string {
  for (const kinds of NAMING) {
    for (const field of fields) {
      const text = kinds.includes(field.kind) ? nameOf(valuesOf(values, field.name)) : '';
      if (text !== '') return text;
    }
  }
  return '';
}

/** What a row is called by this column alone. A row in the bin is called nothing. */
export function titleIn({ values, deletedAt }: Row, { name }: Pick<Field, 'name'>): string {
  return deletedAt === undefined ? nameOf(valuesOf(values, name)) : '';
}

const nameOf = (texts: readonly string[]): string => {
  const name = texts.join(', ');
  // Where that falls into a letter of two parts, the half of it goes too.
  return name.length <= MAX_TITLE_CHARS
    ? name
    : name.slice(0, MAX_TITLE_CHARS).replace(/[\ud800-\udbff]$/, '');
};

/** The column that names a list's rows as long as nobody chose another one: its first text, else its first other value. */
export function firstNaming(fields: readonly Field[]): Field | undefined {
  for (const kinds of NAMING) {
    const field = fields.find(({ kind }) => kinds.includes(kind));
    if (field) return field;
  }
  return undefined;
}
