import type { IncomingMessage } from 'node:http';
import express, { type RequestHandler } from 'express';
import { hasMoreParts, isDeeperThan } from '../../base/json-depth.ts';
import { Refusal } from '../../base/refusal.ts';

/** Three times what settings of columns may have. */
const MAX_DEPTH = 100;

/**
 * Parses a JSON body in UTF-8 of at most 100 levels. The handler throws `request.malformed` (400) for a deeper one, and
 * an error of status 415 for UTF-16 or UTF-32, in which levels aren't counted. `parts`: most commas, arrays and objects.
 */
export function receiveJSON({
  parts = Infinity,
  ...options
}: {
  readonly parts?: number;
  readonly limit?: string | number;
  readonly type?: string[] | ((req: IncomingMessage) => boolean);
} = {}): RequestHandler {
  return express.json({
    ...options,
    /** Looks at the bytes before they are parsed. */
    verify(_req, _res, bytes, encoding) {
      if (encoding !== 'utf-8')
        throw Object.assign(new Error('not UTF-8'), { status: 415, type: 'charset.unsupported' });
      if (isDeeperThan(MAX_DEPTH, bytes))
        throw new Refusal('malformed', 'request.malformed', 'The body is nested too deeply.');
      if (hasMoreParts(parts, bytes))
        throw new Refusal('malformed', 'request.malformed', 'The body has too many parts.');
    },
  });
}
