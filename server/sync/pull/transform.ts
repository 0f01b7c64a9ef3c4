import type { FieldMatch } from '../../federation/model.ts';
import type { Field, FieldDescriptor, IncomingRow } from '../../lists/definitions/model.ts';
import { converter, isForeignID, type Converter } from './convert.ts';
import { valuesOf } from '../../lists/values/value-sets.ts';
import { namedIn, type FoundRows } from './referred.ts';
import { said, type Words } from '../../words/said.ts';

/** What a partner's row becomes under a matching, or why it cannot be applied. */
export type Transformed = { readonly row: IncomingRow } | { readonly reason: Words };

export interface Transformation {
  /** Our columns that are filled. */
  readonly columns: readonly string[];
  /** The partner's own numbers of its rows that this row names in columns that refer to rows. */
  readonly references: (record: Pick<IncomingRow, 'values' | 'deletedAt'>) => readonly string[];
  /** Returns our columns for which the row names rows that are not found, and nothing else. */
  readonly unresolved: (
    record: Pick<IncomingRow, 'values' | 'deletedAt'>,
    found: FoundRows,
  ) => readonly string[];
  /** @param found the rows behind those numbers, as far as they have arrived */
  readonly apply: (record: IncomingRow, found?: FoundRows) => Transformed;
}

interface Match {
  readonly origin: FieldDescriptor;
  readonly local: Field;
  readonly convert: Converter;
}

/**
 * Turns a partner's rows into rows of our list. Only matched columns that the partner announced are read,
 * whatever else it sends (H6); parked matches rest. One value that cannot be converted keeps the whole row out,
 * with column and reason, so that no row is ever half right.
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
      ? [{ origin, local, convert: converter(origin, local) }]
      : [];
  });
  const referring = active.filter(({ origin }) => origin.kind === 'Record');
  return {
    columns: active.map(({ local }) => local.name),
    references: ({ values, deletedAt }) =>
      deletedAt === undefined
        ? referring.flatMap(({ origin }) => valuesOf(values, origin.name).filter(isForeignID))
        : [],
    unresolved: ({ values, deletedAt }, found) =>
      deletedAt === undefined
        ? referring.flatMap(({ origin, local }) => {
            const named = valuesOf(values, origin.name);
            const isUnresolved = (text: string): boolean => isForeignID(text) && !found.has(text.trim());
            return named.length > 0 && named.every(isUnresolved) ? [local.name] : [];
          })
        : [],
    apply(record, found) {
      // Our columns have no name that an object has of itself (`isFieldName`).
      const values: Record<string, readonly string[]> = {};
      if (record.deletedAt === undefined) {
        for (const { origin, local, convert } of active) {
          const converted = convert(textsOf(record, origin), found && namedIn(local, found));
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
  };
}

/** A column that is named without a text: for yes and no that is a no, else nothing. */
function textsOf({ values }: IncomingRow, { name, kind }: FieldDescriptor): readonly string[] {
  const texts = valuesOf(values, name);
  return kind === 'Bool' && texts.length === 0 && Object.hasOwn(values, name) ? [''] : texts;
}
