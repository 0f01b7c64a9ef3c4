import type { ImportAnswer, ImportPreview } from '../../server/contract/app/import.ts';
import type { GridPage, GridRow, ListSummary } from '../../server/contract/app/lists.ts';
import type {
  ListChange,
  ListDetail,
  ListRequest,
  RowChoice,
  RowsAnswer,
  SampleName,
} from '../../server/contract/app/lists.ts';
import type { Http } from './http.ts';

/** A stretch of rows by position. `sort` is a column's name, with ` DESC` for descending. */
export interface Stretch {
  readonly offset: number;
  readonly limit: number;
  readonly sort?: string | undefined;
  /** Comparisons. */
  readonly query?: string | undefined;
  /** Words that the rows hold. */
  readonly search?: string | undefined;
  /** Rows in the bin instead of the list's. */
  readonly bin?: boolean;
}

/** How a CSV file is to be read; what is absent is guessed. */
export interface CsvReading {
  readonly delimiter?: string | undefined;
  readonly encoding?: string | undefined;
  /** The sign before the decimals of numbers. */
  readonly decimal?: string | undefined;
  /** In which order days are written: `YMD`, `DMY` or `MDY`. */
  readonly dateOrder?: string | undefined;
}

/** Where the rows of a CSV file go. */
export interface CsvTarget extends CsvReading {
  readonly list?: string | undefined;
  readonly moduleID?: string | undefined;
  /** Column whose value finds the row to update. */
  readonly key?: string | undefined;
  readonly kinds?: Record<string, string> | undefined;
  /** Column of the file → id of the list whose rows it names. */
  readonly refersTo?: Record<string, string> | undefined;
  /** Column of the file → column of the list. */
  readonly match?: Record<string, string> | undefined;
}

const enc = encodeURIComponent;
const at = (moduleID: string): string => `/app/lists/${enc(moduleID)}`;
const rowAt = (moduleID: string, recordID: string): string => `${at(moduleID)}/rows/${enc(recordID)}`;

export type RowValues = Readonly<Record<string, readonly string[]>>;

/** Everything that the window asks or tells the node about lists and rows. Ids are ours, as decimal strings. */
// eslint-disable-next-line @typescript-eslint/explicit-function-return-type -- each entry says its own
export function createListsApi(http: Http) {
  return {
    all: () => http.get<ListSummary[]>('/app/lists'),
    one: (m: string) => http.get<ListDetail>(at(m)),
    create: (request: ListRequest) => http.send<ListDetail>('POST', '/app/lists', request),
    change: (m: string, change: ListChange) => http.send<ListDetail>('PATCH', at(m), change),
    remove: (m: string) => http.send('DELETE', at(m)),

    rows: (m: string, { bin, ...stretch }: Stretch, signal?: AbortSignal) =>
      http.get<GridPage>(`${at(m)}/rows`, { ...stretch, bin: bin ? 1 : undefined }, signal),
    choices: (m: string, search: string) => http.get<RowChoice[]>(`${at(m)}/choices`, { search }),
    valuesInUse: (m: string, column: string) => http.get<string[]>(`${at(m)}/values`, { column }),
    addRow: (m: string, values: RowValues) => http.send<GridRow>('POST', `${at(m)}/rows`, { values }),
    changeRow: (m: string, r: string, values: RowValues) =>
      http.send<GridRow>('PATCH', rowAt(m, r), { values }),
    revertRow: (m: string, r: string, columns?: readonly string[]) =>
      http.send<GridRow>('POST', `${rowAt(m, r)}/revert`, columns ? { columns } : {}),
    deleteRows: (m: string, recordIDs: readonly string[]) =>
      http.send<RowsAnswer>('POST', `${at(m)}/rows/delete`, { recordIDs }),
    restoreRows: (m: string, recordIDs: readonly string[]) =>
      http.send<RowsAnswer>('POST', `${at(m)}/rows/restore`, { recordIDs }),

    previewCsv: (file: Blob, reading: CsvReading) =>
      http.upload<ImportPreview>('/app/import/preview', file, 'text/csv', { ...reading }),
    importCsv: (file: Blob, { kinds, refersTo, match, ...target }: CsvTarget) =>
      http.upload<ImportAnswer>('/app/import', file, 'text/csv', {
        ...target,
        kinds: kinds && JSON.stringify(kinds),
        refersTo: refersTo && JSON.stringify(refersTo),
        match: match && JSON.stringify(match),
      }),
    importSample: (name: SampleName) => http.send<ImportAnswer>('POST', '/app/samples', { name }),
    exportFile: (m: string) => `${at(m)}/export.csv`,
  };
}

export type ListsApi = ReturnType<typeof createListsApi>;
