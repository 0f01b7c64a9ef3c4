import { z } from 'zod';
import { activity, counts, line, partly, progress, state } from '../app/overview.ts';
import { errorBody, id, timestamp } from '../common.ts';

/** POST /federation/nodes/{n}/sync */
export const syncNowAnswer = counts.extend({
  modules: z.array(
    counts.extend({
      moduleID: id.describe('our id of the offered list'),
      composeModuleID: id.describe('our list that receives'),
      name: z.string(),
      error: z.string().optional().describe('why this list failed; the others went on'),
    }),
  ),
});

/** 502. With a `response` only some lists failed, the others' rows stay; without, nothing was fetched. */
export const syncFailedAnswer = errorBody.extend({ response: syncNowAnswer.optional() });

const count = z.number().int();

/** GET /federation/nodes/{n}/sync */
export const syncStatus = z.object({
  nodeID: id,
  state,
  line,
  partly,
  cause: z.string().describe('which rule the state comes from, for programs'),
  reason: z.string(),
  also: z.array(z.string()).describe('what else is the case, the worst first'),
  awaited: z.boolean().describe('nothing is wrong: it is the other office’s turn'),
  idle: z.literal(true).optional().describe('up to date, as no list goes either way'),
  asOf: timestamp.optional().describe('as of when the state is known'),
  freshUntil: timestamp
    .optional()
    .describe('after this the state is not known any more, unless the partner is heard from again'),
  lastSuccessAt: timestamp.optional(),
  nextSyncAt: timestamp.optional(),
  progress: progress.optional(),
  live: z.boolean().describe('the partner tells of changes as they happen'),
  lists: z.array(
    z.object({
      sharedModuleID: id,
      moduleID: id,
      lastPulledAt: timestamp.optional(),
      couldNotApply: z.number().int(),
      kept: z.number().int().optional().describe('rows that our user kept against the partner’s word'),
      differing: z.number().int().optional().describe('rows in which the last comparison found a difference'),
      problem: z.string().optional(),
    }),
  ),
  sharing: z
    .object({
      waiting: count.describe('changes that it is not known to have'),
      untaken: z.boolean().describe('it asks for these and takes none of them in'),
      stopped: z.array(z.string()).optional().describe('lists that its server stopped fetching'),
      untold: count.describe('lists of which it is not known how far it has come'),
      undecided: count.describe('lists that it has not decided about'),
      held: count.describe('rows that wait for a yes there'),
      lost: count.describe('rows that it has and that are gone or older here'),
      apart: count.describe('rows that could not be taken in there'),
      changed: count.optional().describe('rows that its user changed'),
      parked: count.optional().describe('columns that are not taken in there since they changed'),
      unsent: count
        .optional()
        .describe('columns that a live server does not get until their list is shared again'),
    })
    .optional()
    .describe('how far the partner has come with what we share'),
  fallback: z
    .enum(['offered', 'on'])
    .optional()
    .describe('its feed of rows is broken: another way of reading is offered, or in use'),
  history: z.array(activity.partial()).describe('the latest first'),
});
