import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { Logger } from 'pino';
import { systemClock, type Clock } from '../../base/clock.ts';
import { ListenError } from '../../http/listeners/listen.ts';
import { DatabaseAway, type Database } from '../../store/sql/database.ts';
import { takeLease } from '../../store/sql/lease.ts';
import { openPgDatabase } from '../../store/sql/pg-database.ts';
import { bringUpToDate, makeTables } from '../../store/sql/schema.ts';
import { StoreError } from '../../store/store.ts';
import { openHubKeys } from '../../store/sql/hub-keys.ts';
import { readInletPlace } from './inlet-place.ts';
import { KeptInlet, type ServingAt } from './kept-inlet.ts';
import { Relay, type Answering, type RelayPlaces } from './relay.ts';
import type { NodeOptions } from '../node.ts';
import type { NodeStorage } from '../storage/storage.ts';
import { databaseStorage } from '../storage/database-storage.ts';

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
  /** Told where this process answers for the one that serves. */
  readonly onAnswering: (where: Answering) => void;
  /** Where it is to answer, and to serve. */
  readonly places: RelayPlaces;
  /** Address, and port where it must be a certain one, at which this process takes what came to the others, where it cannot be found out. */
  readonly inlet?: { readonly host: string; readonly port: number } | undefined;
}

/**
 * What is not used any more is looked for once memory has grown by half, not by several times as much: whoever goes through very
 * many rows leaves much, and has a hub because lists are large.
 */
const FRUGAL = '--heap-growing-percent=50';

/** So long those who were brought to another process can be answered once this one is to end. */
const LEAVE_MS = 500;

/** Longer than each of the others waits between two looks (`lease.ts`). */
const LEFT_TO_OTHERS_MS = 4_000;

/** A node that serves the office. */
export interface Served extends ServingAt {
  /** @param how `atOnce` where another process serves, or may */
  end(how: { readonly atOnce: boolean }): Promise<void>;
}

/** What a process does to serve; resolves when it has begun. */
export type Serve = (
  storage: NodeStorage,
  /** `beforeListening`: leaves the ports to it */
  at: {
    readonly places: RelayPlaces;
    readonly node: Required<Pick<NodeOptions, 'beforeListening' | 'isOver'>>;
  },
) => Promise<Served>;

/** A process that serves, or stands by. */
interface Standing {
  readonly database: Database;
  readonly relay: Relay;
  /** Known to all processes of the office. */
  readonly among: Buffer;
}

/** An office in a database (docs/hub.md), for which one process serves at a time; the others answer by bringing it what comes to them. */
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
   * Serves whenever no other process does, until it is stopped. @throws DatabaseAway, StoreError where it cannot begin: the
   * database does not answer, is of a newer version, or has another secret
   */
  async run(serve: Serve): Promise<void> {
    setFlagsFromString(FRUGAL);
    const database = this.#connect();
    // With the database away nothing else may be left that Node waits for: it would end this process in the middle of it.
    const alive = setInterval(() => undefined, 60_000);
    try {
      await makeTables(database);
      const { among } = await openHubKeys(database, this.#options.secret);
      const relay = new Relay({
        ...this.#options,
        clock: this.#clock,
        key: among,
        inlet: () => readInletPlace(database.read),
      });
      void this.#stopped.then(() => relay.leave());
      try {
        while (!this.#isStopped)
          await this.#serveOnce({ database, relay, among }, serve).catch((error: unknown) =>
            this.#goOn(error),
          );
      } finally {
        await relay.end(LEAVE_MS);
      }
    } finally {
      await database.close();
      clearInterval(alive);
    }
  }

  /** Ends serving, or the wait for it; {@link run} resolves when that has ended. */
  stop(): void {
    this.#isStopped = true;
    this.#stop();
  }

  /**
   * Who has served once, or stood by, waits for a database that went away, and does not end with it; and who lost its place while it
   * began waits for the next. Of processes on one computer with the same port another one may have that.
   */
  async #goOn(error: unknown): Promise<void> {
    if (error instanceof StoreError && error.code === 'closed') {
      this.#options.log.warn({ err: error }, 'another process took over');
      return;
    }
    if (error instanceof ListenError && this.#hasBegun) {
      this.#options.log.error({ err: error }, 'cannot serve; another process may, and this one tries again');
      await Promise.race([setTimeout(LEFT_TO_OTHERS_MS, undefined, { ref: false }), this.#stopped]);
      return;
    }
    const isAway = error instanceof DatabaseAway || (error instanceof StoreError && error.code === 'io');
    if (!this.#hasBegun || !isAway) throw error;
    this.#options.log.warn({ err: error }, 'the database went away again');
  }

  /** Until it is stopped, or another process takes over. */
  async #serveOnce({ database, relay, among }: Standing, serve: Serve): Promise<void> {
    const { dataDir, secret, log, onWaiting } = this.#options;
    const isStopped = (): boolean => this.#isStopped;
    const lease = await takeLease(database, this.#clock, {
      isOver: isStopped,
      onWaiting: () => {
        this.#hasBegun = true;
        onWaiting();
        relay.open();
      },
      onAway: (error) => log.warn({ err: error }, 'nobody can serve; the database is waited for'),
    });
    if (!lease) return;
    let isOver = false;
    try {
      if (isStopped()) return;
      await bringUpToDate(database);
      const storage = await databaseStorage({
        ...{ database, secret, dataDir },
        connect: () => this.#connect(),
        fence: lease,
        clock: this.#clock,
        isOver: () => isOver,
      });
      const served = await serve(storage, {
        places: relay.places,
        node: {
          beforeListening: () => relay.stopListening(),
          isOver: () => lease.isLost(),
        },
      });
      this.#hasBegun = true;
      relay.handTo(served);
      const inlet = new KeptInlet({
        ...{ database, fence: lease, among, serving: served, log },
        ...{ at: this.#options.inlet, clock: this.#clock },
      });
      try {
        await Promise.race([this.#stopped, lease.lost]);
        if (!isStopped()) log.warn('another process serves, or may; this one waits');
      } finally {
        inlet.close();
        await served.end({ atOnce: !isStopped() });
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
