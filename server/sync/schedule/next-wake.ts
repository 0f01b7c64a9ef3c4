import type { Node } from '../../federation/model.ts';
import { stopsFetching } from '../../federation/partners/pausing.ts';
import { hasEnded, untilEnd } from './token-end.ts';

/**
 * Milliseconds until a partner at rest is to be looked at again: to be tried, to be taken out of a pause, or to have its
 * end noticed; undefined: never, until somebody does something about it.
 * @param usualPause milliseconds until the next try, where there is to be one
 */
export function nextWake(
  node: Node,
  now: number,
  { interval, usualPause }: { readonly interval: number; readonly usualPause: () => number },
): number | undefined {
  // A clock that is put back, as it was wrong, tells nobody.
  if (node.status === 'unpaired' && node.endedByTime === true) return interval;
  if (node.status !== 'paired') return undefined;
  const until = node.paused?.until;
  const wakes = [
    // Whatever is planned: an end that is known beforehand is noticed when it comes.
    hasEnded(node, now) ? undefined : untilEnd(node, now),
    until === undefined ? undefined : untilOver(Date.parse(until) - now),
    stopsFetching(node) ? undefined : usualPause(),
  ].filter((each) => each !== undefined);
  return wakes.length > 0 ? Math.min(...wakes) : undefined;
}

const A_MINUTE = 60_000;
const AN_HOUR = 60 * A_MINUTE;

/**
 * Where only the clock says that the end of a pause has come, it is looked at again; and now and then before that, as the
 * clock may have been put back since. No timer could wait for an end that is a month away.
 */
const untilOver = (within: number): number => (within > 0 ? Math.min(within, AN_HOUR) : A_MINUTE);
