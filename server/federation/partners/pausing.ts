import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import type { Node, Pause } from '../model.ts';
import type { TrustedClock, TimeAnchor } from '../../base/trusted-clock.ts';

/** What a pause stops; without either: both directions. */
export interface PauseRequest {
  /** ISO 8601; absent: until it is resumed. */
  readonly until?: string | undefined;
  readonly fetch?: boolean | undefined;
  readonly serve?: boolean | undefined;
}

/**
 * Returns a requested pause as it is stored; a request that names no direction pauses both. @param since when it
 * begins
 */
export function pauseOf({ until, fetch, serve }: PauseRequest, since?: TimeAnchor): Pause {
  const isNamed = fetch !== undefined || serve !== undefined;
  return {
    ...(until === undefined ? {} : { until, ...(since && { since }) }),
    fetch: isNamed ? fetch === true : true,
    serve: isNamed ? serve === true : true,
  };
}

/** Returns whether the partner's pause stops our pulls from it. A pause by an older version stops only those. */
export function stopsFetching({ paused }: Pick<Node, 'paused'>): boolean {
  return paused !== undefined && paused.fetch !== false;
}

/**
 * Returns whether this partner may not read what we share with it: our user paused that, or must check the shares
 * first.
 */
export function stopsServing({ paused, unsure }: Pick<Node, 'paused' | 'unsure'>): boolean {
  return paused?.serve === true || unsure !== undefined;
}

/** Returns whether two states of a partner's record allow the same reading. */
export function mayReadAlike(one: Node, other: Node): boolean {
  return (
    one.status === other.status &&
    one.deletedAt === other.deletedAt &&
    stopsServing(one) === stopsServing(other)
  );
}

/** Tolerance between the system clock and elapsed time. */
const MAX_CLOCK_DRIFT = 1.01;
const GRACE_MS = 2000;

/**
 * Returns whether a pause's end has come. Not by the system clock alone, as it may be set ahead by mistake: that
 * much time must have elapsed, or have passed by the trusted clock. A clock that is set back doesn't prolong the
 * pause.
 */
export function isOver({ until, since }: Pause, systemMs: number, clock: TrustedClock): boolean {
  if (until === undefined) return false;
  if (since === undefined) return Date.parse(until) <= systemMs;
  const hasElapsed =
    (clock.elapsed() - since.seen) * MAX_CLOCK_DRIFT + GRACE_MS >= Date.parse(until) - since.wall;
  // The clock was set back to before its beginning: only elapsed time counts.
  if (systemMs < since.wall) return hasElapsed;
  return Date.parse(until) <= systemMs && (hasElapsed || clock.now() >= Date.parse(until));
}

const endOf = ({ until }: Pause): number => (until === undefined ? Infinity : Date.parse(until));
/**
 * Returns whether a pause still applies. One whose end has come only by the clock counts until {@link isOver}
 * agrees.
 */
const isOn = (paused: Pause, now: number): boolean => endOf(paused) > now || paused.since !== undefined;

/**
 * Returns the record with both its own pause and another one: each direction that either stops is stopped, reading
 * for the longer time. Returns the same object if nothing changes.
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
 * Throws `node.paused` (forbidden) if the partner's reading is paused, so that it gets nothing and learns the
 * reason.
 */
export function mustNotBePaused(node: Node): void {
  if (!stopsServing(node)) return;
  throw new Refusal('forbidden', 'node.paused', said('connection.they-paused'));
}
