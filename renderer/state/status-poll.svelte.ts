import type { Overview, PartnerColour } from '../../server/contract/app/overview.ts';
import { dueAt, GRACE_MS } from './status.ts';

const TICK_MS = 30_000;
const A_MOMENT_MS = 100;
/** Minimum interval between reloads caused by expiry. */
const MIN_BETWEEN_MS = 2_000;
/** Events come in bursts; one reload serves all within this time. */
const GATHER_MS = 80;

/** Holds the office's overview, and reloads it before it expires. */
export class StatusPoll {
  readonly #ask: () => Promise<Overview>;
  readonly #onOverview: (overview: Overview) => void;
  #overview = $state.raw<Overview>();
  #now = $state(Date.now());
  /** The grid needs it for each row. */
  readonly #colours = $derived(
    new Map(this.#overview?.partners.map(({ nodeID, colour }) => [nodeID, colour])),
  );
  #due: ReturnType<typeof setTimeout> | undefined;
  #gathered: ReturnType<typeof setTimeout> | undefined;

  /** @param onOverview receives each overview */
  constructor(ask: () => Promise<Overview>, onOverview: (overview: Overview) => void) {
    this.#ask = ask;
    this.#onOverview = onOverview;
  }

  /** Undefined until the first one is loaded. */
  get overview(): Overview | undefined {
    return this.#overview;
  }

  /** Milliseconds; advances every half minute, so that `3 minutes ago` stays true. */
  get now(): number {
    return this.#now;
  }

  /** A partner's colour; undefined for a removed one. */
  colourOf(nodeID: string): PartnerColour | undefined {
    return this.#colours.get(nodeID);
  }

  /** Loads the overview, passes it to `onOverview` and schedules the next load. Throws NodeError. */
  async reload(): Promise<void> {
    const overview = await this.#ask();
    this.#overview = overview;
    this.#onOverview(overview);
    this.#now = Date.now();
    this.#askWhenDue(overview);
  }

  /** Reloads within 80 ms, once for all calls until then; a failure is ignored. */
  reloadSoon(): void {
    if (this.#gathered !== undefined) return;
    this.#gathered = setTimeout(() => {
      this.#gathered = undefined;
      this.#reloadQuietly();
    }, GATHER_MS);
  }

  /** Loads the overview and starts the clock. Returns a function to stop. */
  start(): () => void {
    const tick = setInterval(() => (this.#now = Date.now()), TICK_MS);
    this.#reloadQuietly();
    return () => {
      clearInterval(tick);
      clearTimeout(this.#due);
    };
  }

  /**
   * Schedules a reload for when the first good state expires. Without an answer `now` advances then, so that it is
   * no longer shown as good.
   */
  #askWhenDue(known: Overview): void {
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

  /** Reloads, ignoring a failure: the connection banner reports it, and the stream brings the next overview. */
  #reloadQuietly(): void {
    this.reload().catch(() => undefined);
  }
}
