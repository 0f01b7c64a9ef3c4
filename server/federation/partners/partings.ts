import type { Lists } from '../../lists/lists.ts';
import type { FederationContext } from '../context.ts';
import { MAPPINGS, NODES, SHARED_MODULES, UNTOUCHED } from '../tables.ts';

/**
 * What becomes of a partner's rows when it is not heard of any more. A list that cannot be read keeps none of the others
 * from it: what is to be done there is noted, and done at the first start at which it can be read.
 */
export interface Partings {
  /**
   * The partner is not heard of any more, in all lists or in these: its rows go on as others bring them, where they do.
   * @param what as in `Rows.leaveToOthers`
   */
  leave(nodeID: string, what?: 'keep' | 'remove', moduleIDs?: readonly string[]): Promise<void>;
  /** What arrived from a partner becomes ours (`keep`), or goes, leaving only tombstones (`remove`). */
  release(nodeID: string, what: 'keep' | 'remove'): Promise<{ readonly rows: number }>;
  /** Does what had to wait for a list that could not be read, where it can be read by now. */
  catchUp(): Promise<void>;
}

/** More than there ever are of what waits. */
const MOST = 100_000;

export function createPartings(
  { system, log }: Pick<FederationContext, 'system' | 'log'>,
  lists: Lists,
): Partings {
  const idsOfAll = async (): Promise<string[]> => (await lists.modules()).map(({ moduleID }) => moduleID);

  async function note(nodeID: string, moduleID: string, received?: 'keep' | 'remove'): Promise<void> {
    const key = `${nodeID}-${moduleID}`;
    await system.transaction(async (tx) => {
      const before = await tx.get(UNTOUCHED, key);
      tx.put(UNTOUCHED, key, { ...before, nodeID, moduleID, ...(received && { received }) });
    });
    log.warn({ nodeID, moduleID }, 'what came from the partner stays in a list until that can be read');
  }

  /** Whether the partner brings rows into the list, since its part there ended. */
  async function bringsAgain(nodeID: string, moduleID: string): Promise<boolean> {
    if ((await system.get(NODES, nodeID))?.status !== 'paired') return false;
    for (const { value } of await system.find(MAPPINGS, 'compose', moduleID)) {
      if (value.nodeID !== nodeID) continue;
      const offer = await system.get(SHARED_MODULES, value.federationModuleID);
      if (offer && offer.withdrawnAt === undefined) return true;
    }
    return false;
  }

  return {
    async leave(nodeID, what, moduleIDs) {
      for (const moduleID of moduleIDs ?? (await idsOfAll())) {
        if (await lists.isUnreadable(moduleID)) await note(nodeID, moduleID);
        else await (await lists.rows(moduleID)).leaveToOthers(nodeID, what);
      }
    },

    async release(nodeID, what) {
      let released = 0;
      for (const moduleID of await idsOfAll()) {
        if (await lists.isUnreadable(moduleID)) await note(nodeID, moduleID, what);
        else released += (await (await lists.rows(moduleID)).releaseFrom(nodeID, what)).rows;
      }
      return { rows: released };
    },

    async catchUp() {
      const waiting = await system.page(UNTOUCHED, { limit: MOST });
      const there = new Set(waiting.length === 0 ? [] : await idsOfAll());
      for (const { key, value } of waiting) {
        const { nodeID, moduleID, received } = value;
        if (there.has(moduleID)) {
          if (await lists.isUnreadable(moduleID)) continue;
          const rows = await lists.rows(moduleID);
          if (received !== undefined || !(await bringsAgain(nodeID, moduleID)))
            await rows.leaveToOthers(nodeID, received);
          if (received !== undefined) await rows.releaseFrom(nodeID, received);
        }
        await system.transaction((tx) => tx.delete(UNTOUCHED, key));
      }
    },
  };
}
