import { z } from 'zod';
import { fieldKind, id } from '../common.ts';

/** The window's API for files that go into a list (`/app/import`). */

const rejections = {
  rejected: z
    .array(z.object({ line: z.number().int(), reason: z.string() }))
    .describe('lines that cannot go in; of very many only the first'),
  rejectedLines: z.number().int().describe('how many there are'),
};

/** POST /app/import/preview (text/csv, ?delimiter=&encoding=): what a file holds, before it goes in. */
export const importPreview = z.object({
  encoding: z.string(),
  delimiter: z.string(),
  columns: z.array(
    z.object({ name: z.string(), label: z.string(), kind: fieldKind, samples: z.array(z.string()) }),
  ),
  lines: z.number().int(),
  ...rejections,
});
export type ImportPreview = z.infer<typeof importPreview>;

/**
 * POST /app/import?list=NAME or ?moduleID=, &key=&delimiter=&encoding=&kinds={…}&refersTo={…}&match={…}: puts a file
 * into a list. A column of a new list that is to refer to rows of another needs that list's id in `refersTo`.
 */
export const importAnswer = z.object({
  moduleID: id,
  created: z.number().int(),
  updated: z.number().int(),
  unchanged: z.number().int(),
  ...rejections,
});
export type ImportAnswer = z.infer<typeof importAnswer>;
