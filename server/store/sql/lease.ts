import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../../base/clock.ts';
import { takenOverError, type Fence } from './commit.ts';
import { DatabaseAway, numberIn, type Ask, type Database, textIn } from './database.ts';

/** Lifetime after a renewal, by the database's clock. */
const HELD_MS = 9_000;
/** Some may be late or lost. */
const RENEWALS_PER_LEASE = 4;
const TRY_INTERVAL_MS = 1_500;

export interface Lease extends Fence {
  /** Resolves once another process may have it. */
  readonly lost: Promise<void>;
  /** Returns whether it is lost, even before `lost` resolves (suspension). */
  isLost(): boolean;
  /** Hands it over. Ignores errors, as it expires anyway. */
  release(): Promise<void>;
}

interface WhileWaiting {
  readonly isOver: () => boolean;
  readonly onWaiting: () => void;
  readonly onAway?: (error: DatabaseAway) => void;
  /** Without renewal; equal in all processes of an office. */
  readonly heldMs?: number;
}

/**
 * Leader election: tries every 1.5 seconds to take the lease; undefined once `isOver` returns true. Calls `onWaiting`
 * when another process turns out to have it, `onAway` when the database goes away, each once until that changes; what
 * `onAway` throws ends the wait.
 */
export async function takeLease(
  database: Database,
  clock: Clock,
  { isOver, onWaiting, onAway = () => undefined, heldMs = HELD_MS }: WhileWaiting,
): Promise<Lease | undefined> {
  const holder = randomUUID();
  let state: 'held' | 'away' | undefined;
  /** Returns `away` and reports it once; rethrows other errors. */
  const awayOrThrow = (error: unknown): 'away' => {
    if (!(error instanceof DatabaseAway)) throw error;
    if (state !== 'away') onAway(error);
    return 'away';
  };
  for (;;) {
    const taken = await tryTakeLease(database, holder, heldMs).catch(awayOrThrow);
    if (typeof taken === 'number') return new HeldLease(database, clock, { holder, epoch: taken, heldMs });
    if (taken === 'held' && state !== 'held') onWaiting();
    state = taken;
    if (isOver()) return undefined;
    await setTimeout(TRY_INTERVAL_MS);
    if (isOver()) return undefined;
  }
}

/**
 * Takes the lease if it is free, and returns its new epoch, which makes the previous holder's writes fail; otherwise
 * `held`. One held for longer than possible counts as free: the database's clock was set back.
 */
async function tryTakeLease(database: Database, holder: string, heldMs: number): Promise<number | 'held'> {
  return database.transaction(async (ask) => {
    const [lease] = await ask(
      // A longer lease means the clock was set back.
      `SELECT held_until NOT BETWEEN now() AND now() + interval '${String(2 * heldMs)} milliseconds' AS free
        FROM footbridge_lease WHERE id = 1 FOR UPDATE`,
    );
    if (lease?.free !== true) return 'held';
    // Waits for running changes.
    const [hub] = await ask('UPDATE footbridge_hub SET epoch = epoch + 1 WHERE id = 1 RETURNING epoch');
    await ask(`UPDATE footbridge_lease SET holder = $1, held_until = ${later(heldMs)} WHERE id = 1`, [
      holder,
    ]);
    return numberIn(hub, 'epoch');
  });
}

const later = (ms: number): string => `clock_timestamp() + interval '${String(ms)} milliseconds'`;

interface Holding {
  readonly holder: string;
  readonly epoch: number;
  readonly heldMs: number;
}

class HeldLease implements Lease {
  readonly lost: Promise<void>;
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #own: Holding;
  #resolveLost: () => void = () => undefined;
  #cancelEnd: () => void = () => undefined;
  #isOver = false;
  #heldUntil = 0;

