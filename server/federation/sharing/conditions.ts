import type { Logger } from 'pino';
import { omit } from '../../base/omit.ts';
import { createMutex, type Mutex } from '../../base/concurrency/mutex.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Clock } from '../../base/clock.ts';
import type { ListsChange, Row } from '../../lists/definitions/model.ts';
import type { Lists } from '../../lists/lists.ts';
import { EVERY_ROW } from '../../lists/query/condition.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import { StoreError, type Partition } from '../../store/store.ts';
import type { Exposure } from '../model.ts';
import { EXPOSURES } from '../tables.ts';
import type { Disclosure } from './ledger.ts';
import { everyExposure } from './pin-upkeep.ts';
import { wasEverShared } from './visibility.ts';

/** Describes a changed condition for the sharing log. */
export function conditionDisclosure({
  nodeID,
  moduleID,
  name,
  fields,
  condition,
  updatedAt = '',
}: Exposure): Disclosure {
  const names = fields.map((field) => field.name);
  const list = { nodeID, moduleID, listName: name, fields: names, recordIDs: [], address: '' };
  return { ...list, state: updatedAt, changed: 'condition', ...(condition ? { condition } : {}) };
}

const AGAIN = 30_000;

interface ConditionsDeps {
  readonly system: Partition;
  readonly lists: Pick<Lists, 'rows' | 'setRowFilter'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Pick<Logger, 'warn'>;
}

/** Indexes what partners know of conditional shares' rows (docs/conditions.md). */
export class Conditions {
  readonly #deps: ConditionsDeps;
  readonly #turns = new Map<string, Mutex>();

  constructor(deps: ConditionsDeps) {
    this.#deps = deps;
  }

