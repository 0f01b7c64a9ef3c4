import type { PartnerSummary } from '../../server/contract/app/overview.ts';
import type { Translate } from '../text/catalogue.ts';
import type { Format } from '../text/format.ts';

/** A state with what is said beside it. */
export type Status = Pick<
  PartnerSummary,
  'state' | 'reason' | 'also' | 'awaited' | 'idle' | 'asOf' | 'freshUntil'
>;

/** The time for the node's answer when it is asked anew. */
export const GRACE_MS = 3_000;

const isGood = ({ state }: Status): boolean => state === 'up-to-date' || state === 'syncing';

/** When (in milliseconds) the node has to be asked whether this still holds; undefined where nothing grows old. */
export const dueAt = (standing: Status): number | undefined =>
  isGood(standing) && standing.freshUntil !== undefined ? Date.parse(standing.freshUntil) : undefined;

/** What is said of it in one word. */
export type Said = PartnerSummary['state'] | 'awaited' | 'connected' | 'unconnected';

/** @param unconnected nobody is connected yet */
export function statusText(standing: Status, now: number, unconnected = false): Said {
  if (unconnected) return 'unconnected';
  if (isUnknown(standing, now)) return 'offline';
  if (standing.idle) return 'connected';
  return standing.awaited ? 'awaited' : standing.state;
}

/** What is said where nobody knows any more. */
export function unknownSince(
  { t, format, now }: { readonly t: Translate; readonly format: Format; readonly now: number },
  { asOf }: Pick<Status, 'asOf'>,
): string {
  return asOf ? t('standing.unknown', { when: format.shortTime(asOf, now) }) : t('standing.unknown-ever');
}

/** Nobody knows any more whether it still holds: the node has said nothing new in time. */
export function isUnknown(standing: Status, now: number): boolean {
  const due = dueAt(standing);
  return due !== undefined && now > due + GRACE_MS;
}
