import type { Logger } from 'pino';
import type { Lists } from '../../lists/lists.ts';
import type { Module, ListsChange } from '../../lists/definitions/model.ts';
import { findPinnedField } from '../../lists/rows/pinned-titles.ts';
import { Refusal } from '../../base/refusal.ts';
import { refersTo, type Referring } from '../../lists/rows/reference-updates.ts';
import type { TitleChange } from '../../lists/rows/title-changes.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import type { Clock } from '../../base/clock.ts';
import { StoreError, type Partition, type Table } from '../../store/store.ts';
import { keepTitles, pinnedColumns, type PinnedColumn } from './exposure-pins.ts';
import { everyExposure } from './pin-upkeep.ts';
import { exposedRows } from './exposed-rows.ts';
import type { Exposure } from '../model.ts';

/** By column id: title rule or {@link UNAVAILABLE}. */
type ShownAs = Readonly<Record<string, string>>;

/** No longer shared: title changes are sent to nobody. */
const UNAVAILABLE = 'away';

/** As of the last check, by exposure id. */
const SHOWN_AS: Table<ShownAs> = { name: 'shown-as' };

interface Shown extends PinnedColumn {
  readonly moduleID: string;
}

const AT_ONCE = 1000;
const AGAIN = 30_000;

interface ReferenceTitlesDeps {
  readonly system: Partition;
  readonly lists: Lists;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  /** No titles are pending any more for lists reported by {@link ReferenceTitles.countPendingTitles}. */
  readonly onSettled: (exposures: readonly Exposure[]) => void;
}

/** Propagates changed titles by new sequence numbers of referring rows; stores pending ones. */
export class ReferenceTitles {
  readonly #deps: ReferenceTitlesDeps;
  #shown: readonly Shown[] = [];
  /** Reported as pending, by id. */
  #awaited = new Map<string, Exposure>();
  /** Lists whose titles may have changed. */
  readonly #due = new Set<string>();
  /** Last results of {@link mayShow}, by exposure id. */
  readonly #looked = new Map<string, { readonly as: string; readonly shows: boolean }>();
  #areSharesDue = false;
  /** The rows to resend aren't known yet. */
  #isLooking = false;
  #isWaiting = false;
  #last: Promise<void> = Promise.resolve();

  constructor(deps: ReferenceTitlesDeps) {
    this.#deps = deps;
  }

