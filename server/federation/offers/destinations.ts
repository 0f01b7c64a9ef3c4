import type { Lists } from '../../lists/lists.ts';
import type { ChangeFeed } from '../sharing/change-feed.ts';
import { exposedRows } from '../sharing/exposed-rows.ts';
import type { Exposures } from '../sharing/exposures.ts';
import type { Clock } from '../../base/clock.ts';
import type { Exposure, Node } from '../model.ts';
import type { Retitling } from '../sharing/retitling.ts';
import type { PullerMarks } from '../sharing/puller-marks.ts';
import type { ToldChanges } from '../sharing/told-changes.ts';
import type { PageReaders } from './page-readers.ts';
import { createUntaken, type Untaken } from './untaken.ts';

/** How far a partner has come with one list: all changes up to `after` are taken in, under the names that it was given. */
interface Read {
  readonly epoch?: string | undefined;
  readonly state?: string | undefined;
  readonly after?: number | undefined;
}

/** What a partner tells of its taking in, of one list. */
export interface ListReport extends Read {
  /** The exposure. */
  readonly moduleID: string;
  readonly wanted: 'yes' | 'undecided' | 'no';
  /** Where it goes into several lists there: the same of the others. */
  readonly others?: readonly Read[] | undefined;
  readonly held: number;
  readonly lost: number;
  readonly apart: number;
  readonly changed?: number | undefined;
  readonly parked?: number | undefined;
}

/** What we share with a partner and how far that has got there. */
export interface SharingFacts {
  /** Changes that it is not known to have. */
  readonly waiting: number;
  /** It asks for these, but has taken in none of them for longer than is usual. */
  readonly untaken: boolean;
  /** Names of lists that its server stopped fetching, where changes of them are not taken in; absent where none. */
  readonly stopped?: readonly string[];
  /** Lists of which it has yet to be heard how much of them it has: what was known went with the last run of this node. */
  readonly untold: number;
  /** Lists that it has not decided about. */
  readonly undecided: number;
  /** Rows that wait for a yes there, as it tells. */
  readonly held: number;
  /** Rows that it still has, and that are gone or older here since our data went back to an earlier state. */
  readonly lost: number;
  /** Rows that could not be taken in there, or stand differently by its user's word, as it tells. */
  readonly apart: number;
  /** Rows that its user changed, removed, kept or restored there on purpose, as it tells; absent where there is none. */
  readonly changed?: number;
  /** Columns that are not taken in there since they changed, as it tells; absent where there is none. */
  readonly parked?: number;
}

/** So many changes are looked at one by one; of more it is only known about how many they are. */
const LOOKED_AT = 200;

interface DestinationsDeps {
  readonly lists: Lists;
  readonly exposures: Pick<Exposures, 'list'>;
  readonly changeFeed: Pick<ChangeFeed, 'readUpTo'>;
  readonly toldChanges: ToldChanges;
  readonly marks: Pick<PullerMarks, 'takenUpTo' | 'hasStopped'>;
  readonly retitling: Pick<Retitling, 'waiting'>;
  readonly readers: Pick<PageReaders, 'takenUpTo' | 'mayRead' | 'asked'>;
  readonly clock: Clock;
  /** Milliseconds that a change may be on its way to another Footbridge, and to another partner that comes at its times. */
  readonly bound: () => number;
  readonly boundOf: (nodeID: string) => number;
  /** What is known of a partner changed. */
  readonly onChange: (nodeID: string) => void;
}

/**
 * What partners are known to have of what we share. Another Footbridge tells it; a live server shows it by its mark
 * ({@link PullerMarks}), others by asking again ({@link PageReaders}). What is kept in memory comes again by itself after
 * a start.
 */
export class Destinations {
  readonly #deps: DestinationsDeps;
  /** By the exposure. */
  readonly #reports = new Map<string, ReadonlyMap<string, ListReport>>();
  /** How far a pull that is under way has come, since the last report. */
  readonly #fetched = new Map<string, Map<string, number>>();
  readonly #untaken: Untaken;
  readonly #untakenByOthers: Untaken;

  constructor(deps: DestinationsDeps) {
    this.#deps = deps;
    this.#untaken = createUntaken(deps.clock, deps.bound, deps.onChange);
    this.#untakenByOthers = createUntaken(deps.clock, deps.boundOf, deps.onChange);
  }

