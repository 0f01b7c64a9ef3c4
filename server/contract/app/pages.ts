import { z } from 'zod';
import { DIALECTS } from '../../base/vocabulary.ts';
import { activity, partnerColour } from './overview.ts';
import { ledgerLine } from './sharing.ts';
import { conditionRequest } from '../condition.ts';
import { id } from '../common.ts';

const page = { page: z.number().int(), perPage: z.number().int(), total: z.number().int() };

export const pageQuery = z.object({
  page: z.coerce.number().int().min(1).default(1),
  perPage: z.coerce.number().int().min(1).max(200).default(50),
});
export const activityQuery = pageQuery.extend({ outcome: z.enum(['ok', 'failed', 'waiting']).optional() });

export const activityPage = z.object({ ...page, entries: z.array(activity) });
export type ActivityPage = z.infer<typeof activityPage>;

export const ledgerPage = z.object({ ...page, lines: z.array(ledgerLine) });

export const chartQuery = z.object({ days: z.coerce.number().int().min(1).max(366).default(30) });

/** Rows received by local day, oldest first, days without rows included. */
export const chart = z.array(z.object({ day: z.iso.date(), rows: z.number().int() }));
export type Chart = z.infer<typeof chart>;

/** The first hundred, with long values cut; default: of all lists. */
export const failedQuery = z.object({ sharedModuleID: z.string().optional() });

/** Reads a live server's rows past its broken feed, or not. */
export const fallbackRequest = z.object({ on: z.boolean() });

export const partnerChange = z.object({
  name: z.string().trim().min(1).max(200).optional(),
  ownNetwork: z.boolean().optional(),
  baseURL: z.string().max(2000).optional(),
  contact: z.string().max(320).optional(),
  phone: z.string().trim().max(50).optional().describe('empty: none is known'),
  colour: partnerColour.optional(),
  dialect: z
    .enum([...DIALECTS, 'unknown'])
    .optional()
    .describe('where it was detected wrongly; unknown: detect it again'),
});

/** Different words end the connection; outdated ones get 409. */
export const wordsRequest = z.object({
  words: z.string().max(200),
  same: z.boolean(),
  name: z.string().trim().max(200).optional().describe('who compared them here'),
  spokeTo: z.string().trim().max(200).optional().describe('whom they spoke to'),
});

export const syncAnswer = z.object({
  created: z.number().int(),
  updated: z.number().int(),
  deleted: z.number().int(),
  unchanged: z.number().int(),
  failed: z.number().int(),
});

export const reachability = z.object({
  open: z.boolean().describe('partners on the network may reach this computer'),
  checks: z.array(
    z.object({
      name: z.string(),
      ok: z.boolean(),
      message: z.string().describe('what was found and, where it is not good, what to do'),
    }),
  ),
});
export type Reachability = z.infer<typeof reachability>;

export const shareRequest = z.object({
  fields: z.array(z.string()).min(1).max(500).describe('ids of columns, or their names'),
  titles: z
    .record(z.string(), z.string())
    .optional()
    .describe('by the id of a column that refers to rows: the id of the column that names them, or empty'),
  condition: conditionRequest.nullable().optional().describe('which rows; null is all, absent what it was'),
});

export const matchingRequest = z.object({
  moduleID: z.string(),
  matches: z
    .array(z.object({ origin: z.string(), destination: z.string() }))
    .min(1)
    .max(500),
});

/** The partner's ids. */
export const repullRequest = z.object({ recordIDs: z.array(id).min(1).max(10_000) });

/** Names the newest change of each receiving list; rollbacks lengthen these numbers. */
const LONGEST_MARK = 1000;

/** True approves what was shown; false keeps the rows. */
export const approvalRequest = z.discriminatedUnion('go', [
  z.object({
    go: z.literal(true),
    mark: z
      .string()
      .max(LONGEST_MARK)
      .describe('of the answer to …/waiting: refused where something else waits by now'),
  }),
  z.object({ go: z.literal(false) }),
]);
