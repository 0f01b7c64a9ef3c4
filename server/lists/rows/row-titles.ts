import type { Field, Row, Values } from '../definitions/model.ts';
import type { FieldKind } from '../../base/vocabulary.ts';
import { valuesOf } from '../values/value-sets.ts';

/** Preferred first. */
const NAMING: readonly (readonly FieldKind[])[] = [
  ['String'],
  ['Email', 'Url', 'Select', 'User', 'File', 'Number', 'DateTime'],
];

export const isNaming = (kind: FieldKind): boolean => NAMING.some((kinds) => kinds.includes(kind));

/** A row may refer to ten thousand others. */
const MAX_TITLE_CHARS = 1000;

/**
 * Returns a row's title: its first filled text column, otherwise the first filled one of another kind that can be a
 * title, cut to 1,000 characters. Empty if none is filled.
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

/** Returns the row's title from this column alone; empty for rows in the bin. */
export function titleIn({ values, deletedAt }: Row, { name }: Pick<Field, 'name'>): string {
  return deletedAt === undefined ? joinTitle(valuesOf(values, name)) : '';
}

/** Returns the texts joined by commas, cut to 1,000 characters. */
const joinTitle = (texts: readonly string[]): string => {
  const name = texts.join(', ');
  // Avoids half a surrogate pair.
  return name.length <= MAX_TITLE_CHARS
    ? name
    : name.slice(0, MAX_TITLE_CHARS).replace(/[\ud800-\udbff]$/, '');
};

/**
 * Returns the first text column, otherwise the first of another kind that can be a title; undefined if there is none.
 */
export function chooseTitleColumn(fields: readonly Field[]): Field | undefined {
  for (const kinds of NAMING) {
    const field = fields.find(({ kind }) => kinds.includes(kind));
    if (field) return field;
  }
  return undefined;
}
