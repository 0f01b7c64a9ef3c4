import type { PartitionState } from '../../store/engine/partition-state.ts';
import { entryOf } from '../../store/engine/record-ref.ts';
import type { Node } from '../model.ts';
import { NODES } from '../tables.ts';

/** Returns the partners in a partition `system` that is not open, without removed ones. */
export function nodesIn(system: PartitionState): Node[] {
  const { byKey } = system.table(NODES.name);
  return byKey
    .takeFrom(
      () => false,
      byKey.countFrom(() => false),
    )
    .map((slot) => entryOf<Node>(slot).value)
    .filter(({ deletedAt }) => deletedAt === undefined);
}
