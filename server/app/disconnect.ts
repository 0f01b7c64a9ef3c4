import type { DisconnectEffect } from '../contract/app/sharing.ts';
import type { Federation } from '../federation/federation.ts';
import type { Ledger } from '../federation/sharing/ledger.ts';
import type { Lists } from '../lists/lists.ts';
import type { Sync } from '../sync/sync.ts';

export interface DisconnectDeps {
  readonly federation: Federation;
  readonly lists: Lists;
  readonly ledger: Ledger;
  readonly sync: Sync;
}

/**
 * Ends the connection for good, once none of its pages is being applied. @param how.received what happens to
 * the partner's rows @throws Refusal `not-found`
 */
export async function disconnect(
  { federation, sync }: DisconnectDeps,
  n: string,
  how: { readonly received: 'keep' | 'remove'; readonly askRemoval: boolean; readonly by: string },
): Promise<void> {
  const { received, askRemoval, by } = how;
  const { nodeID } = await federation.nodes.get(n);
  await federation.disconnects.remove(nodeID, by, { removeRequest: askRemoval, received });
  await sync.whenIdle(nodeID);
  await federation.rowHandover.release(nodeID, received);
}

/** Rows that others bring too stay in any case. Unreadable lists are not counted. */
async function rowsOfItsOwn({ lists }: DisconnectDeps, nodeID: string): Promise<[number, string[]]> {
  let rows = 0;
  const unreadable: string[] = [];
  for (const { moduleID, name } of await lists.modules()) {
    if (await lists.isUnreadable(moduleID)) unreadable.push(name);
    else rows += await (await lists.rows(moduleID)).countOnlyFrom(nodeID);
  }
  return [rows, unreadable];
}

/** Returns what ending the connection with this partner would do, in numbers. @throws Refusal `not-found` */
export async function disconnectEffect(deps: DisconnectDeps, n: string): Promise<DisconnectEffect> {
  const { nodeID } = await deps.federation.nodes.get(n);
  const [exposures, mappings, totals, [rows, unreadable]] = await Promise.all([
    deps.federation.exposures.list(nodeID),
    deps.federation.mappings.list(nodeID),
    deps.ledger.totals(nodeID),
    rowsOfItsOwn(deps, nodeID),
  ]);
  return {
    receivedRows: rows,
    unreadable,
    receivedLists: new Set(mappings.map((mapping) => mapping.composeModuleID)).size,
    sharedLists: exposures.length,
    rowsSent: [...totals.values()].reduce((sum, total) => sum + total.rows, 0),
  };
}
