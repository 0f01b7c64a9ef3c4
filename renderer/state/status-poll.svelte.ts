import type {
  Overview,
  PartnerColour,
  PartnerSummary,
  Progress,
} from '../../server/contract/app/overview.ts';
import { dueAt, GRACE_MS } from './status.ts';

const TICK_MS = 30_000;
const A_MOMENT_MS = 100;
/** The least time between reloads for expiring states. */
const MIN_BETWEEN_MS = 2_000;
/** Events come in bursts: one reload does. */
const GATHER_MS = 80;

/** Holds the office's overview and the present time. Loads the overview again before a good state expires. */
export class StatusPoll {
  readonly #ask: () => Promise<Overview>;
  readonly #onOverview: (overview: Overview) => void;
  #overview = $state.raw<Overview>();
  #now = $state(Date.now());
  /** This is a map, as the grid needs one per row. */
  readonly #colours = $derived(
    new Map(this.#overview?.partners.map(({ nodeID, colour }) => [nodeID, colour])),
  );
  #due: ReturnType<typeof setTimeout> | undefined;
  #gathered: ReturnType<typeof setTimeout> | undefined;

  /** `onOverview` receives each loaded overview. */
  constructor(ask: () => Promise<Overview>, onOverview: (overview: Overview) => void) {
    this.#ask = ask;
    this.#onOverview = onOverview;
  }

  get overview(): Overview | undefined {
    return this.#overview;
  }

  /** It is in milliseconds, and advances every half minute and with each overview. */
  get now(): number {
    return this.#now;
  }

  colourOf(nodeID: string): PartnerColour | undefined {
    return this.#colours.get(nodeID);
  }

  /** Loads the overview, passes it to `onOverview` and schedules the next load. Throws `NodeError`. */
  async reload(): Promise<void> {
    const overview = await this.#ask();
    this.#overview = overview;
    this.#onOverview(overview);
    this.#now = Date.now();
    this.#reloadWhenExpired(overview);
  }

  /** Loads the overview in 80 ms, once for all calls until then. Ignores a failure. */
  reloadSoon(): void {
    if (this.#gathered !== undefined) return;
    this.#gathered = setTimeout(() => {
      this.#gathered = undefined;
      this.#reloadQuietly();
    }, GATHER_MS);
  }

  /** Loads the overview and starts the clock; the returned function stops both. */
  start(): () => void {
    const tick = setInterval(() => (this.#now = Date.now()), TICK_MS);
    this.#reloadQuietly();
    return () => {
      clearInterval(tick);
      clearTimeout(this.#due);
    };
  }

  /**
   * Schedules a load for when the first good state expires. If that brings none, advances `now` 3 seconds later, so
   * that the state isn't shown as good any longer.
   */
  #reloadWhenExpired(known: Overview): void {
    clearTimeout(this.#due);
    const times = [known, ...known.partners].flatMap((each) => dueAt(each) ?? []);
    if (times.length === 0) return;
    this.#due = setTimeout(
      () => {
        this.#due = setTimeout(() => (this.#now = Date.now()), GRACE_MS + A_MOMENT_MS);
        this.#reloadQuietly();
      },
      Math.max(MIN_BETWEEN_MS, Math.min(...times) - Date.now()),
    );
  }

  /** Loads the overview; only the connection banner shows a failure. */
  #reloadQuietly(): void {
    this.reload().catch(() => undefined);
  }
}

/** Running pulls by partner, without those of a single page, which show no bar. */
export interface SyncProgress {
  get(nodeID: string): Progress | undefined;
  readonly all: readonly Progress[];
  record(progress: Progress): void;
  replaceAll(partners: readonly PartnerSummary[]): void;
}

const isOver = ({ done, total }: Progress): boolean => total !== undefined && done >= total;

/** Creates the pulls that run now, none at first. */
export function createSyncProgress(): SyncProgress {
  let known = $state.raw<ReadonlyMap<string, Progress>>(new Map());
  /** Partners with a report: without a total only the second one shows that a pull is long. */
  const begun = new Set<string>();

  return {
    get: (nodeID) => known.get(nodeID),
    get all() {
      return [...known.values()];
    },
    /**
     * Stores a report of a running pull, or removes a finished one. Ignores a pull's first report if it has no total,
     * as only long pulls send a second one.
     */
    record(progress) {
      const next = new Map(known);
      if (isOver(progress)) next.delete(progress.nodeID);
      else if (progress.total !== undefined || begun.has(progress.nodeID))
        next.set(progress.nodeID, progress);
      begun.add(progress.nodeID);
      known = next;
    },
    /** Replaces all pulls by those of an overview. */
    replaceAll(partners) {
      const running = partners.flatMap(({ progress }) => (progress && !isOver(progress) ? [progress] : []));
      known = new Map(running.map((progress) => [progress.nodeID, progress]));
      begun.clear();
      for (const nodeID of known.keys()) begun.add(nodeID);
    },
  };
}
