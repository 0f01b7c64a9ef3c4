import type { InboxItem, Overview, PartnerSummary } from '../../contract/app.ts';
import type { Node } from '../../federation/model.ts';
import type { Clock } from '../../store/clock.ts';
import type { Store } from '../../store/store.ts';
import { worstState } from '../../sync/state.ts';
import type { SettingsStore } from '../settings.ts';
import { activityEntry } from './activity.ts';
import type { Dismissals } from './dismissals.ts';
import { inboxOf, noticeItems, storeItems } from './inbox.ts';
import { strangerItems, type Strangers } from '../strangers.ts';
import { partnerSummary, receivedRows, type SummaryDeps } from './summary.ts';

export interface OverviewDeps extends SummaryDeps {
  readonly store: Store;
  readonly settings: SettingsStore;
  readonly dismissals: Dismissals;
  readonly strangers: Pick<Strangers, 'list'>;
  /** Something about this node itself that the user must know. */
  readonly notice: () => { readonly at: string; readonly message: string } | undefined;
  readonly clock: Clock;
  readonly version: string;
  /** Federation bases that are given to partners. */
  readonly addresses: () => string[];
  readonly reachable: () => boolean;
}

/** What Home and the tray are made from. */
export interface OverviewSource {
  overview(): Promise<Overview>;
}

const RECENT = 50;

export function createOverview(deps: OverviewDeps): OverviewSource {
  const { federation, lists, sync, settings, clock } = deps;

  async function inbox(): Promise<InboxItem[]> {
    const listNames = new Map((await lists.modules()).map(({ moduleID, name }) => [moduleID, name]));
    const nodes = await federation.nodes.list();
    const items = await Promise.all(
      nodes.map(async (node) => {
        const [offers, mappings, status] = await Promise.all([
          federation.shared.list(node.nodeID),
          federation.mappings.list(node.nodeID),
          sync.status(node.nodeID),
        ]);
        const removeRequest = await removeRequestOf(deps, node);
        const facts = { node, offers, mappings, listNames, lists: status.lists };
        return inboxOf({ ...facts, ...(removeRequest ? { removeRequest } : {}) }, clock.now());
      }),
    );
    const dismissed = await deps.dismissals.all();
    const own = [...storeItems(deps.store.notices()), ...strangerItems(await deps.strangers.list())];
    return [...own, ...noticeItems(deps.notice()), ...items.flat()]
      .filter(({ itemID }) => !dismissed.has(itemID))
      .sort((a, b) => (a.at < b.at ? 1 : -1));
  }

  return {
    async overview() {
      const { office, firstRunDone } = settings.current();
      const nodes = await federation.nodes.list();
      const partners: PartnerSummary[] = await Promise.all(nodes.map((node) => partnerSummary(deps, node)));
      const lastSuccessAt = partners
        .flatMap((partner) => partner.lastSuccessAt ?? [])
        .sort()
        .at(-1);
      return {
        office,
        firstRunDone,
        ...worstState(partners),
        ...(lastSuccessAt === undefined ? {} : { lastSuccessAt }),
        partners,
        inbox: await inbox(),
        recent: (await sync.history.list({ limit: RECENT })).map(activityEntry),
        addresses: deps.addresses(),
        reachable: deps.reachable(),
        version: deps.version,
      };
    },
  };
}

/** What the partner asked us to remove, while there is something left of it. */
async function removeRequestOf(
  deps: SummaryDeps,
  node: Node,
): Promise<{ at: string; rows: number } | undefined> {
  if (node.removeRequestedAt === undefined) return undefined;
  const rows = await receivedRows(deps, node.nodeID);
  return rows === 0 ? undefined : { at: node.removeRequestedAt, rows };
}
