import type { BodyGiven, QueryGiven } from '../../server/contract/app/calls.ts';
import type { SampleName } from '../../server/contract/app/lists.ts';
import { pathOf, type Http } from './http.ts';

/** `sort`: a column's name, with ` DESC` for descending. */
interface RowRange {
  readonly offset: number;
  readonly limit: number;
  readonly sort?: string | undefined;
  readonly query?: string | undefined;
  readonly search?: string | undefined;
  readonly bin?: boolean;
  /** Listed last, whatever the sort, query and search. */
  readonly pinned?: readonly string[];
  /** Only duplicates brought by this offered list. */
  readonly twice?: string | undefined;
}

/** Answers on how to read a file of rows; each absent one is guessed. */
export interface CsvReading {
  readonly delimiter?: string | undefined;
  readonly encoding?: string | undefined;
  readonly decimal?: '.' | ',' | undefined;
  /** `YMD`, `DMY` or `MDY`. */
  readonly dateOrder?: string | undefined;
  readonly sheet?: string | undefined;
  readonly headerLine?: number | undefined;
  /** Reads apparent totals and footers as rows, or leaves them out. */
  readonly sums?: 'in' | 'out' | undefined;
  /** Numbers of such lines that are rows. */
  readonly asRows?: readonly string[] | undefined;
}

export interface CsvTrial extends CsvReading {
  readonly moduleID: string;
  /** Columns that identify the row to update. */
  readonly key: readonly string[];
  /** Says if the file's blank cells empty filled cells of existing rows. */
  readonly blanks: 'keep' | 'empty';
  /** List column by file column; null: not imported. */
  readonly match: Readonly<Record<string, string | null>>;
}

export interface NumberFormat {
  readonly precision: number;
  readonly unit?: string | undefined;
}

/** Into the list `moduleID`, or a new one named `list`. */
interface CsvTarget extends CsvReading {
  readonly list?: string | undefined;
  readonly isNew?: '1';
  readonly moduleID?: string | undefined;
  readonly file?: string | undefined;
  /** Empty: every line is a new row. */
  readonly key?: readonly string[] | undefined;
  readonly blanks?: CsvTrial['blanks'];
  readonly kinds?: Record<string, string> | undefined;
  readonly formats?: Record<string, NumberFormat> | undefined;
  /** List id by file column that names rows. */
  readonly refersTo?: Record<string, string> | undefined;
  readonly match?: Record<string, string | null> | undefined;
}

/** Sends even no columns: if absent, the node takes the last import's. */
const keyOf = (key: readonly string[]): readonly string[] => (key.length === 0 ? [''] : key);

export type RowValues = Readonly<Record<string, readonly string[]>>;

/**
 * Creates the calls about lists, rows, views and files; each rejects with `NodeError`. Ids are ours, as decimal
 * strings.
 */
