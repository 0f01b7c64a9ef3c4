import { z } from 'zod';
import { Refusal } from '../../base/refusal.ts';
import { said, type Words } from '../../words/said.ts';

/** How a call to a partner failed: it refused, or couldn't be reached. */
export interface PartnerFailure {
  readonly refused: boolean;
  /** HTTP status of a refusal, if any. */
  readonly status?: number;
  /** The partner's own code of a refusal, if any. */
  readonly code?: string;
  /** The partner's time of a refusal in milliseconds since the epoch, if sent. */
  readonly at?: number;
  /** Plain words for the user. */
  readonly message: Words;
}

const refusal = z.object({
  name: z.literal('PartnerRefused'),
  status: z.number().optional(),
  code: z.string().optional(),
  at: z.number().optional(),
});
const ended = z.object({ name: z.literal('PartnerEnded') });
/** Our own errors have translatable words. */
const worded = z.object({
  words: z.custom<Words>((words) => typeof words === 'string' || typeof words === 'object'),
});

/** Converts what {@link PartnerCalls} reject with. */
export function partnerFailure(error: unknown): PartnerFailure {
  const message = wordsOf(error);
  if (ended.safeParse(error).success) return { refused: true, status: 401, message };
  const refused = refusal.safeParse(error);
  if (!refused.success) return { refused: false, message };
  const { status, code, at } = refused.data;
  return {
    refused: true,
    message,
    ...(status === undefined ? {} : { status }),
    ...(code === undefined ? {} : { code }),
    ...(at === undefined ? {} : { at }),
  };
}

/** Returns the error for the caller of this node. */
export function partnerRefusal(failure: PartnerFailure, cause: unknown): Refusal {
  const code = failure.refused ? 'partner.refused' : 'partner.unreachable';
  return new Refusal('partner-failed', code, failure.message, { cause });
}

function wordsOf(error: unknown): Words {
  const own = worded.safeParse(error);
  if (own.success) return own.data.words;
  return error instanceof Error ? error.message : said('peer.not-reached');
}
