import type { Texts } from '../text/i18n.ts';

/** Facts that decide whether this copy may update itself. */
export interface UpdateSituation {
  readonly packaged: boolean;
  readonly platform: NodeJS.Platform;
  /** The packager put an address for updates beside the app. */
  readonly hasFeed: boolean;
  /** The packager signed this copy with a certificate, and says so in the packed package.json. */
  readonly signed: boolean;
  /** The user's setting. */
  readonly enabled: boolean;
}

export type UpdatePolicy =
  | { readonly check: 'by-itself' }
  | { readonly check: 'on-demand'; readonly reason: string }
  | { readonly check: 'never'; readonly reason: string };

/** Returns whether to check for updates automatically, only on request, or never, with a reason to show in Settings. */
export function updatePolicy(situation: UpdateSituation, t: Texts): UpdatePolicy {
  if (!situation.packaged) return { check: 'never', reason: t('update.from-sources') };
  if (!situation.hasFeed) return { check: 'never', reason: t('update.no-feed') };
  if (!situation.signed)
    return {
      check: 'never',
      reason: situation.platform === 'linux' ? t('update.unsigned-package') : t('update.unsigned'),
    };
  if (!situation.enabled) return { check: 'on-demand', reason: t('update.switched-off') };
  return { check: 'by-itself' };
}

const HOUR = 3_600_000;

/** Returns the milliseconds until the next check: a minute after the start, then daily; after a failure no sooner. */
export function nextCheck(lastCheckedAt: number | undefined, now: number): number {
  if (lastCheckedAt === undefined || lastCheckedAt > now) return 60_000;
  return Math.max(60_000, lastCheckedAt + 24 * HOUR - now);
}
