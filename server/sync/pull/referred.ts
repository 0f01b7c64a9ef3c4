import { Refusal } from '../../base/refusal.ts';
import type { Lists } from '../../lists/lists.ts';
import type { Field, Row } from '../../lists/definitions/model.ts';
import { titleOf } from '../../lists/rows/row-titles.ts';
import { wayFrom } from '../../lists/rows/ways.ts';
import { isForeignID, type Named } from './convert.ts';

/** A row that came from the partner, as others of its rows refer to it. */
interface Found {
  readonly moduleID: string;
  readonly row: Row;
  /** By what the partner itself brought of it: what we wrote beside that is not its word, and does not go on as such. */
  readonly title: string;
}

/** The partner's rows that others refer to, by their numbers there. */
export type FoundRows = ReadonlyMap<string, Found>;

/**
 * Those of these lists that can be read: one that cannot keeps nobody from finding rows in the others. Nor does one that was
 * removed meanwhile, which is on its way out of the store.
 */
export async function readableOf(
  lists: Pick<Lists, 'isUnreadable' | 'module'>,
  moduleIDs: readonly string[],
): Promise<readonly string[]> {
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
 * Finds rows that came from this partner, in whatever lists of ours they are. A live server's columns name rows by its
 * own numbers and do not say of which list; no two of its rows have the same.
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
      const way = row && wayFrom(row, nodeID);
      if (row && way && row.purged !== true)
        found.set(way.recordID, { moduleID, row, title: titleOf(fields, way.values) });
    }
  }
  return found;
}

/** Returns whether the row behind such a number is shown: it is found, and not in the bin, from which it may come back. */
export const isShown = (found: FoundRows, id: string): boolean => {
  const target = found.get(id);
  return target !== undefined && target.row.deletedAt === undefined;
};

/**
 * What stands for such a number in a column of ours: the row itself where the column refers to the list that it is in,
 * else what it is called; nothing where it lies in the bin.
 */
export function namedIn(local: Pick<Field, 'kind' | 'options'>, found: FoundRows): Named {
  return (id) => {
    const target = found.get(id);
    if (!target) return undefined;
    const { moduleID, row, title } = target;
    if (local.kind === 'Record' && local.options.moduleID === moduleID) return row.recordID;
    // A text that looks like a row's id would stand for that row.
    const isLikeID = local.kind === 'Record' && isForeignID(title);
    return row.deletedAt === undefined && !isLikeID ? title : '';
  };
}
