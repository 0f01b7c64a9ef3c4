import { z } from 'zod';
import { amountNotes, doubts, keyColumns, rejectionReasons, timestamp, sumLines } from '../common.ts';
import { fileQuery, start } from './import.ts';

const path = z.string().min(1).max(4096);

const problem = z
  .object({ at: timestamp, why: z.string() })
  .optional()
  .describe('why it waits, in words with what to do');

const watchedFile = z.object({
  path: path.describe('on this computer; a folder stands for the table in it that was changed last'),
  key: z
    .array(z.string())
    .describe('the columns of the list that tell rows apart; those that are gone are not there'),
  problem,
  last: z
    .object({
      at: timestamp,
      file: z.string(),
      created: z.number().int(),
      updated: z.number().int(),
      removed: z.number().int().describe('rows that went into the bin, as they are in the file no more'),
      rejected: z.array(z.object({ line: z.number().int(), reason: z.string() })),
      rejectedLines: z.number().int(),
      reasons: rejectionReasons,
      sums: sumLines.describe('lines that were left out, as they seem to be totals or footers'),
      notes: amountNotes,
      doubts: doubts.describe('guesses in doubt: nothing goes in until they are answered'),
      start,
      unsure: z
        .boolean()
        .describe('lines cannot be read, so that it is not known what is in the file no more'),
      waiting: z
        .object({
          rows: z.number().int().describe('that are in the file no more'),
          emptied: z.number().int().describe('rows that would lose a value'),
          mark: z.string(),
        })
        .optional()
        .describe('what is too much to happen unasked'),
    })
    .optional()
    .describe('the last reading since the node runs'),
});

/** Also the answer to changing them. */
export const listFiles = z.object({
  watched: watchedFile.optional().describe('the file that the list is kept as in'),
  copy: z
    .object({ path, writtenAt: timestamp.optional().describe('since the node runs'), problem })
    .optional()
    .describe('the file that is written again after each change of the list'),
});
export type ListFiles = z.infer<typeof listFiles>;

const reading = fileQuery
  .omit({ asRows: true })
  .extend({ headerLine: z.number().int().min(0).max(1000).optional() });

export const watchRequest = z.object({
  path,
  key: keyColumns.describe('names of columns of the list, or of the file'),
  match: z.record(z.string(), z.string().nullable()).optional(),
  reading: reading.optional(),
});
/** Without a key, one is proposed. */
export const watchTrial = watchRequest.extend({ key: watchRequest.shape.key.optional() });
export type WatchTrial = z.infer<typeof watchTrial>;

export const watchAnswer = z.union([
  z.strictObject({
    mark: z.string().max(100).describe('as it was given with what waits'),
    go: z.boolean().describe('they go into the bin; else they stay, and are the file’s no more'),
  }),
  z.strictObject({
    reading: reading
      .pick({ delimiter: true, encoding: true, decimal: true, headerLine: true, sums: true })
      .describe('answers to the doubts; those that are left out stay as they were chosen'),
  }),
]);

export const copyRequest = z.object({
  path: path.describe('ends in .xlsx or .csv'),
  replace: z.boolean().describe('whether a file may be there'),
});
