import type { z } from 'zod';
import { envelope } from '../common.ts';

/** One form of a body: the shape that it is of, its schema, and an example that fits it. */
export interface Variant {
  /** Names it in the document, in words: `shape 1`. */
  readonly shape: string;
  readonly schema: z.ZodType;
  readonly example: unknown;
  /** Of an answer other than 200. 202: the work goes on; 502: the partner let only a part succeed; 503: not serving. */
  readonly status?: 202 | 502 | 503;
}

/** Returns the schema of an answer `{response}` with this payload and no other member. */
export const answered = (payload: z.ZodType): z.ZodType => envelope(payload).strict();

/** A query parameter. */
export interface Parameter {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
  readonly example?: string | number;
}

/** Who may call an operation (docs/interface.md: Who may). */
export type Who = 'anyone' | 'viewer' | 'editor' | 'admin' | 'partner' | 'partner or viewer';

/** What a body may hold at most, and one of a handshake, which strangers may send (docs/interface.md: Limits). */
export const BODY_BYTES = 1024 * 1024;
export const HANDSHAKE_BYTES = 64 * 1024;

/** One operation of the interface, as the document describes it. */
export interface Operation {
  readonly id: string;
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** With its parameters in braces; a trailing slash only where it counts. */
  readonly path: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  readonly who: Who;
  readonly query?: readonly Parameter[];
  /** Forms of the request's body; none when there is no body. */
  readonly body?: readonly Variant[];
  /** The most that the body may hold, where it is not {@link BODY_BYTES}. */
  readonly bodyBytes?: number;
  /** The body may be left out as a whole. */
  readonly bodyOptional?: true;
  /** Forms of an answer to what was done, whole: with its envelope. */
  readonly answers: readonly Variant[];
  /** Types other than JSON. */
  readonly bodyType?: string;
  readonly answerType?: string;
  /** Types of files that are taken or answered as well. */
  readonly otherBodyTypes?: readonly string[];
  readonly otherAnswerTypes?: readonly string[];
  /** Statuses beside 400, 401, 403 and 404. */
  readonly refusals?: readonly number[];
}
