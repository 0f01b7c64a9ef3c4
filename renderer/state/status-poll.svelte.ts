import type {
  Overview,
  PartnerColour,
  PartnerSummary,
  Progress,
} from '../../server/contract/app/overview.ts';
import { createReloads } from './reloads.ts';
import { dueAt, GRACE_MS } from './status.ts';

const TICK_MS = 30_000;
const A_MOMENT_MS = 100;
/** Between reloads for expiring states. */
const MIN_BETWEEN_MS = 2_000;

/** Holds overview and time. Reloads before a good state expires. */
export class StatusPoll {
  readonly #ask: () => Promise<Overview>;
  readonly #onOverview: (overview: Overview) => void;
  #overview = $state.raw<Overview>();
  #now = $state(Date.now());
  /** A map: the grid needs a colour per row. */
  readonly #colours = $derived(
    new Map(this.#overview?.partners.map(({ nodeID, colour }) => [nodeID, colour])),
  );
  #due: ReturnType<typeof setTimeout> | undefined;
  readonly #reloads = createReloads(() => this.reload());

  constructor(ask: () => Promise<Overview>, onOverview: (overview: Overview) => void) {
    this.#ask = ask;
    this.#onOverview = onOverview;
  }

  get overview(): Overview | undefined {
    return this.#overview;
  }

  /** In milliseconds. */
  get now(): number {
    return this.#now;
  }

  colourOf(nodeID: string): PartnerColour | undefined {
    return this.#colours.get(nodeID);
  }

  /**
   * Loads the overview, passes it to `onOverview`, and schedules the next load; a failure, `NodeError`, is only thrown.
   */
  async reload(): Promise<void> {
    const overview = await this.#ask();
    this.#overview = overview;
    this.#onOverview(overview);
    this.#now = Date.now();
    this.#reloadWhenExpired(overview);
  }

  /** Loads the overview in 80 ms, once for all events until then ({@link createReloads}). Ignores a failure. */
  reloadSoon(isReconnect: boolean): void {
    this.#reloads.request(isReconnect);
  }

  /** Loads the overview and runs the clock until the returned function is called. */
  start(): () => void {
    const tick = setInterval(() => (this.#now = Date.now()), TICK_MS);
    this.#reloadQuietly();
    return () => {
      clearInterval(tick);
      clearTimeout(this.#due);
      this.#reloads.stop();
    };
  }

  /**
   * Starts a timer that loads when the first good state expires. Without a new one, advances `now` 3 seconds later, so
   * that it no longer shows as good.
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

/** Running pulls by partner, except of a single page, which show no bar. */
export interface SyncProgress {
  get(nodeID: string): Progress | undefined;
  readonly all: readonly Progress[];
  record(progress: Progress): void;
  /** Replaces all progress by these partners'. */
  replaceAll(partners: readonly PartnerSummary[]): void;
}

const isOver = ({ done, total }: Progress): boolean => total !== undefined && done >= total;

/** Keeps the progress of running pulls by partner, except short ones, which report once without a total. */
export function createSyncProgress(): SyncProgress {
  let known = $state.raw<ReadonlyMap<string, Progress>>(new Map());
  /** With one report: without a total only the second shows a long pull. */
  const begun = new Set<string>();

  return {
    get: (nodeID) => known.get(nodeID),
    get all() {
      return [...known.values()];
    },
    /**
     * Records progress, removes it once finished. Ignores a pull's first report without a total: only long pulls send a
     * second.
     */
    record(progress) {
      const next = new Map(known);
      if (isOver(progress)) next.delete(progress.nodeID);
      else if (progress.total !== undefined || begun.has(progress.nodeID))
        next.set(progress.nodeID, progress);
      begun.add(progress.nodeID);
      known = next;
    },
    /** Replaces all progress by that of these partners' running pulls. */
    replaceAll(partners) {
      const running = partners.flatMap(({ progress }) => (progress && !isOver(progress) ? [progress] : []));
      known = new Map(running.map((progress) => [progress.nodeID, progress]));
      begun.clear();
      for (const nodeID of known.keys()) begun.add(nodeID);
    },
  };
}
