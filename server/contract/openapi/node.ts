import { z } from 'zod';
import { envelope } from '../common.ts';
import type { Operation } from './operation.ts';

const tag = 'This node';

/** What a node says of itself to everybody. */
export const nodeOperations: readonly Operation[] = [
  {
    id: 'health',
    method: 'get',
    path: '/healthz',
    tag,
    summary: 'Whether the node runs',
    who: 'anyone',
    answers: [
      {
        shape: 'every',
        schema: envelope(z.strictObject({ ok: z.literal(true) })).strict(),
        example: { response: { ok: true } },
      },
    ],
  },
  {
    id: 'describe',
    method: 'get',
    path: '/openapi.json',
    tag,
    summary: 'This description; the one answer that is not wrapped',
    who: 'anyone',
    answers: [
      {
        shape: 'every',
        schema: z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) }),
        example: { openapi: '3.1.0', paths: {} },
      },
    ],
  },
];
