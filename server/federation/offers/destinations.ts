import type { Lists } from '../../lists/lists.ts';
import type { ChangeFeed } from '../sharing/change-feed.ts';
import { exposedRows } from '../sharing/exposed-rows.ts';
import type { Exposures } from '../sharing/exposures.ts';
import type { Clock } from '../../base/clock.ts';
import type { Exposure, Node } from '../model.ts';
import type { ReferenceTitles } from '../sharing/reference-titles.ts';
import type { LiveDefinitions } from '../sharing/live-definitions.ts';
import type { PullerMarks } from '../sharing/puller-marks.ts';
import type { VisibleChanges } from '../sharing/visible-changes.ts';
import type { PageReaders } from './page-readers.ts';

/** A partner has applied all changes of a list up to number `after` of an epoch. */
interface Read {
  readonly epoch?: string | undefined;
  readonly state?: string | undefined;
  readonly after?: number | undefined;
}

export interface ListReport extends Read {
  /** The exposure's id. */
  readonly moduleID: string;
  readonly wanted: 'yes' | 'undecided' | 'no';
  /** If it fills several lists there, these are the positions of the others. */
  readonly others?: readonly Read[] | undefined;
  readonly held: number;
  readonly lost: number;
  readonly apart: number;
  readonly changed?: number | undefined;
  readonly parked?: number | undefined;
}

/** What we share with a partner and how far it has come. */
export interface SharingFacts {
  /** It isn't known to have so many changes. */
  readonly waiting: number;
  /** It asks for changes but has applied none for longer than usual, or stopped fetching a list. */
  readonly untaken: boolean;
  /** Its server stopped fetching these lists, by name, and they changed since. */
  readonly stopped?: readonly string[];
  /** The progress of so many lists is unknown since this node started. */
  readonly untold: number;
  /** It hasn't decided about so many lists. */
  readonly undecided: number;
  /** So many rows need approval there, as reported. */
  readonly held: number;
  /** So many of its rows our data lost or has older, as reported. */
  readonly lost: number;
  /** So many rows couldn't be applied there, or differ by its user's decision, as reported. */
  readonly apart: number;
  /** Its user changed, deleted, kept or restored so many rows on purpose, as reported. */
  readonly changed?: number;
  /** So many columns are parked there, as reported. */
  readonly parked?: number;
  /** So many columns reach a live server only when their list is shared again. */
  readonly unsent?: number;
}

/** So many changes are counted exactly; the number of more is an estimate. */
const LOOKED_AT = 200;

interface DestinationsDeps {
  readonly lists: Lists;
  readonly exposures: Pick<Exposures, 'list'>;
  readonly changeFeed: Pick<ChangeFeed, 'lastReadSeq'>;
  readonly visibleChanges: VisibleChanges;
  readonly marks: Pick<PullerMarks, 'confirmedSeq' | 'hasStoppedFetching'>;
  readonly liveDefinitions: Pick<LiveDefinitions, 'pinned'>;
  readonly referenceTitles: Pick<ReferenceTitles, 'countPendingTitles'>;
  readonly readers: Pick<PageReaders, 'confirmedSeq' | 'mayHaveRead' | 'recordRequest'>;
  readonly clock: Clock;
  /** Milliseconds that a change may take to another Footbridge, and to a partner with its own schedule. */
  readonly maxDelayMs: () => number;
  readonly maxDelayMsOf: (nodeID: string) => number;
  readonly onChange: (nodeID: string) => void;
}

/** Tracks how much partners have: by reports, marks ({@link PullerMarks}) or requests ({@link PageReaders}). */
export class Destinations {
  readonly #deps: DestinationsDeps;
  /** The outer key is our id of the partner, the inner one the exposure's. */
  readonly #reports = new Map<string, ReadonlyMap<string, ListReport>>();
  /** The progress of a running pull since the last report. */
  readonly #fetched = new Map<string, Map<string, number>>();
  readonly #untaken: StalledDelivery;
  readonly #untakenByOthers: StalledDelivery;

