import { isSeen } from '../../base/plain-name.ts';
import type { Field, Values } from '../definitions/model.ts';

/** The values of a column; none where the row has none. Safe for any column name. */
export function valuesOf(values: Values, column: string): readonly string[] {
  return Object.hasOwn(values, column) ? (values[column] ?? []) : [];
}

export function sameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((text, at) => text === b[at]));
}

/** Whether both have the same columns with the same texts, empty ones included. */
export function sameValues(a: Values, b: Values): boolean {
  if (a === b) return true;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && sameTexts(valuesOf(a, name), valuesOf(b, name)))
  );
}

/** A copy with one column set; an empty column is left out. */
export function withColumn(values: Values, column: string, texts: readonly string[]): Values {
  const rest = { ...values };
  if (texts.length > 0) return { ...rest, [column]: texts };
  return Object.fromEntries(Object.entries(rest).filter(([name]) => name !== column));
}

/** An empty text is no value, save for Bool, where it says "no" (which is not the same as nothing said). */
export function withoutEmpties(field: Field, texts: readonly string[]): readonly string[] {
  return field.kind === 'Bool' || !texts.includes('') ? texts : texts.filter((text) => text !== '');
}

/** Whether a column with something in it comes to have nothing. Blanks are nothing to whoever looks. */
export function losesAny(was: Values = {}, is: Values = {}): boolean {
  return Object.keys(was).some((column) => isFilled(was, column) && !isFilled(is, column));
}

/** Returns the columns with something in them that come to have nothing. */
export const lostColumns = (was: Values = {}, is: Values = {}): string[] =>
  Object.keys(was).filter((column) => isFilled(was, column) && !isFilled(is, column));

/** An empty text is kept of a Bool only, where it says no. */
export const isFilled = (values: Values, column: string): boolean =>
  valuesOf(values, column).some((text) => text === '' || isSeen(text));
