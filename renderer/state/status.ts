import type { PartnerSummary, Progress } from '../../server/contract/app/overview.ts';
import type { Translate } from '../text/catalogue.ts';
import type { Format } from '../text/format.ts';

/** A state with its accompanying texts. */
export type Status = Pick<
  PartnerSummary,
  'state' | 'reason' | 'also' | 'awaited' | 'idle' | 'asOf' | 'freshUntil'
>;

/** How long after its expiry a state still counts, for a reload. */
export const GRACE_MS = 3_000;

const isGood = ({ state }: Status): boolean => state === 'up-to-date' || state === 'syncing';

/**
 * Returns when, in milliseconds, the node must confirm a good state again; undefined if it isn't good or doesn't
 * expire.
 */
export const dueAt = (standing: Status): number | undefined =>
  isGood(standing) && standing.freshUntil !== undefined ? Date.parse(standing.freshUntil) : undefined;

export type Said = PartnerSummary['state'] | 'awaited' | 'connected' | 'unconnected';

/**
 * Returns the state to show in a word: an expired one is `offline`. With `unconnected`, as before the first partner
 * connects, always that.
 */
export function statusText(standing: Status, now: number, unconnected = false): Said {
  if (unconnected) return 'unconnected';
  if (isUnknown(standing, now)) return 'offline';
  if (standing.idle) return 'connected';
  return standing.awaited ? 'awaited' : standing.state;
}

/** Returns the text for an expired state: unknown since when. */
export function unknownSince(
  { t, format, now }: { readonly t: Translate; readonly format: Format; readonly now: number },
  { asOf }: Pick<Status, 'asOf'>,
): string {
  return asOf ? t('standing.unknown', { when: format.shortTime(asOf, now) }) : t('standing.unknown-ever');
}

/** Returns whether a good state has expired without a confirmation by the node. */
export function isUnknown(standing: Status, now: number): boolean {
  const due = dueAt(standing);
  return due !== undefined && now > due + GRACE_MS;
}

/** Returns the remaining time of a pull in words; undefined without a total or a rate. */
export function timeLeft({ done, total, rowsPerSecond }: Progress, t: Translate): string | undefined {
  if (total === undefined || rowsPerSecond <= 0) return undefined;
  const minutes = Math.round((total - done) / rowsPerSecond / 60);
  return minutes < 1 ? t('progress.seconds-left') : t('progress.minutes-left', { n: minutes });
}

/** Returns in words how many rows of a pull are done, of how many if that is known. */
export const rowsSoFar = ({ done, total }: Progress, t: Translate): string =>
  total === undefined ? t('progress.rows', { n: done }) : t('progress.rows-of', { done, n: total });
