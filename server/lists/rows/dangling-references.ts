import type { Lists } from '../lists.ts';
import type { Field } from '../definitions/model.ts';
import { isReferring } from './references.ts';
import { valuesOf } from '../values/value-sets.ts';

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
