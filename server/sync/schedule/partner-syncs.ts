import { needsCollecting, startCollecting, type Collecting } from './collecting.ts';
import { PartnerSync, type PartnerSyncDeps } from './partner-sync.ts';
import type { Progress } from './progress.ts';

/** After start and wake-up. */
const SPREAD_MS = 3000;

/** Created on first use; nothing is scheduled before {@link start}. */
export class PartnerSyncs {
  readonly #deps: PartnerSyncDeps;
  readonly #syncs = new Map<string, PartnerSync>();
  readonly #collecting = new Map<string, Collecting>();
  #isRunning = false;

  constructor(deps: PartnerSyncDeps) {
    this.#deps = deps;
  }

  /** Returns a partner's sync; creates it at the first call. */
  get(nodeID: string): PartnerSync {
    const known = this.#syncs.get(nodeID);
    if (known) return known;
    const sync = new PartnerSync(nodeID, this.#deps);
    this.#syncs.set(nodeID, sync);
    return sync;
  }

  /** Returns a partner's sync; undefined before its first {@link get}. */
  find(nodeID: string): PartnerSync | undefined {
    return this.#syncs.get(nodeID);
  }

  /** Returns the milliseconds by which partners' clocks are ahead of ours, as far as known. */
  clocksAhead(): number[] {
    return [...this.#syncs.values()].flatMap((sync) => sync.stateFacts().clockAhead ?? []);
  }

  /** Returns the progress of all running pulls. */
  progress(): Progress[] {
    return [...this.#syncs.values()].flatMap((sync) => sync.stateFacts().progress ?? []);
  }

  /** Starts all syncs, spread over some seconds, and polling for pairings. */
  async start(): Promise<void> {
    this.#isRunning = true;
    for (const node of await this.#deps.federation.nodes.list()) {
      if (node.deletedAt === undefined) await this.applyRecord(node.nodeID);
    }
    this.catchUp();
  }

  /** Stops all syncs and polling for pairings; resolves when none runs. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    await Promise.all([...this.#syncs.values(), ...this.#collecting.values()].map((each) => each.stop()));
  }

  /**
   * Applies a partner's changed record: polls for the pairing's result or stops that, and refreshes the sync. A no-op
   * before `start`.
   */
  async applyRecord(nodeID: string): Promise<void> {
    const node = await this.#deps.federation.nodes.get(nodeID).catch(() => undefined);
    if (!this.#isRunning) return;
    if (node && needsCollecting(node)) {
      if (!this.#collecting.has(nodeID)) this.#collecting.set(nodeID, startCollecting(nodeID, this.#deps));
    } else {
      void this.#collecting.get(nodeID)?.stop();
      this.#collecting.delete(nodeID);
    }
    await this.get(nodeID).refresh();
  }

  /** Pulls from a partner soon, but not before {@link start}. `isNewRoute` restarts its long poll. */
  poke(nodeID: string, isNewRoute = false): void {
    if (this.#isRunning) this.get(nodeID).scheduleSoon(0, isNewRoute);
  }

  /** Pulls from all partners again, spread over some seconds, over new connections, as after sleep. */
  catchUp(): void {
    for (const sync of this.#syncs.values()) sync.scheduleSoon(this.#deps.random() * SPREAD_MS, true);
  }

  /** Suspends all syncs before the computer sleeps. */
  suspend(): void {
    for (const sync of this.#syncs.values()) sync.suspend();
  }
}
