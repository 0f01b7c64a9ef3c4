import type { z } from 'zod';
import type { Activity } from '../contract/app/overview.ts';
import type { activityQuery, ActivityPage, Chart } from '../contract/app/pages.ts';
import type { Activity as Happened } from '../sync/status/history.ts';
import type { Sync } from '../sync/sync.ts';
import type { Say } from '../words/said.ts';
import type { FailedRow } from '../contract/app/sharing.ts';
import type { WaitingRow } from '../sync/pull/failed-rows.ts';

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

const DAY_MS = 86_400_000;

/**
 * Returns the rows received on each of the last `days` local days, oldest first. Other days' don't count.
 * @param now in milliseconds
 */
export function createChart(
  pulls: readonly { readonly at: string; readonly rows: number }[],
  days: number,
  now: number,
): Chart {
  const start = new Date(now);
  start.setHours(12, 0, 0, 0);
  const chart = Array.from({ length: days }, (_, i) => ({
    day: localDayOf(start.getTime() - (days - 1 - i) * DAY_MS),
    rows: 0,
  }));
  const byDay = new Map(chart.map((each) => [each.day, each]));
  for (const { at, rows } of pulls) {
    const day = byDay.get(localDayOf(Date.parse(at)));
    if (day) day.rows += rows;
  }
  return chart;
}

/** Returns a time's local day as `2026-01-31`. */
function localDayOf(ms: number): string {
  const date = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

const MAX_FAILED_CHARS = 1000;

/** Describes a row that couldn't be applied; its values are cut after 1000 characters in total. */
export function toFailedRow(row: WaitingRow, say: Say): FailedRow {
  return {
    failedID: `${row.sharedModuleID}-${row.recordID}`,
    recordID: row.recordID,
    moduleID: row.moduleID,
    reason: say(row.reason),
    values: cutValues(row.record?.values ?? []),
    since: row.since,
    tries: row.tries,
  };
}

/** Returns the first values by column, cut after 1000 characters in total. */
function cutValues(values: Iterable<readonly [string, readonly string[]]>): FailedRow['values'] {
  const shown: [string, string[]][] = [];
  let room = MAX_FAILED_CHARS;
  for (const [name, texts] of values) {
    if (room <= 0) break;
    const cut: string[] = [];
    for (const text of texts) {
      if (room <= 0) break;
      cut.push(text.slice(0, room));
      room -= text.length + 1;
    }
    shown.push([name, cut]);
  }
  return Object.fromEntries(shown);
}
