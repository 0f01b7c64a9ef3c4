import type { Activity, Counts } from '../../../server/contract/app/overview.ts';

/** What came for one list, in one pull or in several that followed each other. */
export interface ArrivedEntry extends Activity {
  /** When the first of them began, by which its rows are told from those of before. */
  readonly since: string;
}

/** What one look at a partner brought, list by list. */
export interface Arrival {
  readonly key: string;
  readonly at: string;
  readonly nodeID: string;
  readonly partner: string;
  readonly entries: readonly ArrivedEntry[];
}

/** Pulls of one partner that follow each other within this time are told as one. */
const TOGETHER_MS = 60_000;

const sum = (a: Counts, b: Counts): Counts => ({
  created: a.created + b.created,
  updated: a.updated + b.updated,
  deleted: a.deleted + b.deleted,
  unchanged: a.unchanged + b.unchanged,
  failed: a.failed + b.failed,
});

/** A pull is written down some moments after its last row is in. */
const WRITTEN_WITHIN_MS = 1000;
/** A pull with the time at which it began, by what it took. */
export const begun = (entry: Activity): ArrivedEntry => ({
  ...entry,
  since: new Date(Date.parse(entry.at) - (entry.milliseconds ?? 0) - WRITTEN_WITHIN_MS).toISOString(),
});

/** Adds an activity; rows that came for a list in many small pulls are told as one number. */
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

/** Groups activities (latest first) by partner and moment, in the same order. */
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
