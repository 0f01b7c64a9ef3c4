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

/** Returns a requested pause as stored; without a direction it pauses both. @param since its beginning */
export function pauseOf({ until, fetch, serve }: PauseRequest, since?: TimeAnchor): Pause {
  const isNamed = fetch !== undefined || serve !== undefined;
  return {
    ...(until === undefined ? {} : { until, ...(since && { since }) }),
    fetch: isNamed ? fetch === true : true,
    serve: isNamed ? serve === true : true,
  };
}

/** Returns whether the partner's pause stops our pulls; one without `fetch`, of an older version, does. */
export function stopsFetching({ paused }: Pick<Node, 'paused'>): boolean {
  return paused !== undefined && paused.fetch !== false;
}

/** Returns whether the partner may not read what we share: paused, or until our user has checked it. */
export function stopsServing({ paused, unsure }: Pick<Node, 'paused' | 'unsure'>): boolean {
  return paused?.serve === true || unsure !== undefined;
}

/**
 * Returns whether two states of a record have the same status, removal and {@link stopsServing}: then what the
 * partner may read didn't change.
 */
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
 * Returns whether a pause's end has come: by the system clock and by elapsed or trusted time. With a system
 * clock from before its beginning, only elapsed time counts.
 */
export function isOver({ until, since }: Pause, systemMs: number, clock: TrustedClock): boolean {
  if (until === undefined) return false;
  if (since === undefined) return Date.parse(until) <= systemMs;
  const hasElapsed =
    (clock.elapsed() - since.seen) * MAX_CLOCK_DRIFT + GRACE_MS >= Date.parse(until) - since.wall;
  if (systemMs < since.wall) return hasElapsed;
  return Date.parse(until) <= systemMs && (hasElapsed || clock.now() >= Date.parse(until));
}

const endOf = ({ until }: Pause): number => (until === undefined ? Infinity : Date.parse(until));
/** Returns whether a pause may still apply: its end is ahead, or only {@link isOver} can tell. */
const isOn = (paused: Pause, now: number): boolean => endOf(paused) > now || paused.since !== undefined;

/**
 * Returns the record with its own pause and `also` combined: it stops each direction that either stops, until the
 * later end. @param now milliseconds
 */
export function mergePauses(node: Node, also: Pause | undefined, now: number): Node {
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

/** Throws `node.paused` (forbidden) if the partner's reading is paused or on hold. */
export function mustNotBePaused(node: Node): void {
  if (!stopsServing(node)) return;
  throw new Refusal('forbidden', 'node.paused', said('connection.they-paused'));
}
