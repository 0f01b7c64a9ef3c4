import type { FieldMatch } from '../../federation/model.ts';
import type { Field, FieldDescriptor, IncomingRow } from '../../lists/definitions/model.ts';
import type { IncomingColumns } from '../../base/incoming-row.ts';
import { createConverter, isForeignID, keepsTexts, type Converter } from './convert.ts';
import { valuesOf } from '../../lists/values/value-sets.ts';
import { referenceLookup, type FoundRows } from './referred.ts';
import { said, type Words } from '../../words/said.ts';

export type Transformed = { readonly row: IncomingRow } | { readonly reason: Words };

export interface Transformation {
  /** Our filled columns. */
  readonly columns: readonly string[];
  /** Returns the partner's ids of referenced rows; none for a deleted row. */
  readonly referencedIDs: (record: Pick<IncomingRow, 'values' | 'deletedAt'>) => readonly string[];
  /** Returns our columns whose references are all unresolved; none for a deleted row. */
  readonly unresolvedColumns: (
    record: Pick<IncomingRow, 'values' | 'deletedAt'>,
    found: FoundRows,
  ) => readonly string[];
  /**
   * Returns our row, or why there is none: an inconvertible or missing required value. `found`: referenced
   * rows that have arrived.
   */
  readonly apply: (record: IncomingRow, found?: FoundRows) => Transformed;
  /**
   * Does the same by column; undefined if `apply` is needed: for references, two columns mapped to one, a
   * text that becomes several values, or an inapplicable row.
   */
  readonly applyToColumns: (columns: IncomingColumns) => IncomingColumns | undefined;
}

interface Match {
  readonly origin: FieldDescriptor;
  readonly local: Field;
  readonly convert: Converter;
  readonly keepsTexts: boolean;
}

/** Longer texts are checked although their column keeps texts. */
const LONG_TEXT = 100_000;

/**
 * Transforms a partner's rows into ours, by mapped columns that are offered, exist here and aren't parked. Deleted rows
 * have no values.
 */
export function createTransformation(
  matches: readonly FieldMatch[],
  offered: readonly FieldDescriptor[],
  localFields: readonly Field[],
): Transformation {
  const active = matches.flatMap((match): Match[] => {
    const origin = offered.find(({ name }) => name === match.origin.name);
    const local = localFields.find(({ name }) => name === match.destination.name);
    return match.parked === undefined && origin && local
      ? [{ origin, local, convert: createConverter(origin, local), keepsTexts: keepsTexts(origin, local) }]
      : [];
  });
  const referring = active.filter(({ origin }) => origin.kind === 'Record');
  return {
    columns: active.map(({ local }) => local.name),
    referencedIDs: ({ values, deletedAt }) =>
      deletedAt === undefined
        ? referring.flatMap(({ origin }) => valuesOf(values, origin.name).filter(isForeignID))
        : [],
    unresolvedColumns: ({ values, deletedAt }, found) =>
      deletedAt === undefined
        ? referring.flatMap(({ origin, local }) => {
            const named = valuesOf(values, origin.name);
            const isUnresolved = (text: string): boolean => isForeignID(text) && !found.has(text.trim());
            return named.length > 0 && named.every(isUnresolved) ? [local.name] : [];
          })
        : [],
    /**
     * Returns our row, without values if deleted, or the `reason` why a value doesn't convert or a required one is
     * missing.
     */
    apply(record, found) {
      // No column has an object's own property names (`isFieldName`).
      const values: Record<string, readonly string[]> = {};
      if (record.deletedAt === undefined) {
        for (const { origin, local, convert } of active) {
          const converted = convert(textsOf(record, origin), found && referenceLookup(local, found));
          if ('problem' in converted)
            return {
              reason: said('conversion.problem', { column: local.label, problem: converted.problem }),
            };
          if (converted.values.length > 0) values[local.name] = converted.values;
          else if (local.isRequired) return { reason: said('conversion.required', { column: local.label }) };
        }
      }
      return { row: { ...record, values } };
    },
    /**
     * Converts whole columns like `apply`. Undefined if that is needed: for references, two columns that fill one, a
     * missing required value, or a text that doesn't convert to one value.
     */
    applyToColumns(columns) {
      const cells = new Map<string, readonly string[]>();
      for (const match of active) {
        const { origin, local } = match;
        const texts = columns.cells.get(origin.name);
        const converted = texts && convertColumn(texts, match);
        if (texts && !converted) return undefined;
        if (local.isRequired && converted?.includes('') !== false) return undefined;
        // Of columns mapped to one, `apply` takes the last non-empty value.
        if (cells.has(local.name)) return undefined;
        if (converted) cells.set(local.name, converted);
      }
      return referring.length > 0 ? undefined : { ...columns, cells };
    },
  };
}

/**
 * Converts a column's texts, where '' is no value; undefined if one doesn't convert or becomes several or an empty
 * value.
 */
function convertColumn(
  texts: readonly string[],
  { convert, keepsTexts: isSame }: Match,
): readonly string[] | undefined {
  if (isSame && texts.every(({ length }) => length < LONG_TEXT)) return texts;
  const all: string[] = [];
  for (const text of texts) {
    const converted = text === '' ? undefined : convert([text]);
    if (converted && ('problem' in converted || converted.values.length > 1 || converted.values[0] === ''))
      return undefined;
    all.push(converted?.values[0] ?? '');
  }
  return all;
}

/** Returns a column's texts; [''], which means no, for a yes/no column that is named without a text. */
function textsOf({ values }: IncomingRow, { name, kind }: FieldDescriptor): readonly string[] {
  const texts = valuesOf(values, name);
  return kind === 'Bool' && texts.length === 0 && Object.hasOwn(values, name) ? [''] : texts;
}
