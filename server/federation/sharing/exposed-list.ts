import type { Lists } from '../../lists/lists.ts';
import type { Field } from '../../lists/definitions/model.ts';
import type { VisibleRows } from '../../lists/rows/row-filter-index.ts';
import { followColumns } from './columns.ts';
import type { Conditions } from './conditions.ts';
import { exposedRows } from './exposed-rows.ts';
import type { Exposures } from './exposures.ts';
import { createOutgoing, type Outgoing } from './outgoing.ts';
import type { MayStillRead } from './may-read.ts';
import type { Exposure, Node } from '../model.ts';

/** A list as one partner sees it: shared columns and rows. */
export interface ExposedList {
  readonly exposure: Exposure;
  /** The list's present ones. */
  readonly columns: readonly Field[];
  readonly rows: VisibleRows;
  readonly outgoing: Outgoing;
}

/**
 * Runs a brief `body` while the columns can't change and the condition is indexed. Checks that a `partner`
 * may read.
 * @throws Refusal `not-found`, `gone`, `forbidden`
 */
export type ReadExposed = <R>(
  node: Node,
  moduleID: string,
  reader: 'partner' | 'user',
  body: (list: ExposedList) => Promise<R>,
) => Promise<R>;

/**
 * Creates the function by which every answer to a partner reads a list: while columns are stable, and once a
 * condition's rows are indexed. For reader `partner` it throws `forbidden` unless the partner may still read.
 */
export function createReadExposed(deps: {
  readonly lists: Pick<Lists, 'withStableColumns'>;
  readonly exposures: Pick<Exposures, 'get'>;
  readonly mayStillRead: MayStillRead;
  readonly conditions: Pick<Conditions, 'ensureIndexed'>;
}): ReadExposed {
  const { lists, exposures, mayStillRead, conditions } = deps;
  return async (node, moduleID, reader, body) => {
    const { composeModuleID } = await exposures.get(node.nodeID, moduleID);
    for (;;) {
      const read = await lists.withStableColumns(composeModuleID, async (list) => {
        // The user may have paused the partner or changed the share meanwhile.
        if (reader === 'partner') await mayStillRead(node);
        const stored = await exposures.get(node.nodeID, moduleID);
        const { condition } = stored;
        if (condition !== undefined && !(await list.rows.isBuilt(moduleID, condition)))
          return { unfitted: stored };
        const { fields: all } = list.module;
        const exposure = { ...stored, ...followColumns(stored, all) };
        const chosen = exposure.fieldIDs.flatMap((id) => all.filter(({ fieldID }) => fieldID === id));
        const answer = await body({
          exposure,
          columns: chosen,
          rows: exposedRows(list.rows, exposure),
          outgoing: createOutgoing(list, chosen, exposure.titlePins ?? {}),
        });
        return { answer };
      });
      if (read.unfitted === undefined) return read.answer;
      // Outside the lock, as a column change may wait for it.
      await conditions.ensureIndexed(read.unfitted);
    }
  };
}
