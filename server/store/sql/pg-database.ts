import pg from 'pg';
import { createReadWriteLock } from '../../base/concurrency/read-write-lock.ts';
import { Semaphore } from '../../base/concurrency/semaphore.ts';
import { said } from '../../words/said.ts';
import { StoreError } from '../store.ts';
import {
  DatabaseAway,
  type Ask,
  type Database,
  type Isolation,
  type Row,
  type Snapshot,
} from './database.ts';

/** Serialization failures and deadlocks. */
const RETRIABLE = new Set(['40001', '40P01']);
/** Shutting down, starting, out of connections, or a read-only replica. */
const UNAVAILABLE = new Set(['57P01', '57P02', '57P03', '57P05', '53300', '25006', '25P03']);
const CONNECTION_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENOENT',
]);
/** By code: wrong address or missing right, where waiting doesn't help. */
const ADVICE: Readonly<Record<string, string>> = {
  '28P01': 'Check user and password in its address.',
  '28000': 'Check user and password in its address.',
  '3D000': 'Check the name of the database in its address.',
  '3F000': 'Check the name of the schema in its address, which is to be there.',
  '42P07':
    'It holds another program’s table of that name: give an empty database, or another schema, in its address.',
  '42501': 'Give its user the right to make and to change tables there, or give another user in the address.',
};
const SQL_STATE = /^[0-9A-Z]{5}$/;
/** TLS errors have no code. */
const TLS_ADVICE: readonly (readonly [RegExp, string])[] = [
  [/does not support SSL/, 'Take what begins with ssl out of its address, or have its server encrypt.'],
  [
    /certificate|PEM|altnames/i,
    'Check sslrootcert, sslcert and sslkey in its address, and whether the certificate of its server is for the name there.',
  ],
];
const DISK_FULL = '53100';
/** A missing table or column. */
const MISSING_TABLES = new Set(['42P01', '42703']);
const CONNECTION_MESSAGES =
  /connection (terminated|ended|timeout)|timeout exceeded|not queryable|read timeout/i;

const MAX_CONNECTIONS = 10;
/** A snapshot's holder may need another connection. */
const MAX_SNAPSHOTS = 4;
const CONNECT_MS = 5_000;
/** A longer statement hangs on a dead connection. */
const STATEMENT_MS = 120_000;
const MAX_TRIES = 20;
/** Further tries run alone here: a long transaction could lose to short ones forever. */
const SHARED_TRIES = 2;
/** The database ends idle transactions sooner than a lease. */
const IDLE_MS = 8_000;
const beginStatement = (isolation: Isolation | 'serializable'): string =>
  `BEGIN ISOLATION LEVEL ${isolation}; SET LOCAL idle_in_transaction_session_timeout = ${String(IDLE_MS)}`;

interface Log {
  warn(details: object, message: string): void;
}

/**
 * Opens the database at `postgres://user@host/name`. Connects at first use, and replaces lost connections. Repeats
 * reads once after such a loss, and transactions while they conflict.
 */