  constructor(deps: DestinationsDeps) {
    this.#deps = deps;
    this.#untaken = createStalledDelivery(deps.clock, deps.maxDelayMs, deps.onChange);
    this.#untakenByOthers = createStalledDelivery(deps.clock, deps.maxDelayMsOf, deps.onChange);
  }

  /** Stores a Footbridge's progress report in place of the previous one, and calls `onChange`. */
  recordReport(nodeID: string, report: readonly ListReport[]): void {
    this.#fetched.delete(nodeID);
    this.#reports.set(nodeID, new Map(report.toReversed().map((list) => [list.moduleID, list])));
    this.#deps.onChange(nodeID);
  }

  /** Notes a request by a partner that reads page by page: what it got before has arrived. */
  recordRequest(nodeID: string): void {
    if (this.#deps.readers.recordRequest(nodeID)) this.#deps.onChange(nodeID);
  }

  /** Notes that a running pull of a Footbridge has all changes up to number `after`. */
  recordFetched(nodeID: string, moduleID: string, after: number): void {
    const lists = this.#fetched.get(nodeID) ?? new Map<string, number>();
    this.#fetched.set(nodeID, lists.set(moduleID, Math.max(after, lists.get(moduleID) ?? 0)));
  }

  /**
   * Returns the partner's progress with our shares; undefined if nothing is shared. `waiting` leaves out lists that it
   * rejected, hasn't decided about or whose progress is unknown.
   */
  async sharingFacts(node: Node): Promise<SharingFacts | undefined> {
    const shared = await this.#deps.exposures.list(node.nodeID);
    if (shared.length === 0) return undefined;
    const report = [...((node.footbridge ? this.#reports.get(node.nodeID) : undefined)?.values() ?? [])];
    const sum = (number: (list: ListReport) => number): number =>
      report.reduce((total, list) => total + number(list), 0);
    let waiting = 0;
    let undecided = 0;
    let untold = 0;
    let unsent = 0;
    const stopped: string[] = [];
    const taking: unknown[] = [...(this.#fetched.get(node.nodeID) ?? [])];
    for (const exposure of shared) {
      const taken = await this.#readProgress(node, exposure);
      taking.push(taken);
      const pinned = await this.#deps.liveDefinitions.pinned(exposure, node);
      const isSent = (id: string): boolean => !pinned || pinned.columns.some(({ fieldID }) => fieldID === id);
      unsent += exposure.fieldIDs.filter((fieldID) => !isSent(fieldID)).length;
      if (taken === 'undecided') undecided++;
      else if (taken === 'untold') untold++;
      else if (taken !== 'unwanted') {
        const behind =
          (await this.#deps.referenceTitles.countPendingTitles(exposure)) +
          (await this.#countMissingChanges(node, exposure, taken));
        waiting += behind;
        if (behind > 0 && (await this.#deps.marks.hasStoppedFetching(exposure, node)))
          stopped.push(exposure.name);
      }
    }
    const changed = sum((list) => list.changed ?? 0);
    const parked = sum((list) => list.parked ?? 0);
    // Other software has its own schedule, and reports nothing in between.
    const waits = node.footbridge ? this.#untaken : this.#untakenByOthers;
    const isUntaken = waits.isStalled(node.nodeID, waiting, JSON.stringify(taking));
    return {
      waiting,
      // Other lists may still arrive.
      untaken: isUntaken || stopped.length > 0,
      ...(stopped.length > 0 ? { stopped } : {}),
      untold,
      undecided,
      held: sum(({ held }) => held),
      lost: sum(({ lost }) => lost),
      apart: sum(({ apart }) => apart),
      ...(changed > 0 ? { changed } : {}),
      ...(parked > 0 ? { parked } : {}),
      ...(unsent > 0 ? { unsent } : {}),
    };
  }

  /** Returns how many changes with a number above `taken` the partner lacks; above 200, at most so many. */
  async #countMissingChanges(node: Node, exposure: Exposure, taken: number): Promise<number> {
    if (await this.#deps.lists.isUnreadable(exposure.composeModuleID)) return 0;
    const rows = exposedRows(await this.#deps.lists.rows(exposure.composeModuleID), exposure);
    const changes = await this.#deps.visibleChanges.findSince(rows, exposure, node, taken);
    if (taken > 0 || changes.count === 0) return changes.count;
    // It never had rows that were deleted before it read any.
    if (changes.count > LOOKED_AT) return Math.min(changes.count, await rows.count());
    return (await changes.first(LOOKED_AT)).filter(({ value }) => value.deletedAt === undefined).length;
  }

  /** Returns the last change that it has of this list; else `unwanted`, `undecided`, or `untold` (unknown). */
  async #readProgress(node: Node, exposure: Exposure): Promise<number | 'unwanted' | 'undecided' | 'untold'> {
    const { moduleID } = exposure;
    if (await this.#deps.lists.isUnreadable(exposure.composeModuleID)) return 'untold';
    if (!node.footbridge) {
      const last = await (await this.#deps.lists.rows(exposure.composeModuleID)).lastSeq();
      const taken =
        (await this.#deps.marks.confirmedSeq(exposure, node, last)) ??
        (await this.#deps.readers.confirmedSeq(exposure, node, last));
      return taken ?? (this.#deps.readers.mayHaveRead(exposure, node) ? 'untold' : 'undecided');
    }
    const report = this.#reports.get(node.nodeID);
    if (!report) return 'untold';
    const reported = report.get(moduleID);
    if (!reported || reported.wanted === 'undecided') return 'undecided';
    if (reported.wanted === 'no') return 'unwanted';
    const read = [reported, ...(reported.others ?? [])].map((each) =>
      this.#deps.changeFeed.lastReadSeq(node, moduleID, each),
    );
    return Math.min(...(await Promise.all(read)));
  }
}

/** Detects changes that wait for a partner which keeps asking but applies none of them. */
interface StalledDelivery {
  /** Returns whether changes are `waiting` beyond the bound while `taken`, the progress as text, stayed the same. */
  isStalled(nodeID: string, waiting: number, taken: string): boolean;
}

interface Wait {
  readonly taken: string;
  readonly from: number;
  cancel: () => void;
}

/** Timers may fire early by so many milliseconds. */
const TIMER_SLACK_MS = 20;

/** Creates the watch, in memory. `onChange` is called once changes have waited for longer than `bound` milliseconds. */
export function createStalledDelivery(
  clock: Pick<Clock, 'monotonic' | 'after'>,
  bound: (nodeID: string) => number,
  onChange: (nodeID: string) => void,
): StalledDelivery {
  const waits = new Map<string, Wait>();

  /** Schedules a check for when the bound has passed, which calls `onChange` unless the bound has grown. */
  function scheduleCheck(nodeID: string, wait: Wait): void {
    const left = wait.from + bound(nodeID) - clock.monotonic();
    wait.cancel = clock.after(left + TIMER_SLACK_MS, () => {
      if (clock.monotonic() - wait.from > bound(nodeID)) onChange(nodeID);
      else scheduleCheck(nodeID, wait);
    });
  }

  return {
    /** Returns whether changes wait beyond the bound without progress; watches them from the first call. */
    isStalled(nodeID, waiting, taken) {
      const known = waits.get(nodeID);
      if (waiting > 0 && known?.taken === taken) return clock.monotonic() - known.from > bound(nodeID);
      known?.cancel();
      waits.delete(nodeID);
      if (waiting === 0) return false;
      const wait: Wait = { taken, from: clock.monotonic(), cancel: () => undefined };
      waits.set(nodeID, wait);
      scheduleCheck(nodeID, wait);
      return false;
    },
  };
}
