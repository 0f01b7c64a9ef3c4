import type { z } from 'zod';
import { envelope } from '../common.ts';

export interface Variant {
  /** Its name in the document: `shape 1`. */
  readonly shape: string;
  readonly schema: z.ZodType;
  readonly example: unknown;
  /** Default: 200. 202: work goes on; 502: partly done at the partner; 503: not serving. */
  readonly status?: 202 | 502 | 503;
}

/** Wraps a payload as `{response}`, with no other member. */
export const answered = (payload: z.ZodType): z.ZodType => envelope(payload).strict();

export interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example?: string | number;
}

export type Who = 'anyone' | 'viewer' | 'editor' | 'admin' | 'partner' | 'partner or viewer';

/** A handshake's is small, as strangers may send it. */
export const BODY_BYTES = 1024 * 1024;
export const HANDSHAKE_BYTES = 64 * 1024;

export interface Operation {
  readonly id: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** With parameters in braces; a trailing slash only where it counts. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly who: Who;
  readonly query?: readonly Parameter[];
  readonly body?: readonly Variant[];
  /** Default: {@link BODY_BYTES}. */
  readonly bodyBytes?: number;
  readonly bodyOptional?: true;
  /** With their envelope. */
  readonly answers: readonly Variant[];
  /** Default: JSON. */
  readonly bodyType?: string;
  readonly answerType?: string;
  readonly otherBodyTypes?: readonly string[];
  readonly otherAnswerTypes?: readonly string[];
  /** Statuses beside 400, 401, 403 and 404. */
  readonly refusals?: readonly number[];
}
