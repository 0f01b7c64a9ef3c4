import { z } from 'zod';
import type { Operation } from './operation.ts';

const tag = 'This node';

/** Readiness for load balancers: all but `ok` comes with 503. */
export const health = z.strictObject({ status: z.enum(['ok', 'standby', 'disk-full', 'cannot-save']) });
export type Health = z.infer<typeof health>;

export const nodeOperations: readonly Operation[] = [
  {
    id: 'health',
    method: 'get',
    path: '/healthz',
    tag,
    summary: 'Whether the node serves; not wrapped, and 503 while it does not',
    who: 'anyone',
    answers: [
      {
        shape: 'every',
        schema: health,
        example: { status: 'ok' },
      },
      { shape: 'it does not serve', status: 503, schema: health, example: { status: 'standby' } },
    ],
  },
  {
    id: 'describe',
    method: 'get',
    path: '/openapi.json',
    tag,
    summary: 'This description; not wrapped',
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
