import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Ids } from '../../base/ids.ts';
import type { FieldInput } from './inputs.ts';
import type { Field } from './model.ts';
import { checkFieldName, checkTitle, createFieldNamer, freeTitle } from './names.ts';
import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';

/** docs/interface.md: Limits */
const MAX_COLUMNS = 500;

/** Throws `list.columns` for more than 500 columns. */
export function checkColumnCount(count: number): void {
  if (count > MAX_COLUMNS)
    throw new Refusal('impossible', 'list.columns', said('list.too-many-columns', { most: MAX_COLUMNS }));
}

/**
 * Returns columns as stored; existing ones keep their id and whatever the input omits. Throws a refusal:
 * `list.no-columns`, `list.columns` (over 500), `list.column-unknown` (id), `list.column-taken` (twice), or of a name.
 */
export function makeFields(inputs: readonly FieldInput[], existing: readonly Field[], ids: Ids): Field[] {
  if (inputs.length === 0) throw new Refusal('impossible', 'list.no-columns', said('list.no-columns'));
  checkColumnCount(inputs.length);
  const known = inputs.map((input) => ({ input, old: findExisting(input, existing) }));
  const nameFrom = createFieldNamer(known.flatMap(({ input, old }) => input.name ?? old?.name ?? []));
  const fields = known.map(({ input, old }) => {
    const name = input.name ?? old?.name ?? nameFrom(input.label ?? '');
    const label = [input.label, old?.label, name].find((text) => text?.trim()) ?? name;
    const compose = input.compose ? { ...old?.compose, ...input.compose } : old?.compose;
    return {
      fieldID: old?.fieldID ?? ids.next(),
      kind: input.kind,
      name: checkFieldName(name),
      label: checkTitle(label, 'column'),
      isMulti: input.isMulti ?? old?.isMulti ?? false,
      isRequired: input.isRequired ?? old?.isRequired ?? false,
      options: input.options ?? old?.options ?? {},
      ...omitUndefined({ compose }),
    };
  });
  refuseDuplicates(fields);
  return fields;
}

/** Returns the column with the input's id; without one, or with '0', by name. Throws `list.column-unknown` (id). */
function findExisting(input: FieldInput, existing: readonly Field[]): Field | undefined {
  if (input.fieldID === undefined || input.fieldID === '0') {
    return existing.find((field) => field.name === input.name);
  }
  const old = existing.find((field) => field.fieldID === input.fieldID);
  if (old) return old;
  throw new Refusal(
    'impossible',
    'list.column-unknown',
    said('list.unknown-column', { number: input.fieldID }),
  );
}

/** Throws `list.column-taken` for an equal id, or an equal name in any case. */
function refuseDuplicates(fields: readonly Field[]): void {
  const names = new Set<string>();
  const ids = new Set<string>();
  for (const { name, fieldID } of fields) {
    if (names.has(name.toLowerCase()) || ids.has(fieldID)) {
      throw new Refusal('conflict', 'list.column-taken', said('list.column-twice', { column: name }));
    }
    names.add(name.toLowerCase());
    ids.add(fieldID);
  }
}

/**
 * Returns the column labelled `wishedLabel`, numbered if that is taken, and named after it if its own name is taken.
 */
export function withFreeName(field: Field, others: readonly Field[], wishedLabel = field.label): Field {
  const label = freeTitle(
    wishedLabel,
    others.map((other) => other.label),
  );
  const names = others.map(({ name }) => name);
  return {
    ...field,
    label,
    name: isFreeName(field, others) ? field.name : createFieldNamer(names)(wishedLabel),
  };
}

/** Ignores case and the column itself. */
export const isFreeName = ({ fieldID, name }: Field, others: readonly Field[]): boolean =>
  others.every((other) => other.fieldID === fieldID || other.name.toLowerCase() !== name.toLowerCase());
