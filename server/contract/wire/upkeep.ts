import { z } from 'zod';
import { timestamp } from '../common.ts';

/** POST /federation/nodes/{n}/pause, /app/partners/{n}/pause and /app/pause; without a time: until resumed. */
export const pauseRequest = z
  .object({
    until: timestamp.optional(),
    fetch: z.boolean().optional().describe('we do not fetch from them'),
    serve: z.boolean().optional().describe('they may not read what we share with them: 403 `node.paused`'),
  })
  .refine(
    ({ fetch, serve }) => fetch === true || serve === true || (fetch ?? serve) === undefined,
    'nothing would be paused',
  )
  .meta({
    anyOf: [
      { properties: { fetch: { const: true } }, required: ['fetch'] },
      { properties: { serve: { const: true } }, required: ['serve'] },
      { properties: { fetch: false, serve: false } },
    ],
  })
  .describe('without fetch and serve both are paused; else what is true');

/** POST /federation/nodes/{n}/revoke; `received`: the fate of its rows. */
export const revokeRequest = z.object({ received: z.enum(['keep', 'remove']).optional() });
