import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

const run = promisify(execFile);

/** A PostgreSQL server for tests. */
export interface PostgresServer {
  /** Of a new, empty database. */
  newDatabase(): Promise<string>;
  /** Takes it away as a power cut would, and brings it back. Undefined for one that others use as well. */
  readonly kill: (() => Promise<void>) | undefined;
  readonly restart: (() => Promise<void>) | undefined;
  stop(): Promise<void>;
}

/**
 * The one at `FOOTBRIDGE_TEST_POSTGRES`, or one of its own where PostgreSQL's programs are installed; undefined where
 * neither is there.
 */
export async function postgresServer(): Promise<PostgresServer | undefined> {
  const given = process.env.FOOTBRIDGE_TEST_POSTGRES;
  if (given !== undefined)
    return { newDatabase: () => newDatabase(given), kill: undefined, restart: undefined, stop: nothing };
  const programs = await installed();
  return programs === undefined
    ? undefined
    : ownServer(programs).catch((error: unknown) => {
        console.warn('A PostgreSQL server of the tests’ own could not be started:', error);
        return undefined;
      });
}

let shared: Promise<Pick<PostgresServer, 'newDatabase'> | undefined> | undefined;

/** Returns the server of all test files of this process, as {@link postgresServer} finds it. It ends with the process. */
export const sharedServer = (): NonNullable<typeof shared> => (shared ??= postgresServer());

export const NO_POSTGRES =
  'no PostgreSQL: neither FOOTBRIDGE_TEST_POSTGRES is given, nor can its programs in /usr/lib/postgresql be started';

let made = 0;

async function newDatabase(address: string): Promise<string> {
  const name = `footbridge_test_${String(process.pid)}_${String(++made)}`;
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    await client.query(`DROP DATABASE IF EXISTS ${name}`);
    await client.query(`CREATE DATABASE ${name}`);
  } finally {
    await client.end();
  }
  const own = new URL(address);
  own.pathname = `/${name}`;
  return own.href;
}

async function installed(): Promise<string | undefined> {
  const versions = await readdir('/usr/lib/postgresql').catch(() => []);
  const newest = versions.map(Number).sort((a, b) => b - a)[0];
  return newest === undefined || newest < 15 ? undefined : `/usr/lib/postgresql/${String(newest)}/bin`;
}

/** In a folder of its own, reached through a socket in it: no port is taken. */
async function ownServer(programs: string): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), 'footbridge-pg-'));
  const data = join(folder, 'data');
  const user = await userToRunAs();
  if (user) await chown(folder, user.uid, user.gid);
  await run(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'office', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    user,
  );
  const address = `postgres://office@localhost/postgres?host=${encodeURIComponent(folder)}`;
  const guard = endWithThisProcess(folder, data);
  let server: ChildProcess | undefined;
  /** Whoever asks for its end may go on before it has come. */
  let ended: Promise<void> = Promise.resolve();
  const start = async (): Promise<void> => {
    await ended;
    // A server that is killed has handed over what it called written: only the computer's own end would lose it.
    const settings = [
      'listen_addresses=',
      `unix_socket_directories=${folder}`,
      'max_connections=60',
      'fsync=off',
    ];
    server = spawn(
      join(programs, 'postgres'),
      ['-D', data, ...settings.flatMap((setting) => ['-c', setting])],
      { ...user, stdio: 'ignore' },
    );
    await answers(address, server);
  };
  /** Of one that was ended so, the last processes may be there for a moment, and nobody else is let in until they have gone. */
  const restart = async (): Promise<void> => {
    for (let tries = 1; ; tries++) {
      try {
        await start();
        return;
      } catch (error) {
        if (tries === 50) throw error;
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    }
  };
  const end = async (signal: 'SIGINT' | 'SIGQUIT'): Promise<void> => {
    const ending = server;
    server = undefined;
    // SIGQUIT is PostgreSQL's own way to end without writing anything more.
    if (ending) ended = endOf(ending, signal);
    await ended;
  };
  await start();
  return {
    newDatabase: () => newDatabase(address),
    kill: () => end('SIGQUIT'),
    restart,
    async stop() {
      if (server) await end('SIGINT');
      guard.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Ends the server and removes its folder once this process is gone. A test run that is killed, and a server that test
 * files share, have nobody else to do so.
 */
function endWithThisProcess(folder: string, data: string): ChildProcess {
  const script = `cat; pid=$(head -n 1 "$1/postmaster.pid") && kill -QUIT "$pid"
    while kill -0 "$pid"; do sleep 0.1; done; rm -rf "$0"`;
  return spawn('sh', ['-c', script, folder, data], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
}

async function endOf(server: ChildProcess, signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exited = new Promise((resolve) => server.once('exit', resolve));
  server.kill(signal);
  await exited;
}

/** The server refuses to run as root. */
async function userToRunAs(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const id = async (which: string): Promise<number> => Number((await run('id', [which, 'postgres'])).stdout);
  return { uid: await id('-u'), gid: await id('-g') };
}

async function answers(address: string, server: ChildProcess): Promise<void> {
  for (;;) {
    if (server.exitCode !== null || server.signalCode !== null)
      throw new Error(`postgres ended with ${server.exitCode ?? server.signalCode}`);
    const client = new pg.Client({ connectionString: address });
    try {
      await client.connect();
      await client.end();
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

const nothing = (): Promise<void> => Promise.resolve();
