import type { Provenance, Row, RowSource } from '../definitions/model.ts';
import { omit } from '../../base/omit.ts';
import { compareTimes } from '../values/times.ts';
import { hasSameTexts, valuesOf } from '../values/value-sets.ts';
import { originKey } from './sources.ts';

/**
 * A received row that stays, as one of ours, when we do not hear of its partner any more. What it was is kept beside it,
 * so that it is known again when the offices pair anew; of a row whose origin nobody told there is nothing to know it by.
 */
export function detach(row: Row): Row {
  const { received } = row;
  const ours = omit(row, 'received');
  return received && originKey(received) !== undefined
    ? { ...ours, former: omit(received, 'ways', 'left') }
    : ours;
}

/**
 * A row of {@link detach} as it was received, before this way brings it again. What our user wrote since counts as
 * changed here; so does all of it that differs, where the partner brings a version from before the one that we had.
 */
export function reattach(row: Row, former: Provenance, way: RowSource): Row {
  const isOlder = compareTimes(way.origin?.at ?? '', former.origin?.at ?? '') < 0;
  const edited = Object.keys(former.values).filter((column) => {
    const { values } = isOlder && Object.hasOwn(way.values, column) ? way : former;
    return !hasSameTexts(valuesOf(row.values, column), valuesOf(values, column));
  });
  return { ...omit(row, 'former'), received: { ...former, nodeID: way.nodeID, edited } };
}
