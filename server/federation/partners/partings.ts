import type { Lists } from '../../lists/lists.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import type { Tx } from '../../store/store.ts';
import type { FederationContext } from '../context.ts';
import { MAPPINGS, NODES, SHARED_MODULES, UNTOUCHED } from '../tables.ts';

/** More than there ever are of what waits. */
const MOST = 100_000;

/**
 * What becomes of a partner's rows when it is not heard of any more. It is noted before, and done list by list: what a kill
 * or a list that cannot be read kept from being done, the first start does at which it can be; what a full disk did, an hour.
 */
export class Partings {
  readonly #deps: Pick<FederationContext, 'system' | 'log'>;
  readonly #lists: Lists;
  /**
   * The rows of a partner went from a list or became ours, and the partner went as well or its rows were not wanted: what
   * is kept of it beside them is to go too; done again where a kill kept it from being done.
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

  /** Ids of the lists in which something is to be done; to be asked before {@link Partings.owe}. */
  lists(): Promise<readonly string[]> {
    return this.#idsOfAll();
  }

  /**
   * Notes with what ends the partner what is still to be done with its rows in these lists, so that a kill in the middle
   * leaves none of them as they were: the next start does it.
   * @param received what {@link Partings.release} will be asked for; else they are left alone
   */
  owe(tx: Tx, nodeID: string, moduleIDs: readonly string[], received?: 'keep' | 'remove'): void {
    for (const moduleID of moduleIDs)
      tx.put(UNTOUCHED, keyOf(nodeID, moduleID), { nodeID, moduleID, ...(received && { received }) });
  }

  /**
   * The partner is not heard of any more, in all lists or in these: its rows go on as others bring them, where they do.
   * @param what as in `Rows.leaveToOthers`
   */
  async leave(nodeID: string, what?: 'keep' | 'remove', moduleIDs?: readonly string[]): Promise<void> {
    for (const moduleID of moduleIDs ?? (await this.#idsOfAll())) {
      if (await this.#lists.isUnreadable(moduleID)) {
        await this.#note(nodeID, moduleID);
        continue;
      }
      await (await this.#lists.rows(moduleID)).leaveToOthers(nodeID, what);
      await this.#done(nodeID, moduleID, 'left');
    }
  }

  /** What arrived from a partner becomes ours (`keep`), or goes, leaving only tombstones (`remove`). */
  async release(nodeID: string, what: 'keep' | 'remove'): Promise<{ readonly rows: number }> {
    let released = 0;
    for (const moduleID of await this.#idsOfAll()) {
      if (await this.#lists.isUnreadable(moduleID)) {
        await this.#note(nodeID, moduleID, what);
        continue;
      }
      released += await this.#releaseIn(moduleID, nodeID, what);
      await this.#done(nodeID, moduleID, 'released');
    }
    return { rows: released };
  }

  /** Does what is still owed, in lists that can be read by now. */
  async catchUp(): Promise<void> {
    const waiting = await this.#deps.system.page(UNTOUCHED, { limit: MOST });
    const there = new Set(waiting.length === 0 ? [] : await this.#idsOfAll());
    for (const { key, value } of waiting) {
      const { nodeID, moduleID, received } = value;
      if (there.has(moduleID)) {
        if (await this.#lists.isUnreadable(moduleID)) continue;
        const rows = await this.#lists.rows(moduleID);
        if (received !== undefined || !(await this.#bringsAgain(nodeID, moduleID)))
          await rows.leaveToOthers(nodeID, received);
        if (received !== undefined) await this.#releaseIn(moduleID, nodeID, received);
      }
      await this.#deps.system.transaction((tx) => tx.delete(UNTOUCHED, key));
    }
  }

  /**
   * Does anew in a list, before anybody uses it, what was done once and is not any more, as the list or all data went back
   * to before it: what others bring of the rows of a partner that is not heard of there any more would never show, and
   * nobody would ever hear what became of those that one which was removed brought alone.
   */
  async leaveEnded(moduleID: string, rows: Rows): Promise<void> {
    for (const { nodeID, isLeft } of await rows.cameFrom()) {
      const node = await this.#deps.system.get(NODES, nodeID);
      const isRemoved = !node || node.deletedAt !== undefined;
      // What becomes of the rows of one that only ended is for our user to say. Those of a server of another kind would not
      // be known again where its record is taken up once more, and nobody hears of them anew either.
      if (isLeft && !(isRemoved && node?.installation !== undefined)) continue;
      // What is owed is done as it was asked for.
      if (await this.#deps.system.get(UNTOUCHED, keyOf(nodeID, moduleID))) continue;
      if (await this.#bringsAgain(nodeID, moduleID)) continue;
      this.#deps.log.info(
        { nodeID, moduleID },
        'a list holds rows as of a partner that is not heard of any more there',
      );
      await rows.leaveToOthers(nodeID);
      // What its user chose for them once is not known any more.
      if (isRemoved) await rows.releaseFrom(nodeID, 'keep');
    }
  }

  async #idsOfAll(): Promise<string[]> {
    return (await this.#lists.modules()).map(({ moduleID }) => moduleID);
  }

  /** Nothing is owed there any more; `left`: unless the rows are to be released as well. */
  async #done(nodeID: string, moduleID: string, what: 'left' | 'released'): Promise<void> {
    const key = keyOf(nodeID, moduleID);
    await this.#deps.system.transaction(async (tx) => {
      const owed = await tx.get(UNTOUCHED, key);
      if (owed && (what === 'released' || owed.received === undefined)) tx.delete(UNTOUCHED, key);
    });
  }

  async #note(nodeID: string, moduleID: string, received?: 'keep' | 'remove'): Promise<void> {
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

  async #releaseIn(moduleID: string, nodeID: string, what: 'keep' | 'remove'): Promise<number> {
    const { rows } = await (await this.#lists.rows(moduleID)).releaseFrom(nodeID, what);
    const node = await this.#deps.system.get(NODES, nodeID);
    if (what === 'remove' || !node || node.deletedAt !== undefined) await this.#onReleased(nodeID, moduleID);
    return rows;
  }

  /** Whether the partner brings rows into the list, since its part there ended. */
  async #bringsAgain(nodeID: string, moduleID: string): Promise<boolean> {
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
