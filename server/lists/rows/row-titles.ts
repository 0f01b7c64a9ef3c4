import type { Field, Row, Values } from '../definitions/model.ts';
import type { FieldKind } from '../../base/vocabulary.ts';
import { valuesOf } from '../values/value-sets.ts';

/** Kinds whose values can be titles, in order of preference; others say nothing by themselves. */
const NAMING: readonly (readonly FieldKind[])[] = [
  ['String'],
  ['Email', 'Url', 'Select', 'User', 'File', 'Number', 'DateTime'],
];

/** Returns whether a column's values can identify rows to people. */
export const isNaming = (kind: FieldKind): boolean => NAMING.some((kinds) => kinds.includes(kind));

/** Limit of a title's characters: one row may refer to ten thousand others. */
const MAX_TITLE_CHARS = 1000;

/**
 * Returns a row's title for references: its first filled text column, otherwise its first filled column of another
 * naming kind ({@link NAMING}). Joins several values and cuts the title to {@link MAX_TITLE_CHARS}; empty if none
 * of these columns is filled.
 */
export function titleOf(fields: readonly Pick<Field, 'name' | 'kind'>[], values: Values): string {
  for (const kinds of NAMING) {
    for (const field of fields) {
      const text = kinds.includes(field.kind) ? joinTitle(valuesOf(values, field.name)) : '';
      if (text !== '') return text;
    }
  }
  return '';
}

/** Returns a row's title by this column alone; empty for rows in the bin. */
export function titleIn({ values, deletedAt }: Row, { name }: Pick<Field, 'name'>): string {
  return deletedAt === undefined ? joinTitle(valuesOf(values, name)) : '';
}

/** Joins texts to a title, cut to {@link MAX_TITLE_CHARS}. */
const joinTitle = (texts: readonly string[]): string => {
  const name = texts.join(', ');
  // Avoids cutting a surrogate pair.
  return name.length <= MAX_TITLE_CHARS
    ? name
    : name.slice(0, MAX_TITLE_CHARS).replace(/[\ud800-\udbff]$/, '');
};

/**
 * Returns the default title column: the first text column, otherwise the first other one that can name rows;
 * undefined if none can.
 */
export function firstNaming(fields: readonly Field[]): Field | undefined {
  for (const kinds of NAMING) {
    const field = fields.find(({ kind }) => kinds.includes(kind));
    if (field) return field;
  }
  return undefined;
}
