import { z } from 'zod';
import { LEFT_OUT, MAX_CHOSEN_SUMS } from '../../base/vocabulary.ts';
import {
  amountNotes,
  doubts,
  fieldKind,
  id,
  idempotencyKey,
  keyColumns,
  rejectionReasons,
  sumLines,
  sumsQuery,
  unit,
} from '../common.ts';

const rejections = {
  rejected: z
    .array(z.object({ line: z.number().int(), reason: z.string() }))
    .describe('lines that cannot go in; of very many only the first'),
  rejectedLines: z.number().int().describe('how many there are'),
  reasons: rejectionReasons,
};

const line = z.coerce.number().int().min(1);

/** Absent ones are guessed. */
export const fileQuery = z.object({
  delimiter: z.string().length(1).optional(),
  encoding: z.string().max(40).optional(),
  decimal: z.enum(['.', ',']).optional(),
  dateOrder: z.enum(['YMD', 'DMY', 'MDY']).optional(),
  sheet: z.string().max(300).optional().describe('of a workbook'),
  headerLine: z.coerce.number().int().min(0).max(1000).optional().describe('0: the first row is data'),
  sums: sumsQuery.optional(),
  asRows: z
    .union([line, z.array(line).max(MAX_CHOSEN_SUMS)])
    .transform((lines) => (typeof lines === 'number' ? [lines] : lines))
    .optional()
    .describe('lines that go in though they seem to be totals or footers, once for each'),
});

export const previewQuery = fileQuery.extend({
  first: z
    .literal('1')
    .transform(() => true)
    .optional()
    .describe(
      'only the first lines are read, so that the answer comes at once: `isPart`; of a text file its first MiB is enough',
    ),
});

export const workbookQuery = z.object({
  ids: z
    .literal('1')
    .transform(() => true)
    .optional()
    .describe('beside each column that refers to rows, one with their ids'),
});

/** Returns a schema for a query parameter that has an object as JSON; it refuses all else with one message. */
const jsonParameter = <T>(schema: z.ZodType<T>): z.ZodType<T> =>
  z.string().transform((text, context) => {
    try {
      return schema.parse(JSON.parse(text));
    } catch {
      context.addIssue({ code: 'custom', message: 'must be a JSON object' });
      return z.NEVER;
    }
  });
const numberFormat = z.object({
  precision: z.number().int().min(0).max(20).optional(),
  unit: unit.optional(),
});

export const importQuery = fileQuery.extend({
  list: z.string().trim().min(1).max(200).optional(),
  isNew: z
    .literal('1')
    .transform(() => true)
    .optional()
    .describe('`list` names a list to be made: refused where there is one of that name'),
  moduleID: id.optional(),
  key: keyColumns.optional(),
  blanks: z.enum(['keep', 'empty']).optional().describe('what blank cells do to filled ones; default: empty'),
  file: z.string().max(300).optional().describe('what the file is called, for the past of the rows'),
  idempotencyKey: idempotencyKey.describe(
    'of the client: the file goes in once, also if it is sent again without an answer (`import.repeated`)',
  ),
  kinds: jsonParameter(z.record(z.string(), fieldKind)).optional(),
  formats: jsonParameter(z.record(z.string(), numberFormat)).optional(),
  refersTo: jsonParameter(z.record(z.string(), id)).optional(),
  match: jsonParameter(z.record(z.string(), z.string().nullable())).optional(),
});

export const trialQuery = importQuery
  .omit({
    list: true,
    isNew: true,
    file: true,
    idempotencyKey: true,
    kinds: true,
    formats: true,
    refersTo: true,
  })
  .extend({ moduleID: id });

export const start = z
  .array(z.object({ line: z.number().int(), text: z.string() }))
  .describe('the first lines, any of which may be the one with the names');

export const importPreview = z.object({
  encoding: z.string().describe('empty for a workbook, as is `delimiter`'),
  delimiter: z.string(),
  sheet: z.string().optional().describe('of a workbook: the one that was read'),
  sheets: z.array(z.string()).optional().describe('all that there are'),
  headerLine: z.number().int().describe('the line with the names of the columns; 0: there is none'),
  start,
  columns: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      kind: fieldKind,
      ...numberFormat.shape,
      only: z.enum(['date', 'time']).optional().describe('of moments: what all of them consist of'),
      samples: z.array(z.string()),
      stored: z.array(z.string()).describe('the samples as a column of this kind stores them'),
    }),
  ),
  key: z
    .array(z.string())
    .describe('columns by which rows can be told apart, as no two lines say the same in them together'),
  isPart: z
    .literal(true)
    .optional()
    .describe('only the first lines were read: what depends on the others, such as `key`, is not known yet'),
  lines: z.number().int(),
  sums: sumLines.describe(
    'lines that seem to be totals or footers: left out unless `sums` says `in`, or `asRows` names them',
  ),
  notes: amountNotes,
  doubts,
  hidden: z
    .object({ lines: z.number().int(), columns: z.array(z.string()) })
    .describe('what of these lines and columns a spreadsheet program does not show; it goes in all the same'),
  workbook: z
    .object({
      mergedRows: z
        .number()
        .int()
        .describe('cells over several lines: their value is taken for each of these lines'),
      mergedColumns: z.number().int().describe('cells over several columns: their value goes into the first'),
      otherSheets: z.array(z.string()).describe('other sheets that hold rows; of very many only the first'),
      leftOut: z
        .array(z.enum(LEFT_OUT))
        .describe('what the workbook has beside cells, of which nothing comes in'),
    })
    .optional()
    .describe('of a workbook: what comes in otherwise than it stands there'),
  ...rejections,
});
export type ImportPreview = z.infer<typeof importPreview>;

/** An import's result, or a trial's, which writes nothing. */
export const importAnswer = z.object({
  moduleID: id,
  stepID: id.optional().describe('its step of the undo log, if it wrote rows'),
  stepSize: z
    .number()
    .int()
    .optional()
    .describe('of a trial: characters that its step would have, of at most 16 million that can be undone'),
  created: z.number().int(),
  updated: z.number().int(),
  unchanged: z.number().int(),
  sums: sumLines,
  notes: amountNotes,
  doubts,
  ignored: z.array(z.string()).describe('headers that no column takes'),
  emptied: z
    .array(z.object({ column: z.string(), cells: z.number().int() }))
    .describe('of a trial: filled cells that blanks of the file empty, unless `blanks` says `keep`'),
  ...rejections,
});
export const watchTrialAnswer = importAnswer.extend({
  start,
  key: z
    .array(z.string())
    .describe('the columns of the list that tell rows apart: those asked for, or some that could'),
});
export type WatchTrialAnswer = z.infer<typeof watchTrialAnswer>;
export type ImportAnswer = z.infer<typeof importAnswer>;
