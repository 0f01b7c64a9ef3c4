import type { IncomingRow, Values } from '../definitions/model.ts';
import { hasSameTexts, valuesOf } from '../values/value-sets.ts';
import type { ApplyContext } from './apply-incoming.ts';
import type { NewRowAsStored } from './row-table.ts';

/**
 * The quick way in for rows of which nothing is known here, as nearly all are when a list is read for the first time:
 * they are written out as they will be stored, and never made into rows. It relies on what {@link isPlainRow} and
 * `CandidateLookup.allNew` say, and then writes to the letter what {@link applyIncoming} and `ROW_CODEC` come to
 * (test/unit/lists/encode-new-rows.test.ts compares the two).
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

  /** The values that the row has, and the columns that came empty. */
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

  /** All columns are there, with values, and nothing else is. */
  function isInOrder(values: Values): boolean {
    let at = 0;
    for (const name in values) if (name !== columns[at++] || values[name]?.length === 0) return false;
    return at === columns.length;
  }
}

/** Rows of one page mostly took the same way. */
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

/** It is there, and is not one of ours that comes back. */
export const isPlainRow = ({ deletedAt, fromUs, idOnly }: IncomingRow): boolean =>
  deletedAt === undefined && !fromUs && !idOnly;
