import type { Logger } from 'pino';
import type { Lists } from '../../lists/lists.ts';
import type { Module, ListsChange } from '../../lists/definitions/model.ts';
import { pinnedField } from '../../lists/rows/pinned-titles.ts';
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

/** What a column leaves as, by its id: differs as soon as the rule does by which it is named, or it is {@link UNAVAILABLE}. */
type ShownAs = Readonly<Record<string, string>>;

/**
 * It was shared and is not now: what its rows are called meanwhile is told to nobody, while whoever does not look before
 * it is back goes on from what it read.
 */
const UNAVAILABLE = 'away';

/** Key: the exposure's id. As what its columns left when this was looked at last. */
const SHOWN_AS: Table<ShownAs> = { name: 'shown-as' };

/** A pinned column of a list that is shared. */
interface Shown extends PinnedColumn {
  readonly moduleID: string;
}

/** Rows of one list that are told of at a time. */
const AT_ONCE = 1000;
/** Milliseconds until it is tried again where the disk refuses. */
const AGAIN = 30_000;

interface RetitlingDeps {
  readonly system: Partition;
  readonly lists: Lists;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  /** Nothing waits any more of lists of which {@link ReferenceTitles.waiting} said so. */
  readonly onSettled: (exposures: readonly Exposure[]) => void;
}

/**
 * Sees to it that partners hear of it when rows are called something else that shared rows refer to: those rows get
 * new change numbers, by which every way of asking finds them. What changed lies beside the rows that changed until
 * this is done, so that a stop in between costs nothing.
 */
export class ReferenceTitles {
  readonly #deps: RetitlingDeps;
  #shown: readonly Shown[] = [];
  /** Those that something was said to wait of, by their id. */
  #awaited = new Map<string, Exposure>();
  /** Lists whose rows may be called something else. */
  readonly #due = new Set<string>();
  /** What {@link mayShow} found last, by the exposure's id. */
  readonly #looked = new Map<string, { readonly as: string; readonly shows: boolean }>();
  #areSharesDue = false;
  /** It is not known yet what has to be told anew. */
  #isLooking = false;
  #isWaiting = false;
  #last: Promise<void> = Promise.resolve();

  constructor(deps: RetitlingDeps) {
    this.#deps = deps;
  }

