import { Refusal } from '../../base/refusal.ts';
import {
  NoResponseError,
  PartnerBusyError,
  PartnerError,
  TokenRejectedError,
} from '../../peer/guard/errors.ts';
import { StoreError } from '../../store/store.ts';
import { describeClockSkew } from '../../federation/partners/clocks.ts';
import type { Problem } from './partner-facts.ts';
import { said, type Words } from '../../words/said.ts';

export interface Failure {
  readonly kind: Problem['kind'];
  readonly message: Words;
  /** Milliseconds the partner asked us to wait. */
  readonly retryAfter: number;
}

/**
 * Returns an error's kind, its message for the user and the partner's requested pause, by `now` in milliseconds. An
 * unknown error is `internal`.
 */
export function toFailure(error: unknown, now: number): Failure {
  if (error instanceof PartnerError) {
    const apart = error instanceof TokenRejectedError ? describeClockSkew(error.at, now) : undefined;
    if (apart !== undefined)
      return {
        kind: error.kind,
        message: said('clocks.not-accepted', { span: apart }),
        retryAfter: 0,
      };
    const says = error instanceof PartnerBusyError || error instanceof NoResponseError;
    const retryAfter = says ? (error.retryAfter ?? 0) : 0;
    const goesOn = error.kind === 'unreachable' || error.kind === 'busy';
    const message = goesOn ? said('problem.tried-again', { problem: error.words }) : error.words;
    return { kind: error.kind, message, retryAfter };
  }
  if (error instanceof StoreError) return { kind: 'store', message: storeWords(error), retryAfter: 0 };
  if (error instanceof Refusal) return { kind: 'refused', message: error.words, retryAfter: 0 };
  return {
    kind: 'internal',
    message: said('problem.unexpected'),
    retryAfter: 0,
  };
}

/** Returns the text of a store's error for the user; a general one if it has none. */
function storeWords({ code, words }: StoreError): Words {
  if (typeof words !== 'string') return words;
  return code === 'io' ? said('disk.error-here') : said('problem.unexpected');
}

/**
 * Returns the problem to show after one more failure, at `now` (ISO 8601). For the same kind as before, counts the
 * tries on and keeps the first one's time.
 */
export function nextProblem(before: Problem | undefined, failure: Failure, now: string): Problem {
  const goesOn = before?.kind === failure.kind;
  return {
    kind: failure.kind,
    message: failure.message,
    since: goesOn ? before.since : now,
    tries: goesOn ? before.tries + 1 : 1,
  };
}
