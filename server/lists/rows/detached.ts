import type { Provenance, Row, RowSource } from '../definitions/model.ts';
import { omit } from '../../base/omit.ts';
import { compareTimes } from '../values/times.ts';
import { hasSameTexts, valuesOf } from '../values/value-sets.ts';
import { originKey } from './sources.ts';

/**
 * Returns a received row as one of ours, as its partner ends. A provenance with an origin stays as `former`, by which
 * the row is recognised if it comes again.
 */
export function detach(row: Row): Row {
  const { received } = row;
  const ours = omit(row, 'received');
  return received && originKey(received) !== undefined
    ? { ...ours, former: omit(received, 'ways', 'left') }
    : ours;
}

/**
 * Returns a {@link detach}ed row as received, before its source brings it again. Columns changed since count as edited;
 * if that source's version is older than ours was, all that differ from it do.
 */
export function reattach(row: Row, former: Provenance, source: RowSource): Row {
  const isOlder = compareTimes(source.origin?.at ?? '', former.origin?.at ?? '') < 0;
  const edited = Object.keys(former.values).filter((column) => {
    const { values } = isOlder && Object.hasOwn(source.values, column) ? source : former;
    return !hasSameTexts(valuesOf(row.values, column), valuesOf(values, column));
  });
  return { ...omit(row, 'former'), received: { ...former, nodeID: source.nodeID, edited } };
}
