import type { Field, FieldDescriptor } from '../../lists/definitions/model.ts';
import { Refusal } from '../../base/refusal.ts';
import type { FieldMatch, OfferedColumn } from '../model.ts';
import { KIND_NAMES } from '../../lists/values/kinds/names.ts';
import { said, type Words } from '../../words/said.ts';

/** By name or id, with a label for partners; default: the list's. */
export interface RequestedColumn {
  /** Outranks the name, which may have changed. */
  readonly fieldID?: string;
  readonly name: string;
  readonly label?: string;
}

const MAX_COLUMNS = 500;

/** Returns what partners see of a column. */
export function descriptorOf({ kind, name, label, isMulti }: FieldDescriptor): FieldDescriptor {
  return { kind, name, label, isMulti };
}

/** Returns the members that we store of an offered column: its descriptor and its mark, if any. */
export function toOfferedColumn({ mark, ...column }: OfferedColumn): OfferedColumn {
  return { ...descriptorOf(column), ...(mark === undefined ? {} : { mark }) };
}

/** Returns whether marks prove two different columns; false if one has none. */
export const isOtherColumn = ({ mark: one }: OfferedColumn, { mark: other }: OfferedColumn): boolean =>
  one !== undefined && other !== undefined && one !== other;

/** Shared columns and their ids in the list, in one order. */
export interface SharedColumns {
  readonly fields: readonly FieldDescriptor[];
  readonly fieldIDs: readonly string[];
}

/**
 * Resolves requested columns by the list, with its label in place of an empty one. Throws `impossible` for unknown,
 * repeated or too many ones.
 */
export function resolveColumns(
  requested: readonly RequestedColumn[],
  fields: readonly Field[],
): SharedColumns {
  if (requested.length > MAX_COLUMNS)
    throw new Refusal(
      'impossible',
      'columns.too-many',
      said('share.too-many-columns', { most: MAX_COLUMNS }),
    );
  const seen = new Set<string>();
  const found = requested.map(({ fieldID, name: requestedName, label }) => {
    const field =
      fieldID === undefined
        ? findColumn(requestedName, fields)
        : (fields.find((each) => each.fieldID === fieldID) ?? throwUnknownColumn(requestedName));
    const { name } = field;
    if (seen.has(name))
      throw new Refusal('impossible', 'columns.twice', said('share.column-twice', { column: name }));
    seen.add(name);
    return { field, label: label === undefined || label === '' ? field.label : label };
  });
  return {
    fields: found.map(({ field, label }) => ({ ...descriptorOf(field), label })),
    fieldIDs: found.map(({ field }) => field.fieldID),
  };
}

/** Finds a column by name. Throws `columns.unknown` (impossible). */
export function findColumn<F extends FieldDescriptor>(name: string, fields: readonly F[]): F {
  return fields.find((each) => each.name === name) ?? throwUnknownColumn(name);
}

/** Throws `columns.unknown` (impossible). */
function throwUnknownColumn(name: string): never {
  throw new Refusal('impossible', 'columns.unknown', said('share.no-such-column', { column: name }));
}

/**
 * Returns shared columns with the list's present names and kinds. Labels equal to the list's `before` follow it;
 * deleted columns, and references turned to or from another kind, leave.
 */
export function followColumns(
  shared: SharedColumns,
  now: readonly Field[],
  before: readonly Field[] = [],
): SharedColumns {
  const kept = shared.fields.flatMap((column, at) => {
    const field = now.find(({ fieldID }) => fieldID === shared.fieldIDs[at]);
    if (!field || changesReferenceKind(column, field)) return [];
    const old = before.find(({ fieldID }) => fieldID === field.fieldID);
    return [{ field, label: column.label === old?.label ? field.label : column.label }];
  });
  return {
    fields: kept.map(({ field, label }) => ({ ...descriptorOf(field), label })),
    fieldIDs: kept.map(({ field }) => field.fieldID),
  };
}

/** Returns shared columns that began or ceased to refer to rows: our user must choose them again. */
export function findRetypedColumns(shared: SharedColumns, now: readonly Field[]): FieldDescriptor[] {
  return shared.fields.filter((column, at) => {
    const field = now.find(({ fieldID }) => fieldID === shared.fieldIDs[at]);
    return field !== undefined && changesReferenceKind(column, field);
  });
}

/** Returns whether exactly one of the two refers to rows. */
const changesReferenceKind = (before: FieldDescriptor, now: FieldDescriptor): boolean =>
  (before.kind === 'Record') !== (now.kind === 'Record');

/**
 * Returns the match in use, with the offered mark; or parked by the partner with a reason, if the offer lacks the
 * column, has another of its name, or another kind or number of values.
 */
export function parkUnlessOffered(match: FieldMatch, offered: readonly OfferedColumn[]): FieldMatch {
  const { origin, destination } = match;
  const theirs = offered.find(({ name }) => name === origin.name);
  const title = `“${origin.label || origin.name}”`;
  if (!theirs) return parkMatch(match, 'partner', said('match.not-offered', { column: title }));
  if (isOtherColumn(origin, theirs))
    return parkMatch(match, 'partner', said('match.another-column', { column: title }));
  if (theirs.kind !== origin.kind)
    return parkMatch(
      match,
      'partner',
      said('match.kind-changed', {
        column: title,
        before: KIND_NAMES[origin.kind],
        after: KIND_NAMES[theirs.kind],
      }),
    );
  if (theirs.isMulti !== origin.isMulti)
    return parkMatch(match, 'partner', said('match.number-of-values-changed', { column: title }));
  // Older versions' matches lack the mark.
  return { origin: toOfferedColumn({ ...theirs, ...origin }), destination };
}

/**
 * Returns the match out of use, for the reason `parked`.
 * @param parkedBy whose column changed
 */
export function parkMatch(match: FieldMatch, parkedBy: 'partner' | 'us', parked: Words): FieldMatch {
  const { origin, destination } = match;
  return { origin, destination, parked, parkedBy };
}
