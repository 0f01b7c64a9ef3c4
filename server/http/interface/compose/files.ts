import express, { Router, type RequestHandler } from 'express';
import { exportQuery, importQuery } from '../../../contract/wire/compose.ts';
import { exportCsv } from '../../../lists/csv/export.ts';
import { importCsv } from '../../../lists/csv/import.ts';
import { MAX_CSV_BYTES } from '../../../lists/csv/read.ts';
import { stillLetIn } from '../../auth/caller.ts';
import { inTurn } from '../../listeners/in-turn.ts';
import { sendPieces } from '../../listeners/send-pieces.ts';
import { given } from './bodies.ts';
import { pathModule, userID, type ComposeDeps } from './request.ts';
import { english } from '../../../words/said.ts';

const CSV_TYPES = ['text/csv', 'application/csv', 'text/plain', 'application/octet-stream'];

const csvOnly: RequestHandler = (req, res, next) => {
  if (req.is(CSV_TYPES) !== false) {
    next();
    return;
  }
  const message = 'Send the file as the body, with Content-Type: text/csv.';
  res.status(415).json({ error: { code: 'csv.content-type', message } });
};

/** `POST …/module/{m}/import` and `GET …/module/{m}/export`. */
export function composeFilesRouter({ lists, guard }: ComposeDeps): Router {
  const router = Router({ mergeParams: true });
  const turn = inTurn();
  const file: readonly RequestHandler[] = [
    express.raw({ type: CSV_TYPES, limit: MAX_CSV_BYTES }),
    stillLetIn,
  ];

  router.post('/import', guard.write, csvOnly, turn, ...file, async (req, res) => {
    const { header, ...options } = importQuery.parse(req.query);
    const { moduleID } = await pathModule(lists, req);
    const bytes = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0);
    const gone = new AbortController();
    res.on('close', () => gone.abort());
    const { rejected, ...counts } = await importCsv(lists, bytes, {
      ...given({ ...options, hasHeader: header }),
      to: { moduleID },
      by: userID(req),
      signal: gone.signal,
    });
    const told = rejected.map(({ line, reason }) => ({ line, reason: english(reason) }));
    res.json({ response: { ...counts, rejected: told } });
  });

  router.get('/export', guard.read, async (req, res) => {
    const { fields, ...options } = exportQuery.parse(req.query);
    const module = await pathModule(lists, req);
    const rows = await lists.rows(module.moduleID);
    const csv = exportCsv(module, rows, given({ ...options, columns: fields?.split(',') }));
    // Made before anything is sent, so that a wrong column is still answered with a status of its own.
    const start = await csv.next();
    res.type('text/csv').attachment(`${module.handle}.csv`);
    await sendPieces(res, behind(start, csv));
  });

  return router;
}

/** What was read of it already, and the rest. */
async function* behind(
  first: IteratorResult<string, unknown>,
  rest: AsyncIterable<string>,
): AsyncGenerator<string> {
  if (first.done !== true) yield first.value;
  yield* rest;
}
