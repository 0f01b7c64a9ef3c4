import type { Activity, Counts } from '../../../server/contract/app/overview.ts';

/** What arrived for one list, in one pull or several consecutive ones. */
export interface ArrivedEntry extends Activity {
  /** When the first of them began, which separates its rows from earlier ones. */
  readonly since: string;
}

/** What one sync with a partner brought, by list. */
export interface Arrival {
  readonly key: string;
  readonly at: string;
  readonly nodeID: string;
  readonly partner: string;
  readonly entries: readonly ArrivedEntry[];
}

/** Consecutive pulls of one partner within this time are shown as one. */
const TOGETHER_MS = 60_000;

/** Returns the sums of two pulls' counts. */
const sum = (a: Counts, b: Counts): Counts => ({
  created: a.created + b.created,
  updated: a.updated + b.updated,
  deleted: a.deleted + b.deleted,
  unchanged: a.unchanged + b.unchanged,
  failed: a.failed + b.failed,
});

/** A pull is logged some moments after its last row. */
const WRITTEN_WITHIN_MS = 1000;
/** Returns a pull with its start time, computed from its end and duration. */
export const begun = (entry: Activity): ArrivedEntry => ({
  ...entry,
  since: new Date(Date.parse(entry.at) - (entry.milliseconds ?? 0) - WRITTEN_WITHIN_MS).toISOString(),
});

/**
 * Adds an activity to `entries`. A successful pull of a list that is there already is added to its counts, so that
 * many small pulls are one number.
 */
function addTo(entries: ArrivedEntry[], entry: ArrivedEntry): void {
  const at = entries.findIndex(
    (other) =>
      other.moduleID === entry.moduleID &&
      other.outcome === 'ok' &&
      other.counts &&
      other.kind === entry.kind,
  );
  const same = entries[at];
  if (entry.moduleID && entry.outcome === 'ok' && entry.counts && same?.counts)
    entries[at] = { ...same, since: entry.since, counts: sum(same.counts, entry.counts) };
  else entries.push(entry);
}

/** Groups consecutive activities (latest first) of one partner within a minute, in the same order. */
export function groupArrivals(recent: readonly Activity[]): readonly Arrival[] {
  const groups: (Omit<Arrival, 'entries'> & { entries: ArrivedEntry[] })[] = [];
  for (const entry of recent.map(begun)) {
    const last = groups.at(-1);
    const near = last && Math.abs(Date.parse(last.at) - Date.parse(entry.at)) < TOGETHER_MS;
    if (near && last.nodeID === entry.nodeID) addTo(last.entries, entry);
    else {
      const { activityID, at, nodeID, partner } = entry;
      groups.push({ key: activityID, at, nodeID, partner, entries: [entry] });
    }
  }
  return groups;
}
