import type { Clock } from '../base/clock.ts';
import { startOfDay } from '../base/day.ts';
import { compareKeys } from '../base/sorted-list.ts';
import type { PartnerSummary } from '../contract/app/overview.ts';
import type { Ledger } from '../federation/sharing/ledger.ts';
import type { History } from '../sync/status/history.ts';

type RowCounts = PartnerSummary['today']['arrived'];

/** Rows that pulls brought since local midnight, by our partner id; only partners with any. */
export type ArrivedCounts = ReadonlyMap<string, RowCounts>;

export interface ArrivedToday {
  countArrived(): Promise<ArrivedCounts>;
  forPartner(nodeID: string, arrived: ArrivedCounts): Promise<PartnerSummary['today']>;
}

const PAGE_ENTRIES = 50;
const NONE: RowCounts = { created: 0, updated: 0, deleted: 0 };

/**
 * Creates the counter of rows that arrived since midnight. A new day starts from 0. Each count reads only the activity
 * since the last.
 */
export function createArrivedToday({
  history,
  ledger,
  clock,
}: {
  readonly history: Pick<History, 'list'>;
  readonly ledger: Pick<Ledger, 'sentToday'>;
  readonly clock: Pick<Clock, 'now'>;
}): ArrivedToday {
  let known: { readonly from: string; readonly last: string; readonly arrived: ArrivedCounts } | undefined;

  return {
    /** Returns today's arrived rows by partner; reads only the activity since its last call. */
    async countArrived() {
      const from = new Date(startOfDay(clock.now())).toISOString();
      const base = known?.from === from ? known : { last: '0', arrived: new Map<string, RowCounts>() };
      const arrived = new Map(base.arrived);
      let last: string | undefined;
      let end: string | undefined;
      for (;;) {
        const page = await history.list({
          limit: PAGE_ENTRIES,
          ...(end === undefined ? {} : { before: end }),
        });
        const news = page.filter(
          ({ at, activityID }) => at >= from && compareKeys(activityID, base.last) > 0,
        );
        for (const { nodeID, kind, counts } of news) {
          if (kind !== 'pull' || !counts || counts.created + counts.updated + counts.deleted === 0) continue;
          const { created, updated, deleted } = arrived.get(nodeID) ?? NONE;
          arrived.set(nodeID, {
            created: created + counts.created,
            updated: updated + counts.updated,
            deleted: deleted + counts.deleted,
          });
        }
        last ??= page[0]?.activityID;
        end = page.at(-1)?.activityID;
        if (news.length < page.length || page.length < PAGE_ENTRIES) break;
      }
      known = { from, last: last ?? base.last, arrived };
      return arrived;
    },

    /** Returns the partner's counts in `arrived`, or zeros, and the lists sent to it today, latest first. */
    async forPartner(nodeID, arrived) {
      const sent = [...(await ledger.sentToday(nodeID)).values()].map(({ listName, rows, at }) => ({
        list: listName,
        rows,
        at,
      }));
      return { arrived: arrived.get(nodeID) ?? NONE, sent: sent.sort((a, b) => (a.at < b.at ? 1 : -1)) };
    },
  };
}
