import type { NodeStatus } from '../federation/model.ts';

/** The six states, worst first (design §9). The window's contract has the same words. */
export const STATES = ['error', 'needs-you', 'syncing', 'offline', 'paused', 'up-to-date'] as const;
export type State = (typeof STATES)[number];

/** A state and why, in words fit to be shown, with what to do where something is to be done. */
export interface StateAndReason {
  readonly state: State;
  readonly reason: string;
}

/** How the last exchange with the partner failed. */
export interface Problem {
  readonly kind: 'address' | 'unreachable' | 'busy' | 'ended' | 'refused' | 'faulty' | 'store' | 'internal';
  /** Plain words. */
  readonly message: string;
  /** ISO 8601, of the first failure in the row. */
  readonly since: string;
  readonly tries: number;
}

/** All that the state of one partner depends on. */
export interface PartnerFacts {
  readonly name: string;
  readonly status: NodeStatus;
  readonly role?: 'inviter' | 'invitee' | undefined;
  /** Why pairing failed, if it did. */
  readonly pairingProblem?: string | undefined;
  readonly paused?: { readonly until?: string } | undefined;
  readonly running: boolean;
  readonly problem?: Problem | undefined;
  /** Why one of the lists could not be pulled while the others were. */
  readonly listProblem?: string | undefined;
  /** Lists whose deletions wait for a yes, and how many rows that is. */
  readonly brakes: number;
  readonly heldRows: number;
  readonly couldNotApply: number;
  /** Matches that wait since a column was removed or changed. */
  readonly parked: number;
  readonly newOffers: number;
  /** ISO 8601, when the connection ends unless it is renewed. */
  readonly expiresAt?: string | undefined;
  /** The connection renews itself (between Footbridges). */
  readonly renews: boolean;
  readonly lastSuccessAt?: string | undefined;
  /** ISO 8601. */
  readonly now: string;
}

/** A connection that ends within this time, and cannot renew itself, needs the user. */
const WARN_BEFORE_END = 30 * 60_000;

type Rule = (facts: PartnerFacts) => string | undefined;

/** In the order of {@link STATES}; in each, the first rule that has something to say wins. */
const RULES: readonly (readonly [State, Rule])[] = [
  [
    'error',
    ({ problem }) =>
      problem?.kind === 'store' || problem?.kind === 'internal' ? problem.message : undefined,
  ],
  [
    'error',
    ({ problem }) =>
      problem?.kind === 'faulty' || problem?.kind === 'refused' ? problem.message : undefined,
  ],
  ['error', ({ listProblem }) => listProblem],
  [
    'error',
    ({ status, pairingProblem }) =>
      status === 'failed' ? (pairingProblem ?? 'Pairing failed. Try again or make a new invite.') : undefined,
  ],
  [
    'needs-you',
    ({ problem }) => (problem?.kind === 'ended' || problem?.kind === 'address' ? problem.message : undefined),
  ],
  [
    'needs-you',
    ({ status, name }) =>
      status === 'unpaired'
        ? `The connection with ${name} has ended. Pair again with a new invite to go on.`
        : undefined,
  ],
  [
    'needs-you',
    ({ status, role, name }) =>
      status === 'pair_requested' && role === 'inviter'
        ? `${name} wants to pair. Confirm if you expected them, then compare the words by telephone.`
        : undefined,
  ],
  ['needs-you', endsSoon],
  [
    'needs-you',
    ({ brakes, heldRows, name }) =>
      brakes > 0 ? `${name} removed or emptied ${rows(heldRows)}. Look at them and decide.` : undefined,
  ],
  [
    'needs-you',
    ({ couldNotApply, name }) =>
      couldNotApply > 0
        ? `${rows(couldNotApply)} from ${name} could not be taken in. See which and why.`
        : undefined,
  ],
  [
    'needs-you',
    ({ parked }) =>
      parked > 0
        ? `${count(parked, 'matched column', 'matched columns')} changed and must be matched again.`
        : undefined,
  ],
  [
    'needs-you',
    ({ newOffers, name }) =>
      newOffers > 0
        ? `${name} offers ${count(newOffers, 'list', 'lists')}. Choose where to put ${newOffers === 1 ? 'it' : 'them'}.`
        : undefined,
  ],
  ['syncing', ({ running, name }) => (running ? `Getting changes from ${name}.` : undefined)],
  ['offline', ({ problem, paused }) => (problem && !paused ? problem.message : undefined)],
  ['offline', waiting],
  [
    'paused',
    ({ paused }) =>
      paused ? (paused.until === undefined ? 'Paused by you.' : 'Paused by you for a while.') : undefined,
  ],
];

/**
 * The one place that decides what state a partner is in, for window, tray and command line. Pure; of several
 * things that are the case, the worst wins.
 */
export function deriveState(facts: PartnerFacts): StateAndReason {
  for (const [state, rule] of RULES) {
    const reason = rule(facts);
    if (reason !== undefined) return { state, reason };
  }
  return {
    state: 'up-to-date',
    reason: facts.lastSuccessAt === undefined ? `Connected with ${facts.name}.` : 'Everything has arrived.',
  };
}

/** The state of all partners together: that of the worst, or up to date where there is none. */
export function worstState(
  partners: readonly (StateAndReason & { readonly name: string })[],
): StateAndReason {
  let worst: StateAndReason | undefined;
  for (const { state, reason, name } of partners) {
    if (!worst || STATES.indexOf(state) < STATES.indexOf(worst.state)) {
      worst = {
        state,
        reason: partners.length === 1 || reason.includes(name) ? reason : `${name}: ${reason}`,
      };
    }
  }
  return worst ?? { state: 'up-to-date', reason: 'There is no partner yet.' };
}

function endsSoon({ expiresAt, renews, now, name, status }: PartnerFacts): string | undefined {
  if (expiresAt === undefined || renews || status !== 'paired') return undefined;
  const left = Date.parse(expiresAt) - Date.parse(now);
  if (left > WARN_BEFORE_END) return undefined;
  if (left <= 0) return `The connection with ${name} has ended. Pair again with a new invite to go on.`;
  return `The connection with ${name} ends in ${count(Math.ceil(left / 60_000), 'minute', 'minutes')}. Pair again to go on after that.`;
}

function waiting({ status, role, name }: PartnerFacts): string | undefined {
  if (status === 'pair_requested') return role === 'inviter' ? undefined : `Waiting for ${name} to confirm.`;
  if (status !== 'pending') return undefined;
  return role === 'invitee' ? `Not connected with ${name} yet.` : `Waiting for ${name} to use the invite.`;
}

function count(number: number, one: string, many: string): string {
  return `${number} ${number === 1 ? one : many}`;
}

function rows(number: number): string {
  return count(number, 'row', 'rows');
}
