import { dayStart } from '../base/day.ts';
import type { PartnerSummary } from '../contract/app/overview.ts';
import type { Ledger } from '../federation/sharing/ledger.ts';
import type { History } from '../sync/status/history.ts';

/** How many rows arrived from each partner since midnight, by its id; who brought none is not there. */
export type Arrived = ReadonlyMap<string, number>;

const AT_ONCE = 200;

/** Counts what pulls brought today: new, changed and removed rows. */
export async function arrivedToday(history: Pick<History, 'list'>, now: number): Promise<Arrived> {
  const from = new Date(dayStart(now)).toISOString();
  const arrived = new Map<string, number>();
  let before: string | undefined;
  for (;;) {
    const page = await history.list({ limit: AT_ONCE, ...(before === undefined ? {} : { before }) });
    const today = page.filter(({ at }) => at >= from);
    for (const { nodeID, kind, counts } of today) {
      const rows = kind === 'pull' && counts ? counts.created + counts.updated + counts.deleted : 0;
      if (rows > 0) arrived.set(nodeID, (arrived.get(nodeID) ?? 0) + rows);
    }
    before = page.at(-1)?.activityID;
    if (today.length < page.length || page.length < AT_ONCE) return arrived;
  }
}

/** What went to and fro with a partner since midnight. */
export async function todayOf(
  ledger: Pick<Ledger, 'today'>,
  nodeID: string,
  arrived: Arrived,
): Promise<PartnerSummary['today']> {
  const sent = [...(await ledger.today(nodeID)).values()].map(({ listName, rows, at }) => ({
    list: listName,
    rows,
    at,
  }));
  return { arrived: arrived.get(nodeID) ?? 0, sent: sent.sort((a, b) => (a.at < b.at ? 1 : -1)) };
}
