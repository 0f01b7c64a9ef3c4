import type { Node } from '../../federation/model.ts';
import { stopsFetching } from '../../federation/partners/pausing.ts';
import { hasEnded, untilEnd } from './token-end.ts';

/**
 * Returns the milliseconds until an idle partner must be checked again: for a try, the end of a pause, or its
 * own end; undefined: never without an event.
 * @param usualPause returns the milliseconds until the next try
 */
export function nextWake(
  node: Node,
  now: number,
  { interval, usualPause }: { readonly interval: number; readonly usualPause: () => number },
): number | undefined {
  // Nothing signals that a wrong clock was set back.
  if (node.status === 'unpaired' && node.endedByTime === true) return interval;
  if (node.status !== 'paired') return undefined;
  const until = node.paused?.until;
  const wakes = [
    // An end that is known in advance is noticed on time, whatever is planned.
    hasEnded(node, now) ? undefined : untilEnd(node, now),
    until === undefined ? undefined : untilOver(Date.parse(until) - now),
    stopsFetching(node) ? undefined : usualPause(),
  ].filter((each) => each !== undefined);
  return wakes.length > 0 ? Math.min(...wakes) : undefined;
}

const A_MINUTE = 60_000;
const AN_HOUR = 60 * A_MINUTE;

/**
 * If only the clock ends a pause, it is checked again then, and from time to time before, as the clock may
 * have been set back. No timer lasts a month.
 */
const untilOver = (within: number): number => (within > 0 ? Math.min(within, AN_HOUR) : A_MINUTE);
