import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { systemClock, type Clock } from '../../base/clock.ts';
import { ListenError, type ListenAddress } from '../../http/listeners/listen.ts';
import { DatabaseAway, type Database } from '../../store/sql/database.ts';
import { openHubKeys } from '../../store/sql/hub-keys.ts';
import { takeLease } from '../../store/sql/lease.ts';
import { openPgDatabase } from '../../store/sql/pg-database.ts';
import { migrateTables, makeTables } from '../../store/sql/schema.ts';
import { StoreError } from '../../store/store.ts';
import type { CertificateFiles } from '../address.ts';
import { openDatabaseStorage, officeCertificate } from '../storage/database-storage.ts';
import type { NodeStorage } from '../storage/storage.ts';
import { Standby } from './standby.ts';

export interface HubOptions {
  /** As `postgres://user@host/name`. */
  readonly address: string;
  readonly secret: string;
  readonly dataDir: string;
  readonly log: Logger;
  readonly clock?: Clock;
  /** Time that an unresponsive process keeps its lease; default: the lease's own. */
  readonly leaseMs?: number;
  /** For health checks on standby. */
  readonly place: ListenAddress;
  readonly certificate?: CertificateFiles;
  /** Another process serves; `problem`: why this one can't answer health checks. */
  readonly onStandby: (problem: string | undefined) => void;
}

/** Longer than the others' interval for taking the lease. */
const RETRY_PAUSE_MS = 4_000;

export interface Served {
  /** Ends serving; `atOnce`: without waiting for running answers. */
  end(how: { readonly atOnce: boolean }): Promise<void>;
}

/** Resolves when serving. `isOver`: another process serves, or may. */
export type Serve = (storage: NodeStorage, isOver: () => boolean) => Promise<Served>;

/** An office in a database (docs/hub.md): one process serves, the others are on standby. */
export class Hub {
  readonly #options: HubOptions;
  readonly #clock: Clock;
  #isStopped = false;
  #hasBegun = false;
  #stop: () => void = () => undefined;
  readonly #stopped = new Promise<void>((resolve) => (this.#stop = resolve));

  constructor(options: HubOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /**
   * Serves the office by `serve` whenever no other process does, until {@link stop}. Throws `DatabaseAway`,
   * `StoreError` or `ListenError` if it can't begin.
   */
  async run(serve: Serve): Promise<void> {
    const database = this.#connect();
    // Keeps Node running.
    const alive = setInterval(() => undefined, 60_000);
    try {
      await makeTables(database);
      const keys = await openHubKeys(database, this.#options.secret);
      const standby = new Standby({
        ...this.#options,
        files: this.#options.certificate,
        // Now, as the database may be away later.
        officeCertificate: await officeCertificate(keys, this.#clock),
        clock: this.#clock,
      });
      try {
        while (!this.#isStopped)
          await this.#serveOnce(database, standby, serve).catch((error: unknown) =>
            this.#logOrRethrow(error),
          );
      } finally {
        await standby.close();
      }
    } finally {
      await database.close();
      clearInterval(alive);
    }
  }

  /** Ends serving or waiting; then {@link run} resolves. */
  stop(): void {
    this.#isStopped = true;
    this.#stop();
  }

  /**
   * Logs an error after which the process tries again: another one took over or, once this one has begun, the port is
   * taken (it pauses first) or the database went away. Rethrows all others.
   */
  async #logOrRethrow(error: unknown): Promise<void> {
    if (error instanceof StoreError && error.code === 'closed') {
      this.#options.log.warn({ err: error }, 'another process took over');
      return;
    }
    if (error instanceof ListenError && this.#hasBegun) {
      this.#options.log.error({ err: error }, 'cannot serve; another process may, and this one tries again');
      await Promise.race([setTimeout(RETRY_PAUSE_MS, undefined, { ref: false }), this.#stopped]);
      return;
    }
    const isAway = error instanceof DatabaseAway || (error instanceof StoreError && error.code === 'io');
    if (!this.#hasBegun || !isAway) throw error;
    this.#options.log.warn({ err: error }, 'the database went away again');
  }

  /**
   * Waits for the lease on standby, then serves until it is lost or the hub is stopped. Throws `StoreError`,
   * `ListenError`, `DatabaseAway`.
   */
  async #serveOnce(database: Database, standby: Standby, serve: Serve): Promise<void> {
    const { dataDir, secret, leaseMs, log, onStandby } = this.#options;
    const isStopped = (): boolean => this.#isStopped;
    const lease = await takeLease(database, this.#clock, {
      ...(leaseMs === undefined ? {} : { heldMs: leaseMs }),
      isOver: isStopped,
      onWaiting: () => {
        this.#hasBegun = true;
        void standby.open().then(onStandby);
      },
      onAway: (error) => {
        log.warn({ err: error }, 'nobody can serve; the database is waited for');
        void standby.open();
      },
    });
    if (!lease) return;
    let isOver = false;
    try {
      if (isStopped()) return;
      await migrateTables(database);
      const storage = await openDatabaseStorage({
        ...{ database, secret, dataDir },
        connect: () => this.#connect(),
        fence: lease,
        clock: this.#clock,
        isOver: () => isOver,
      });
      await standby.close();
      const served = await serve(storage, () => lease.isLost());
      this.#hasBegun = true;
      try {
        await Promise.race([this.#stopped, lease.lost]);
        if (!isStopped()) log.warn('another process serves, or may; this one waits');
      } finally {
        await served.end({ atOnce: !isStopped() });
      }
    } finally {
      isOver = true;
      await lease.release();
    }
  }

  /** Opens the database; connects at its first use. */
  #connect(): Database {
    return openPgDatabase(this.#options.address, this.#options.log);
  }
}