  listsChanged(change: ListsChange): void {
    if (change.kind === 'workspaces') return;
    if (change.kind === 'list') this.#areSharesDue = true;
    else if (this.#shown.some(({ target }) => target === change.moduleID)) this.#due.add(change.moduleID);
    else if (!this.#areSharesDue) return;
    else this.#due.add(change.moduleID);
    this.#soon();
  }

  /** What is shared changed, or has to be looked at for the first time. */
  sharesChanged(): void {
    this.#areSharesDue = true;
    this.#soon();
  }

  /**
   * How many rows are called something else while rows of this shared list that may refer to them have no new numbers
   * yet: whoever asks meanwhile finds nothing new, and has not everything. Who asked is told when it is over.
   */
  async waiting(exposure: Exposure): Promise<number> {
    if (!exposure.fields.some(({ kind }) => kind === 'Record')) return 0;
    const isUnknown = this.#areSharesDue || this.#isLooking;
    const rows = Math.max(await this.#retitledFor(exposure), isUnknown ? 1 : 0);
    if (rows > 0) this.#awaited.set(exposure.moduleID, exposure);
    return rows;
  }

  /** One after the other; what comes while one waits is seen by it. */
  #soon(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#last = this.#last.then(async () => {
      this.#isWaiting = false;
      try {
        await this.#work();
        this.#settled();
      } catch (error) {
        if (error instanceof StoreError && error.code === 'closed') return;
        this.#deps.log.warn(
          { err: error },
          'partners could not be told yet that rows are called something else',
        );
        this.#deps.clock.after(AGAIN, () => this.#soon());
      }
    });
  }

  #settled(): void {
    const exposures = [...this.#awaited.values()];
    this.#awaited = new Map();
    if (exposures.length > 0) this.#deps.onSettled(exposures);
  }

  async #work(): Promise<void> {
    if (this.#areSharesDue) await this.#followShares();
    for (const moduleID of [...this.#due]) {
      // Before and not after: it may become due once more meanwhile.
      this.#due.delete(moduleID);
      try {
        await this.#ifThere(moduleID, (titled) => this.#tellOf(titled));
      } catch (error) {
        this.#due.add(moduleID);
        throw error;
      }
    }
  }

  /** A list that was removed has nothing to tell any more. */
  async #ifThere(moduleID: string, body: (rows: Rows) => Promise<void>): Promise<void> {
    try {
      await body(await this.#deps.lists.rows(moduleID));
    } catch (error) {
      if (!(error instanceof Refusal) || error.kind !== 'not-found') throw error;
    }
  }

  async #tellOf(titled: Rows): Promise<void> {
    for (;;) {
      const retitled = await titled.changedTitles(AT_ONCE);
      if (retitled.length === 0) return;
      if (this.#areSharesDue) await this.#followShares();
      const referring = new Map<string, Map<string, Set<string>>>();
      for (const { moduleID, fieldID, target, pin } of this.#shown) {
        if (target !== titled.moduleID) continue;
        const named = retitled.filter(({ fieldIDs }) => fieldIDs.includes(pin));
        const columns = referring.get(moduleID) ?? new Map<string, Set<string>>();
        const rows = columns.get(fieldID) ?? new Set();
        for (const { recordID } of named) rows.add(recordID);
        referring.set(moduleID, columns.set(fieldID, rows));
      }
      for (const [moduleID, columns] of referring) await this.#tellAgain(moduleID, columns);
      await titled.markPropagated(retitled);
    }
  }

  #tellAgain(moduleID: string, columns: Referring): Promise<void> {
    return this.#ifThere(moduleID, (rows) => rows.touchReferencing(columns));
  }

  /** Another rule shows all rows otherwise: another column names them, or it or its list is gone. */
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
          ...isUnavailable(module, known),
          ...(isShared ? shownAs(module, exposure, modules) : {}),
        };
        if (JSON.stringify(known ?? {}) === JSON.stringify(now)) continue;
        const columns = known ? otherwise(now, known) : isNew(exposure) ? [] : Object.keys(now);
        if (columns.length > 0)
          await this.#tellAgain(composeModuleID, new Map(columns.map((fieldID) => [fieldID, 'any'])));
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

  /** Rows of the other list that are called something else by what these columns are shown as. */
  async #retitledFor(exposure: Exposure): Promise<number> {
    const { composeModuleID } = exposure;
    const columns = new Map<string, Shown[]>();
    for (const column of this.#shown)
      if (column.moduleID === composeModuleID)
        columns.set(column.target, [...(columns.get(column.target) ?? []), column]);
    let rows = 0;
    for (const [target, ofTarget] of columns)
      await this.#ifThere(target, async (titled) => {
        // The one that a row is shown by may be any of them.
        const retitled = await titled.changedTitles(exposure.condition === undefined ? AT_ONCE : Infinity);
        const found = retitled.filter(({ fieldIDs }) => ofTarget.some(({ pin }) => fieldIDs.includes(pin)));
        if (found.length > 0 && (await this.#mayShow(exposure, ofTarget, found))) rows += found.length;
      });
    return rows;
  }

  /** That others are called something else, by which no row is shown that meets the condition, is not told either. */
  async #mayShow(
    exposure: Exposure,
    columns: readonly Shown[],
    retitled: readonly TitleChange[],
  ): Promise<boolean> {
    if (exposure.condition === undefined) return true;
    const { moduleID, composeModuleID, condition } = exposure;
    const own = columns.filter(({ fieldID, pin }) => exposure.titlePins?.[fieldID] === pin);
    const named = new Set(retitled.map(({ recordID }) => recordID));
    let shows = false;
    await this.#ifThere(composeModuleID, async (rows) => {
      // Whoever waits asks often, and all of the list is looked through.
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

/** By which rule each column that refers to rows is named. */
function shownAs(
  { fields }: Module,
  { fieldIDs, titlePins = {} }: Exposure,
  modules: ReadonlyMap<string, Module>,
): ShownAs {
  const shared = fields.filter(({ fieldID, kind }) => kind === 'Record' && fieldIDs.includes(fieldID));
  const rules = shared.map(({ fieldID, options }) => {
    const target = modules.get(options.moduleID ?? '');
    const title = target && pinnedField(target, titlePins[fieldID]);
    if (!target || !title) return [fieldID, ''];
    const { fieldID: pin, kind, isMulti, options: how } = title;
    return [fieldID, JSON.stringify([target.moduleID, pin, kind, isMulti, how.only ?? ''])];
  });
  return Object.fromEntries(rules) as ShownAs;
}

/** All columns that were ever shared and are there still, as if none were shared now. */
function isUnavailable({ fields }: Module, before: ShownAs = {}): ShownAs {
  const known = fields.filter(({ fieldID }) => fieldID in before);
  return Object.fromEntries(known.map(({ fieldID }) => [fieldID, UNAVAILABLE]));
}

/** Columns that are named by another rule, or are back; of one that was never shared before nobody knows anything. */
function otherwise(now: ShownAs, before: ShownAs): string[] {
  return Object.keys(now).filter(
    (fieldID) => fieldID in before && now[fieldID] !== before[fieldID] && now[fieldID] !== UNAVAILABLE,
  );
}

/** Whether nothing was ever told of it that is not so any more. */
const isNew = ({ began, gaps = [] }: Exposure): boolean => began !== undefined && gaps.length === 0;
