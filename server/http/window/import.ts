import { Router, type Request } from 'express';
import customersCsv from '../../../samples/customers.csv?raw';
import ordersCsv from '../../../samples/orders.csv?raw';
import { fileNameOf } from '../../base/file-names.ts';
import { MAX_FILE_BYTES, FIRST_LOOK_BYTES } from '../../base/vocabulary.ts';
import type { ImportPreview } from '../../contract/app/import.ts';
import type { SampleName } from '../../contract/app/lists.ts';
import { doubtsAnswer, importAnswer, rejectionsAnswer } from '../../app/import-answer.ts';
import { exportCsv, whileColumnsStay } from '../../lists/csv/export.ts';
import { isArchive } from '../../lists/sheets/archive.ts';
import { exportXlsx } from '../../lists/sheets/export-xlsx.ts';
import { createFileNotes } from '../../lists/csv/amount-notes.ts';
import { importTable, tryTable, type ImportOptions } from '../../lists/csv/import.ts';
import type { TableOptions } from '../../lists/csv/read.ts';
import type { Lists } from '../../lists/lists.ts';
import { withTable, type ForeignTable } from '../../lists/reading/read-in-worker.ts';
import { Refusal } from '../../base/refusal.ts';
import { requireValidCaller } from '../auth/caller.ts';
import { queueUploads, receiveFile } from '../listeners/queued-uploads.ts';
import { receiveJSON } from '../listeners/json-body.ts';
import { languageOf } from '../listeners/language.ts';
import type { Say } from '../../words/said.ts';
import { handleCall, handleFileCall } from './handle-call.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { abortOnClose } from '../listeners/abort-on-close.ts';
import { prependResult, streamResponse } from '../listeners/stream-response.ts';
import { said } from '../../words/said.ts';

export interface ImportDeps {
  readonly lists: Lists;
}

const SAMPLES: Record<SampleName, { readonly csv: string; readonly key: readonly string[] }> = {
  customers: { csv: customersCsv, key: ['CustomerID'] },
  orders: { csv: ordersCsv, key: [] },
};

const FIRST_LINES = 200;

/** Serves previews, trials and runs of imports, sample lists, and exports. */
export function importRouter({ lists }: ImportDeps): Router {
  const router = Router();
  const file = [queueUploads(receiveFile({ type: () => true, limit: MAX_FILE_BYTES })), requireValidCaller];

  handleCall(
    router,
    'POST /app/import/preview',
    ({ query: { first, ...query }, say, req }) => {
      const part = first === true ? { maxLines: FIRST_LINES } : {};
      const reading = {
        ...omitUndefined(query),
        ...part,
        language: languageOf(req),
        signal: abortOnClose(req),
      };
      return previewFile(uploadedFile(req), reading, say);
    },
    file,
  );
  handleCall(
    router,
    'POST /app/import/trial',
    async ({ query: { moduleID, ...options }, say, req }) => {
      const reading = { ...omitUndefined(options), language: languageOf(req), signal: abortOnClose(req) };
      return importAnswer(await tryTable(lists, uploadedFile(req), { ...reading, to: { moduleID } }), say);
    },
    file,
  );
  handleCall(
    router,
    'POST /app/import',
    async ({ query: { list, isNew, moduleID, file: name, ...options }, by, say, req }) => {
      const to = importTarget(moduleID, list, isNew);
      const reading = { ...omitUndefined({ ...options, file: name }), language: languageOf(req) };
      return importAnswer(await importTable(lists, uploadedFile(req), { ...reading, to, by }), say);
    },
    file,
  );
  handleCall(
    router,
    'POST /app/samples',
    async ({ body: { name }, by, say }) => {
      const { csv, key } = SAMPLES[name];
      return importAnswer(await importTable(lists, Buffer.from(csv), { to: { name }, key, by }), say);
    },
    [receiveJSON(), requireValidCaller],
  );
  addExportRoutes(router, lists);
  return router;
}

/**
 * Adds the calls that export a whole list as CSV or XLSX; `ids` adds columns with the ids of referred rows to the
 * latter.
 */
