import type { Lists } from '../lists/lists.ts';
import type { Rows } from '../lists/rows.ts';
import { followColumns } from './columns.ts';
import type { Exposures } from './exposures.ts';
import { leavingOf, type Leaving } from './leaving.ts';
import type { Exposure, Node } from './model.ts';

/** A list as one partner sees it at one moment: the chosen columns under the names that they have in the rows. */
export interface ExposedList {
  readonly exposure: Exposure;
  readonly rows: Rows;
  readonly leaving: Leaving;
}

/**
 * Reads an exposed list in one piece: no change of its columns happens while `body` runs, and what it is given is by
 * the columns' ids. Keep it short. @throws Refusal `not-found`, `gone`
 */
export type ReadExposed = <R>(
  node: Node,
  moduleID: string,
  body: (list: ExposedList) => Promise<R>,
) => Promise<R>;

export function createReadExposed(lists: Lists, exposures: Exposures): ReadExposed {
  return async (node, moduleID, body) => {
    const { composeModuleID } = await exposures.get(node.nodeID, moduleID);
    return lists.forOthers(composeModuleID, async (list) => {
      // Read once more: while this waited for a change of columns, the choice may have become another.
      const stored = await exposures.get(node.nodeID, moduleID);
      const { fields: all } = list.module;
      const exposure = { ...stored, ...followColumns(stored, all) };
      const chosen = exposure.fieldIDs.flatMap((id) => all.filter(({ fieldID }) => fieldID === id));
      return body({
        exposure,
        rows: list.rows,
        leaving: leavingOf(list, chosen, exposure.titlePins ?? {}),
      });
    });
  };
}
