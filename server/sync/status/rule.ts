import type { State } from '../../base/vocabulary.ts';
import type { Words } from '../../words/said.ts';
import type { PartnerFacts } from './partner-facts.ts';

/** One thing that may be the case with a partner. */
export interface Rule<C extends string = string> {
  readonly state: State;
  readonly cause: C;
  /** It is the other office's turn. */
  readonly awaited?: true;
  /** What there is to say; undefined where it is not the case. */
  readonly says: (facts: PartnerFacts) => Words | undefined;
}

export const rule = <C extends string>(
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
/** What a pull met, where it is of one of these kinds. */
export const told =
  (...kinds: readonly ProblemKind[]): Rule['says'] =>
  ({ problem }) =>
    problem && kinds.includes(problem.kind) ? problem.message : undefined;

/** Rules about what goes to and fro, which stand still before pairing is done and while the user paused it. */
export const connected =
  (says: Rule['says']): Rule['says'] =>
  (facts) =>
    facts.status === 'paired' ? says(facts) : undefined;
export const going = (says: Rule['says']): Rule['says'] =>
  connected((facts) => (facts.paused ? undefined : says(facts)));
