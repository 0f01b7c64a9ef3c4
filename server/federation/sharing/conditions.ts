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
import { wasShared } from './travels.ts';

/**
 * Sees to it that what partners know of lists that are shared under a condition is kept beside the rows, and is true to
 * the condition before anything is read by it (docs/conditions.md).
 */
export interface Conditions {
  /**
   * Saves a share while no row of its list is written, where a condition counts for it or did: what is written before
   * is by the choice before, what is written afterwards by the new one. When it resolves, the rows are by it.
   * @param find the share as it is, where there is one
   * @param wished the condition, where one is chosen with it
   */
  saving(
    composeModuleID: string,
    find: () => Promise<Exposure | undefined>,
    wished: { readonly parts: readonly unknown[] } | null | undefined,
    save: () => Promise<Exposure>,
  ): Promise<Exposure>;
  /** All rows are by the condition of this share, as it is stored, when it resolves. @throws what the disk does */
  settled(exposure: Pick<Exposure, 'moduleID' | 'composeModuleID'>): Promise<void>;
  /** Before anybody can change a row. */
  followAll(): Promise<void>;
  /** Whenever shares of this list change otherwise than by {@link Conditions.saving}. */
  follow(composeModuleID: string): Promise<void>;
  listsChanged(change: ListsChange): void;
}

/** That other rows are given, as a line of the ledger. */
export function choiceOf({
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

/** Milliseconds until it is tried again where the disk refuses. */
const AGAIN = 30_000;

export function createConditions(deps: {
  readonly system: Partition;
  readonly lists: Pick<Lists, 'rows' | 'setAudience'>;
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Pick<Logger, 'warn'>;
}): Conditions {
  const { system, lists, clock, log } = deps;
  const turns = new Map<string, Mutex>();

  /** One change or look at a time for each list: what one finds is not to be moved by another. */
  function inTurn<R>(composeModuleID: string, work: () => Promise<R>): Promise<R> {
    const turn = turns.get(composeModuleID) ?? createMutex();
    turns.set(composeModuleID, turn);
    return turn(work);
  }

  /** What was withdrawn is not kept up: nobody sees any of it. */
  function keep({ moduleID, composeModuleID, condition, deletedAt }: Exposure): void {
    lists.setAudience(composeModuleID, moduleID, deletedAt === undefined ? condition : undefined);
  }

  /** What it gave until now was every row: what the partner knows has to be there before that is less. */
  async function mirror(rows: Rows, before: Exposure): Promise<void> {
    const { moduleID, deletedAt, ended = deletedAt } = before;
    if (deletedAt === undefined)
      await rows.whileStill(() => {
        keep({ ...before, condition: EVERY_ROW });
        return Promise.resolve();
      });
    const wasTold = (row: Row): boolean => wasShared(row, before);
    await rows.mirror(moduleID, { until: ended, wasTold });
  }

  /** A list that cannot be read is not written either; to share it no more has to be possible all the same. */
  async function rowsOf(composeModuleID: string, before: Exposure | undefined): Promise<Rows | undefined> {
    try {
      return await lists.rows(composeModuleID);
    } catch (error) {
      if (error instanceof Refusal && before?.condition !== undefined) return undefined;
      throw error;
    }
  }

  async function save(
    composeModuleID: string,
    before: Exposure | undefined,
    body: () => Promise<Exposure>,
  ): Promise<Exposure> {
    const rows = await rowsOf(composeModuleID, before);
    const saving = async (): Promise<Exposure> => {
      const saved = await body();
      keep(saved);
      return saved;
    };
    if (!rows) return saving();
    try {
      if (before && (before.condition === undefined || before.unmirrored)) await mirror(rows, before);
      else if (before?.deletedAt !== undefined) await rows.letGo(before.moduleID);
      return await rows.whileStill(saving);
    } catch (error) {
      if (before) keep((await system.get(EXPOSURES, before.moduleID)) ?? before);
      throw error;
    }
  }

  /** It counts already; what is left to be done is done before anybody reads. */
  function soon(exposure: Exposure): Promise<void> {
    return settle(exposure.moduleID).catch((error: unknown) => {
      if (error instanceof StoreError && error.code === 'closed') return;
      if (error instanceof Refusal) return;
      log.warn({ err: error }, 'which rows a share gives could not be worked out yet');
      clock.after(AGAIN, () => void inTurn(exposure.composeModuleID, () => soon(exposure)));
    });
  }

  async function settle(moduleID: string): Promise<void> {
    const exposure = await system.get(EXPOSURES, moduleID);
    if (exposure?.condition === undefined || exposure.deletedAt !== undefined) return;
    const rows = await lists.rows(exposure.composeModuleID);
    if (exposure.unmirrored) await mirror(rows, exposure);
    await rows.whileStill(() => {
      keep(exposure);
      return Promise.resolve();
    });
    await rows.fit(moduleID);
    if (exposure.unmirrored) await noteMirrored(moduleID);
  }

  const noteMirrored = (moduleID: string): Promise<void> =>
    system.transaction(async (tx) => {
      const stored = await tx.get(EXPOSURES, moduleID);
      if (stored) tx.put(EXPOSURES, moduleID, omit(stored, 'unmirrored'));
    });

  async function ofList(composeModuleID: string): Promise<Exposure[]> {
    return (await system.find(EXPOSURES, 'compose', composeModuleID)).map(({ value }) => value);
  }

  return {
    async saving(composeModuleID, find, wished, body) {
      const isConditioned = (before: Exposure | undefined): boolean =>
        before?.condition !== undefined || (wished?.parts ?? []).length > 0;
      if (!isConditioned(await find())) return body();
      return inTurn(composeModuleID, async () => {
        const saved = await save(composeModuleID, await find(), body);
        await soon(saved);
        return saved;
      });
    },
    settled: ({ moduleID, composeModuleID }) => inTurn(composeModuleID, () => settle(moduleID)),
    async followAll() {
      for await (const exposure of everyExposure(system))
        if (exposure.condition !== undefined) keep(exposure);
    },
    follow: (composeModuleID) =>
      inTurn(composeModuleID, async () => {
        for (const exposure of await ofList(composeModuleID))
          if (exposure.condition !== undefined) keep(exposure);
      }),
    listsChanged(change) {
      if (change.kind !== 'list' || change.change !== 'changed') return;
      const { moduleID } = change.module;
      void inTurn(moduleID, async () => {
        for (const exposure of await ofList(moduleID)) await soon(exposure);
      }).catch(() => undefined);
    },
  };
}
