import type { Request, RequestHandler } from 'express';
import { Refusal } from '../../../base/refusal.ts';
import { requireValidCaller } from '../../auth/caller.ts';
import { requireJSON } from '../../listeners/errors.ts';
import { receiveJSON } from '../../listeners/json-body.ts';
import { inOrder } from './guards.ts';

/** A report on 2000 lists has 30,000; packed, far more would be a few bytes. */
const MAX_PARTS = 40_000;

/** Parses JSON up to `limit`, refuses other types, and verifies the caller again. */
function readBody(limit: string): RequestHandler {
  const isJson = ({ headers }: { headers: { 'content-type'?: string | undefined } }): boolean =>
    /\bjson\b/i.test(headers['content-type'] ?? '');
  return inOrder(requireJSON, receiveJSON({ limit, type: isJson, parts: MAX_PARTS }), requireValidCaller);
}

/** Parses JSON up to 1 MiB (docs/interface.md: Limits). */
export const jsonBody = readBody('1mb');

/** For handshakes, also strangers': up to 64 KiB. */
export const handshakeBody = readBody('64kb');

/** Returns the parsed body. Throws `request.body` (400) unless it is an object. */
export function bodyObject(req: Request): Readonly<Record<string, unknown>> {
  const body: unknown = req.body;
  if (typeof body === 'object' && body !== null && !Array.isArray(body))
    return body as Readonly<Record<string, unknown>>;
  throw new Refusal('malformed', 'request.body', 'Send a JSON object as the body.');
}