  /**
   * Saves a share by `body`. If it has or had a condition (`wished`: the new one), the list's rows are locked
   * meanwhile, and indexed when this resolves, or after a failure later.
   */
  async saveShare(
    composeModuleID: string,
    find: () => Promise<Exposure | undefined>,
    wished: { readonly parts: readonly unknown[] } | null | undefined,
    body: () => Promise<Exposure>,
  ): Promise<Exposure> {
    const isConditioned = (before: Exposure | undefined): boolean =>
      before?.condition !== undefined || (wished?.parts ?? []).length > 0;
    if (!isConditioned(await find())) return body();
    return this.#runInTurn(composeModuleID, async () => {
      const saved = await this.#saveWithFilter(composeModuleID, await find(), body);
      await this.#applyOrRetry(saved);
      return saved;
    });
  }

  /** Indexes a share's rows by its stored condition. Rejects if the disk or the list fails. */
  ensureIndexed({
    moduleID,
    composeModuleID,
  }: Pick<Exposure, 'moduleID' | 'composeModuleID'>): Promise<void> {
    return this.#runInTurn(composeModuleID, () => this.#applyStored(moduleID));
  }

  /** Sets the row filters of all conditional shares at the start, before any row can change. */
  async setAllFilters(): Promise<void> {
    for await (const exposure of everyExposure(this.#deps.system))
      if (exposure.condition !== undefined) this.#setFilter(exposure);
  }

  /** Sets a list's row filters to the stored conditions, after a running save. */
  resetRowFilters(composeModuleID: string): Promise<void> {
    return this.#runInTurn(composeModuleID, async () => {
      for (const exposure of await this.#exposuresOfList(composeModuleID))
        if (exposure.condition !== undefined) this.#setFilter(exposure);
    });
  }

  /** Re-indexes a list's shares in the background after its definition changed. Failures are ignored or retried. */
  listsChanged(change: ListsChange): void {
    if (change.kind !== 'list' || change.change !== 'changed') return;
    const { moduleID } = change.module;
    void this.#runInTurn(moduleID, async () => {
      for (const exposure of await this.#exposuresOfList(moduleID)) await this.#applyOrRetry(exposure);
    }).catch(() => undefined);
  }

  /** Runs `work` after all earlier work for this list, even failed; passes on its result or error. */
  #runInTurn<R>(composeModuleID: string, work: () => Promise<R>): Promise<R> {
    const turn = this.#turns.get(composeModuleID) ?? createMutex();
    this.#turns.set(composeModuleID, turn);
    return turn(work);
  }

  /**
   * Sets the row filter that later writes follow, none for a withdrawn or unconditional share; indexes no row. After the
   * start only within `Rows.whileStill`.
   */
  #setFilter({ moduleID, composeModuleID, condition, deletedAt }: Exposure): void {
    this.#deps.lists.setRowFilter(composeModuleID, moduleID, deletedAt === undefined ? condition : undefined);
  }

  /**
   * Records in the index, before a share's first condition, which rows the partner knows. A withdrawn share counts as
   * of its end.
   */
  async #seedIndex(rows: Rows, before: Exposure): Promise<void> {
    const { moduleID, deletedAt, ended = deletedAt } = before;
    if (deletedAt === undefined)
      await rows.whileStill(() => {
        this.#setFilter({ ...before, condition: EVERY_ROW });
        return Promise.resolve();
      });
    const wasAnnounced = (row: Row): boolean => wasEverShared(row, before);
    await rows.seedFrom(moduleID, { until: ended, wasAnnounced });
  }

  /**
   * Returns the list's rows. If unreadable, undefined for a conditional share, which can still be ended; else throws.
   */
  async #rowsToSave(composeModuleID: string, before: Exposure | undefined): Promise<Rows | undefined> {
    try {
      return await this.#deps.lists.rows(composeModuleID);
    } catch (error) {
      if (error instanceof Refusal && before?.condition !== undefined) return undefined;
      throw error;
    }
  }

  /**
   * Runs `body` while no row is written, then filters by the saved condition; after an error by the stored one. First
   * indexes a share without a condition, or drops a withdrawn one's index.
   */
  async #saveWithFilter(
    composeModuleID: string,
    before: Exposure | undefined,
    body: () => Promise<Exposure>,
  ): Promise<Exposure> {
    const rows = await this.#rowsToSave(composeModuleID, before);
    /** Runs `body`, sets the row filter of the share that it saved, and returns that share. Indexes no row. */
    const saveAndFilter = async (): Promise<Exposure> => {
      const saved = await body();
      this.#setFilter(saved);
      return saved;
    };
    if (!rows) return saveAndFilter();
    try {
      if (before && (before.condition === undefined || before.unmirrored))
        await this.#seedIndex(rows, before);
      else if (before?.deletedAt !== undefined) await rows.dropIndex(before.moduleID);
      return await rows.whileStill(saveAndFilter);
    } catch (error) {
      if (before) this.#setFilter((await this.#deps.system.get(EXPOSURES, before.moduleID)) ?? before);
      throw error;
    }
  }

  /**
   * Indexes the share's rows for its stored condition; after an error again in 30 s, unless the store is closed or the
   * list refused. Never rejects.
   */
  #applyOrRetry(exposure: Exposure): Promise<void> {
    return this.#applyStored(exposure.moduleID).catch((error: unknown) => {
      if (error instanceof StoreError && error.code === 'closed') return;
      if (error instanceof Refusal) return;
      this.#deps.log.warn({ err: error }, 'which rows a share gives could not be worked out yet');
      this.#deps.clock.after(
        AGAIN,
        () => void this.#runInTurn(exposure.composeModuleID, () => this.#applyOrRetry(exposure)),
      );
    });
  }

  /**
   * Sets the row filter to the stored condition, if any, and indexes the share's rows. Rejects if that fails. A no-op
   * for an ended share.
   */
  async #applyStored(moduleID: string): Promise<void> {
    const exposure = await this.#deps.system.get(EXPOSURES, moduleID);
    if (exposure?.condition === undefined || exposure.deletedAt !== undefined) return;
    const rows = await this.#deps.lists.rows(exposure.composeModuleID);
    if (exposure.unmirrored) await this.#seedIndex(rows, exposure);
    await rows.whileStill(() => {
      this.#setFilter(exposure);
      return Promise.resolve();
    });
    await rows.build(moduleID);
    if (exposure.unmirrored) await this.#markSeeded(moduleID);
  }

  /** Stores that the share's index has the rows which the partner knows; a no-op if the share is gone. */
  #markSeeded(moduleID: string): Promise<void> {
    return this.#deps.system.transaction(async (tx) => {
      const stored = await tx.get(EXPOSURES, moduleID);
      if (stored) tx.put(EXPOSURES, moduleID, omit(stored, 'unmirrored'));
    });
  }

  /** Returns all shares of a list, even ended ones. */
  async #exposuresOfList(composeModuleID: string): Promise<Exposure[]> {
    return (await this.#deps.system.find(EXPOSURES, 'compose', composeModuleID)).map(({ value }) => value);
  }
}
