import type { PartnerFacts } from './partner-facts.ts';

/** Returns whether this partner owes us answers: we can call it, or we receive lists from it. */
export const mustAnswer = ({ callsUs, matched }: PartnerFacts): boolean => !callsUs || matched > 0;
/** Returns whether the partner announced a pause: it owes us nothing. */
export const isPausedThere = ({ problem }: PartnerFacts): boolean => problem?.kind === 'paused';
/**
 * Returns whether the partner owes us an answer and hasn't sent one recently. False just after our start, and while
 * a stalled pull's routes are tested or one was found to work.
 */
export const isSilent = (facts: PartnerFacts): boolean =>
  !isPausedThere(facts) &&
  mustAnswer(facts) &&
  facts.heard?.fresh !== true &&
  !facts.beginning &&
  facts.isSearching !== true &&
  facts.isReached !== true;
/** Returns whether the partner owes us answers and sent one recently. */
export const isHeardFrom = (facts: PartnerFacts): boolean => mustAnswer(facts) && facts.heard?.fresh === true;
/** Returns whether the partner should call us: we share something with it, or only it can call. */
export const mustAsk = ({ callsUs, sharing }: PartnerFacts): boolean => sharing !== undefined || callsUs;
/** Returns whether the partner should have called us and hasn't; not in a pause or after our start. */
export const isAbsent = (facts: PartnerFacts): boolean =>
  !isPausedThere(facts) && !facts.closed && mustAsk(facts) && facts.asked?.fresh !== true && !facts.beginning;

/**
 * Returns whether a Footbridge calls us while our calls don't reach it, so that what it shares can't arrive. A call
 * counts if it came after ours began to fail. False shortly after our start.
 */
export const isSendOnly = ({ callsUs, problem, hasWords, heard, asked, beginning }: PartnerFacts): boolean =>
  (callsUs || (problem?.kind === 'unreachable' && (asked?.at ?? '') > problem.since)) &&
  hasWords === true &&
  heard?.fresh !== true &&
  asked?.fresh === true &&
  !beginning;

/**
 * Returns whether our calls reach a Footbridge that can't call us, so that what we share can't arrive there. False if
 * we share nothing, in a pause, or shortly after our start.
 */
export const isReceiveOnly = ({
  cannotCallUs,
  sharing,
  heard,
  asked,
  closed,
  beginning,
}: PartnerFacts): boolean =>
  cannotCallUs === true &&
  sharing !== undefined &&
  heard?.fresh === true &&
  asked?.fresh !== true &&
  !closed &&
  !beginning;

/** Returns whether the partner asks but applies nothing, without a problem of ours that explains it. */
export const isStalledDelivery = (facts: PartnerFacts): boolean =>
  facts.sharing?.untaken === true && !facts.closed && !isAbsent(facts) && !facts.unwritable;

/**
 * Returns as of when (`asOf`) everything is known to be synced in the directions in use, and for how many
 * milliseconds that may be assumed without another sign from the partner. Members that aren't known are absent.
 */
export function computeFreshness(facts: PartnerFacts): {
  readonly asOf?: string;
  readonly freshForMs?: number;
} {
  const { heard, complete, asked } = facts;
  const synced = [...(mustAnswer(facts) ? [complete] : []), ...(mustAsk(facts) ? [asked] : [])];
  // A long pull is no silence.
  const answered = complete?.fresh === true ? complete : heard;
  const signs = [...(mustAnswer(facts) ? [answered] : []), ...(mustAsk(facts) ? [asked] : [])];
  const asOf = synced.includes(undefined) ? undefined : synced.flatMap((each) => each?.at ?? []).sort()[0];
  const freshForMs = signs.includes(undefined)
    ? undefined
    : Math.min(...signs.map((each) => each?.freshFor ?? 0));
  return {
    ...(asOf === undefined ? {} : { asOf }),
    ...(freshForMs === undefined || !Number.isFinite(freshForMs) ? {} : { freshForMs }),
  };
}
