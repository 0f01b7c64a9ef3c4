import type { PartnerFacts } from './partner-facts.ts';

/** We ask this partner, or it must answer because we receive from it. */
export const mustAnswer = ({ callsUs, matched }: PartnerFacts): boolean => !callsUs || matched > 0;
/** It announced a pause and owes no message until it resumes. */
export const isPausedThere = ({ problem }: PartnerFacts): boolean => problem?.kind === 'paused';
export const isSilent = (facts: PartnerFacts): boolean =>
  !isPausedThere(facts) && mustAnswer(facts) && facts.heard?.fresh !== true && !facts.beginning;
export const isHeardFrom = (facts: PartnerFacts): boolean => mustAnswer(facts) && facts.heard?.fresh === true;
/** What we share may be news to it, or only it can call. */
export const mustAsk = ({ callsUs, sharing }: PartnerFacts): boolean => sharing !== undefined || callsUs;
export const isAbsent = (facts: PartnerFacts): boolean =>
  !isPausedThere(facts) && !facts.closed && mustAsk(facts) && facts.asked?.fresh !== true && !facts.beginning;

/** A Footbridge that calls us and that we can't reach: what it shares never arrives. */
export const isSendOnly = ({ callsUs, hasWords, heard, asked, beginning }: PartnerFacts): boolean =>
  callsUs && hasWords === true && heard?.fresh !== true && asked?.fresh === true && !beginning;

/** Returns whether we reach a Footbridge that doesn't reach us, while we share something with it. */
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

/** It asks and applies nothing: it has a problem that it doesn't report, and we have none. */
export const isStalledDelivery = (facts: PartnerFacts): boolean =>
  facts.sharing?.untaken === true && !facts.closed && !isAbsent(facts) && !facts.unwritable;

/**
 * Returns since when everything is known to be synced, and for how many milliseconds that counts as true
 * without another message from the partner; absent if it rests on none.
 */
export function knownFor(facts: PartnerFacts): { readonly asOf?: string; readonly freshFor?: number } {
  const { heard, complete, asked } = facts;
  const whole = [...(mustAnswer(facts) ? [complete] : []), ...(mustAsk(facts) ? [asked] : [])];
  // A long pull is no silence.
  const word = complete?.fresh === true ? complete : heard;
  const words = [...(mustAnswer(facts) ? [word] : []), ...(mustAsk(facts) ? [asked] : [])];
  const asOf = whole.includes(undefined) ? undefined : whole.flatMap((each) => each?.at ?? []).sort()[0];
  const freshFor = words.includes(undefined)
    ? undefined
    : Math.min(...words.map((each) => each?.freshFor ?? 0));
  return {
    ...(asOf === undefined ? {} : { asOf }),
    ...(freshFor === undefined || !Number.isFinite(freshFor) ? {} : { freshFor }),
  };
}
