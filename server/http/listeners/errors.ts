import type { ErrorRequestHandler, Request, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { ErrorBody } from '../../contract/common.ts';
import type { PairingRefusal } from '../../federation/partners/pairing-state.ts';
import { Refusal, type RefusalKind } from '../../base/refusal.ts';
import { PartnerError } from '../../peer/guard/errors.ts';
import { StoreError } from '../../store/store.ts';
import type { Language } from '../../base/vocabulary.ts';
import { said } from '../../words/said.ts';
import { createSay, type Say } from '../../words/said.ts';

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
  busy: 503,
  'partner-failed': 502,
};

interface Answer {
  readonly status: number;
  readonly body: ErrorBody;
}

const answerWith = (status: number, code: string, message: string): Answer => ({
  status,
  body: { error: { code, message } },
});

/** Returns the first three faults, each with its path, separated by semicolons. */
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

const unreadable = z.object({ status: z.number().int().min(400).max(499), type: z.string().optional() });

/** Returns the answer for what Express or its body reader couldn't read: 400, 413 or 415. */
function toUnreadableAnswer(error: z.infer<typeof unreadable>, say: Say): Answer {
  switch (error.type) {
    case 'entity.parse.failed':
      return answerWith(400, 'request.not-json', 'The body is not valid JSON.');
    case 'entity.too.large':
      return answerWith(413, 'request.too-large', say(said('request.too-large')));
    case 'charset.unsupported':
    case 'encoding.unsupported':
      return answerWith(415, 'request.encoding', 'Send the body as UTF-8 JSON, plain, gzip or deflate.');
    default:
      return answerWith(400, 'request.malformed', 'The request could not be read.');
  }
}

/** Returns the answer for a store's error: 507 for a full disk, 503 while closing, otherwise 500. */
function toStoreAnswer(error: StoreError, say: Say): Answer {
  const message = say(error.words);
  if (error.code === 'full') return answerWith(507, 'store.full', message);
  if (error.code === 'closed') return answerWith(503, 'store.closed', say(said('node.closing')));
  if (error.code === 'permission') return answerWith(500, 'store.permission', message);
  const broken = said('disk.error');
  return answerWith(500, `store.${error.code}`, say(broken));
}

/** Returns status and body for an error of a route; unknown errors get 500 `internal`. */
export function toErrorAnswer(error: unknown, language: Language = 'en'): Answer {
  const say = createSay(language);
  if (error instanceof Refusal) return answerWith(STATUS[error.kind], error.code, say(error.words));
  if (error instanceof PartnerError) return answerWith(502, `partner.${error.kind}`, say(error.words));
  if (error instanceof z.core.$ZodError) return answerWith(400, 'request.malformed', describeFaults(error));
  if (error instanceof StoreError) return toStoreAnswer(error, say);
  const request = unreadable.safeParse(error);
  if (request.success) return toUnreadableAnswer(request.data, say);
  return answerWith(500, 'internal', say(said('node.unexpected')));
}

const LIVE_FEED = /\/nodes\/\d+\/modules\/(?:exposed|\d+\/records)\/$/;

/** A live Corteza server doesn't read an error's body, and so keeps its connection open; it sends no `Accept`. */
const leavesBodyUnread = (req: Request): boolean =>
  req.method === 'GET' && (req.get('accept') ?? '') === '' && LIVE_FEED.test(req.path);

/**
 * Creates the last error handler: answers with status and JSON body, and logs unexpected errors. A live server gets
 * only the status; an answer that has begun is cut off.
 */
export function errorHandler(
  log: Pick<Logger, 'error'>,
  languageFor: (req: Request) => Language = () => 'en',
): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    const { status, body } = toErrorAnswer(error, languageFor(req));
    if (status >= 500 && !(error instanceof Refusal || error instanceof PartnerError))
      log.error({ err: error, method: req.method, path: req.path }, 'a request failed');
    if (res.headersSent) {
      // Express cuts the answer off; it would print the error.
      next();
      return;
    }
    if (error instanceof Refusal && error.retryAfter !== undefined)
      res.set('Retry-After', String(error.retryAfter));
    if (status === 401) res.set('WWW-Authenticate', 'Bearer');
    res.status(status);
    if (leavesBodyUnread(req)) res.set('Content-Length', '0').end();
    else res.json(body);
  };
}

/** Throws `request.unknown-address` (404). Put it after all routes. */
export const notFound: RequestHandler = (req) => {
  const code: PairingRefusal = 'request.unknown-address';
  throw new Refusal('not-found', code, `There is nothing at ${req.method} ${req.path}.`);
};

/** Throws `query.encoding` (400) for a query string that can't be decoded. */
export const requireReadableQuery: RequestHandler = (req, _res, next) => {
  try {
    decodeURIComponent(req.url.slice(req.url.indexOf('?') + 1 || req.url.length));
  } catch {
    throw new Refusal(
      'malformed',
      'query.encoding',
      'The query string cannot be decoded. Encode each value as UTF-8 and percent signs; a percent sign itself is %25.',
    );
  }
  next();
};

/** Answers 415 `request.not-json` to a body not declared as JSON. Put it before the JSON reader. */
export const requireJSON: RequestHandler = (req, res, next) => {
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
