import type { State } from '../../base/vocabulary.ts';
import type { Words } from '../../words/said.ts';
import type { PartnerFacts } from './partner-facts.ts';

export interface Rule<C extends string = string> {
  readonly state: State;
  readonly cause: C;
  /** The other office has to act. */
  readonly awaited?: true;
  /** Returns a message if the rule applies. */
  readonly says: (facts: PartnerFacts) => Words | undefined;
}

/** Creates a rule: it applies if `says` returns a message. */
export const createRule = <C extends string>(
  state: State,
  cause: C,
  says: Rule['says'],
  awaited?: true,
): Rule<C> => ({
  state,
  cause,
  says,
  ...(awaited ? { awaited } : {}),
});

type ProblemKind = NonNullable<PartnerFacts['problem']>['kind'];
/** Returns a test that gives the message of a problem of these kinds, else undefined. */
export const whenProblem =
  (...kinds: readonly ProblemKind[]): Rule['says'] =>
  ({ problem }) =>
    problem && kinds.includes(problem.kind) ? problem.message : undefined;

/** Returns the test restricted to connected partners: undefined for others. */
export const whenConnected =
  (says: Rule['says']): Rule['says'] =>
  (facts) =>
    facts.status === 'paired' ? says(facts) : undefined;
/** Returns the test restricted to connected partners from which we fetch. */
export const whenActive = (says: Rule['says']): Rule['says'] =>
  whenConnected((facts) => (facts.paused ? undefined : says(facts)));
