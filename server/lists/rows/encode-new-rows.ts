import type { IncomingColumns } from '../../base/incoming-row.ts';
import type { IncomingRow } from '../definitions/model.ts';
import { MAX_LINE_ENTRIES, type IndexTexts } from '../../store/store.ts';
import { hasSameTexts, valuesOf } from '../values/value-sets.ts';
import type { ApplyContext } from './apply-incoming.ts';
import type { RowKeys } from './candidates.ts';
import type { NewRowsAsStored } from './row-table.ts';

/** Up to {@link MAX_LINE_ENTRIES} at a time, as stored. */
export interface NewRowsEncoder {
  /** @param keys absent: the rows are ours and have their ids */
  readonly fromRows: (rows: readonly IncomingRow[], keys?: RowKeys) => Generator<NewRowsAsStored>;
  readonly fromColumns: (rows: IncomingColumns, keys: RowKeys) => Generator<NewRowsAsStored>;
}

/**
 * Encodes rows unknown here, as nearly all are in a list's first read, as stored, without row objects. Rows in sequence
 * share a template. Requires {@link isPlainRow} and that all rows are new, and produces what {@link applyIncoming}
 * does.
 * @param nodeID our id of the partner; undefined for our own rows
 * @param by id of their user
 */
export function createNewRowsEncoder({
  nodeID,
  by = '0',
  columns,
  now,
  newID,
}: Pick<ApplyContext, 'columns' | 'now' | 'newID'> & {
  readonly nodeID: string | undefined;
  readonly by?: string;
}): NewRowsEncoder {
  const [time, user] = [JSON.stringify(now), JSON.stringify(by)];
  const names = columns.map((column) => JSON.stringify(column));
  /** By index: columns whose empty texts are values. All are lists, so no value differs from them. */
  const withEmptyTexts = new Set<number>();
  let shape: Shape | undefined;
  let lastTime = '';
  return { fromRows, fromColumns };

  /** Encodes rows; yields consecutive ones of one shape (columns with several texts, path, origin) together. */
  function* fromRows(
    rows: readonly IncomingRow[],
    { received, origins }: RowKeys = NO_KEYS,
  ): Generator<NewRowsAsStored> {
    for (let begin = 0, end = 0; begin < rows.length; begin = end) {
      const [keys, texts, indexes]: [string[], string[], IndexTexts[]] = [[], [], []];
      for (; end < rows.length && keys.length < MAX_LINE_ENTRIES; end++) {
        const row = rows[end];
        if (!row) break;
        let own = shape && encodeTexts(row, shape);
        if (!own) {
          if (keys.length > 0) break;
          shape = shapeOf(row);
          own = encodeTexts(row, shape) ?? [];
        }
        const key = nodeID === undefined ? row.recordID : newID();
        own[0] = key;
        keys.push(key);
        texts.push(own.join(SEPARATOR));
        indexes.push({ received: received[end], origin: origins[end], former: undefined });
      }
      yield { nodeID, keys, template: shape?.template ?? [], texts, indexes };
    }
  }

  /** Encodes rows given by column; yields consecutive ones with the same path together. */
  function* fromColumns(
    { recordIDs, createdAt, updatedAt, vias, originIDs, originTimes, cells }: IncomingColumns,
    { received, origins }: RowKeys,
  ): Generator<NewRowsAsStored> {
    const count = recordIDs.length;
    const none: readonly string[] = Array<string>(count).fill('');
    const lists = columns.map(() => undefined);
    const byColumn = [...columns.map((column) => cells.get(column) ?? none), recordIDs];
    const times = [createdAt, updatedAt];
    for (let begin = 0, end = 0; begin < count; begin = end) {
      const via = vias[begin] ?? [];
      if (shape?.lists !== lists || !hasSameTexts(via, shape.via))
        shape = { lists, via, hasOrigin: true, template: createTemplate(lists, via, true) };
      const [keys, texts, indexes]: [string[], string[], IndexTexts[]] = [[], [], []];
      for (; end < count && keys.length < MAX_LINE_ENTRIES && hasSameTexts(vias[end] ?? [], via); end++) {
        const key = newID();
        let own = key;
        for (const column of byColumn) own += SEPARATOR + escapeJson(column[end] ?? '');
        for (const column of times) own += SEPARATOR + escapeTime(column[end] ?? '');
        own += `${SEPARATOR}${escapeJson(originIDs[end] ?? '')}${SEPARATOR}${escapeTime(originTimes[end] ?? '')}`;
        keys.push(key);
        texts.push(own);
        indexes.push({ received: received[end], origin: origins[end], former: undefined });
      }
      yield { nodeID, keys, template: shape.template, texts, indexes };
    }
  }

  /**
   * Returns the row's texts JSON-escaped, in the template's order, after an empty one in place of the key; undefined if
   * the row isn't of this shape.
   */
  function encodeTexts({ values, via = [], ...row }: IncomingRow, shape: Shape): string[] | undefined {
    const { recordID, createdAt, updatedAt, origin } = row;
    const { lists } = shape;
    if (!hasSameTexts(via, shape.via) || shape.hasOrigin !== (origin !== undefined)) return undefined;
    const texts = [''];
    for (let at = 0; at < columns.length; at++) {
      const own = valuesOf(values, columns[at] ?? '');
      if (lists[at] === undefined) {
        if (own.length > 1 || own[0] === '') return undefined;
        texts.push(escapeJson(own[0] ?? ''));
      } else {
        if (own.length !== lists[at]) return undefined;
        for (const value of own) texts.push(escapeJson(value));
      }
    }
    if (nodeID === undefined) return texts;
    texts.push(escapeJson(recordID), escapeTime(createdAt), escapeTime(updatedAt));
    if (origin) texts.push(escapeJson(origin.id), escapeTime(origin.at));
    return texts;
  }

  /** Escapes a time for JSON, cached as most times are the same text as the one before. */
  function escapeTime(text: string): string {
    if (text === lastTime) return text;
    const json = escapeJson(text);
    if (json === text) lastTime = text;
    return json;
  }

  /** Returns the row's shape; adds columns whose only text is empty to `withEmptyTexts`. */
  function shapeOf({ values, via = [], origin }: IncomingRow): Shape {
    const lists = columns.map((column, at) => {
      const texts = valuesOf(values, column);
      if (texts.length === 1 && texts[0] === '') withEmptyTexts.add(at);
      return texts.length > 1 || withEmptyTexts.has(at) ? texts.length : undefined;
    });
    const hasOrigin = origin !== undefined;
    return { lists, via, hasOrigin, template: createTemplate(lists, via, hasOrigin) };
  }

  /** Returns the JSON of a row of this shape, cut at each of its texts; see `NewRow` in `row-codec.ts`. */
  function createTemplate(lists: Shape['lists'], via: readonly string[], hasOrigin: boolean): string[] {
    const values = names.map((name, at) => {
      const count = lists[at];
      return `${name}:${count === undefined ? TEXT : `[${Array(count).fill(TEXT).join()}]`}`;
    });
    const received =
      `,"received":{"nodeID":${JSON.stringify(nodeID)},"recordID":${TEXT},` +
      `"createdAt":${TEXT},"updatedAt":${TEXT},"receivedAt":${time},` +
      `"via":${JSON.stringify(via)}${hasOrigin ? `,"origin":{"id":${TEXT},"at":${TEXT}}` : ''},"edited":[]}`;
    const json =
      `{"recordID":${TEXT},"createdAt":${time},"createdBy":${user},"updatedAt":${time},"updatedBy":${user},` +
      `"values":{${values.join()}}${nodeID === undefined ? '' : received},"same":2}`;
    return json.split(MARK);
  }
}

interface Shape {
  /** Values per column; undefined for at most one. */
  readonly lists: readonly (number | undefined)[];
  readonly via: readonly string[];
  readonly hasOrigin: boolean;
  readonly template: readonly string[];
}

const NO_KEYS: RowKeys = { received: [], origins: [] };

/** Stands for a text; never unescaped in JSON. */
const MARK = '\u0001';
const TEXT = `"${MARK}"`;

/** Other characters stay unescaped in JSON. */
// eslint-disable-next-line no-control-regex -- those that JSON escapes
const ESCAPES = /["\\\u0000-\u001f\ud800-\udfff]/;

/** See `TemplateEntries`. */
const SEPARATOR = '","';

const escapeJson = (text: string): string => (ESCAPES.test(text) ? JSON.stringify(text).slice(1, -1) : text);

/** Excludes deleted rows, ours coming back, and mere ids. */
export const isPlainRow = ({ deletedAt, fromUs, idOnly }: IncomingRow): boolean =>
  deletedAt === undefined && !fromUs && !idOnly;
