import { z } from 'zod';
import { DIALECTS } from '../../base/vocabulary.ts';
import { activity, partnerColour } from './overview.ts';
import { ledgerLine } from './sharing.ts';
import { conditionRequest } from '../condition.ts';
import { id } from '../common.ts';

/** Paged answers of the window's API, and related small ones. */

const page = { page: z.number().int(), perPage: z.number().int(), total: z.number().int() };

export const pageQuery = z.object({
  page: z.coerce.number().int().min(1).default(1),
  perPage: z.coerce.number().int().min(1).max(200).default(50),
});
export const activityQuery = pageQuery.extend({ outcome: z.enum(['ok', 'failed', 'waiting']).optional() });

/** GET /app/activity and GET /app/partners/{n}/activity?page=&perPage=&outcome=: latest first. */
export const activityPage = z.object({ ...page, entries: z.array(activity) });
export type ActivityPage = z.infer<typeof activityPage>;

/** GET /app/partners/{n}/ledger?page=&perPage=: latest first. */
export const ledgerPage = z.object({ ...page, lines: z.array(ledgerLine) });

export const chartQuery = z.object({ days: z.coerce.number().int().min(1).max(366).default(30) });

/** GET /app/partners/{n}/chart?days=30: rows received a day, oldest day first, days without rows included. */
export const chart = z.array(z.object({ day: z.iso.date(), rows: z.number().int() }));
export type Chart = z.infer<typeof chart>;

/** GET /app/partners/{n}/failed: of all lists, or of one offered list; the first hundred, truncated if long. */
export const failedQuery = z.object({ sharedModuleID: z.string().optional() });

/** PUT /app/partners/{n}/fallback: reads a live server's rows past its broken feed; off by default. */
export const fallbackRequest = z.object({ on: z.boolean() });

/** PATCH /app/partners/{n}: answers `partnerDetail`. */
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

/**
 * POST /app/partners/{n}/words: the result of comparing these words; if they differ the connection ends.
 * Answers `partnerDetail`; 409 for words from before.
 */
export const wordsRequest = z.object({
  words: z.string().max(200),
  same: z.boolean(),
  name: z.string().trim().max(200).optional().describe('who compared them here'),
  spokeTo: z.string().trim().max(200).optional().describe('whom they spoke to'),
});

/** POST /app/partners/{n}/sync and /app/sync: waits for the pulls and answers what they brought. */
export const syncAnswer = z.object({
  created: z.number().int(),
  updated: z.number().int(),
  deleted: z.number().int(),
  unchanged: z.number().int(),
  failed: z.number().int(),
});

/** GET /app/reachability: can partners reach this computer? One line for each check, in plain words. */
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

/** PUT /app/partners/{n}/shares/{moduleID} */
export const shareRequest = z.object({
  fields: z.array(z.string()).min(1).max(500).describe('ids of columns, or their names'),
  titles: z
    .record(z.string(), z.string())
    .optional()
    .describe('by the id of a column that refers to rows: the id of the column that names them, or empty'),
  condition: conditionRequest.nullable().optional().describe('which rows; null is all, absent what it was'),
});

/** PUT /app/partners/{n}/offers/{s}/matching */
export const matchingRequest = z.object({
  moduleID: z.string(),
  matches: z
    .array(z.object({ origin: z.string(), destination: z.string() }))
    .min(1)
    .max(500),
});

/** POST /app/partners/{n}/offers/{s}/repull: fetches these rows (the partner's ids) again; answers `syncAnswer`. */
export const repullRequest = z.object({ recordIDs: z.array(id).min(1).max(10_000) });

/** A mark names the newest change of each receiving list, whose numbers are long after a rollback. */
const LONGEST_MARK = 1000;

/** POST /app/partners/{n}/offers/{s}/brake: true approves what was shown, false keeps the rows. */
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
