import { Refusal } from '../../base/refusal.ts';
import type { Lists } from '../../lists/lists.ts';
import type { Field, Row } from '../../lists/definitions/model.ts';
import { titleOf } from '../../lists/rows/row-titles.ts';
import { sourceFrom } from '../../lists/rows/sources.ts';
import { isForeignID, type ReferenceLookup } from './convert.ts';

interface Found {
  readonly moduleID: string;
  readonly row: Row;
  /** From the partner's values: our edits aren't forwarded as the partner's. */
  readonly title: string;
}

/** By the partner's id. */
export type FoundRows = ReadonlyMap<string, Found>;

/** Returns those of the lists that exist and are readable, in order: an unreadable one must not stop the others. */
export async function readableLists(
  lists: Pick<Lists, 'isUnreadable' | 'module'>,
  moduleIDs: readonly string[],
): Promise<readonly string[]> {
  /** Returns whether the list exists; throws other errors. */
  const isThere = (moduleID: string): Promise<boolean> =>
    lists.module(moduleID).then(
      () => true,
      (error: unknown) => {
        if (error instanceof Refusal && error.kind === 'not-found') return false;
        throw error;
      },
    );
  const readable: string[] = [];
  for (const moduleID of moduleIDs)
    if ((await isThere(moduleID)) && !(await lists.isUnreadable(moduleID))) readable.push(moduleID);
  return readable;
}

/**
 * Returns this partner's rows by their ids, from any of these lists (the last wins), as references may not name the
 * list; even rows in the bin, not purged ones.
 */
export async function findReferred(
  lists: Lists,
  nodeID: string,
  moduleIDs: Iterable<string>,
  wanted: ReadonlySet<string>,
): Promise<FoundRows> {
  const found = new Map<string, Found>();
  if (wanted.size === 0) return found;
  const ids = [...wanted];
  for (const moduleID of new Set(moduleIDs)) {
    const { fields } = await lists.module(moduleID);
    for (const row of await (await lists.rows(moduleID)).findReceived(nodeID, ids)) {
      const source = row && sourceFrom(row, nodeID);
      if (row && source && row.purged !== true)
        found.set(source.recordID, { moduleID, row, title: titleOf(fields, source.values) });
    }
  }
  return found;
}

/** Returns whether the referenced row is found and not in the bin. */
export const isShown = (found: FoundRows, id: string): boolean => {
  const target = found.get(id);
  return target !== undefined && target.row.deletedAt === undefined;
};

/**
 * Returns a look-up for one reference column: from a row's id at the partner to our row's id, if our column refers to
 * that list (even in the bin), else to its title. It returns '' instead of the title of a row in the bin or, for a
 * reference column of ours, one that looks like an id; undefined if the row hasn't arrived.
 */
export function referenceLookup(local: Pick<Field, 'kind' | 'options'>, found: FoundRows): ReferenceLookup {
  return (id) => {
    const target = found.get(id);
    if (!target) return undefined;
    const { moduleID, row, title } = target;
    if (local.kind === 'Record' && local.options.moduleID === moduleID) return row.recordID;
    const isLikeID = local.kind === 'Record' && isForeignID(title);
    return row.deletedAt === undefined && !isLikeID ? title : '';
  };
}
