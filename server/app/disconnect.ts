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
 * Ends the connection for good, waits for a running pull, then keeps or removes the partner's rows. `askRemoval` asks
 * the partner to delete ours. Throws `node.unknown` (404). Rows of unreadable or binned lists follow later.
 */
export async function disconnect(
  { federation, sync }: DisconnectDeps,
  ourOrSharedID: string,
  how: { readonly received: 'keep' | 'remove'; readonly askRemoval: boolean; readonly by: string },
): Promise<void> {
  const { received, askRemoval, by } = how;
  const { nodeID } = await federation.nodes.get(ourOrSharedID);
  await federation.disconnects.remove(nodeID, by, { removeRequest: askRemoval, received });
  await sync.whenIdle(nodeID);
  await federation.rowHandover.releaseRows(nodeID, received);
}

/**
 * Counts rows that only this partner brings, and partly our own ones; names all unreadable lists, and lists in the bin
 * with its rows.
 */
async function countExclusiveRows(
  { lists }: DisconnectDeps,
  nodeID: string,
): Promise<Pick<DisconnectEffect, 'receivedRows' | 'partlyOurs' | 'unreadable' | 'inBin'>> {
  let [receivedRows, partlyOurs] = [0, 0];
  const unreadable: string[] = [];
  for (const { moduleID, name } of await lists.modules()) {
    if (await lists.isUnreadable(moduleID)) unreadable.push(name);
    else {
      const counts = await (await lists.rows(moduleID)).countOnlyFrom(nodeID);
      receivedRows += counts.rows;
      partlyOurs += counts.partlyOurs;
    }
  }
  const inBin = (await lists.binnedModulesFrom(nodeID)).map(({ name }) => name);
  return { receivedRows, partlyOurs, unreadable, inBin };
}

/** Counts lists and rows that ending the connection would affect; changes nothing. Throws `node.unknown` (404). */
export async function disconnectEffect(
  deps: DisconnectDeps,
  ourOrSharedID: string,
): Promise<DisconnectEffect> {
  const { nodeID } = await deps.federation.nodes.get(ourOrSharedID);
  const [exposures, mappings, totals, received] = await Promise.all([
    deps.federation.exposures.list(nodeID),
    deps.federation.mappings.list(nodeID),
    deps.ledger.totals(nodeID),
    countExclusiveRows(deps, nodeID),
  ]);
  return {
    ...received,
    receivedLists: new Set(mappings.map((mapping) => mapping.composeModuleID)).size,
    sharedLists: exposures.length,
    rowsSent: [...totals.values()].reduce((sum, total) => sum + total.rows, 0),
  };
}
