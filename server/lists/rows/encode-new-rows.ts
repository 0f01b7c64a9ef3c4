import type { IncomingRow } from '../definitions/model.ts';
import { MAX_LINE_ENTRIES, type IndexTexts } from '../../store/store.ts';
import { hasSameTexts, valuesOf } from '../values/value-sets.ts';
import type { ApplyContext } from './apply-incoming.ts';
import type { CandidateLookup } from './candidates.ts';
import type { NewRowsAsStored } from './row-table.ts';

/**
 * Fast path for rows that are unknown here, as nearly all are in a list's first read: they are encoded
 * directly, without row objects. Rows in sequence share a template, whichever of their columns are empty.
 * Requires {@link isPlainRow} and `CandidateLookup.allNew`, and produces what {@link applyIncoming} does, as
 * `ROW_CODEC` reads it (test/unit/lists/encode-new-rows.test.ts compares both).
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
  /** Columns, by index, in which an empty text is a value: their texts are lists, so that no value differs from it. */
  const withEmptyTexts = new Set<number>();
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
        texts.push(textsOf(key, row, shape));
        indexes.push({ received: received[end], origin: origins[end], former: undefined });
      }
      yield { nodeID, keys, template: shape?.template ?? [], texts, indexes };
    }
  };

  function textsOf(key: string, row: IncomingRow, { lists }: Shape): string {
    let texts = key;
    for (let at = 0; at < columns.length; at++) {
      const values = valuesOf(row.values, columns[at] ?? '');
      if (lists[at] === undefined) texts += `","${escaped(values[0] ?? '')}`;
      else for (const value of values) texts += `","${escaped(value)}`;
    }
    const { recordID, createdAt, updatedAt, origin } = row;
    texts += `","${escaped(recordID)}","${escaped(createdAt)}","${escaped(updatedAt)}`;
    return origin ? `${texts}","${escaped(origin.id)}","${escaped(origin.at)}` : texts;
  }

  function shapeOf({ values, via = [], origin }: IncomingRow): Shape {
    const lists = columns.map((column, at) => {
      const texts = valuesOf(values, column);
      if (texts.length === 1 && texts[0] === '') withEmptyTexts.add(at);
      return texts.length > 1 || withEmptyTexts.has(at) ? texts.length : undefined;
    });
    const hasOrigin = origin !== undefined;
    return { lists, via, hasOrigin, template: templateOf(lists, via, hasOrigin) };
  }

  function isOfShape({ values, via = [], origin }: IncomingRow, { lists, ...shape }: Shape): boolean {
    if (!hasSameTexts(via, shape.via) || shape.hasOrigin !== (origin !== undefined)) return false;
    for (let at = 0; at < columns.length; at++) {
      const texts = valuesOf(values, columns[at] ?? '');
      const fits = lists[at] === undefined ? texts.length < 2 && texts[0] !== '' : texts.length === lists[at];
      if (!fits) return false;
    }
    return true;
  }

  /** Returns the JSON of a row, cut at each of its texts; see `NewRow` in `row-codec.ts`. */
  function templateOf(lists: Shape['lists'], via: readonly string[], hasOrigin: boolean): string[] {
    const values = names.map((name, at) => {
      const count = lists[at];
      return `${name}:${count === undefined ? TEXT : `[${Array(count).fill(TEXT).join()}]`}`;
    });
    const json =
      `{"recordID":${TEXT},"createdAt":${time},"createdBy":"0","updatedAt":${time},"updatedBy":"0",` +
      `"values":{${values.join()}},"received":{"nodeID":${JSON.stringify(nodeID)},"recordID":${TEXT},` +
      `"createdAt":${TEXT},"updatedAt":${TEXT},"receivedAt":${time},` +
      `"via":${JSON.stringify(via)}${hasOrigin ? `,"origin":{"id":${TEXT},"at":${TEXT}}` : ''},"edited":[]},"same":2}`;
    return json.split(MARK);
  }
}

/** What rows with one template have in common. */
interface Shape {
  /** By column: the number of its values; undefined if one text holds its only value, or is empty. */
  readonly lists: readonly (number | undefined)[];
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
