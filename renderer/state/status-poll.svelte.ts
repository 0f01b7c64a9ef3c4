import type { Overview, PartnerColour } from '../../server/contract/app/overview.ts';
import { dueAt, GRACE_MS } from './status.ts';

const TICK_MS = 30_000;
const A_MOMENT_MS = 100;
/** The overview is not asked for more often than this because its time is up. */
const MIN_BETWEEN_MS = 2_000;
/** Events come in bursts; one reload serves all that arrive within this time. */
const GATHER_MS = 80;

/** How the office stands, and the time by which that is so. */
export class StatusPoll {
  readonly #ask: () => Promise<Overview>;
  readonly #told: (overview: Overview) => void;
  #overview = $state.raw<Overview>();
  #now = $state(Date.now());
  /** The grid asks for each of its rows. */
  readonly #colours = $derived(
    new Map(this.#overview?.partners.map(({ nodeID, colour }) => [nodeID, colour])),
  );
  #due: ReturnType<typeof setTimeout> | undefined;
  #gathered: ReturnType<typeof setTimeout> | undefined;

  /** @param told of each that comes */
  constructor(ask: () => Promise<Overview>, told: (overview: Overview) => void) {
    this.#ask = ask;
    this.#told = told;
  }

  /** Undefined until the first has come. */
  get overview(): Overview | undefined {
    return this.#overview;
  }

  /** Milliseconds; moves on every half minute, so that `3 minutes ago` stays true. */
  get now(): number {
    return this.#now;
  }

  /** A partner's colour; undefined for one that is no more. */
  colourOf(nodeID: string): PartnerColour | undefined {
    return this.#colours.get(nodeID);
  }

  async reload(): Promise<void> {
    const overview = await this.#ask();
    this.#overview = overview;
    this.#told(overview);
    this.#now = Date.now();
    this.#askWhenDue(overview);
  }

  /** Reloads soon. */
  reloadSoon(): void {
    if (this.#gathered !== undefined) return;
    this.#gathered = setTimeout(() => {
      this.#gathered = undefined;
      this.#reloadQuietly();
    }, GATHER_MS);
  }

  /** Lets the time pass; until it is stopped by what this answers. */
  start(): () => void {
    const tick = setInterval(() => (this.#now = Date.now()), TICK_MS);
    this.#reloadQuietly();
    return () => {
      clearInterval(tick);
      clearTimeout(this.#due);
    };
  }

  /** What was good is asked for anew before it is no longer known; without an answer, it is no longer shown. */
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

  /** One that fails is said by the banner about the connection; the stream brings the next one. */
  #reloadQuietly(): void {
    this.reload().catch(() => undefined);
  }
}
