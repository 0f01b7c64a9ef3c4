import express, { Router, type Request, type RequestHandler } from 'express';
import {
  cellsCount,
  cellsLines,
  cellsRequest,
  cellsRequestOf,
  type CellsAnswer,
  type CellsRequest,
} from '../../contract/app/lists.ts';
import { putCells, tryCells, type CellTrial } from '../../lists/cells/put-cells.ts';
import { rejectionReasons } from '../../app/import-answer.ts';
import { createRejections } from '../../lists/csv/reasons.ts';
import type { Lists } from '../../lists/lists.ts';
import { readJsonLines } from '../../lists/reading/read-in-worker.ts';
import { requireValidCaller } from '../auth/caller.ts';
import { abortOnClose } from '../listeners/abort-on-close.ts';
import { requireJSON } from '../listeners/errors.ts';
import { receiveJSON } from '../listeners/json-body.ts';
import { queueUploads } from '../listeners/queued-uploads.ts';
import type { Say } from '../../words/said.ts';
import { handleCall } from './handle-call.ts';

const BODY = '16mb';
/** 4 MB would block the event loop for 100 ms. */
const MAX_BYTES_A_TURN = 128 * 1024;
const MAX_UNFIT = 200;
const SHOWN_LETTERS = 60;

/** Serves `/app/lists/{m}/cells`, which writes rectangles of cells, or only tries it (`trial`). */
export function cellsRouter({ lists }: { readonly lists: Lists }): Router {
  const router = Router();
  handleCall(
    router,
    'POST /app/lists/:m/cells',
    async ({ params: { m }, body: { trial, step, undoable, decimal, dateOrder, ...block }, by, say }) => {
      const hints = { ...(decimal ? { decimal } : {}), ...(dateOrder ? { dateOrder } : {}) };
      if (trial) return cellsAnswer(await tryCells(lists, m, { block, hints }), say);
      const done = await putCells(lists, m, { block, hints, by, continues: step, isUndoable: undoable });
      return cellsAnswer(done, say);
    },
    [requireJSON, queueUploads(receiveBlock), requireValidCaller],
    readBlock,
  );
  return router;
}

const small: RequestHandler = receiveJSON({ limit: MAX_BYTES_A_TURN });
const large: RequestHandler = express.raw({ limit: BODY, type: () => true });
/** Parses a JSON body of at most 128 KiB; leaves a larger or compressed one as bytes for {@link readBlock}. */
const receiveBlock: RequestHandler = (req, res, next) => {
  const length = Number(req.get('content-length') ?? Infinity);
  const isPacked = req.get('content-encoding') !== undefined;
  const receive = length <= MAX_BYTES_A_TURN && !isPacked ? small : large;
  void receive(req, res, next);
};

/** Parses the body of cells, a large one (a buffer) in a worker thread. Throws 400 for an invalid one. */
async function readBlock(req: Request): Promise<CellsRequest> {
  const body: unknown = req.body;
  if (!Buffer.isBuffer(body)) return cellsRequest.parse(body ?? {});
  const lines: CellsRequest['cells'] = [];
  const places = await readJsonLines(body, 'cells', abortOnClose(req), (batch) => {
    lines.push(...cellsLines.parse(batch));
    cellsCount.parse(lines.length);
  });
  // As of the parser for small bodies.
  if (places === undefined)
    throw Object.assign(new SyntaxError('not JSON'), { status: 400, type: 'entity.parse.failed' });
  return cellsRequestOf(lines).parse(places);
}

/** Returns the counts, notes and the first 200 unfit cells, cut to 60 characters, with reasons. */
function cellsAnswer({ unfit, notes, ...counts }: CellTrial, say: Say): CellsAnswer {
  const rejections = createRejections();
  for (const { line, reason } of unfit) rejections.add({ line: line + 1, reason });
  return {
    ...counts,
    unfit: unfit.slice(0, MAX_UNFIT).map(({ line, column, text, reason }) => ({
      line,
      column,
      text: text.length > SHOWN_LETTERS ? `${text.slice(0, SHOWN_LETTERS)}…` : text,
      reason: say(reason),
    })),
    unfitCells: unfit.length,
    reasons: rejectionReasons(rejections.result(), say),
    notes: notes.map(say),
  };
}