export function openPgDatabase(address: string, log?: Log): Database {
  const pool = new pg.Pool({
    connectionString: address,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: STATEMENT_MS,
    keepAlive: true,
    application_name: 'footbridge',
  });
  const snapshots = new Semaphore(MAX_SNAPSHOTS);
  const lock = createReadWriteLock();
  // The next statement reconnects.
  pool.on('error', (error) => log?.warn({ problem: error.message }, 'a connection to the database was lost'));

  // Statements report that error.
  pool.on('connect', (client) => client.on('error', ignore));

  /** Takes a connection from the pool. Throws the driver's error as ours. */
  async function connectClient(): Promise<pg.PoolClient> {
    try {
      return await pool.connect();
    } catch (error) {
      throw translateError(error);
    }
  }

  /**
   * Runs `begin` and `work`, which must commit itself, over one connection. Rolls back if `work` fails; discards a lost
   * connection.
   */
  async function onConnection<R>(begin: string, work: (client: pg.PoolClient) => Promise<R>): Promise<R> {
    const client = await connectClient();
    let problem: Error | undefined;
    try {
      await client.query(begin);
      return await work(client);
    } catch (error) {
      problem = translateError(error);
      throw problem;
    } finally {
      if (problem && !(problem instanceof DatabaseAway)) await client.query('ROLLBACK').catch(ignore);
      client.release(problem instanceof DatabaseAway);
    }
  }

  /** Runs a statement outside transactions; once more if the connection was lost. */
  const read: Ask = async (statement, values) => {
    try {
      return await runStatement(pool, statement, values);
    } catch (error) {
      const problem = translateError(error);
      if (!(problem instanceof DatabaseAway)) throw problem;
      // Idle connections may have been cut.
      return runStatement(pool, statement, values).catch((again: unknown) => {
        throw translateError(again);
      });
    }
  };

  return {
    read,
    /**
     * Runs `work` in a transaction, serializable without an `isolation`. Tries up to 20 times while it conflicts, from
     * the third on without this process's other transactions beside it, unless an `isolation` is given. Throws the last
     * conflict.
     */
    async transaction<R>(work: (ask: Ask) => Promise<R>, isolation?: Isolation) {
      /** Runs `work` in a transaction once, and commits it. */
      const tryOnce = (): Promise<R> =>
        onConnection(beginStatement(isolation ?? 'serializable'), async (client) => {
          const result = await work((statement, values) => runStatement(client, statement, values));
          await client.query('COMMIT');
          return result;
        });
      for (let tries = 1; ; tries++) {
        try {
          // Possibly long, it must not block others.
          if (isolation !== undefined) return await tryOnce();
          return await (tries <= SHARED_TRIES ? lock.shared(tryOnce) : lock.exclusive(tryOnce));
        } catch (error) {
          if (!RETRIABLE.has(errorCodeOf(error)) || tries === MAX_TRIES) throw error;
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * tries));
        }
      }
    },
    /**
     * Opens a read-only transaction over a connection of its own. At most four are open at once; further calls wait.
     */
    async snapshot() {
      const permit = await snapshots.acquire({ preempt: ignore });
      const client = await connectClient().catch((error: unknown) => {
        permit.release();
        throw error;
      });
      let isOver = false;
      /** Ends the transaction and frees its connection, once. */
      const rollBackAndRelease = async (): Promise<void> => {
        if (isOver) return;
        isOver = true;
        const ended = await client.query('ROLLBACK').then(
          () => true,
          () => false,
        );
        client.release(!ended);
        permit.release();
      };
      try {
        await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
        // The first read fixes the snapshot.
        await client.query('SELECT epoch FROM footbridge_hub');
      } catch (error) {
        await rollBackAndRelease();
        throw translateError(error);
      }
      const snapshot: Snapshot = {
        read: (statement, values) =>
          runStatement(client, statement, values).catch((error: unknown) => {
            throw translateError(error);
          }),
        end: rollBackAndRelease,
      };
      return snapshot;
    },
    close: () => pool.end(),
  };
}

/** Runs a statement and returns its rows. Throws the driver's error. */
async function runStatement(
  client: pg.Pool | pg.PoolClient,
  statement: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const { rows } = await client.query<Record<string, unknown>>(statement, [...values]);
  return rows;
}

/** Returns the error's code; empty without one. */
function errorCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/**
 * Returns the driver's error as {@link DatabaseAway}, or as StoreError `full`, `permission` with advice, or `damaged`
 * for wrong tables; others unchanged.
 */
function translateError(error: unknown): Error {
  if (error instanceof DatabaseAway) return error;
  const file = translateFileError(error);
  if (file) return file;
  const code = errorCodeOf(error);
  const isLost = UNAVAILABLE.has(code) || CONNECTION_ERRORS.has(code) || code.startsWith('08');
  if (isLost || (code === '' && error instanceof Error && CONNECTION_MESSAGES.test(error.message)))
    return new DatabaseAway({ cause: error });
  const options = { cause: error };
  if (code === DISK_FULL) return new StoreError('full', said('disk.full'), options);
  const message = error instanceof Error ? error.message : '';
  const ofEncryption = SQL_STATE.test(code) ? undefined : TLS_ADVICE.find(([words]) => words.test(message));
  const advice = ADVICE[code] ?? ofEncryption?.[1];
  if (advice !== undefined)
    return new StoreError('permission', `The database refuses (${message}). ${advice}`, options);
  if (MISSING_TABLES.has(code))
    return new StoreError(
      'damaged',
      `The tables of this office in the database are not as Footbridge made them (${message}). Put back a backup of them.`,
      options,
    );
  return error instanceof Error ? error : new Error(String(error));
}

/**
 * Returns {@link DatabaseAway} for an unreadable file named in the address, such as a certificate that is being
 * replaced; undefined for other errors.
 */
function translateFileError(error: unknown): DatabaseAway | undefined {
  if (!(error instanceof Error && 'syscall' in error)) return undefined;
  if (error.syscall !== 'open' && error.syscall !== 'read') return undefined;
  const file = 'path' in error ? String(error.path) : 'of sslrootcert, sslcert or sslkey';
  return new DatabaseAway(
    { cause: error },
    `The file ${file} cannot be read (${errorCodeOf(error)}), which the address of the database names. Put it there, or correct the address.`,
  );
}

const ignore = (): undefined => undefined;
