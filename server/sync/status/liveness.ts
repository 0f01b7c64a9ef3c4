import type { PartnerFacts } from './partner-facts.ts';

/** Returns whether this partner owes us answers: we can call it, or receive its lists. */
export const owesAnswers = ({ callsUs, matched }: PartnerFacts): boolean => !callsUs || matched > 0;
/** Returns whether the partner announced a pause: it owes us nothing. */
export const isPausedThere = ({ problem }: PartnerFacts): boolean => problem?.kind === 'paused';
/**
 * Returns whether an owed answer is missing; not in the partner's pause, after our start, or while routes are tested or
 * one works.
 */
export const isSilent = (facts: PartnerFacts): boolean =>
  !isPausedThere(facts) &&
  owesAnswers(facts) &&
  facts.heard?.fresh !== true &&
  !facts.beginning &&
  facts.isSearching !== true &&
  facts.isReached !== true;
/** Returns whether the partner owes us answers and sent one recently. */
export const isHeardFrom = (facts: PartnerFacts): boolean =>
  owesAnswers(facts) && facts.heard?.fresh === true;
/** Returns whether the partner should call us: we share something, or only it can call. */
export const shouldCallUs = ({ callsUs, sharing }: PartnerFacts): boolean => sharing !== undefined || callsUs;
/** Returns whether the partner should have called us and hasn't; not in a pause or after our start. */
export const isCallOverdue = (facts: PartnerFacts): boolean =>
  !isPausedThere(facts) &&
  !facts.closed &&
  shouldCallUs(facts) &&
  facts.asked?.fresh !== true &&
  !facts.beginning;

/**
 * Returns whether a Footbridge calls us, since our calls began to fail, while ours don't reach it: what it shares can't
 * arrive. False shortly after our start.
 */
export const isSendOnly = ({ callsUs, problem, hasWords, heard, asked, beginning }: PartnerFacts): boolean =>
  (callsUs || (problem?.kind === 'unreachable' && (asked?.at ?? '') > problem.since)) &&
  hasWords === true &&
  heard?.fresh !== true &&
  asked?.fresh === true &&
  !beginning;

/**
 * Returns whether we reach a Footbridge that can't call us: what we share can't arrive. False if we share nothing, in a
 * pause, or shortly after our start.
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
  facts.sharing?.untaken === true && !facts.closed && !isCallOverdue(facts) && !facts.unwritable;

/**
 * Returns when everything was last known synced in the directions in use (`asOf`), and for how many milliseconds that
 * holds without another sign from the partner; unknown members are absent.
 */
export function computeFreshness(facts: PartnerFacts): {
  readonly asOf?: string;
  readonly freshForMs?: number;
} {
  const { heard, complete, asked } = facts;
  const synced = [...(owesAnswers(facts) ? [complete] : []), ...(shouldCallUs(facts) ? [asked] : [])];
  // A long pull is no silence.
  const answered = complete?.fresh === true ? complete : heard;
  const signs = [...(owesAnswers(facts) ? [answered] : []), ...(shouldCallUs(facts) ? [asked] : [])];
  const asOf = synced.includes(undefined) ? undefined : synced.flatMap((each) => each?.at ?? []).sort()[0];
  const freshForMs = signs.includes(undefined)
    ? undefined
    : Math.min(...signs.map((each) => each?.freshFor ?? 0));
  return {
    ...(asOf === undefined ? {} : { asOf }),
    ...(freshForMs === undefined || !Number.isFinite(freshForMs) ? {} : { freshForMs }),
  };
}
