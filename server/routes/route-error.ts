/**
 * `address`: the address guard refuses; `network`: refused or reset; `certificate`: not pinned, or not
 * vouched for; `denied`: wrong credential; `absent`: the office isn't registered; `no-answer`: registered,
 * but silent; `replaced`: another process has the same secret; `protocol`: a breach by the other side;
 * `proxy`: the HTTP proxy is unreachable or forbids the connection; `proxy-login`: it refuses our login.
 */
export type RouteProblem =
  | 'address'
  | 'name'
  | 'network'
  | 'timeout'
  | 'certificate'
  | 'proxy'
  | 'proxy-login'
  | 'denied'
  | 'absent'
  | 'no-answer'
  | 'busy'
  | 'replaced'
  | 'protocol'
  | 'aborted';

/** The message is for logs; callers choose words by `problem`. */
export class RouteError extends Error {
  readonly problem: RouteProblem;

  constructor(problem: RouteProblem, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'RouteError';
    this.problem = problem;
  }
}

const PROBLEM_BY_STATUS = new Map<number, RouteProblem>([
  [401, 'denied'],
  [403, 'denied'],
  [404, 'absent'],
  [429, 'busy'],
  [502, 'network'],
  [503, 'busy'],
  [504, 'no-answer'],
]);

/** Returns the problem that an HTTP status means. */
export const problemOfStatus = (status: number): RouteProblem => PROBLEM_BY_STATUS.get(status) ?? 'protocol';

/** Returns the HTTP status by which a host reports `problem`; default 502. */
export function statusOfProblem(problem: RouteProblem): number {
  if (problem === 'busy') return 503;
  if (problem === 'timeout') return 504;
  const found = [...PROBLEM_BY_STATUS].find(([, other]) => other === problem);
  return found?.[0] ?? 502;
}
