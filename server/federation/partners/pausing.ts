import { Refusal } from '../../base/refusal.ts';
import { omit } from '../../base/omit.ts';
import { said } from '../../words/said.ts';
import type { Node, Pause } from '../model.ts';

/** What a pause stops; without either: both ways. */
export interface PauseWish {
  /** ISO 8601; absent: until it is taken back. */
  readonly until?: string | undefined;
  readonly fetch?: boolean | undefined;
  readonly serve?: boolean | undefined;
}

/** A pause as it is kept. */
export function pauseOf({ until, fetch, serve }: PauseWish): Pause {
  const isNamed = fetch !== undefined || serve !== undefined;
  return {
    ...(until === undefined ? {} : { until }),
    fetch: isNamed ? fetch === true : true,
    serve: isNamed ? serve === true : true,
  };
}

/** Whether we do not fetch from this partner. One that an older version kept stopped that alone. */
export function stopsFetching({ paused }: Pick<Node, 'paused'>): boolean {
  return paused !== undefined && paused.fetch !== false;
}

/** Whether this partner may not read what we share with it. */
export function stopsServing({ paused, unsure }: Pick<Node, 'paused' | 'unsure'>): boolean {
  return paused?.serve === true || unsure !== undefined;
}

/** Whether two states of a partner's record let it read alike: what else changed is our own user's affair. */
export function mayReadAlike(one: Node, other: Node, now: number): boolean {
  return (
    one.status === other.status &&
    one.deletedAt === other.deletedAt &&
    stopsServing(asOf(one, now)) === stopsServing(asOf(other, now))
  );
}

/** The record as of now: a pause that is over does not count. */
export function asOf(node: Node, now: number): Node {
  return node.paused === undefined || isOn(node.paused, now) ? node : omit(node, 'paused');
}

const endOf = ({ until }: Pause): number => (until === undefined ? Infinity : Date.parse(until));
const isOn = (paused: Pause, now: number): boolean => endOf(paused) > now;

/**
 * The record under its own pause and another one: whatever one of the two stops is stopped, reading for as long as the
 * longer one says. The very same record when that is so already.
 */
export function pausedAsWell(node: Node, also: Pause | undefined, now: number): Node {
  const own = node.paused && isOn(node.paused, now) ? node.paused : undefined;
  const other = also && isOn(also, now) ? also : undefined;
  if (other === undefined) return node;
  if (own === undefined) return { ...node, paused: other };
  const [serve, otherServe] = [stopsServing({ paused: own }), stopsServing({ paused: other })];
  const longer = serve === otherServe ? endOf(other) > endOf(own) : otherServe;
  const { until } = longer ? other : own;
  const fetch = stopsFetching({ paused: own }) || stopsFetching({ paused: other });
  if (!longer && fetch === stopsFetching({ paused: own })) return node;
  return {
    ...node,
    paused: { ...(until === undefined ? {} : { until }), fetch, serve: serve || otherServe },
  };
}

/**
 * A partner whose reading is paused gets nothing, and hears that it is no more than a pause.
 * @param node as of now
 * @throws Refusal `forbidden`
 */
export function mustNotBePaused(node: Node): void {
  if (!stopsServing(node)) return;
  throw new Refusal('forbidden', 'node.paused', said('connection.they-paused'));
}
