import type { Lists } from '../../lists/lists.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import type { Tx } from '../../store/store.ts';
import type { FederationContext } from '../context.ts';
import { MAPPINGS, NODES, SHARED_MODULES, UNTOUCHED } from '../tables.ts';

const MAX_ENTRIES = 100_000;

/** Handles ended partners' rows by list; stored first, so restarts complete it. */
export class RowHandover {
  readonly #deps: Pick<FederationContext, 'system' | 'log'>;
  readonly #lists: Lists;
  /** A partner's rows left a list or became ours: what is kept about them goes too. */
  readonly #onReleased: (nodeID: string, moduleID: string) => Promise<void>;

  constructor(
    deps: Pick<FederationContext, 'system' | 'log'>,
    lists: Lists,
    onReleased: (nodeID: string, moduleID: string) => Promise<void>,
  ) {
    this.#deps = deps;
    this.#lists = lists;
    this.#onReleased = onReleased;
  }

  /** Returns all lists' ids, even in the bin, for {@link RowHandover.schedule}. */
  async lists(): Promise<readonly string[]> {
    return [...(await this.#idsOfAll()), ...(await this.#idsOfBinned())];
  }

  /** Stores what becomes of the partner's rows in these lists; default: others' sources take over. */
  schedule(tx: Tx, nodeID: string, moduleIDs: readonly string[], received?: 'keep' | 'remove'): void {
    for (const moduleID of moduleIDs)
      tx.put(UNTOUCHED, keyOf(nodeID, moduleID), { nodeID, moduleID, ...(received && { received }) });
  }

  /**
   * Removes the partner as a source in these lists, default all (unreadable ones follow later): rows continue from
   * others. With `remove` also deletes values that only it sent.
   */
  async removeSource(nodeID: string, what?: 'keep' | 'remove', moduleIDs?: readonly string[]): Promise<void> {
    for (const moduleID of moduleIDs ?? (await this.#idsOfAll())) {
      if (await this.#lists.isUnreadable(moduleID)) {
        await this.#addPending(nodeID, moduleID);
        continue;
      }
      await (await this.#lists.rows(moduleID)).endSource(nodeID, what);
      await this.#deletePending(nodeID, moduleID, 'left');
    }
  }

  /**
   * Makes a partner's rows ours, or deletes them; returns their number. Unreadable and binned lists follow later, not
   * counted.
   */
  async releaseRows(nodeID: string, what: 'keep' | 'remove'): Promise<{ readonly rows: number }> {
    let released = 0;
    for (const moduleID of await this.#idsOfBinned()) await this.#addPending(nodeID, moduleID, what);
    for (const moduleID of await this.#idsOfAll()) {
      if (await this.#lists.isUnreadable(moduleID)) {
        await this.#addPending(nodeID, moduleID, what);
        continue;
      }
      released += await this.#releaseIn(moduleID, nodeID, what);
      await this.#deletePending(nodeID, moduleID, 'released');
    }
    return { rows: released };
  }

  /**
   * Returns whether a requested deletion of this partner's rows is still to do in any list: a scheduled one, or
   * postponed because the list is unreadable or in the bin.
   */
  async isRemovalPending(nodeID: string): Promise<boolean> {
    const waiting = await this.#deps.system.page(UNTOUCHED, { limit: MAX_ENTRIES });
    return waiting.some(({ value }) => value.nodeID === nodeID && value.received === 'remove');
  }

  /**
   * Does what was postponed, in lists that are back; a source whose offer is mapped again ends only if its rows are to
   * be released. Deletes notes of those and of lists that are gone; binned and unreadable ones wait.
   */
  async runPending(): Promise<void> {
    const waiting = await this.#deps.system.page(UNTOUCHED, { limit: MAX_ENTRIES });
    if (waiting.length === 0) return;
    const [there, binned] = [new Set(await this.#idsOfAll()), new Set(await this.#idsOfBinned())];
    for (const { key, value } of waiting) {
      const { nodeID, moduleID, received } = value;
      if (binned.has(moduleID)) continue;
      if (there.has(moduleID)) {
        if (await this.#lists.isUnreadable(moduleID)) continue;
        const rows = await this.#lists.rows(moduleID);
        if (received !== undefined || !(await this.#isMappedAgain(nodeID, moduleID)))
          await rows.endSource(nodeID, received);
        if (received !== undefined) await this.#releaseIn(moduleID, nodeID, received);
      }
      await this.#deps.system.transaction((tx) => tx.delete(UNTOUCHED, key));
    }
  }

  /**
   * Before a list's use, removes ended partners as sources, as in restored data their rows would hide others'; a
   * removed one's rows become ours. Skips pending work and present mappings.
   */
  async reapplyEnded(moduleID: string, rows: Rows): Promise<void> {
    for (const { nodeID, isLeft } of await rows.partnersWithRows()) {
      const node = await this.#deps.system.get(NODES, nodeID);
      const isRemoved = !node || node.deletedAt !== undefined;
      // If only ended, our user decides. Other software's rows wouldn't be recognised again.
      if (isLeft && !(isRemoved && node?.installation !== undefined)) continue;
      // Do pending work as requested.
      if (await this.#deps.system.get(UNTOUCHED, keyOf(nodeID, moduleID))) continue;
      if (await this.#isMappedAgain(nodeID, moduleID)) continue;
      this.#deps.log.info(
        { nodeID, moduleID },
        'a list holds rows as of a partner that is not heard of any more there',
      );
      await rows.endSource(nodeID);
      // The user's choice for them is no longer known.
      if (isRemoved) await rows.releaseFrom(nodeID, 'keep');
    }
  }

  /** Returns the ids of all lists outside the bin. */
  async #idsOfAll(): Promise<string[]> {
    return (await this.#lists.modules()).map(({ moduleID }) => moduleID);
  }

  /** Returns the ids of all lists in the bin. */
  async #idsOfBinned(): Promise<string[]> {
    return (await this.#lists.binnedModules()).map(({ module }) => module.moduleID);
  }

  /** Deletes the note that a list is pending. After `left`, one that also asks for a release stays. */
  async #deletePending(nodeID: string, moduleID: string, what: 'left' | 'released'): Promise<void> {
    const key = keyOf(nodeID, moduleID);
    await this.#deps.system.transaction(async (tx) => {
      const pending = await tx.get(UNTOUCHED, key);
      if (pending && (what === 'released' || pending.received === undefined)) tx.delete(UNTOUCHED, key);
    });
  }

  /**
   * Stores and logs that rows in an unreadable or binned list must be handled later: `received`, else only the source
   * ends.
   */
  async #addPending(nodeID: string, moduleID: string, received?: 'keep' | 'remove'): Promise<void> {
    const key = keyOf(nodeID, moduleID);
    await this.#deps.system.transaction(async (tx) => {
      const before = await tx.get(UNTOUCHED, key);
      tx.put(UNTOUCHED, key, { ...before, nodeID, moduleID, ...(received && { received }) });
    });
    this.#deps.log.warn(
      { nodeID, moduleID },
      'what came from the partner stays in a list until that is restored or can be read',
    );
  }

  /**
   * Keeps or deletes the partner's rows in one list; returns their number. Calls `onReleased` if they are deleted or
   * the partner is.
   */
  async #releaseIn(moduleID: string, nodeID: string, what: 'keep' | 'remove'): Promise<number> {
    const { rows } = await (await this.#lists.rows(moduleID)).releaseFrom(nodeID, what);
    const node = await this.#deps.system.get(NODES, nodeID);
    if (what === 'remove' || !node || node.deletedAt !== undefined) await this.#onReleased(nodeID, moduleID);
    return rows;
  }

  /** Returns whether the partner is connected and a present offer of its is mapped into this list. */
  async #isMappedAgain(nodeID: string, moduleID: string): Promise<boolean> {
    if ((await this.#deps.system.get(NODES, nodeID))?.status !== 'paired') return false;
    for (const { value } of await this.#deps.system.find(MAPPINGS, 'compose', moduleID)) {
      if (value.nodeID !== nodeID) continue;
      const offer = await this.#deps.system.get(SHARED_MODULES, value.federationModuleID);
      if (offer && offer.withdrawnAt === undefined) return true;
    }
    return false;
  }
}

const keyOf = (nodeID: string, moduleID: string): string => `${nodeID}-${moduleID}`;
