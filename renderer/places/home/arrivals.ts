import type { Activity, Counts, PartnerSummary } from '../../../server/contract/app/overview.ts';
import type { Translate } from '../../text/catalogue.ts';

/** The latest of several pulls of a list, with summed counts. */
export interface ArrivedEntry extends Activity {
  /** The first pull's start: its rows came later. */
  readonly since: string;
}

interface Arrival {
  readonly key: string;
  readonly at: string;
  readonly nodeID: string;
  readonly partner: string;
  readonly entries: readonly ArrivedEntry[];
}

/** Closer activities of a partner are one arrival. */
const TOGETHER_MS = 60_000;

/** Returns the sums of both counts. */
const addCounts = (a: Counts, b: Counts): Counts => ({
  created: a.created + b.created,
  updated: a.updated + b.updated,
  deleted: a.deleted + b.deleted,
  unchanged: a.unchanged + b.unchanged,
  failed: a.failed + b.failed,
});

/** A pull is logged moments after its last row. */
const WRITTEN_WITHIN_MS = 1000;
/** Adds the latest possible start to an entry: its end less its duration and some time for writing. */
export const withStart = (entry: Activity): ArrivedEntry => ({
  ...entry,
  since: new Date(Date.parse(entry.at) - (entry.milliseconds ?? 0) - WRITTEN_WITHIN_MS).toISOString(),
});

/**
 * Appends an entry; a successful one is merged into the same list's entry of the same kind: counts add up, the start is
 * its own.
 */
function addEntry(entries: ArrivedEntry[], entry: ArrivedEntry): void {
  const at = entries.findIndex(
    (other) =>
      other.moduleID === entry.moduleID &&
      other.outcome === 'ok' &&
      other.counts &&
      other.kind === entry.kind,
  );
  const same = entries[at];
  if (entry.moduleID && entry.outcome === 'ok' && entry.counts && same?.counts)
    entries[at] = { ...same, since: entry.since, counts: addCounts(same.counts, entry.counts) };
  else entries.push(entry);
}

/** Groups a partner's consecutive activities less than a minute before the group's latest. Latest first. */
export function groupArrivals(recent: readonly Activity[]): readonly Arrival[] {
  const groups: (Omit<Arrival, 'entries'> & { entries: ArrivedEntry[] })[] = [];
  for (const entry of recent.map(withStart)) {
    const last = groups.at(-1);
    const near = last && Math.abs(Date.parse(last.at) - Date.parse(entry.at)) < TOGETHER_MS;
    if (near && last.nodeID === entry.nodeID) addEntry(last.entries, entry);
    else {
      const { activityID, at, nodeID, partner } = entry;
      groups.push({ key: activityID, at, nodeID, partner, entries: [entry] });
    }
  }
  return groups;
}

type Came = PartnerSummary['today']['arrived'];

/** Says how many rows partners added, changed and deleted today, without zeros; empty for none. */
export function receivedToday(t: Translate, came: Came): string {
  const parts = (['created', 'updated', 'deleted'] as const)
    .filter((name) => came[name] > 0)
    .map((name) => t(`count.${name}`, { n: came[name] }));
  return parts.length === 0 ? '' : t('bridge.arrived-today', { what: parts.join(', ') });
}

/** Sums the rows that came today over all partners. */
export function sumReceived(partners: readonly Pick<PartnerSummary, 'today'>[]): Came {
  const sum = (name: keyof Came): number => partners.reduce((all, { today }) => all + today.arrived[name], 0);
  return { created: sum('created'), updated: sum('updated'), deleted: sum('deleted') };
}
