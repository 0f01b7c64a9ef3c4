import { durationInWords } from '../../federation/partners/clocks.ts';
import { english, mentions, moment, said, type Words } from '../../words/said.ts';
import type { PartnerFacts } from './partner-facts.ts';
import { STATES, type Line, type State } from '../../base/vocabulary.ts';
import { RULES, type Cause } from './state-rules.ts';

export interface StateAndReason {
  readonly state: State;
  /** The rule it comes from. */
  readonly cause: Cause | 'none' | 'several' | 'data-missing';
  readonly reason: Words;
  /** Worst first. */
  readonly also: readonly Words[];
  /** Nothing is wrong here: the other office has to act, or there is none yet. */
  readonly awaited: boolean;
  /** All is well; nothing is shared either way. */
  readonly idle?: true;
}

export interface PartnerState extends StateAndReason {
  readonly line: Line;
  /** The line has a problem, but the partner still answers or asks. */
  readonly partly?: true;
}

/** Returns the state of the first of {@link RULES} that applies, others in `also`; `up-to-date` if none does. */
export function deriveState(facts: PartnerFacts): PartnerState {
  const holding = RULES.flatMap(({ state, cause, awaited, says }) => {
    const reason = says(facts);
    return reason === undefined ? [] : [{ state, cause, reason, awaited: awaited === true }];
  });
  const [first, ...others] = holding;
  const line = connectionLine(facts, holding);
  const beside = [clockWords(facts) ?? [], changedWords(facts)].flat();
  if (!first)
    return {
      state: 'up-to-date',
      cause: 'well',
      reason: healthyMessage(facts),
      also: beside,
      awaited: false,
      ...(facts.matched === 0 && !facts.sharing ? { idle: true as const } : {}),
      line,
    };
  const isCut = line === 'failed' || line === 'silent';
  const since = offlineSince(facts, first);
  const isPartly =
    isCut &&
    facts.status === 'paired' &&
    [facts.heard, facts.asked].some((last) => last?.fresh === true && !(Date.parse(last.at) <= since));
  const partly = isPartly ? { partly: true as const } : {};
  return {
    ...first,
    line,
    ...partly,
    also: withoutRepeats(first.reason, [...others.map(({ reason }) => reason), ...beside]),
  };
}

/**
 * Returns since when a partner is offline, in milliseconds since the epoch; NaN if our calls don't fail. A contact
 * before proves nothing.
 */
function offlineSince(
  { problem, stalledMs, now }: PartnerFacts,
  { state, cause }: Pick<StateAndReason, 'state' | 'cause'>,
): number {
  if (state !== 'offline') return NaN;
  return cause === 'unreachable' ? Date.parse(problem?.since ?? '') : now - (stalledMs ?? NaN);
}

const CUT: readonly StateAndReason['cause'][] = ['refused-token', 'ended'];

/**
 * Returns how the connection is drawn: `none` before pairing, else the first of `failed`, `silent`, `paused` that one
 * of the applying states (`holding`) means, `open` without one.
 */
function connectionLine(
  { status, heard }: PartnerFacts,
  holding: readonly Pick<StateAndReason, 'state' | 'cause' | 'awaited'>[],
): Line {
  if (status === 'pending' || status === 'pair_requested' || status === 'failed') return 'none';
  if (holding.some(({ state }) => state === 'error')) return 'failed';
  const isCut = holding.some(
    ({ state, cause, awaited }) =>
      (state === 'offline' && !awaited) ||
      CUT.includes(cause) ||
      (cause === 'beginning' && heard?.fresh !== true),
  );
  if (isCut) return 'silent';
  return holding.some(({ state }) => state === 'paused') ? 'paused' : 'open';
}

/**
 * Returns the message that both clocks differ, and whose is wrong; undefined if they don't, or for an unconnected
 * partner.
 */