  reported(nodeID: string, report: readonly ListReport[]): void {
    this.#fetched.delete(nodeID);
    this.#reports.set(nodeID, new Map(report.toReversed().map((told) => [told.moduleID, told])));
    this.#deps.onChange(nodeID);
  }

  /** It asked for something. */
  asked(nodeID: string): void {
    if (this.#deps.readers.asked(nodeID)) this.#deps.onChange(nodeID);
  }

  /** Another Footbridge was given what changed in a list behind this number: what is before it, it has. */
  fetched(nodeID: string, moduleID: string, after: number): void {
    const lists = this.#fetched.get(nodeID) ?? new Map<string, number>();
    this.#fetched.set(nodeID, lists.set(moduleID, Math.max(after, lists.get(moduleID) ?? 0)));
  }

  /** Undefined where nothing is shared with it. */
  async facts(node: Node): Promise<SharingFacts | undefined> {
    const shared = await this.#deps.exposures.list(node.nodeID);
    if (shared.length === 0) return undefined;
    const report = [...((node.footbridge ? this.#reports.get(node.nodeID) : undefined)?.values() ?? [])];
    const sum = (number: (told: ListReport) => number): number =>
      report.reduce((total, told) => total + number(told), 0);
    let waiting = 0;
    let undecided = 0;
    let untold = 0;
    const stopped: string[] = [];
    const taking: unknown[] = [...(this.#fetched.get(node.nodeID) ?? [])];
    for (const exposure of shared) {
      const taken = await this.#takenBy(node, exposure);
      if (await this.#deps.marks.hasStopped(exposure, node)) stopped.push(exposure.name);
      taking.push(taken);
      if (taken === 'undecided') undecided++;
      else if (taken === 'untold') untold++;
      else if (taken !== 'unwanted')
        waiting +=
          (await this.#deps.retitling.waiting(exposure)) + (await this.#behind(node, exposure, taken));
    }
    const changed = sum((told) => told.changed ?? 0);
    const parked = sum((told) => told.parked ?? 0);
    // Others come at their own times, and do not say how far they have come in between.
    const waits = node.footbridge ? this.#untaken : this.#untakenByOthers;
    return {
      waiting,
      untaken: waits.isSo(node.nodeID, waiting, JSON.stringify(taking)),
      ...(stopped.length > 0 && waiting > 0 ? { stopped } : {}),
      untold,
      undecided,
      held: sum(({ held }) => held),
      lost: sum(({ lost }) => lost),
      apart: sum(({ apart }) => apart),
      ...(changed > 0 ? { changed } : {}),
      ...(parked > 0 ? { parked } : {}),
    };
  }

  /** Changes behind this number that the partner is told of. */
  async #behind(node: Node, exposure: Exposure, taken: number): Promise<number> {
    if (await this.#deps.lists.isUnreadable(exposure.composeModuleID)) return 0;
    const rows = exposedRows(await this.#deps.lists.rows(exposure.composeModuleID), exposure);
    const told = await this.#deps.toldChanges.behind(rows, exposure, node, taken);
    if (taken > 0 || told.count === 0) return told.count;
    // Of rows that went before it had any, nothing is on its way.
    if (told.count > LOOKED_AT) return Math.min(told.count, await rows.count());
    return (await told.first(LOOKED_AT)).filter(({ value }) => value.deletedAt === undefined).length;
  }

  /** Up to which change number a partner has a list. */
  async #takenBy(node: Node, exposure: Exposure): Promise<number | 'unwanted' | 'undecided' | 'untold'> {
    const { moduleID } = exposure;
    if (await this.#deps.lists.isUnreadable(exposure.composeModuleID)) return 'untold';
    if (!node.footbridge) {
      const last = await (await this.#deps.lists.rows(exposure.composeModuleID)).lastSeq();
      const taken =
        (await this.#deps.marks.takenUpTo(exposure, node, last)) ??
        (await this.#deps.readers.takenUpTo(exposure, node, last));
      return taken ?? (this.#deps.readers.mayRead(exposure, node) ? 'untold' : 'undecided');
    }
    const report = this.#reports.get(node.nodeID);
    if (!report) return 'untold';
    const told = report.get(moduleID);
    if (!told || told.wanted === 'undecided') return 'undecided';
    if (told.wanted === 'no') return 'unwanted';
    const read = [told, ...(told.others ?? [])].map((each) =>
      this.#deps.changeFeed.readUpTo(node, moduleID, each),
    );
    return Math.min(...(await Promise.all(read)));
  }
}
