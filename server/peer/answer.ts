import { z } from 'zod';
import {
  CONNECTION_CLOSED,
  CONNECTION_ENDED,
  REMOVAL_ASKED,
  SHARING_PAUSED,
} from '../contract/footbridge.ts';
import {
  NotAnswered,
  PartnerBusy,
  PartnerClosed,
  PartnerEnded,
  PartnerFaulty,
  PartnerPaused,
  PartnerRefused,
  quoted,
  TokenRefused,
} from './errors.ts';
import { parseJSON } from './json.ts';
import type { PeerLimits } from './limits.ts';
import type { WireAnswer } from './wire.ts';
import { said } from '../words/said.ts';

/**
 * The payload of an answer in any dialect, or a typed error. Tolerates what servers are known to do: JSON
 * under a text type, a missing `response` wrapper, `response: null` or `false` for nothing, `{}` and an empty
 * body for success. An `error` in the body is a no whatever the status (protocol/live-wire-facts §2.6). A bad status
 * without one is no word of the partner's: a proxy says such, or a server that is not up.
 * @returns the payload, or undefined where there is none: right for what was sent to be done, and for nothing else
 * @throws PartnerEnded, PartnerClosed, PartnerPaused, TokenRefused, PartnerRefused, PartnerBusy, PartnerFaulty, NotAnswered
 */
export function payload(answer: WireAnswer, limits: PeerLimits): unknown {
  if (answer.status >= 300 && answer.status < 400) {
    throw new PartnerFaulty('it points to another address, and Footbridge does not follow that.');
  }
  const ok = answer.status >= 200 && answer.status < 300;
  const body = read(answer, limits, ok);
  const told = errorIn(body);
  if (told) throw refusal(answer, told);
  if (answer.status === 429) throw busy(answer);
  if (!ok) throw new NotAnswered(answer.status, retryAfter(answer));
  if (!isObject(body)) {
    if (body === undefined) return undefined;
    throw new PartnerFaulty('the answer is not an object.');
  }
  if (Object.hasOwn(body, 'response'))
    return body.response === null || body.response === false ? undefined : body.response;
  if (Object.hasOwn(body, 'success') || Object.keys(body).length === 0) return undefined;
  return body;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface Told {
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

function errorIn(body: unknown): Told | undefined {
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

/** The body as data. Text that is not JSON is a known sign of some servers, or a fault. */
function read(answer: WireAnswer, limits: PeerLimits, ok: boolean): unknown {
  if (answer.body.byteLength === 0) return undefined;
  try {
    return parseJSON(answer.body, limits);
  } catch (fault) {
    const start = new TextDecoder().decode(answer.body.subarray(0, 500)).trim();
    if (start.startsWith('Error: '))
      return { error: { message: start.slice('Error: '.length).split('\n')[0] } };
    if (start.includes('server initializing'))
      throw new PartnerBusy(said`The partner’s program is still starting. Wait a moment.`, 15_000);
    if (ok) throw fault;
    return undefined;
  }
}

/** A no of the partner's own, by status and text: what it means for the connection. */
function refusal(answer: WireAnswer, told: Told): Error {
  if (told.code === REMOVAL_ASKED || told.code === CONNECTION_ENDED)
    return new PartnerEnded(told.message, told.code === REMOVAL_ASKED);
  if (told.code === CONNECTION_CLOSED) return new PartnerClosed();
  if (told.code === SHARING_PAUSED) return new PartnerPaused();
  if (answer.status === 401 || /^token is (expired|unauthorized)/.test(told.message))
    return new TokenRefused(told.message, answer.date);
  if (answer.status === 429 || answer.status === 503) return busy(answer);
  return new PartnerRefused(answer.status, told.message, told.code);
}

function busy(answer: WireAnswer): PartnerBusy {
  return new PartnerBusy(said`The partner asks us to wait. It is tried again by itself.`, retryAfter(answer));
}

/** `Retry-After` in milliseconds: seconds, or a date compared with the partner's own. */
function retryAfter({ retryAfter: text, date }: WireAnswer): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text) * 1000;
  const until = Date.parse(text);
  return Number.isNaN(until) || date === undefined ? undefined : Math.max(0, until - date);
}