function clockWords({ status, clock, name, now }: PartnerFacts): Words | undefined {
  if (status !== 'paired' || !clock) return undefined;
  const span = durationInWords(Math.abs(clock.ahead));
  const there = now + clock.ahead;
  const [ours, theirs] = [
    moment(new Date(now).toISOString(), there),
    moment(new Date(there).toISOString(), now),
  ];
  return clock.ours
    ? said('clocks.ours-differs', { span, ours, theirs })
    : said('clocks.differ', { span, ours, partner: name, theirs });
}

/** Returns messages about rows in which the offices differ by intention; [] unless paired. Zeros have none. */
function changedWords({ status, name, changedHere = 0, settledRows = 0, sharing }: PartnerFacts): Words[] {
  if (status !== 'paired') return [];
  const there = sharing?.changed ?? 0;
  const here = said('state.changed-here', { n: changedHere, partner: name });
  const kept = said('state.kept-so', { n: settledRows, partner: name });
  const away = said('state.changed-there', { n: there, partner: name });
  return [
    ...(changedHere > 0 ? [here] : []),
    ...(settledRows > 0 ? [kept] : []),
    ...(there > 0 ? [away] : []),
  ];
}

/** Returns the message if all is well, by the directions in use. */
function healthyMessage({ name, matched, sharing }: PartnerFacts): Words {
  if (matched > 0 && sharing) return said('state.all-both-ways', { partner: name });
  if (matched > 0) return said('state.all-arrived');
  if (sharing) return said('state.has-all', { partner: name });
  return said('state.connected', { partner: name });
}

/** Returns texts without those that read like `first` or an earlier one. */
function withoutRepeats(first: Words, others: readonly Words[]): Words[] {
  const seen = new Set([english(first)]);
  return others.filter((words) => {
    const text = english(words);
    const isNew = !seen.has(text);
    seen.add(text);
    return isNew;
  });
}

export interface NamedState extends StateAndReason {
  readonly name: string;
  readonly connected: boolean;
}

/**
 * Returns the partners' worst state as the whole office's; `offline` without partners, a joint reason if all are up to
 * date. A partner that has yet to answer an invite counts only if there are no others.
 */
export function worstState(partners: readonly NamedState[]): StateAndReason {
  const counting = partners.filter(({ connected, awaited }) => connected || !awaited);
  const among = counting.length > 0 ? counting : partners;
  const [first, ...others] = [...among].sort((a, b) => STATES.indexOf(a.state) - STATES.indexOf(b.state));
  if (!first)
    return {
      state: 'offline',
      cause: 'none',
      reason: said('state.no-partner'),
      also: [],
      awaited: true,
    };
  if (others.length === 0) return withoutPartnerMembers(first);
  if (first.state === 'up-to-date') {
    const busy = counting.find(({ idle }) => !idle);
    const reason = said(busy ? 'state.all-up-to-date' : 'state.all-idle');
    return { ...withoutPartnerMembers(busy ?? first), cause: 'several', reason };
  }
  const { name, reason, cause } = first;
  const isPlain = cause === 'unwritable' || mentions(reason, name);
  return {
    ...withoutPartnerMembers(first),
    reason: isPlain ? reason : said('state.of-partner', { partner: name, reason }),
  };
}

/** Returns the office's state with the message that data here may be missing, at least as `needs-you`. */
export function withDataMissing(standing: StateAndReason): StateAndReason {
  const reason = said('state.data-missing');
  return STATES.indexOf(standing.state) <= STATES.indexOf('needs-you')
    ? { ...standing, also: [...standing.also, reason] }
    : {
        state: 'needs-you',
        cause: 'data-missing',
        reason,
        also: [standing.reason, ...standing.also],
        awaited: false,
      };
}

/** Returns the state without members that only one partner has, such as its name. */
function withoutPartnerMembers({
  state,
  cause,
  reason,
  also,
  awaited,
  idle,
}: StateAndReason): StateAndReason {
  return { state, cause, reason, also, awaited, ...(idle ? { idle } : {}) };
}
