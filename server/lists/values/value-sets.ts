import { isVisibleText } from '../../base/plain-name.ts';
import type { Field, Values } from '../definitions/model.ts';

/** Returns the column's texts; empty if the row has none. Safe for names of Object.prototype. */
export function valuesOf(values: Values, column: string): readonly string[] {
  return Object.hasOwn(values, column) ? (values[column] ?? []) : [];
}

/** Returns whether the texts are equal, in the same order. */
export function hasSameTexts(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((text, at) => text === b[at]));
}

/**
 * Returns whether both have the same columns with the same texts in the same order; an empty column isn't a missing
 * one.
 */
export function hasSameValues(a: Values, b: Values): boolean {
  if (a === b) return true;
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => Object.hasOwn(b, name) && hasSameTexts(valuesOf(a, name), valuesOf(b, name)))
  );
}

/** Returns the values with this column set, removed if `texts` is empty. */
export function withColumn(values: Values, column: string, texts: readonly string[]): Values {
  const rest = { ...values };
  if (texts.length > 0) return { ...rest, [column]: texts };
  return Object.fromEntries(Object.entries(rest).filter(([name]) => name !== column));
}

/** Returns texts that aren't empty; all of a Bool, where empty means "no". */
export function withoutEmpties(field: Field, texts: readonly string[]): readonly string[] {
  return field.kind === 'Bool' || !texts.includes('') ? texts : texts.filter((text) => text !== '');
}

/** Returns whether any column has a visible value in `was` and none in `is`. */
export function losesValue(was: Values = {}, is: Values = {}): boolean {
  return Object.keys(was).some((column) => isFilled(was, column) && !isFilled(is, column));
}

/** Returns the columns that have a visible value in `was` and none in `is`. */
export const lostColumns = (was: Values = {}, is: Values = {}): string[] =>
  Object.keys(was).filter((column) => isFilled(was, column) && !isFilled(is, column));

/** Counts an empty text as visible, as only Bool stores it, for "no". */
export const isFilled = (values: Values, column: string): boolean =>
  valuesOf(values, column).some((text) => text === '' || isVisibleText(text));
