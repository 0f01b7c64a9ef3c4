import { MAX_FILE_BYTES } from '../../../base/vocabulary.ts';
import { fileNameOf } from '../../../base/file-names.ts';
import { omitUndefined } from '../../../base/omit-undefined.ts';
import { Router, type Request, type RequestHandler } from 'express';
import { exportQuery, importQuery } from '../../../contract/wire/compose.ts';
import { chooseFields, exportCsv, whileColumnsStay } from '../../../lists/csv/export.ts';
import { exportXlsx } from '../../../lists/sheets/export-xlsx.ts';
import { Refusal } from '../../../base/refusal.ts';
import { rejectionsAnswer } from '../../../app/import-answer.ts';
import { omit } from '../../../base/omit.ts';
import { abortOnClose } from '../../listeners/abort-on-close.ts';
import { importTable } from '../../../lists/csv/import.ts';
import { requireValidCaller, userID } from '../../auth/caller.ts';
import { queueUploads, receiveFile } from '../../listeners/queued-uploads.ts';
import { prependResult, streamResponse } from '../../listeners/stream-response.ts';
import { pathModule, type ComposeDeps } from './request.ts';
import { english } from '../../../words/said.ts';

const FILE_TYPES = [
  ...['text/csv', 'application/csv', 'text/plain', 'application/octet-stream'],
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.oasis.opendocument.spreadsheet',
];

/**
 * Admits bodies of type CSV, xlsx, ods, plain text or octet stream, and requests without one. Others get 415
 * `csv.content-type`.
 */
const requireTableFile: RequestHandler = (req, res, next) => {
  if (req.is(FILE_TYPES) !== false) {
    next();
    return;
  }
  const message =
    'Send the file as the body, with Content-Type: text/csv, or that of an xlsx or ods workbook.';
  res.status(415).json({ error: { code: 'csv.content-type', message } });
};

/**
 * Throws `query.unsupported` (400) for a parameter outside the schema: a misspelt `key` would add rows twice, a
 * misspelt `query` export all.
 */
function assertKnownParameters({ query }: Request, { shape }: { readonly shape: object }): void {
  const unknown = Object.keys(query).find((name) => !Object.hasOwn(shape, name));
  if (unknown === undefined) return;
  const message = `\`${unknown.slice(0, 80)}\` is not taken here. Use one of ${Object.keys(shape).join(', ')}.`;
  throw new Refusal('malformed', 'query.unsupported', message);
}

/**
 * Serves imports into a list, and its export as CSV or workbook, of all columns or some. Refuses unknown parameters.
 */
export function composeFilesRouter({ lists, guard }: ComposeDeps): Router {
  const router = Router({ mergeParams: true });
  const file = [queueUploads(receiveFile({ type: FILE_TYPES, limit: MAX_FILE_BYTES })), requireValidCaller];

  router.post('/import', guard.write, requireTableFile, ...file, async (req, res) => {
    assertKnownParameters(req, importQuery);
    const { header, ...options } = importQuery.parse(req.query);
    const { moduleID } = await pathModule(lists, req);
    const bytes = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
    const { notes, ...done } = await importTable(lists, bytes, {
      ...omitUndefined({ ...options, headerLine: header === undefined ? undefined : Number(header) }),
      to: { moduleID },
      by: userID(req),
      signal: abortOnClose(req),
    });
    const answer = { ...rejectionsAnswer(done, english), notes: notes.map(english) };
    res.json({ response: { ...omit(done, 'headers', 'stepID', 'stepSize'), ...answer } });
  });

  router.get('/export', guard.read, async (req, res) => {
    assertKnownParameters(req, exportQuery);
    const { fields, format, ids: withIDs, ...options } = exportQuery.parse(req.query);
    const { moduleID } = await pathModule(lists, req);
    const rows = await lists.rows(moduleID);
    const module = await lists.settledModule(moduleID);
    const columns = fields?.split(',');
    const made: AsyncGenerator<string | Uint8Array> =
      format === 'xlsx'
        ? exportXlsx(lists, { module: { ...module, fields: chooseFields(module, columns) }, rows, withIDs })
        : exportCsv(module, rows, omitUndefined({ ...options, columns }));
    const pieces = whileColumnsStay(lists, module, made);
    const start = await pieces.next();
    res.type(format).attachment(`${fileNameOf(module.handle)}.${format}`);
    await streamResponse(res, prependResult(start, pieces));
  });

  return router;
}
