import type { IncomingRow, Values } from '../definitions/model.ts';
import { hasSameTexts, valuesOf } from '../values/value-sets.ts';
import type { ApplyContext } from './apply-incoming.ts';
import type { NewRowAsStored } from './row-table.ts';

/**
 * Returns an encoder of rows that are unknown in this list, as nearly all are in a list's first read: directly,
 * without row objects. Requires {@link isPlainRow} and `CandidateLookup.allNew`, and produces exactly what {@link
 * applyIncoming} and `ROW_CODEC` do (test/unit/lists/encode-new-rows.test.ts compares both).
 */
export function encodeNewRows({
  nodeID,
  columns,
  now,
  newID,
}: Pick<ApplyContext, 'nodeID' | 'columns' | 'now' | 'newID'>): (
  incoming: IncomingRow,
  received: string,
  origin: string | undefined,
) => NewRowAsStored {
  const time = JSON.stringify(now);
  const own = `"createdAt":${time},"createdBy":"0","updatedAt":${time},"updatedBy":"0"`;
  const from = `"received":{"nodeID":${JSON.stringify(nodeID)}`;
  const names = columns.map((column) => JSON.stringify(column));
  const writeVia = createVias();

  return (incoming, received, originOfRow) => {
    const recordID = newID();
    const { via, origin } = incoming;
    const [values, rest] = written(incoming);
    const there =
      `"recordID":${JSON.stringify(incoming.recordID)},"createdAt":${JSON.stringify(incoming.createdAt)},` +
      `"updatedAt":${JSON.stringify(incoming.updatedAt)},"receivedAt":${time},"values":${rest},"via":${writeVia(via)}`;
    const made = origin ? `,"origin":${JSON.stringify(origin)}` : '';
    return {
      recordID,
      nodeID,
      json: `{"recordID":${JSON.stringify(recordID)},${own},"values":${values},${from},${there}${made},"edited":[]},"same":1}`,
      received,
      origin: originOfRow,
    };
  };

  /** Returns the JSON of the row's filled columns, and of its empty ones. */
  function written({ values }: IncomingRow): [values: string, rest: string] {
    if (isInOrder(values)) return [JSON.stringify(values), '{}'];
    let [filled, empty] = ['', ''];
    for (const [at, column] of columns.entries()) {
      const texts = valuesOf(values, column);
      if (texts.length === 0) empty += `${empty === '' ? '' : ','}${names[at]}:[]`;
      else filled += `${filled === '' ? '' : ','}${names[at]}:${JSON.stringify(texts)}`;
    }
    return [`{${filled}}`, `{${empty}}`];
  }

  /** Returns whether the values are exactly these columns in order, all filled. */
  function isInOrder(values: Values): boolean {
    let at = 0;
    for (const name in values) if (name !== columns[at++] || values[name]?.length === 0) return false;
    return at === columns.length;
  }
}

/** Creates an encoder of `via` that caches the last result: rows of one page mostly have equal ones. */
function createVias(): (via: readonly string[] | undefined) => string {
  let known: readonly string[] = [];
  let json = '[]';
  return (via = []) => {
    if (!hasSameTexts(via, known)) {
      known = via;
      json = JSON.stringify(via);
    }
    return json;
  };
}

/** Returns whether an incoming row is neither deleted, nor one of ours coming back, nor an id only. */
export const isPlainRow = ({ deletedAt, fromUs, idOnly }: IncomingRow): boolean =>
  deletedAt === undefined && !fromUs && !idOnly;
