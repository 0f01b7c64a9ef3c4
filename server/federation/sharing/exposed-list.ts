import type { Lists } from '../../lists/lists.ts';
import type { SeenRows } from '../../lists/rows/audiences.ts';
import { followColumns } from './columns.ts';
import type { Conditions } from './conditions.ts';
import { exposedRows } from './exposed-rows.ts';
import type { Exposures } from './exposures.ts';
import { outgoingOf, type Outgoing } from './outgoing.ts';
import type { MayStillRead } from './may-read.ts';
import type { Exposure, Node } from '../model.ts';

/**
 * A list as one partner sees it at one moment: the chosen columns under the names that they have in the rows, and the
 * rows that meet the condition, where there is one.
 */
export interface ExposedList {
  readonly exposure: Exposure;
  readonly rows: SeenRows;
  readonly outgoing: Outgoing;
}

/**
 * Reads an exposed list in one piece: no change of its columns happens while `body` runs, and what it is given is by
 * the columns' ids. What the partner knows of the rows is by the condition as it is; it is waited for. Keep it short.
 * @param reader whether it is for the partner itself, who must be allowed to read still, or for our user who looks
 * @throws Refusal `not-found`, `gone`, `forbidden`
 */
export type ReadExposed = <R>(
  node: Node,
  moduleID: string,
  reader: 'partner' | 'user',
  body: (list: ExposedList) => Promise<R>,
) => Promise<R>;

export function createReadExposed(deps: {
  readonly lists: Pick<Lists, 'forOthers'>;
  readonly exposures: Pick<Exposures, 'get'>;
  readonly mayStillRead: MayStillRead;
  readonly conditions: Pick<Conditions, 'settled'>;
}): ReadExposed {
  const { lists, exposures, mayStillRead, conditions } = deps;
  return async (node, moduleID, reader, body) => {
    const { composeModuleID } = await exposures.get(node.nodeID, moduleID);
    for (;;) {
      const read = await lists.forOthers(composeModuleID, async (list) => {
        // Asked once more: a change of columns takes long, and while this waited for it the user may have paused the
        // partner, ended the connection, or chosen otherwise.
        if (reader === 'partner') await mayStillRead(node);
        const stored = await exposures.get(node.nodeID, moduleID);
        const { condition } = stored;
        if (condition !== undefined && !(await list.rows.isFitted(moduleID, condition)))
          return { unfitted: stored };
        const { fields: all } = list.module;
        const exposure = { ...stored, ...followColumns(stored, all) };
        const chosen = exposure.fieldIDs.flatMap((id) => all.filter(({ fieldID }) => fieldID === id));
        const answer = await body({
          exposure,
          rows: exposedRows(list.rows, exposure),
          outgoing: outgoingOf(list, chosen, exposure.titlePins ?? {}),
        });
        return { answer };
      });
      if (read.unfitted === undefined) return read.answer;
      // Not while the columns are held: a change of them may be what it waits for.
      await conditions.settled(read.unfitted);
    }
  };
}
