import { z } from 'zod';
import { id } from '../common.ts';

export const searchQuery = z.object({ text: z.string().trim().min(1).max(200) });

export const foundInList = z.object({
  moduleID: id,
  name: z.string(),
  total: z.number().int().describe('rows that have the words'),
  rows: z
    .array(
      z.object({ recordID: id, title: z.string().describe('what the row is called; empty for nothing') }),
    )
    .describe('the first of them'),
});
export type FoundInList = z.infer<typeof foundInList>;
