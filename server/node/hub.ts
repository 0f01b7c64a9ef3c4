import { setFlagsFromString } from 'node:v8';
import type { Logger } from 'pino';
import { systemClock, type Clock } from '../base/clock.ts';
import { DatabaseAway, type Database } from '../store/sql/database.ts';
import { takeLease } from '../store/sql/lease.ts';
import { openPgDatabase } from '../store/sql/pg-database.ts';
import { bringUpToDate, makeTables } from '../store/sql/schema.ts';
import { StoreError } from '../store/store.ts';
import type { NodeStorage } from './storage/storage.ts';
import { databaseStorage } from './storage/database-storage.ts';

export interface HubOptions {
  /** As `postgres://user@host/name`. */
  readonly address: string;
  /** What the keys of this office are sealed with. */
  readonly secret: string;
  /** The folder of this process. */
  readonly dataDir: string;
  readonly log: Logger;
  readonly clock?: Clock;
  /** Told where another process serves, and this one waits to take over. */
  readonly onWaiting: () => void;
}

/**
 * What is not used any more is looked for once memory has grown by half, not by several times as much: whoever goes through very
 * many rows leaves much, and has a hub because lists are large.
 */
const FRUGAL = '--heap-growing-percent=50';

/** What a process does while it serves; resolves when it has begun, with how to end it. */
export type Serve = (storage: NodeStorage) => Promise<() => Promise<void>>;

/** An office in a database (docs/hub.md), for which one process serves at a time and others stand by. */
export class Hub {
  readonly #options: HubOptions;
  readonly #clock: Clock;
  #isStopped = false;
  #hasServed = false;
  #stop: () => void = () => undefined;
  readonly #stopped = new Promise<void>((resolve) => (this.#stop = resolve));

  constructor(options: HubOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /**
   * Serves whenever no other process does, until it is stopped. @throws DatabaseAway, StoreError where it cannot begin: the
   * database does not answer, is of a newer version, or has another secret
   */
  async run(serve: Serve): Promise<void> {
    setFlagsFromString(FRUGAL);
    const database = this.#connect();
    try {
      await makeTables(database);
      while (!this.#isStopped) await this.#serveOnce(database, serve).catch(this.#goOn);
    } finally {
      await database.close();
    }
  }

  /** Ends serving, or the wait for it; {@link run} resolves when that has ended. */
  stop(): void {
    this.#isStopped = true;
    this.#stop();
  }

  /**
   * Who has served once waits for a database that went away, and does not end with it; and who lost its place while it
   * began waits for the next.
   */
  readonly #goOn = (error: unknown): void => {
    if (error instanceof StoreError && error.code === 'closed') {
      this.#options.log.warn({ err: error }, 'another process took over');
      return;
    }
    const isAway = error instanceof DatabaseAway || (error instanceof StoreError && error.code === 'io');
    if (!this.#hasServed || !isAway) throw error;
    this.#options.log.warn({ err: error }, 'the database went away again');
  };

  /** Until it is stopped, or another process takes over. */
  async #serveOnce(database: Database, serve: Serve): Promise<void> {
    const { dataDir, secret, log, onWaiting } = this.#options;
    const lease = await takeLease(database, this.#clock, {
      isOver: () => this.#isStopped,
      onWaiting,
      onAway: (error) => log.warn({ err: error }, 'nobody can serve; the database is waited for'),
    });
    if (!lease) return;
    let isOver = false;
    try {
      await bringUpToDate(database);
      const storage = await databaseStorage({
        ...{ database, secret, dataDir },
        connect: () => this.#connect(),
        fence: lease,
        clock: this.#clock,
        isOver: () => isOver,
      });
      const end = await serve(storage);
      this.#hasServed = true;
      try {
        await Promise.race([this.#stopped, lease.lost]);
        if (!this.#isStopped) log.warn('another process serves, or may; this one waits');
      } finally {
        await end();
      }
    } finally {
      isOver = true;
      await lease.release();
    }
  }

  #connect(): Database {
    return openPgDatabase(this.#options.address, this.#options.log);
  }
}