  constructor(database: Database, clock: Clock, own: Holding) {
    this.#database = database;
    this.#clock = clock;
    this.#own = own;
    this.lost = new Promise((resolve) => (this.#resolveLost = resolve));
    this.#extendFrom(clock.monotonic());
    this.#renewLater();
  }

  /**
   * Locks the epoch until the transaction ends, so that no other process takes the lease before. If one has, ends ours
   * and throws StoreError `closed`.
   */
  async check(ask: Ask): Promise<void> {
    const [hub] = await ask('SELECT epoch FROM footbridge_hub WHERE id = 1 FOR SHARE');
    if (numberIn(hub, 'epoch') === this.#own.epoch) return;
    this.#endLease();
    throw takenOverError();
  }

  /** Returns whether the lease is lost, even before `lost` resolves, as after a suspension. */
  isLost(): boolean {
    return this.#isOver || this.#clock.monotonic() >= this.#heldUntil;
  }

  /** Ends the lease in this process, and in the database at once if it is still ours; ignores the database's errors. */
  async release(): Promise<void> {
    this.#endLease();
    await this.#database
      .transaction((ask) =>
        // By now(), a request in this tick would find it held.
        ask(
          "UPDATE footbridge_lease SET held_until = now() - interval '1 second' WHERE id = 1 AND holder = $1",
          [this.#own.holder],
        ),
      )
      .catch(() => undefined);
  }

  /** Ends the lease in this process and resolves `lost`; the database isn't asked. */
  #endLease(): void {
    this.#isOver = true;
    this.#cancelEnd();
    this.#resolveLost();
  }

  /**
   * Extends the lease, and starts a timer that ends it by our clock (`asked`: monotonic ms), even while the database is
   * away.
   */
  #extendFrom(asked: number): void {
    this.#cancelEnd();
    this.#heldUntil = asked + this.#own.heldMs;
    this.#cancelEnd = this.#clock.after(this.#heldUntil - this.#clock.monotonic(), () => this.#endLease());
  }

  /** Starts a timer that renews the lease. */
  #renewLater(): void {
    this.#clock.after(this.#own.heldMs / RENEWALS_PER_LEASE, () => {
      if (!this.#isOver) void this.#renewLease();
    });
  }

  /** Renews the lease and schedules the next renewal, also after an error; ends it if another process has it. */
  async #renewLease(): Promise<void> {
    const asked = this.#clock.monotonic();
    const isOurs = await this.#database
      .transaction((ask) =>
        ask(
          `UPDATE footbridge_lease SET held_until = ${later(this.#own.heldMs)} WHERE id = 1 AND holder = $1 RETURNING holder`,
          [this.#own.holder],
        ),
      )
      .then((rows) => rows.length > 0)
      .catch(() => undefined);
    if (this.#isOver) return;
    if (isOurs === true) this.#extendFrom(asked);
    if (isOurs === false) this.#endLease();
    else this.#renewLater();
  }
}

interface WhileAcquiring {
  readonly onWaiting: () => void;
  /** Waiting for a lease's holder, which may have been killed. */
  readonly patienceMs: number;
}

/**
 * Takes the database's lease for a command that must be the only process, waiting for a killed process's lease to
 * expire; undefined if another process still renews it after `patienceMs`. Calls `onWaiting` when it must wait. Throws
 * `DatabaseAway`.
 */
export async function acquireLease(
  database: Database,
  clock: Clock,
  { onWaiting, patienceMs }: WhileAcquiring,
): Promise<Lease | undefined> {
  let waitsUntil = Infinity;
  let seen: string | undefined;
  let isServed = false;
  /** Notes whether another process has renewed its lease since the first call. */
  const checkRenewal = async (): Promise<void> => {
    const until = await readLeaseExpiry(database.read);
    isServed ||= seen !== undefined && until !== seen;
    seen ??= until;
  };
  return takeLease(database, clock, {
    /**
     * Returns whether to give up: the time is over and earlier calls saw another process renew its lease. Each call
     * after the time starts a read of the lease, so the first never gives up.
     */
    isOver() {
      if (clock.monotonic() < waitsUntil) return false;
      if (!isServed) checkRenewal().catch(() => undefined);
      return isServed;
    },
    /** Passes the call on; the time to wait begins. */
    onWaiting() {
      onWaiting();
      waitsUntil = clock.monotonic() + patienceMs;
    },
    /** Throws: an unreachable database ends the attempt. */
    onAway(error) {
      throw error;
    },
  });
}

/** Returns until when the lease is held, for comparison only. */
async function readLeaseExpiry(ask: Ask): Promise<string> {
  const [lease] = await ask('SELECT CAST(held_until AS text) AS until FROM footbridge_lease WHERE id = 1');
  return textIn(lease, 'until');
}