function addExportRoutes(router: Router, lists: Lists): void {
  handleFileCall(router, 'GET /app/lists/:m/export.csv', async ({ params }, res) => {
    const rows = await lists.rows(params.m);
    const module = await lists.settledModule(params.m);
    const pieces = whileColumnsStay(lists, module, exportCsv(module, rows));
    const first = await pieces.next();
    res.attachment(`${fileNameOf(module.name)}.csv`);
    res.type('text/csv');
    await streamResponse(res, prependResult(first, pieces));
  });

  handleFileCall(
    router,
    'GET /app/lists/:m/export.xlsx',
    async ({ params, query: { ids: withIDs } }, res) => {
      const rows = await lists.rows(params.m);
      const module = await lists.settledModule(params.m);
      const pieces = whileColumnsStay(lists, module, exportXlsx(lists, { module, rows, withIDs }));
      const first = await pieces.next();
      res.attachment(`${fileNameOf(module.name)}.xlsx`);
      await streamResponse(res, prependResult(first, pieces));
    },
  );
}

/** Returns the existing or new list to import into. Throws `import.list` (400) without id and name. */
function importTarget(
  moduleID: string | undefined,
  list: string | undefined,
  isNew = false,
): ImportOptions['to'] {
  if (moduleID !== undefined) return { moduleID };
  if (list !== undefined) return { name: list, isNew };
  throw new Refusal('malformed', 'import.list', said('import.which-list'));
}

/** Returns the uploaded file. Throws `csv.empty` (422) without one. */
function uploadedFile(req: Request): Buffer {
  if (Buffer.isBuffer(req.body) && req.body.length > 0) return req.body;
  throw new Refusal('impossible', 'csv.empty', said('import.empty'));
}

/**
 * Returns the complete lines in a large text file's first part, or all of that part if no line ends there; undefined
 * for a short file or a workbook.
 */
function firstLines(bytes: Buffer): Buffer | undefined {
  if (isArchive(bytes) || bytes.length < FIRST_LOOK_BYTES) return undefined;
  const beginning = bytes.subarray(0, FIRST_LOOK_BYTES);
  const end = beginning.lastIndexOf('\n') + 1;
  return end > 0 ? beginning.subarray(0, end) : beginning;
}

/**
 * Reads a file without storing anything. With `options.maxLines` reads only its beginning; a longer file gets no
 * suggested key columns (`isPart`). Lines with sums are left out by default.
 */
function previewFile(bytes: Buffer, options: TableOptions, say: Say): Promise<ImportPreview> {
  const beginning = options.maxLines === undefined ? undefined : firstLines(bytes);
  return withTable(beginning ?? bytes, { ...options, sums: options.sums ?? 'out' }, async (file) => {
    const { columns, source } = file;
    const isPart =
      options.maxLines !== undefined &&
      (beginning !== undefined || source.sheets !== undefined || file.lines >= options.maxLines);
    const [key = []] = isPart ? [] : await file.keys(columns.map(({ kind }, at) => ({ at, kind })));
    return {
      encoding: source.encoding,
      delimiter: source.delimiter,
      ...(source.sheet === undefined ? {} : { sheet: source.sheet }),
      ...(source.sheets ? { sheets: [...source.sheets] } : {}),
      headerLine: file.headerLine,
      start: [...file.start],
      columns: columns.map(({ header, kind, shown, options: { only }, samples, stored }) => ({
        name: header,
        label: header,
        kind,
        ...shown,
        ...(only === undefined ? {} : { only }),
        samples: [...samples],
        stored: [...stored],
      })),
      key: key.flatMap((at) => columns[at]?.header ?? []),
      ...(isPart ? { isPart } : {}),
      lines: file.lines,
      sums: [...file.sums],
      notes: createFileNotes(
        columns.map((column) => ({ column, field: column })),
        file,
      ).map(say),
      doubts: doubtsAnswer(file.doubts),
      hidden: { lines: file.hidden.lines, columns: [...file.hidden.columns] },
      ...(source.sheets ? { workbook: describeWorkbook(file) } : {}),
      ...rejectionsAnswer(file, say),
    };
  });
}

/** Returns what isn't imported: other sheets, merged cells and left-out contents. */
function describeWorkbook({ merged, leftOut, otherSheets }: ForeignTable): ImportPreview['workbook'] {
  return {
    mergedRows: merged.rows,
    mergedColumns: merged.columns,
    otherSheets: [...otherSheets],
    leftOut: [...leftOut],
  };
}
