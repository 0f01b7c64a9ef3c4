import express, { Router } from 'express';
import type { CellsAnswer } from '../../contract/app/lists.ts';
import { putCells, tryCells, type CellTrial } from '../../lists/cells/put-cells.ts';
import { toldReasons } from '../../app/import-answer.ts';
import { createRejections } from '../../lists/csv/reasons.ts';
import type { Lists } from '../../lists/lists.ts';
import { stillLetIn } from '../auth/caller.ts';
import { jsonOnly } from '../listeners/errors.ts';
import { queueUploads } from '../listeners/queued-uploads.ts';
import type { Say } from '../../words/said.ts';
import { answering } from './answering.ts';

/** What fills many rows is larger than other requests. */
const BODY = '16mb';
/** More are not told one by one. */
const MOST_UNFIT = 200;
const SHOWN_LETTERS = 60;

/** `/app/lists/{m}/cells`: cells side by side, as they are pasted, filled down or changed in many rows at once. */
export function cellsRouter({ lists }: { readonly lists: Lists }): Router {
  const router = Router();
  answering(
    router,
    'POST /app/lists/:m/cells',
    async ({ params: { m }, body: { trial, step, decimal, dateOrder, ...block }, by, say }) => {
      const hints = { ...(decimal ? { decimal } : {}), ...(dateOrder ? { dateOrder } : {}) };
      if (trial) return answer(await tryCells(lists, m, { block, hints }), say);
      return answer(await putCells(lists, m, { block, hints, by, continues: step }), say);
    },
    [jsonOnly, queueUploads(express.json({ limit: BODY })), stillLetIn],
  );
  return router;
}

function answer({ unfit, ...counts }: CellTrial, say: Say): CellsAnswer {
  const rejections = createRejections();
  for (const { line, reason } of unfit) rejections.add({ line: line + 1, reason });
  return {
    ...counts,
    unfit: unfit.slice(0, MOST_UNFIT).map(({ line, column, text, reason }) => ({
      line,
      column,
      text: text.length > SHOWN_LETTERS ? `${text.slice(0, SHOWN_LETTERS)}…` : text,
      reason: say(reason),
    })),
    unfitCells: unfit.length,
    reasons: toldReasons(rejections.told(), say),
  };
}