  /**
   * Queues a check of all shares' title rules, or propagation of one list's changed titles. Ignores workspaces, and
   * titles that nobody sees unless a check is queued.
   */
  listsChanged(change: ListsChange): void {
    if (change.kind === 'workspaces') return;
    if (change.kind === 'list') this.#areSharesDue = true;
    else if (this.#shown.some(({ target }) => target === change.moduleID)) this.#due.add(change.moduleID);
    else if (!this.#areSharesDue) return;
    else this.#due.add(change.moduleID);
    this.#runSoon();
  }

  /** Queues a check of all shares' title rules. */
  sharesChanged(): void {
    this.#areSharesDue = true;
    this.#runSoon();
  }

  /**
   * Returns how many changed titles aren't sent yet, at least 1 while unknown; 0 without reference columns. `onSettled`
   * is called later if any.
   */
  async countPendingTitles(exposure: Exposure): Promise<number> {
    if (!exposure.fields.some(({ kind }) => kind === 'Record')) return 0;
    const isUnknown = this.#areSharesDue || this.#isLooking;
    const rows = Math.max(await this.#countTitleChanges(exposure), isUnknown ? 1 : 0);
    if (rows > 0) this.#awaited.set(exposure.moduleID, exposure);
    return rows;
  }

  /**
   * Schedules one run of everything due, after a running one; a no-op if one waits. Repeats it after an error in 30
   * seconds, unless the store is closed.
   */
  #runSoon(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#last = this.#last.then(async () => {
      this.#isWaiting = false;
      try {
        await this.#processDue();
        this.#notifyWaiting();
      } catch (error) {
        if (error instanceof StoreError && error.code === 'closed') return;
        this.#deps.log.warn(
          { err: error },
          'partners could not be told yet that rows are called something else',
        );
        this.#deps.clock.after(AGAIN, () => this.#runSoon());
      }
    });
  }

  /** Calls `onSettled` with the shares whose titles were awaited, if any, and forgets them. */
  #notifyWaiting(): void {
    const exposures = [...this.#awaited.values()];
    this.#awaited = new Map();
    if (exposures.length > 0) this.#deps.onSettled(exposures);
  }

  /**
   * Checks title rules if due, then propagates due lists' changed titles. Throws at the first failure; that list and
   * later ones stay due.
   */
  async #processDue(): Promise<void> {
    if (this.#areSharesDue) await this.#followShares();
    for (const moduleID of [...this.#due]) {
      // First, as it may become due again meanwhile.
      this.#due.delete(moduleID);
      try {
        await this.#withRows(moduleID, (titled) => this.#propagateTitles(titled));
      } catch (error) {
        this.#due.add(moduleID);
        throw error;
      }
    }
  }

  /** Runs `body` with a list's rows. Ignores `not-found` errors, as of a removed list; throws others. */
  async #withRows(moduleID: string, body: (rows: Rows) => Promise<void>): Promise<void> {
    try {
      await body(await this.#deps.lists.rows(moduleID));
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== 'not-found') throw error;
    }
  }

  /**
   * Renumbers shared rows that show changed titles of this list, then marks these as propagated. Repeats until none is
   * left.
   */
  async #propagateTitles(titled: Rows): Promise<void> {
    for (;;) {
      const titleChanges = await titled.changedTitles(AT_ONCE);
      if (titleChanges.length === 0) return;
      if (this.#areSharesDue) await this.#followShares();
      const referring = new Map<string, Map<string, Set<string>>>();
      for (const { moduleID, fieldID, target, pin } of this.#shown) {
        if (target !== titled.moduleID) continue;
        const named = titleChanges.filter(({ fieldIDs }) => fieldIDs.includes(pin));
        const columns = referring.get(moduleID) ?? new Map<string, Set<string>>();
        const rows = columns.get(fieldID) ?? new Set();
        for (const { recordID } of named) rows.add(recordID);
        referring.set(moduleID, columns.set(fieldID, rows));
      }
      for (const [moduleID, columns] of referring) await this.#renumberRows(moduleID, columns);
      await titled.markPropagated(titleChanges);
    }
  }

  /** Gives rows that show one of these rows a new change number, so that they are sent again. */
  #renumberRows(moduleID: string, columns: Referring): Promise<void> {
    return this.#withRows(moduleID, (rows) => rows.touchReferencing(columns));
  }

  /**
   * Compares the title rules of shared columns with the stored ones, stores changed ones, renumbers affected rows, and
   * makes lists due whose titles are newly shown. Throws errors and then stays due itself.
   */
  async #followShares(): Promise<void> {
    this.#areSharesDue = false;
    this.#isLooking = true;
    try {
      const modules = new Map((await this.#deps.lists.modules()).map((module) => [module.moduleID, module]));
      const found: Shown[] = [];
      for await (const exposure of everyExposure(this.#deps.system)) {
        const { moduleID, composeModuleID, titlePins, deletedAt } = exposure;
        const known = await this.#deps.system.get(SHOWN_AS, moduleID);
        const module = modules.get(composeModuleID);
        if (!module) {
          if (known) await this.#deps.system.transaction((tx) => tx.delete(SHOWN_AS, moduleID));
          continue;
        }
        const isShared = deletedAt === undefined;
        if (isShared) {
          keepTitles(this.#deps.lists, module, titlePins);
          const columns = pinnedColumns(module, titlePins);
          found.push(...columns.map((column) => ({ moduleID: composeModuleID, ...column })));
        }
        const now = {
          ...unavailableRules(module, known),
          ...(isShared ? titleRules(module, exposure, modules) : {}),
        };
        if (JSON.stringify(known ?? {}) === JSON.stringify(now)) continue;
        const columns = known ? changedRules(now, known) : isNew(exposure) ? [] : Object.keys(now);
        if (columns.length > 0)
          await this.#renumberRows(composeModuleID, new Map(columns.map((fieldID) => [fieldID, 'any'])));
        await this.#deps.system.transaction((tx) => tx.put(SHOWN_AS, moduleID, now));
      }
      for (const { target } of found)
        if (!this.#shown.some((before) => before.target === target)) this.#due.add(target);
      this.#shown = found;
    } catch (error) {
      this.#areSharesDue = true;
      throw error;
    } finally {
      this.#isLooking = false;
    }
  }

  /** Counts changed titles that the share may show; without a condition 1,000 of each list at most. */
  async #countTitleChanges(exposure: Exposure): Promise<number> {
    const { composeModuleID } = exposure;
    const columns = new Map<string, Shown[]>();
    for (const column of this.#shown)
      if (column.moduleID === composeModuleID)
        columns.set(column.target, [...(columns.get(column.target) ?? []), column]);
    let rows = 0;
    for (const [target, ofTarget] of columns)
      await this.#withRows(target, async (titled) => {
        const titleChanges = await titled.changedTitles(
          exposure.condition === undefined ? AT_ONCE : Infinity,
        );
        const found = titleChanges.filter(({ fieldIDs }) =>
          ofTarget.some(({ pin }) => fieldIDs.includes(pin)),
        );
        if (found.length > 0 && (await this.#mayShow(exposure, ofTarget, found))) rows += found.length;
      });
    return rows;
  }

  /**
   * Returns whether a row of the share refers to one of the changed titles by these columns; true without a condition.
   * Scans only after a change.
   */
  async #mayShow(
    exposure: Exposure,
    columns: readonly Shown[],
    titleChanges: readonly TitleChange[],
  ): Promise<boolean> {
    if (exposure.condition === undefined) return true;
    const { moduleID, composeModuleID, condition } = exposure;
    const own = columns.filter(({ fieldID, pin }) => exposure.titlePins?.[fieldID] === pin);
    const named = new Set(titleChanges.map(({ recordID }) => recordID));
    let shows = false;
    await this.#withRows(composeModuleID, async (rows) => {
      const as = JSON.stringify([condition, own, [...named], await rows.lastSeq()]);
      const known = this.#looked.get(moduleID);
      if (known?.as === as) {
        shows = known.shows;
        return;
      }
      const { fields } = await this.#deps.lists.module(composeModuleID);
      const refers = refersTo(fields, new Map(own.map(({ fieldID }) => [fieldID, named])));
      for await (const page of exposedRows(rows, exposure).scan()) {
        shows = page.some(refers);
        if (shows) break;
      }
      this.#looked.set(moduleID, { as, shows });
    });
    return shows;
  }
}

