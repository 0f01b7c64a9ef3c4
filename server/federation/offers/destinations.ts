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

interface Read {
  readonly epoch?: string | undefined;
  readonly state?: string | undefined;
  readonly after?: number | undefined;
}

export interface ListReport extends Read {
  /** The exposure's id. */
  readonly moduleID: string;
  readonly wanted: 'yes' | 'undecided' | 'no';
  /** Positions of further lists it fills there. */
  readonly others?: readonly Read[] | undefined;
  readonly held: number;
  readonly lost: number;
  readonly apart: number;
  readonly changed?: number | undefined;
  readonly parked?: number | undefined;
}

/** A partner's last reported progress; numbers count rows unless noted. */
export interface SharingFacts {
  /** Changes it isn't known to have. */
  readonly waiting: number;
  /** Asks but applies nothing for longer than usual, or stopped fetching a list. */
  readonly untaken: boolean;
  /** Names of changed lists that its server stopped fetching. */
  readonly stopped?: readonly string[];
  /** Lists of unknown progress since our start. */
  readonly untold: number;
  /** Lists without its decision. */
  readonly undecided: number;
  /** Rows that need approval there. */
  readonly held: number;
  /** Its rows that our data lost or has older. */
  readonly lost: number;
  /** Couldn't be applied there, or differ by its user's decision. */
  readonly apart: number;
  /** Changed, deleted, kept or restored by its user. */
  readonly changed?: number;
  /** Columns parked there. */
  readonly parked?: number;
  /** Columns that a live server gets only by sharing the list again. */
  readonly unsent?: number;
}

/** Beyond this many, changes are estimated. */
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
  /** Longest time of a change to a Footbridge, and to a partner with its own schedule. */
  readonly maxDelayMs: () => number;
  readonly maxDelayMsOf: (nodeID: string) => number;
  readonly onChange: (nodeID: string) => void;
}

/** Tracks what partners have by reports, marks ({@link PullerMarks}) or requests ({@link PageReaders}). */
export class Destinations {
  readonly #deps: DestinationsDeps;
  /** By partner id, then exposure id. */
  readonly #reports = new Map<string, ReadonlyMap<string, ListReport>>();
  /** By the same ids: the running pull's last change since the report. */
  readonly #fetched = new Map<string, Map<string, number>>();
  readonly #untaken: StalledDelivery;
  readonly #untakenByOthers: StalledDelivery;

  constructor(deps: DestinationsDeps) {
    this.#deps = deps;
    this.#untaken = createStalledDelivery(deps.clock, deps.maxDelayMs, deps.onChange);
    this.#untakenByOthers = createStalledDelivery(deps.clock, deps.maxDelayMsOf, deps.onChange);
  }

  /**
   * Replaces, in memory, a Footbridge's previous progress report and what was recorded as fetched since; calls
   * `onChange`.
   */
  recordReport(nodeID: string, report: readonly ListReport[]): void {
    this.#fetched.delete(nodeID);
    this.#reports.set(nodeID, new Map(report.toReversed().map((list) => [list.moduleID, list])));
    this.#deps.onChange(nodeID);
  }

  /**
   * Records a request of a partner that reads page by page: what it got before has arrived. Calls `onChange` if that
   * is news.
   */
  recordRequest(nodeID: string): void {
    if (this.#deps.readers.recordRequest(nodeID)) this.#deps.onChange(nodeID);
  }

  /** Records that a running pull has all changes up to number `after`; an earlier number changes nothing. */
  recordFetched(nodeID: string, moduleID: string, after: number): void {
    const lists = this.#fetched.get(nodeID) ?? new Map<string, number>();
    this.#fetched.set(nodeID, lists.set(moduleID, Math.max(after, lists.get(moduleID) ?? 0)));
  }

  /**
   * Returns a partner's progress with our shares; undefined if nothing is shared. `waiting` leaves out lists that it
   * rejected, hasn't decided about or whose progress is unknown. `untaken`: these changes wait too long, or it no
   * longer fetches some lists (`stopped`).
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
    // Other software has its own schedule and doesn't report.
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

  /**
   * Counts visible changes above number `taken`; before its first read (0) without deleted rows, above 200 an upper
   * bound. 0 for an unreadable list.
   */
  async #countMissingChanges(node: Node, exposure: Exposure, taken: number): Promise<number> {
    if (await this.#deps.lists.isUnreadable(exposure.composeModuleID)) return 0;
    const rows = exposedRows(await this.#deps.lists.rows(exposure.composeModuleID), exposure);
    const changes = await this.#deps.visibleChanges.findSince(rows, exposure, node, taken);
    if (taken > 0 || changes.count === 0) return changes.count;
    // It never got rows deleted before its first read.
    if (changes.count > LOOKED_AT) return Math.min(changes.count, await rows.count());
    return (await changes.first(LOOKED_AT)).filter(({ value }) => value.deletedAt === undefined).length;
  }

  /**
   * Returns the number of the last change that the partner has of this list, by a Footbridge's report or others'
   * requests, or why there is none (`untold`: unknown).
   */
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

/** Detects a partner that keeps asking but applies nothing. */
interface StalledDelivery {
  /**
   * Returns whether changes are `waiting` beyond the bound with the same progress, `taken`. The first call
   * starts the clock.
   */
  isStalled(nodeID: string, waiting: number, taken: string): boolean;
}

interface Wait {
  readonly taken: string;
  readonly from: number;
  cancel: () => void;
}

/** Timers may fire this early. */
const TIMER_SLACK_MS = 20;

/**
 * Keeps in memory since when the same changes wait for each partner. `isStalled` notes a change of `taken` as progress;
 * `onChange` is called once they have waited longer than `bound` (milliseconds).
 */
export function createStalledDelivery(
  clock: Pick<Clock, 'monotonic' | 'after'>,
  bound: (nodeID: string) => number,
  onChange: (nodeID: string) => void,
): StalledDelivery {
  const waits = new Map<string, Wait>();

  /**
   * Schedules a check for the end of the bound: calls `onChange` then, or checks again later if the bound has grown.
   */
  function scheduleCheck(nodeID: string, wait: Wait): void {
    const left = wait.from + bound(nodeID) - clock.monotonic();
    wait.cancel = clock.after(left + TIMER_SLACK_MS, () => {
      if (clock.monotonic() - wait.from > bound(nodeID)) onChange(nodeID);
      else scheduleCheck(nodeID, wait);
    });
  }

  return {
    /**
     * Returns whether changes (`waiting`, a number) have waited too long without progress; another `taken` restarts the
     * time, none waiting ends it.
     */
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
