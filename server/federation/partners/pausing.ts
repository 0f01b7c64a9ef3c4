import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import type { Node, Pause } from '../model.ts';
import type { KnownTime, PassedMark } from '../../base/known-time.ts';

/** What a pause stops; without either: both ways. */
export interface PauseWish {
  /** ISO 8601; absent: until it is taken back. */
  readonly until?: string | undefined;
  readonly fetch?: boolean | undefined;
  readonly serve?: boolean | undefined;
}

/** A pause as it is kept. */
export function pauseOf({ until, fetch, serve }: PauseWish, since?: PassedMark): Pause {
  const isNamed = fetch !== undefined || serve !== undefined;
  return {
    ...(until === undefined ? {} : { until, ...(since && { since }) }),
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
export function mayReadAlike(one: Node, other: Node): boolean {
  return (
    one.status === other.status &&
    one.deletedAt === other.deletedAt &&
    stopsServing(one) === stopsServing(other)
  );
}

/** A computer's clock and the time that is seen to pass do not go at quite the same speed. */
const FASTER = 1.01;
const SLACK = 2000;

/**
 * Whether a pause has an end that has come. The clock alone does not say so: it may have been put forward, and nobody would
 * see what was read meanwhile. As much time must have been seen to pass, or be believed to have passed. Nor does a clock
 * that is put back make it longer by what it was wrong.
 */
export function isOver({ until, since }: Pause, now: number, { seen, believed }: KnownTime): boolean {
  if (until === undefined) return false;
  if (since === undefined) return Date.parse(until) <= now;
  const isSeen = (seen() - since.seen) * FASTER + SLACK >= Date.parse(until) - since.wall;
  // The clock was put back to before it began, as it was ahead then or is behind now: only what was seen counts.
  if (now < since.wall) return isSeen;
  return Date.parse(until) <= now && (isSeen || believed() >= Date.parse(until));
}

const endOf = ({ until }: Pause): number => (until === undefined ? Infinity : Date.parse(until));
/** One that is over by the clock alone is taken back once it is over ({@link isOver}). */
const isOn = (paused: Pause, now: number): boolean => endOf(paused) > now || paused.since !== undefined;

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
  const { until, since } = longer ? other : own;
  const fetch = stopsFetching({ paused: own }) || stopsFetching({ paused: other });
  if (!longer && fetch === stopsFetching({ paused: own })) return node;
  return {
    ...node,
    paused: {
      ...(until === undefined ? {} : { until, ...(since && { since }) }),
      fetch,
      serve: serve || otherServe,
    },
  };
}

/**
 * A partner whose reading is paused gets nothing, and hears that it is no more than a pause.
 * @throws Refusal `forbidden`
 */
export function mustNotBePaused(node: Node): void {
  if (!stopsServing(node)) return;
  throw new Refusal('forbidden', 'node.paused', said('connection.they-paused'));
}
