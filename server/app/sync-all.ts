import type { Counts } from '../contract/app/overview.ts';
import type { Federation } from '../federation/federation.ts';
import type { Sync } from '../sync/sync.ts';

interface OfficeSync {
  readonly federation: Federation;
  readonly sync: Sync;
}

/**
 * Pulls from every connected partner, and returns the sums of their counts, without failed pulls'. Never rejects for
 * one.
 */
export async function syncAll({ federation, sync }: OfficeSync): Promise<Counts> {
  const nodes = (await federation.nodes.list()).filter(({ status }) => status === 'paired');
  const results = await Promise.allSettled(nodes.map(({ nodeID }) => sync.syncNow(nodeID)));
  const total: Counts = { created: 0, updated: 0, deleted: 0, unchanged: 0, failed: 0 };
  for (const result of results) {
    if (result.status === 'rejected') continue;
    for (const name of ['created', 'updated', 'deleted', 'unchanged', 'failed'] as const) {
      total[name] += result.value[name];
    }
  }
  return total;
}
