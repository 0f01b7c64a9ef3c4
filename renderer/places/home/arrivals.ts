import type { Activity } from '../../../server/contract/app.ts';

/** What one look at a partner brought, list by list. */
export interface Arrival {
  readonly key: string;
  readonly at: string;
  readonly nodeID: string;
  readonly partner: string;
  readonly entries: readonly Activity[];
}

/** Pulls of one partner that follow each other within this time are told as one. */
const TOGETHER_MS = 60_000;

/** Groups activities (latest first) by partner and moment, in the same order. */
export function groupArrivals(recent: readonly Activity[]): readonly Arrival[] {
  const groups: { key: string; at: string; nodeID: string; partner: string; entries: Activity[] }[] = [];
  for (const entry of recent) {
    const last = groups.at(-1);
    const near = last && Math.abs(Date.parse(last.at) - Date.parse(entry.at)) < TOGETHER_MS;
    if (near && last.nodeID === entry.nodeID) last.entries.push(entry);
    else {
      const { activityID, at, nodeID, partner } = entry;
      groups.push({ key: activityID, at, nodeID, partner, entries: [entry] });
    }
  }
  return groups;
}
