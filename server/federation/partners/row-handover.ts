import type { Lists } from '../../lists/lists.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import type { Tx } from '../../store/store.ts';
import type { FederationContext } from '../context.ts';
import { MAPPINGS, NODES, SHARED_MODULES, UNTOUCHED } from '../tables.ts';

/** More than can ever wait. */
const MAX_ENTRIES = 100_000;

/**
 * Decides about the rows of partners whose connection ended. The work is stored first and done list by list: after
 * a crash or for an unreadable list it is done at the next possible start; after a full disk, an hour later.
 */
export class RowHandover {
  readonly #deps: Pick<FederationContext, 'system' | 'log'>;
  readonly #lists: Lists;
  /**
   * A partner's rows left a list or became ours, and the partner is gone or its rows were not wanted:
   * everything kept about them must go too; repeated if a crash prevented it.
   */
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

  /** Returns the ids of the lists concerned; call it before {@link RowHandover.schedule}. */
  lists(): Promise<readonly string[]> {
    return this.#idsOfAll();
  }

  /**
   * Stores, in the transaction that ends the partner, that its rows in these lists must be handled, so that the
   * next start continues after a crash. @param received the decision that {@link RowHandover.release} will carry
   * out; absent: none
   */
  schedule(tx: Tx, nodeID: string, moduleIDs: readonly string[], received?: 'keep' | 'remove'): void {
    for (const moduleID of moduleIDs)
      tx.put(UNTOUCHED, keyOf(nodeID, moduleID), { nodeID, moduleID, ...(received && { received }) });
  }

  /**
   * Ends the partner as a source of rows, in all lists or in these: its rows continue from other partners, if any.
   * Unreadable lists are stored as pending. @param what `remove`: rows with other sources lose the values that only
   * this partner sent; default: they keep them
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
   * Makes a partner's rows ours (`keep`), or deletes them and leaves tombstones (`remove`); unreadable lists are
   * stored as pending. Returns the number of rows.
   */
  async release(nodeID: string, what: 'keep' | 'remove'): Promise<{ readonly rows: number }> {
    let released = 0;
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

  /** Handles rows that are still pending, in lists that can be read by now, and removes the notes of those done. */
  async runPending(): Promise<void> {
    const waiting = await this.#deps.system.page(UNTOUCHED, { limit: MAX_ENTRIES });
    const there = new Set(waiting.length === 0 ? [] : await this.#idsOfAll());
    for (const { key, value } of waiting) {
      const { nodeID, moduleID, received } = value;
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
   * Repeats the end of partners in a list before it is used, as an older copy of the data may have undone it.
   * Otherwise rows of an ended partner would hide those that others send. Rows of removed partners become ours.
   */
  async reapplyEnded(moduleID: string, rows: Rows): Promise<void> {
    for (const { nodeID, isLeft } of await rows.partnersWithRows()) {
      const node = await this.#deps.system.get(NODES, nodeID);
      const isRemoved = !node || node.deletedAt !== undefined;
      // If it only ended, our user decides about its rows. Rows from other software would not
      // be recognised if its record is used again, and would not be sent again either.
      if (isLeft && !(isRemoved && node?.installation !== undefined)) continue;
      // Pending work is done as requested.
      if (await this.#deps.system.get(UNTOUCHED, keyOf(nodeID, moduleID))) continue;
      if (await this.#isMappedAgain(nodeID, moduleID)) continue;
      this.#deps.log.info(
        { nodeID, moduleID },
        'a list holds rows as of a partner that is not heard of any more there',
      );
      await rows.endSource(nodeID);
      // What its user chose for them is no longer known.
      if (isRemoved) await rows.releaseFrom(nodeID, 'keep');
    }
  }

  async #idsOfAll(): Promise<string[]> {
    return (await this.#lists.modules()).map(({ moduleID }) => moduleID);
  }

  /**
   * Deletes the pending note for a list. @param what the work that was done; after `left` a note that also asks for
   * a release stays
   */
  async #deletePending(nodeID: string, moduleID: string, what: 'left' | 'released'): Promise<void> {
    const key = keyOf(nodeID, moduleID);
    await this.#deps.system.transaction(async (tx) => {
      const pending = await tx.get(UNTOUCHED, key);
      if (pending && (what === 'released' || pending.received === undefined)) tx.delete(UNTOUCHED, key);
    });
  }

  /** Stores that the partner's rows in an unreadable list must be handled later, and logs it. */
  async #addPending(nodeID: string, moduleID: string, received?: 'keep' | 'remove'): Promise<void> {
    const key = keyOf(nodeID, moduleID);
    await this.#deps.system.transaction(async (tx) => {
      const before = await tx.get(UNTOUCHED, key);
      tx.put(UNTOUCHED, key, { ...before, nodeID, moduleID, ...(received && { received }) });
    });
    this.#deps.log.warn(
      { nodeID, moduleID },
      'what came from the partner stays in a list until that can be read',
    );
  }

  /**
   * Keeps or deletes the partner's rows in one list, and calls `onReleased` if it deletes them or the partner is
   * removed. Returns the number of rows.
   */
  async #releaseIn(moduleID: string, nodeID: string, what: 'keep' | 'remove'): Promise<number> {
    const { rows } = await (await this.#lists.rows(moduleID)).releaseFrom(nodeID, what);
    const node = await this.#deps.system.get(NODES, nodeID);
    if (what === 'remove' || !node || node.deletedAt !== undefined) await this.#onReleased(nodeID, moduleID);
    return rows;
  }

  /**
   * Returns whether a connected partner offers rows that are mapped into this list, so that its source hasn't ended
   * there.
   */
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
