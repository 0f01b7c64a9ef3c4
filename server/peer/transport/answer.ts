import { z } from 'zod';
import {
  CONNECTION_CLOSED,
  CONNECTION_ENDED,
  REMOVAL_ASKED,
  WORDS_DIFFER,
  SHARING_PAUSED,
  TOKEN_OF_ANOTHER,
} from '../../contract/wire/footbridge.ts';
import {
  WrongInstallationError,
  FederationDisabledError,
  NoResponseError,
  HTMLResponseError,
  PartnerBusyError,
  PartnerClosedError,
  PartnerEndedError,
  ProtocolViolationError,
  PartnerPausedError,
  RequestRefusedError,
  quoted,
  TokenRejectedError,
  ENTRY_GONE_CODE,
  isFootbridgeCode,
} from '../guard/errors.ts';
import { parseJSON } from './json.ts';
import type { PeerLimits } from '../guard/limits.ts';
import type { WireAnswer } from '../dialects/wire.ts';
import { said } from '../../words/said.ts';

/**
 * Returns an answer's payload in any dialect, if any. Accepts JSON as text, no `response` wrapper, an empty body for
 * success. Throws a PartnerError for an `error` in the body, a bad status, an HTML page or invalid JSON.
 */
export function readPayload(answer: WireAnswer, limits: PeerLimits): unknown {
  refusePage(answer);
  const ok = answer.status >= 200 && answer.status < 300;
  const body = parseBody(answer, limits, ok);
  const error = readError(body);
  if (error) throw toRefusalError(answer, error);
  if (answer.status === 429) throw toBusyError(answer);
  if (!ok) throw new NoResponseError(answer.status, retryAfterMs(answer));
  if (!isObject(body)) {
    if (body === undefined) return undefined;
    throw new ProtocolViolationError('the answer is not an object.');
  }
  if (Object.hasOwn(body, 'response'))
    return body.response === null || body.response === false ? undefined : body.response;
  if (Object.hasOwn(body, 'success') || Object.keys(body).length === 0) return undefined;
  return body;
}

/** A network demands a login (RFC 6585). */
const LOGIN_WANTED = 511;

/** Returns a payload as the schema says. Throws ProtocolViolationError that its `what` is wrong. */
export function readAnswer<T extends z.ZodType>(schema: T, data: unknown, what: string): z.infer<T> {
  const parsed = schema.safeParse(data);
  if (!parsed.success) throw new ProtocolViolationError(`its ${what} is not what it should be.`);
  return parsed.data;
}

/**
 * Throws HTMLResponseError for an HTML page, redirect or 511, as of a network's login, FederationDisabledError for a
 * live server's page. A page with a status from 500 on passes: a proxy sends it when the partner's program fails.
 */
export function refusePage(answer: WireAnswer): void {
  const { status } = answer;
  const pointsAway = status >= 300 && status < 400;
  const isPage = status < 500 && looksLikePage(answer);
  if (status === 404 && isPage && NOT_FOUND_PAGE.test(startOf(answer.body)))
    throw new FederationDisabledError();
  if (pointsAway || isPage || status === LOGIN_WANTED) throw new HTMLResponseError(status);
}

/** Title of live servers' page for unserved paths. */
const NOT_FOUND_PAGE = /<title>[^<]*\bCorteza\s*<\/title>/i;

/** Returns whether an answer is a web page rather than JSON, which some servers send as text. */
function looksLikePage({ contentType, body }: WireAnswer): boolean {
  const start = startOf(body);
  if (start.startsWith('<')) return true;
  const isText = start !== '' && !/^[[{"]/.test(start) && !isSign(start);
  return isText && contentType.trim().toLowerCase().startsWith('text/html');
}

const startOf = (body: Uint8Array): string => new TextDecoder().decode(body.subarray(0, 500)).trim();

/** Live servers' plain texts for a refusal begin like this, and for not being up yet. */
const REFUSAL = 'Error: ';
const STARTING = 'server initializing';
const isSign = (start: string): boolean => start.startsWith(REFUSAL) || start.includes(STARTING);

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface ErrorInBody {
  readonly message: string;
  readonly code?: string | undefined;
}

const errorAnswer = z.object({
  error: z.union([
    z.string(),
    z.object({
      message: z.string().catch(''),
      code: z.string().optional().catch(undefined),
      meta: z.object({ type: z.string() }).optional().catch(undefined),
    }),
  ]),
});

/**
 * Returns the error in a body, in any of its forms; undefined without one. One without a readable text has a general
 * one.
 */
function readError(body: unknown): ErrorInBody | undefined {
  if (!isObject(body) || !Object.hasOwn(body, 'error')) return undefined;
  const parsed = errorAnswer.safeParse(body);
  if (!parsed.success) return { message: 'an error without a text' };
  const { error } = parsed.data;
  if (typeof error === 'string') return { message: quoted(error) };
  return {
    message: quoted(error.message) || 'an error without a text',
    code: error.code ?? error.meta?.type,
  };
}

/**
 * Returns the parsed body; undefined if empty, or unreadable under a bad status. A live server's plain text refusal
 * becomes an `error`. Throws PartnerBusyError if the server is starting, ProtocolViolationError for other text if `ok`.
 */
function parseBody(answer: WireAnswer, limits: PeerLimits, ok: boolean): unknown {
  if (answer.body.byteLength === 0) return undefined;
  try {
    return parseJSON(answer.body, limits);
  } catch (fault) {
    const start = startOf(answer.body);
    if (start.startsWith(REFUSAL)) return { error: { message: start.slice(REFUSAL.length).split('\n')[0] } };
    if (start.includes(STARTING)) throw new PartnerBusyError(said('peer.starting'), 15_000);
    if (ok) throw fault;
    return undefined;
  }
}

/** A live server's text, under any status, once our record was deleted. */
const ENTRY_GONE = /node does not exist/i;

/**
 * Returns the error class that a refusal's code and status mean; PartnerBusyError for a limit, by default
 * RequestRefusedError.
 */
function toRefusalError(answer: WireAnswer, error: ErrorInBody): Error {
  if (error.code === REMOVAL_ASKED || error.code === CONNECTION_ENDED || error.code === WORDS_DIFFER)
    return new PartnerEndedError(error.message, {
      removeRequest: error.code === REMOVAL_ASKED,
      wordsDiffer: error.code === WORDS_DIFFER,
    });
  if (error.code === TOKEN_OF_ANOTHER) return new WrongInstallationError();
  if (error.code === CONNECTION_CLOSED) return new PartnerClosedError();
  if (error.code === SHARING_PAUSED) return new PartnerPausedError();
  if (answer.status === 401 || /^token is (expired|unauthorized)/.test(error.message))
    return new TokenRejectedError(error.message, answer.date, error.code);
  if (answer.status === 429 || answer.status === 503) return toBusyError(answer);
  const code = ENTRY_GONE.test(error.message) && !isFootbridgeCode(error.code) ? ENTRY_GONE_CODE : error.code;
  return new RequestRefusedError(answer.status, error.message, code, answer.date);
}

/** Returns the error for a partner that asks us to wait. */
function toBusyError(answer: WireAnswer): PartnerBusyError {
  return new PartnerBusyError(said('peer.asks-to-wait'), retryAfterMs(answer));
}

/** Returns the milliseconds to wait, from seconds or a date by the partner's own clock; undefined without either. */
function retryAfterMs({ retryAfter: text, date }: WireAnswer): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000;
  const until = Date.parse(text);
  return Number.isNaN(until) || date === undefined ? undefined : Math.max(0, until - date);
}
