import { Refusal } from '../../base/refusal.ts';
import { said } from '../../words/said.ts';
import type { Node, Pause } from '../model.ts';
import type { TrustedClock, TimeAnchor } from '../../base/trusted-clock.ts';

/** Default: both directions. */
export interface PauseRequest {
  /** ISO 8601; default: until resumed. */
  readonly until?: string | undefined;
  readonly fetch?: boolean | undefined;
  readonly serve?: boolean | undefined;
}

/**
 * Returns a requested pause as stored; without a direction it pauses both. One with an end also stores `since`, its
 * beginning.
 */
export function toStoredPause({ until, fetch, serve }: PauseRequest, since?: TimeAnchor): Pause {
  const isNamed = fetch !== undefined || serve !== undefined;
  return {
    ...(until === undefined ? {} : { until, ...(since && { since }) }),
    fetch: isNamed ? fetch === true : true,
    serve: isNamed ? serve === true : true,
  };
}

/** Returns whether the pause stops our pulls; one without `fetch`, of an older version, does. */
export function stopsFetching({ paused }: Pick<Node, 'paused'>): boolean {
  return paused !== undefined && paused.fetch !== false;
}

/** Returns whether the partner may not read: paused, or until our user has checked its shares. */
export function stopsServing({ paused, unsure }: Pick<Node, 'paused' | 'unsure'>): boolean {
  return paused?.serve === true || unsure !== undefined;
}

/** Returns whether two states of a record let the partner read alike: equal status, deletion and pause of serving. */
export function mayReadAlike(one: Node, other: Node): boolean {
  return (
    one.status === other.status &&
    one.deletedAt === other.deletedAt &&
    stopsServing(one) === stopsServing(other)
  );
}

/** Allowed factor between system clock and elapsed time. */
const MAX_CLOCK_DRIFT = 1.01;
const GRACE_MS = 2000;

/**
 * Returns whether a pause's end, if it has one, has come: by the system clock (`systemMs`) and by elapsed or trusted
 * time. If the system clock is before its beginning, only elapsed time counts.
 */
export function isPauseOver({ until, since }: Pause, systemMs: number, clock: TrustedClock): boolean {
  if (until === undefined) return false;
  if (since === undefined) return Date.parse(until) <= systemMs;
  const hasElapsed =
    (clock.elapsed() - since.seen) * MAX_CLOCK_DRIFT + GRACE_MS >= Date.parse(until) - since.wall;
  if (systemMs < since.wall) return hasElapsed;
  return Date.parse(until) <= systemMs && (hasElapsed || clock.now() >= Date.parse(until));
}

const endOf = ({ until }: Pause): number => (until === undefined ? Infinity : Date.parse(until));
/** Returns whether a pause's end is ahead, or only {@link isPauseOver} can tell. */
const mayStillApply = (paused: Pause, now: number): boolean =>
  endOf(paused) > now || paused.since !== undefined;

/**
 * Returns the record with both pauses combined at `now` (ms): each direction that either stops, until the end of the
 * only one that stops serving, else the later end. The same record if `also` adds nothing.
 */
export function mergePauses(node: Node, also: Pause | undefined, now: number): Node {
  const own = node.paused && mayStillApply(node.paused, now) ? node.paused : undefined;
  const other = also && mayStillApply(also, now) ? also : undefined;
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

/** Throws `node.paused` (forbidden) if its reading is paused or on hold. */
export function mustNotBePaused(node: Node): void {
  if (!stopsServing(node)) return;
  throw new Refusal('forbidden', 'node.paused', said('connection.they-paused'));
}
