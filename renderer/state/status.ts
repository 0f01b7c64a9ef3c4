import type { PartnerSummary, Progress } from '../../server/contract/app/overview.ts';
import type { Translate } from '../text/catalogue.ts';
import type { Format } from '../text/format.ts';

export type Status = Pick<
  PartnerSummary,
  'state' | 'reason' | 'also' | 'awaited' | 'idle' | 'asOf' | 'freshUntil'
>;

/** An expired state counts so long, for a reload. */
export const GRACE_MS = 3_000;

const isGood = ({ state }: Status): boolean => state === 'up-to-date' || state === 'syncing';

/** Returns when, in milliseconds, a good state expires; undefined if it isn't good or never does. */
export const dueAt = (standing: Status): number | undefined =>
  isGood(standing) && standing.freshUntil !== undefined ? Date.parse(standing.freshUntil) : undefined;

export type Said = PartnerSummary['state'] | 'awaited' | 'connected' | 'unconnected';

/** Returns the key of a state's words; before the state come `unconnected`, `offline` if expired, idle and awaited. */
export function statusText(standing: Status, now: number, unconnected = false): Said {
  if (unconnected) return 'unconnected';
  if (isUnknown(standing, now)) return 'offline';
  if (standing.idle) return 'connected';
  return standing.awaited ? 'awaited' : standing.state;
}

/** Returns since when an expired state is unknown. */
export function unknownSince(
  { t, format, now }: { readonly t: Translate; readonly format: Format; readonly now: number },
  { asOf }: Pick<Status, 'asOf'>,
): string {
  return asOf ? t('standing.unknown', { when: format.shortTime(asOf, now) }) : t('standing.unknown-ever');
}

/**
 * Returns whether a good state has expired.
 * @param now in milliseconds
 */
export function isUnknown(standing: Status, now: number): boolean {
  const due = dueAt(standing);
  return due !== undefined && now > due + GRACE_MS;
}

/** Returns the words for a pull's remaining time; undefined without a total or a rate. */
export function timeLeft({ done, total, rowsPerSecond }: Progress, t: Translate): string | undefined {
  if (total === undefined || rowsPerSecond <= 0) return undefined;
  const minutes = Math.round((total - done) / rowsPerSecond / 60);
  return minutes < 1 ? t('progress.seconds-left') : t('progress.minutes-left', { n: minutes });
}

export const rowsSoFar = ({ done, total }: Progress, t: Translate): string =>
  total === undefined ? t('progress.rows', { n: done }) : t('progress.rows-of', { done, n: total });