/** Returns, by column id, a text that differs whenever other titles are sent; '' without titles. */
function titleRules(
  { fields }: Module,
  { fieldIDs, titlePins = {} }: Exposure,
  modules: ReadonlyMap<string, Module>,
): ShownAs {
  const shared = fields.filter(({ fieldID, kind }) => kind === 'Record' && fieldIDs.includes(fieldID));
  const rules = shared.map(({ fieldID, options }) => {
    const target = modules.get(options.moduleID ?? '');
    const title = target && findPinnedField(target, titlePins[fieldID]);
    if (!target || !title) return [fieldID, ''];
    const { fieldID: pin, kind, isMulti, options: how } = title;
    return [fieldID, JSON.stringify([target.moduleID, pin, kind, isMulti, how.only ?? ''])];
  });
  return Object.fromEntries(rules) as ShownAs;
}

/** Returns the rule "unavailable" for columns that had a rule before. */
function unavailableRules({ fields }: Module, before: ShownAs = {}): ShownAs {
  const known = fields.filter(({ fieldID }) => fieldID in before);
  return Object.fromEntries(known.map(({ fieldID }) => [fieldID, UNAVAILABLE]));
}

/**
 * Returns columns, shared now and at the last check or before it, whose rule changed since or that are shared again.
 */
function changedRules(now: ShownAs, before: ShownAs): string[] {
  return Object.keys(now).filter(
    (fieldID) => fieldID in before && now[fieldID] !== before[fieldID] && now[fieldID] !== UNAVAILABLE,
  );
}

/** Returns whether the share was never interrupted, so that nothing sent by it is outdated. */
const isNew = ({ began, gaps = [] }: Exposure): boolean => began !== undefined && gaps.length === 0;
