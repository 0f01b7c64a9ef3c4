import type { IncomingRow } from '../definitions/model.ts';
import { MAX_LINE_ENTRIES, type IndexTexts } from '../../store/store.ts';
import { hasSameTexts, valuesOf } from '../values/value-sets.ts';
import type { ApplyContext } from './apply-incoming.ts';
import type { CandidateLookup } from './candidates.ts';
import type { NewRowsAsStored } from './row-table.ts';

/**
 * Fast path for rows that are unknown here, as nearly all are in a list's first read: they are encoded
 * directly, without row objects. Rows in sequence with equally many values in each column share a template.
 * Requires {@link isPlainRow} and `CandidateLookup.allNew`, and produces exactly what {@link applyIncoming}
 * and `ROW_CODEC` do (test/unit/lists/encode-new-rows.test.ts compares both).
 */
export function encodeNewRows({
  nodeID,
  columns,
  now,
  newID,
}: Pick<ApplyContext, 'nodeID' | 'columns' | 'now' | 'newID'>): (
  rows: readonly IncomingRow[],
  lookup: Pick<CandidateLookup, 'received' | 'origins'>,
) => Generator<NewRowsAsStored> {
  const time = JSON.stringify(now);
  const names = columns.map((column) => JSON.stringify(column));
  let shape: Shape | undefined;

  return function* (rows, { received, origins }) {
    for (let begin = 0, end = 0; begin < rows.length; begin = end) {
      const [keys, texts, indexes]: [string[], string[], IndexTexts[]] = [[], [], []];
      for (; end < rows.length && keys.length < MAX_LINE_ENTRIES; end++) {
        const row = rows[end];
        if (!row) break;
        if (!shape || !isOfShape(row, shape)) {
          if (keys.length > 0) break;
          shape = shapeOf(row);
        }
        const key = newID();
        keys.push(key);
        texts.push(textsOf(key, row));
        indexes.push({ received: received[end], origin: origins[end], former: undefined });
      }
      yield { nodeID, keys, template: shape?.template ?? [], texts, indexes };
    }
  };

  function textsOf(key: string, { values, recordID, createdAt, updatedAt, origin }: IncomingRow): string {
    let texts = key;
    for (const column of columns)
      for (const value of valuesOf(values, column)) texts += `","${escaped(value)}`;
    texts += `","${escaped(recordID)}","${escaped(createdAt)}","${escaped(updatedAt)}`;
    return origin ? `${texts}","${escaped(origin.id)}","${escaped(origin.at)}` : texts;
  }

  function shapeOf({ values, via = [], origin }: IncomingRow): Shape {
    const counts = columns.map((column) => valuesOf(values, column).length);
    const hasOrigin = origin !== undefined;
    return { counts, via, hasOrigin, template: templateOf(counts, via, hasOrigin) };
  }

  function isOfShape({ values, via = [], origin }: IncomingRow, { counts, ...shape }: Shape): boolean {
    if (!hasSameTexts(via, shape.via) || shape.hasOrigin !== (origin !== undefined)) return false;
    return columns.every((column, at) => valuesOf(values, column).length === counts[at]);
  }

  /** Returns the JSON of a row, cut at each of its texts. */
  function templateOf(counts: readonly number[], via: readonly string[], hasOrigin: boolean): string[] {
    const listOf = (at: number): string => `${names[at]}:[${Array(counts[at]).fill(TEXT).join()}]`;
    const [filled, empty] = [true, false].map((isFilled) =>
      [...names.keys()].filter((at) => (counts[at] !== 0) === isFilled).map(listOf),
    );
    const json =
      `{"recordID":${TEXT},"createdAt":${time},"createdBy":"0","updatedAt":${time},"updatedBy":"0",` +
      `"values":{${filled?.join()}},"received":{"nodeID":${JSON.stringify(nodeID)},"recordID":${TEXT},` +
      `"createdAt":${TEXT},"updatedAt":${TEXT},"receivedAt":${time},"values":{${empty?.join()}},` +
      `"via":${JSON.stringify(via)}${hasOrigin ? `,"origin":{"id":${TEXT},"at":${TEXT}}` : ''},"edited":[]},"same":1}`;
    return json.split(MARK);
  }
}

/** What rows with one template have in common. */
interface Shape {
  /** Number of values by column. */
  readonly counts: readonly number[];
  readonly via: readonly string[];
  readonly hasOrigin: boolean;
  readonly template: readonly string[];
}

/** Stands for a text; JSON never has it unescaped. */
const MARK = '\u0001';
const TEXT = `"${MARK}"`;

/** JSON writes all other characters unescaped. */
// eslint-disable-next-line no-control-regex -- those that JSON escapes
const ESCAPES = /["\\\u0000-\u001f\ud800-\udfff]/;

const escaped = (text: string): string => (ESCAPES.test(text) ? JSON.stringify(text).slice(1, -1) : text);

/** Returns whether an incoming row is neither deleted, nor one of ours coming back, nor an id only. */
export const isPlainRow = ({ deletedAt, fromUs, idOnly }: IncomingRow): boolean =>
  deletedAt === undefined && !fromUs && !idOnly;