// eslint-disable-next-line @typescript-eslint/explicit-function-return-type -- each entry says its own
export function createListsApi(http: Http) {
  return {
    all: () => http.call('GET /app/lists'),
    search: (text: string, signal: AbortSignal) => http.call('GET /app/search', { query: { text }, signal }),
    one: (m: string) => http.call('GET /app/lists/:m', { params: { m } }),
    create: (body: BodyGiven<'POST /app/lists'>) => http.call('POST /app/lists', { body }),
    change: (m: string, body: BodyGiven<'PATCH /app/lists/:m'>) =>
      http.call('PATCH /app/lists/:m', { params: { m }, body }),
    remove: (m: string) => http.call('DELETE /app/lists/:m', { params: { m } }),
    bin: () => http.call('GET /app/bin'),
    restoreList: (m: string) => http.call('POST /app/bin/:m/restore', { params: { m }, body: {} }),
    salvage: (m: string) => http.call('GET /app/lists/:m/salvage', { params: { m } }),
    recoverRows: (m: string) => http.call('POST /app/lists/:m/salvage', { params: { m } }),
    purgeList: (m: string) => http.call('DELETE /app/bin/:m', { params: { m } }),
    columnBin: (m: string) => http.call('GET /app/lists/:m/bin', { params: { m } }),
    restoreColumn: (m: string, f: string) =>
      http.call('POST /app/lists/:m/bin/:f/restore', { params: { m, f }, body: {} }),
    purgeColumn: (m: string, f: string) => http.call('DELETE /app/lists/:m/bin/:f', { params: { m, f } }),

    fetchRows: (m: string, { bin, pinned, ...range }: RowRange, signal?: AbortSignal) =>
      http.call('GET /app/lists/:m/rows', {
        params: { m },
        query: {
          ...range,
          bin: bin ? 1 : undefined,
          pinned: pinned && pinned.length > 0 ? pinned.join(',') : undefined,
        },
        signal,
      }),
    steps: (m: string) => http.call('GET /app/lists/:m/steps', { params: { m } }),
    undo: (m: string, stepID?: string) =>
      http.call('POST /app/lists/:m/undo', { params: { m }, body: stepID === undefined ? {} : { stepID } }),
    redo: (m: string, stepID?: string) =>
      http.call('POST /app/lists/:m/redo', { params: { m }, body: stepID === undefined ? {} : { stepID } }),
    arrived: (m: string, query: QueryGiven<'GET /app/lists/:m/arrived'>) =>
      http.call('GET /app/lists/:m/arrived', { params: { m }, query }),
    choices: (m: string, search: string) =>
      http.call('GET /app/lists/:m/choices', { params: { m }, query: { search } }),
    valuesInUse: (m: string, column: string) =>
      http.call('GET /app/lists/:m/values', { params: { m }, query: { column } }),
    row: (m: string, r: string) => http.call('GET /app/lists/:m/rows/:r', { params: { m, r } }),
    history: (m: string, r: string) => http.call('GET /app/lists/:m/rows/:r/history', { params: { m, r } }),
    /** Adds a row, once for each key: asked again, as without an answer, it fills that row. */
    addRow: (m: string, values: RowValues, idempotencyKey?: string) =>
      http.call('POST /app/lists/:m/rows', {
        params: { m },
        body: idempotencyKey === undefined ? { values } : { values, idempotencyKey },
      }),
    /** Throws NodeError `row.changed` if a column no longer holds what `before` has. */
    changeRow: (m: string, r: string, values: RowValues, before?: RowValues) =>
      http.call('PATCH /app/lists/:m/rows/:r', {
        params: { m, r },
        body: before ? { values, before } : { values },
      }),
    revertRow: (m: string, r: string, columns?: readonly string[]) =>
      http.call('POST /app/lists/:m/rows/:r/revert', { params: { m, r }, body: columns ? { columns } : {} }),
    putCells: (m: string, body: BodyGiven<'POST /app/lists/:m/cells'>) =>
      http.call('POST /app/lists/:m/cells', { params: { m }, body }),
    deleteRows: (m: string, recordIDs: readonly string[], step?: string) =>
      http.call('POST /app/lists/:m/rows/delete', {
        params: { m },
        body: { recordIDs, ...(step === undefined ? {} : { step }) },
      }),
    restoreRows: (m: string, recordIDs: readonly string[], step?: string) =>
      http.call('POST /app/lists/:m/rows/restore', {
        params: { m },
        body: { recordIDs, ...(step === undefined ? {} : { step }) },
      }),

    /** Joins duplicates brought by this offered list; `trial` only counts. */
    joinRows: (m: string, twice: string, trial = false) =>
      http.call('POST /app/lists/:m/rows/join', { params: { m }, body: { twice, trial } }),

    views: (m: string) => http.call('GET /app/lists/:m/views', { params: { m } }),
    addView: (m: string, body: BodyGiven<'POST /app/lists/:m/views'>) =>
      http.call('POST /app/lists/:m/views', { params: { m }, body }),
    changeView: (m: string, v: string, body: BodyGiven<'PUT /app/lists/:m/views/:v'>) =>
      http.call('PUT /app/lists/:m/views/:v', { params: { m, v }, body }),
    removeView: (m: string, v: string) => http.call('DELETE /app/lists/:m/views/:v', { params: { m, v } }),
    restoreView: (m: string, v: string) =>
      http.call('POST /app/lists/:m/views/:v/restore', { params: { m, v } }),
    arrange: (m: string, body: BodyGiven<'PUT /app/lists/:m/columns'>) =>
      http.call('PUT /app/lists/:m/columns', { params: { m }, body }),

    files: (m: string) => http.call('GET /app/lists/:m/files', { params: { m } }),
    tryWatched: (m: string, body: BodyGiven<'POST /app/lists/:m/watched/trial'>) =>
      http.call('POST /app/lists/:m/watched/trial', { params: { m }, body }),
    watch: (m: string, body: BodyGiven<'PUT /app/lists/:m/watched'>) =>
      http.call('PUT /app/lists/:m/watched', { params: { m }, body }),
    answerWatched: (m: string, body: BodyGiven<'POST /app/lists/:m/watched/answer'>) =>
      http.call('POST /app/lists/:m/watched/answer', { params: { m }, body }),
    endWatched: (m: string) => http.call('DELETE /app/lists/:m/watched', { params: { m } }),
    beginCopy: (m: string, body: BodyGiven<'PUT /app/lists/:m/copy'>) =>
      http.call('PUT /app/lists/:m/copy', { params: { m }, body }),
    endCopy: (m: string) => http.call('DELETE /app/lists/:m/copy', { params: { m } }),

    /** `isFirst` previews only the first lines, for an answer at once. */
    previewCsv: (file: Blob, reading: CsvReading, isFirst = false) =>
      http.upload(
        'POST /app/import/preview',
        { file, type: 'text/csv' },
        { ...reading, ...(isFirst ? { first: '1' } : {}) },
      ),
    importCsv: (file: Blob, { key, kinds, formats, refersTo, match, ...target }: CsvTarget) =>
      http.upload(
        'POST /app/import',
        { file, type: 'text/csv' },
        {
          ...target,
          key: key && keyOf(key),
          kinds: kinds && JSON.stringify(kinds),
          formats: formats && JSON.stringify(formats),
          refersTo: refersTo && JSON.stringify(refersTo),
          match: match && JSON.stringify(match),
        },
      ),
    tryImport: (file: Blob, { key, match, ...target }: CsvTrial, signal: AbortSignal) =>
      http.upload(
        'POST /app/import/trial',
        { file, type: 'text/csv', signal },
        { ...target, key: keyOf(key), match: JSON.stringify(match) },
      ),
    importSample: (name: SampleName) => http.call('POST /app/samples', { body: { name } }),
    exportFile: (m: string, format: 'xlsx' | 'csv') => pathOf(`GET /app/lists/:m/export.${format}`, { m }),
    /** Has a column of ids beside each reference column. */
    exportWithIDs: (m: string) => `${pathOf('GET /app/lists/:m/export.xlsx', { m })}?ids=1`,
  };
}

export type ListsApi = ReturnType<typeof createListsApi>;
