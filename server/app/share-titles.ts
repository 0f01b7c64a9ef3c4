import type { ShareTitle } from '../contract/app/sharing.ts';
import type { Lists } from '../lists/lists.ts';
import type { Field, Module } from '../lists/definitions/model.ts';
import { findPinnedField, type TitlePins } from '../lists/rows/pinned-titles.ts';
import { isReferring, type ReferringField } from '../lists/rows/references.ts';
import { isNaming } from '../lists/rows/row-titles.ts';
import { valuesOf } from '../lists/values/value-sets.ts';

/**
 * Returns for each reference column which column of the other list is sent in place of ids, and the alternatives.
 * @param pins the user's choices by column id
 */
export async function shareTitles(
  lists: Pick<Lists, 'modules'>,
  fields: readonly Field[],
  pins: TitlePins,
): Promise<ShareTitle[]> {
  const referring = fields.filter(isReferring);
  if (referring.length === 0) return [];
  const modules = await lists.modules();
  return referring.map((field) => {
    const target = modules.find(({ moduleID }) => moduleID === field.options.moduleID);
    return shareTitle(field, target, pins[field.fieldID]);
  });
}

/**
 * Returns which column of `target` is sent in place of ids; `missing`: the user must choose one, or choose again.
 * @param pin the user's choice; if empty, none is sent
 */
function shareTitle(
  { fieldID, label }: ReferringField,
  target: Module | undefined,
  pin: string | undefined,
): ShareTitle {
  const shown = target && findPinnedField(target, pin);
  return {
    fieldID,
    label,
    ...(target ? { listName: target.name } : {}),
    ...(shown ? { shownBy: choice(shown) } : {}),
    ...(shown || pin === '' ? {} : { missing: true }),
    choices: (target?.fields ?? []).filter(({ kind }) => isNaming(kind)).map(choice),
  };
}

const choice = ({ fieldID, label }: Field): ShareTitle['choices'][number] => ({ fieldID, label });

/** Counts by reference column's id rows with a value that is no readable row outside the bin; 0 if there are none. */
export async function countDanglingReferences(
  lists: Pick<Lists, 'rows' | 'references'>,
  moduleID: string,
  fields: readonly Field[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map(fields.filter(isReferring).map(({ fieldID }) => [fieldID, 0]));
  if (counts.size === 0) return counts;
  for await (const page of (await lists.rows(moduleID)).scan()) {
    const references = await lists.references(moduleID, page);
    for (const { fieldID, name } of fields) {
      const before = counts.get(fieldID);
      if (before === undefined) continue;
      const nowhere = page.filter(({ values }) =>
        valuesOf(values, name).some((text) => references.get(text)?.state !== 'there'),
      );
      counts.set(fieldID, before + nowhere.length);
    }
  }
  return counts;
}
