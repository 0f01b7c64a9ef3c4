import type { NodeStatus } from '../federation/model.ts';
import { counted, english, said, type Words } from '../words/said.ts';

/** The six states, worst first (design §9). The window's contract has the same words. */
export const STATES = ['error', 'needs-you', 'syncing', 'offline', 'paused', 'up-to-date'] as const;
export type State = (typeof STATES)[number];

/** A state and why, in words fit to be shown, with what to do where something is to be done. */
export interface StateAndReason {
  readonly state: State;
  readonly reason: Words;
}

/** How the last exchange with the partner failed. */
export interface Problem {
  readonly kind: 'address' | 'unreachable' | 'busy' | 'ended' | 'refused' | 'faulty' | 'store' | 'internal';
  /** Plain words. */
  readonly message: Words;
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
  readonly pairingProblem?: Words | undefined;
  readonly paused?: { readonly until?: string } | undefined;
  readonly running: boolean;
  readonly problem?: Problem | undefined;
  /** Why one of the lists could not be pulled while the others were. */
  readonly listProblem?: Words | undefined;
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

type Rule = (facts: PartnerFacts) => Words | undefined;

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
      status === 'failed'
        ? (pairingProblem ?? said`Pairing failed. Try again or make a new invite.`)
        : undefined,
  ],
  [
    'needs-you',
    ({ problem }) => (problem?.kind === 'ended' || problem?.kind === 'address' ? problem.message : undefined),
  ],
  [
    'needs-you',
    ({ status, name }) =>
      status === 'unpaired'
        ? said`The connection with ${name} has ended. Pair again with a new invite to go on.`
        : undefined,
  ],
  [
    'needs-you',
    ({ status, role, name }) =>
      status === 'pair_requested' && role === 'inviter'
        ? said`${name} asks to connect. Approve if you expected them, then compare the words by telephone.`
        : undefined,
  ],
  ['needs-you', endsSoon],
  [
    'needs-you',
    ({ brakes, heldRows, name }) =>
      brakes > 0
        ? counted(
            heldRows,
            said`${name} removed or emptied 1 row. Look at it and decide.`,
            said`${name} removed or emptied ${heldRows} rows. Look at them and decide.`,
          )
        : undefined,
  ],
  [
    'needs-you',
    ({ couldNotApply, name }) =>
      couldNotApply > 0
        ? counted(
            couldNotApply,
            said`1 row from ${name} could not be taken in. See which and why.`,
            said`${couldNotApply} rows from ${name} could not be taken in. See which and why.`,
          )
        : undefined,
  ],
  [
    'needs-you',
    ({ parked }) =>
      parked > 0
        ? counted(
            parked,
            said`1 matched column changed. Match it again.`,
            said`${parked} matched columns changed. Match them again.`,
          )
        : undefined,
  ],
  [
    'needs-you',
    ({ newOffers, name }) =>
      newOffers > 0
        ? counted(
            newOffers,
            said`${name} offers 1 list. Choose where to put it.`,
            said`${name} offers ${newOffers} lists. Choose where to put them.`,
          )
        : undefined,
  ],
  ['syncing', ({ running, name }) => (running ? said`Getting changes from ${name}.` : undefined)],
  ['offline', ({ problem, paused }) => (problem && !paused ? problem.message : undefined)],
  ['offline', waiting],
  [
    'paused',
    ({ paused }) =>
      paused
        ? paused.until === undefined
          ? said`Paused by you.`
          : said`Paused by you for a while.`
        : undefined,
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
    reason:
      facts.lastSuccessAt === undefined ? said`Connected with ${facts.name}.` : said`Everything has arrived.`,
  };
}

/**
 * The state of all partners together: that of the worst, or up to date where there is none. One that has yet
 * to answer an invite or a request counts only where there is no other.
 */
export function worstState(
  partners: readonly (StateAndReason & { readonly name: string; readonly status: NodeStatus })[],
): StateAndReason {
  let worst: StateAndReason | undefined;
  let awaited: StateAndReason | undefined;
  for (const { state, reason, name, status } of partners) {
    if (state === 'offline' && status !== 'paired') {
      // Their turn, not a fault: an invite that nobody has used yet must not make the whole office look offline.
      awaited ??= { state: 'up-to-date', reason };
      continue;
    }
    if (!worst || STATES.indexOf(state) < STATES.indexOf(worst.state)) {
      worst = {
        state,
        reason:
          partners.length === 1 || state === 'up-to-date' || english(reason).includes(name)
            ? reason
            : said`${name}: ${reason}`,
      };
    }
  }
  return worst ?? awaited ?? { state: 'up-to-date', reason: said`There is no partner yet.` };
}

function endsSoon({ expiresAt, renews, now, name, status }: PartnerFacts): Words | undefined {
  if (expiresAt === undefined || renews || status !== 'paired') return undefined;
  const left = Date.parse(expiresAt) - Date.parse(now);
  if (left > WARN_BEFORE_END) return undefined;
  if (left <= 0) return said`The connection with ${name} has ended. Pair again with a new invite to go on.`;
  const minutes = Math.ceil(left / 60_000);
  return counted(
    minutes,
    said`The connection with ${name} ends in 1 minute. Pair again to go on after that.`,
    said`The connection with ${name} ends in ${minutes} minutes. Pair again to go on after that.`,
  );
}

function waiting({ status, role, name }: PartnerFacts): Words | undefined {
  if (status === 'pair_requested')
    return role === 'inviter' ? undefined : said`Waiting for ${name} to confirm.`;
  if (status !== 'pending') return undefined;
  return role === 'invitee'
    ? said`Not connected with ${name} yet.`
    : said`Waiting for ${name} to use the invite.`;
}
