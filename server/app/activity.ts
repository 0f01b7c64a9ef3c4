import type { z } from 'zod';
import type { Activity } from '../contract/app/overview.ts';
import type { activityQuery, ActivityPage } from '../contract/app/pages.ts';
import type { Activity as Happened } from '../sync/status/history.ts';
import type { Sync } from '../sync/sync.ts';
import type { Say } from '../words/said.ts';

const ALL = 20_000;

/** Returns all activity, or one partner's, latest first. */
export function allActivity(sync: Pick<Sync, 'history'>, nodeID?: string): Promise<Happened[]> {
  return sync.history.list({ limit: ALL, ...(nodeID === undefined ? {} : { nodeID }) });
}

/**
 * Returns a page, of one `outcome` if given, latest first, in the texts of `say`; with `partner` only that partner's
 * activity and its fetches of our rows (`served`).
 */
export async function activityPage(
  sync: Pick<Sync, 'history'>,
  { page, perPage, outcome }: z.infer<typeof activityQuery>,
  say: Say,
  partner?: { readonly nodeID: string; readonly served: readonly Happened[] },
): Promise<ActivityPage> {
  const happened = await allActivity(sync, partner?.nodeID);
  const all = [...happened, ...(partner?.served ?? [])]
    .filter((each) => outcome === undefined || each.outcome === outcome)
    .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
  const entries = all.slice((page - 1) * perPage, page * perPage).map((each) => activityEntry(each, say));
  return { page, perPage, total: all.length, entries };
}

/** Returns an activity with its message in the texts of `say`. */
export function activityEntry({ counts, message, ...happened }: Happened, say: Say): Activity {
  return { ...happened, message: say(message), ...(counts ? { counts: { ...counts } } : {}) };
}
