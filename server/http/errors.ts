import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { ErrorBody } from '../contract/common.ts';
import { Refusal, type RefusalKind } from '../lists/refusal.ts';
import { PartnerError } from '../peer/errors.ts';
import { StoreError } from '../store/store.ts';
import { TooManyAttempts } from './auth.ts';

const STATUS: Record<RefusalKind, number> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  gone: 410,
  'too-large': 413,
  impossible: 422,
  'too-many': 429,
  'partner-failed': 502,
};

interface Answer {
  readonly status: number;
  readonly body: ErrorBody;
}

const answer = (status: number, code: string, message: string): Answer => ({
  status,
  body: { error: { code, message } },
});

/** What a body or query that does not fit says: the first few faults, each with its place. */
function describeFaults(error: z.core.$ZodError): string {
  return error.issues
    .slice(0, 3)
    .map(({ path, message }) => {
      const place = path.join('.') || 'the body';
      if (message.endsWith('received undefined')) return `${place}: is missing`;
      return `${place}: ${message.replace(/^Invalid input: /, '')}`;
    })
    .join('; ');
}

/** What express and its body reader say about a request that they could not read. */
const unreadable = z.object({ status: z.number().int().min(400).max(499), type: z.string().optional() });

function unreadableAnswer(error: z.infer<typeof unreadable>): Answer {
  switch (error.type) {
    case 'entity.parse.failed':
      return answer(400, 'request.not-json', 'The body is not valid JSON.');
    case 'entity.too.large':
      return answer(413, 'request.too-large', 'The body is larger than this address takes.');
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return answer(415, 'request.encoding', 'Send the body as UTF-8 JSON, plain, gzip or deflate.');
    default:
      return answer(400, 'request.malformed', 'The request could not be read.');
  }
}

function storeAnswer(error: StoreError): Answer {
  if (error.code === 'full') return answer(507, 'store.full', error.message);
  if (error.code === 'closed') return answer(503, 'store.closed', 'The node is shutting down.');
  return answer(500, `store.${error.code}`, error.message);
}

/** The status and body for anything thrown by a route (design §5, envelope). Nothing internal is told. */
export function errorAnswer(error: unknown): Answer {
  if (error instanceof Refusal) return answer(STATUS[error.kind], error.code, error.message);
  if (error instanceof PartnerError) return answer(502, `partner.${error.kind}`, error.message);
  if (error instanceof z.core.$ZodError) return answer(400, 'request.malformed', describeFaults(error));
  if (error instanceof StoreError) return storeAnswer(error);
  const request = unreadable.safeParse(error);
  if (request.success) return unreadableAnswer(request.data);
  return answer(500, 'internal', 'Something went wrong here. The log of this node says more.');
}

/** Ends every listener's chain: each error becomes a true status and a JSON body, never HTML, never a 200. */
export function errorHandler(log: Pick<Logger, 'error'>): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    const { status, body } = errorAnswer(error);
    if (status >= 500 && !(error instanceof Refusal || error instanceof PartnerError))
      log.error({ err: error, method: req.method, path: req.path }, 'a request failed');
    if (res.headersSent) {
      next(error);
      return;
    }
    if (error instanceof TooManyAttempts) res.set('Retry-After', String(error.retryAfter));
    if (status === 401) res.set('WWW-Authenticate', 'Bearer');
    res.status(status).json(body);
  };
}

/** Answers addresses that nobody serves. */
export const notFound: RequestHandler = (req) => {
  throw new Refusal('not-found', 'request.unknown-address', `There is nothing at ${req.method} ${req.path}.`);
};

/** Refuses a body that does not call itself JSON; put it before the JSON reader. */
export const jsonOnly: RequestHandler = (req, res, next) => {
  const length = req.get('content-length');
  const hasBody = req.get('transfer-encoding') !== undefined || (length !== undefined && length !== '0');
  if (hasBody && !req.is(['application/json', 'application/*+json'])) {
    res.status(415).json({
      error: {
        code: 'request.not-json',
        message: 'Send the body as JSON, with Content-Type: application/json.',
      },
    } satisfies ErrorBody);
    return;
  }
  next();
};
