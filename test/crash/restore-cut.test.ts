import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type NetConnectOpts, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { atNight } from '../support/data/luck.ts';
import { officeOf, runBuilt, serveBuilt, spawnBuilt, userTokenOf } from '../support/harness/program.ts';
import { NO_POSTGRES, postgresServer } from '../support/harness/postgres-server.ts';

const server = await postgresServer();
afterAll(() => server?.stop());

/**
 * Where in a restore its process is killed: as it asks for its n-th commit, or for the one that puts the backup in
 * place, before that arrives or once it is done.
 */
interface Cut {
  readonly commit: number | 'in place';
  readonly isDone: boolean;
}

const PUTS_IN_PLACE = 'UPDATE footbridge_partition SET name = $2, last_seq';

/** Stands between a process and the database. */
class Line {
  #commits = 0;
  /** The open transaction puts the backup in place. A trial before it does so too, and is rolled back. */
  #putsInPlace = false;
  #cut: (Cut & { readonly kill: () => void }) | undefined;
  readonly #server: Server;

  private constructor(database: NetConnectOpts) {
    this.#server = createServer((client) => this.#join(client, connect(database)));
  }

  static async in(folder: string, database: NetConnectOpts): Promise<Line> {
    const line = new Line(database);
    await new Promise<void>((resolve) => line.#server.listen(join(folder, '.s.PGSQL.5432'), resolve));
    return line;
  }

  cutAt(cut: Cut, kill: () => void): void {
    this.#commits = 0;
    this.#putsInPlace = false;
    this.#cut = { ...cut, kill };
  }

  close(): void {
    this.#server.close();
  }

  #join(client: Socket, there: Socket): void {
    const end = (): void => {
      client.destroy();
      there.destroy();
    };
    for (const each of [client, there]) each.on('error', end).on('close', end);
    client.on('data', (data) => {
      if (data.includes('ROLLBACK\0')) this.#putsInPlace = false;
      if (data.includes(PUTS_IN_PLACE)) this.#putsInPlace = true;
      const isCommit = data.includes('COMMIT\0');
      if (isCommit) this.#commits++;
      const isAsked =
        this.#cut?.commit === 'in place' ? this.#putsInPlace : this.#commits === this.#cut?.commit;
      const isIt = isCommit && isAsked;
      if (isCommit) this.#putsInPlace = false;
      const { isDone, kill } = this.#cut ?? { isDone: false, kill: end };
      const cut = (): void => {
        kill();
        end();
      };
      // What the database answers reaches nobody.
      if (isIt && isDone) there.removeAllListeners('data').once('data', cut);
      if (isIt && !isDone) cut();
      else there.write(data);
    });
    there.on('data', (data) => client.write(data));
  }
}

it('a restore into a database that is killed at any of its steps leaves what was there, or what it brought, and the next one goes', async ({
  skip,
  onTestFinished,
}) => {
  if (!server) return skip(NO_POSTGRES);
  const folder = await mkdtemp(join(tmpdir(), 'footbridge-restore-'));
  const address = await server.newDatabase();
  const own = new URL(address);
  const socket = own.searchParams.get('host');
  const port = Number(own.port || 5432);
  const line = await Line.in(
    folder,
    socket === null ? { host: own.hostname, port } : { path: join(socket, `.s.PGSQL.${port}`) },
  );
  own.port = '';
  own.searchParams.set('host', folder);
  const database = new pg.Client({ connectionString: address });
  await database.connect();
  onTestFinished(async () => {
    await database.end();
    line.close();
    await rm(folder, { recursive: true, force: true });
  });
  const secret = randomBytes(24).toString('hex');
  const env = { ...process.env, FOOTBRIDGE_STORE: own.href, FOOTBRIDGE_SECRET: secret };

  const served = await serveBuilt({ dataDir: join(folder, 'office') });
  const office = await officeOf(served, 'Head office', userTokenOf(served));
  const files = [join(folder, 'one.backup'), join(folder, 'two.backup')] as const;
  for (const [at, file] of files.entries()) {
    await office.importCsv(`List${at}`, ['Name', ...Array.from({ length: 20 }, (_, row) => row)].join('\n'));
    await runBuilt(['backup', '--data', served.dataDir, file]);
  }
  await served.stop();

  /** What is there, in short. */
  const state = async (): Promise<string> => {
    const { rows } = await database.query<{ all: string }>(
      `SELECT md5(string_agg(p.name || e.tbl || encode(e.key, 'hex') || e.value, ' ' ORDER BY p.name, e.tbl, e.key)) AS all
        FROM footbridge_partition p JOIN footbridge_entry e ON e.partition_id = p.id WHERE p.name NOT LIKE '%/%'`,
    );
    return rows[0]?.all ?? '';
  };
  const restore = async (which: number, cut?: Cut): Promise<number | null> => {
    const { child, exited } = spawnBuilt(['restore', files[which] ?? '', '--data', folder], { env });
    line.cutAt(cut ?? { commit: 0, isDone: false }, () => child.kill('SIGKILL'));
    const code = await exited;
    // As nine seconds later.
    await database.query('UPDATE footbridge_lease SET held_until = now()');
    return code;
  };
  expect([await restore(1), await restore(0)]).toEqual([0, 0]);
  const states = [await state(), (await restore(1), await state())];
  let which = 1;
  let changes = 0;
  // The first of them meets a restore that has not begun to change anything, the others the moment of the change.
  const three: readonly (Omit<Cut, 'commit'> & { readonly commits: readonly Cut['commit'][] })[] = [
    { isDone: false, commits: [1, 'in place'] },
    { isDone: true, commits: ['in place'] },
  ];
  const all: typeof three = [false, true].map((isDone) => ({
    isDone,
    commits: Array.from({ length: 99 }, (_, at) => at + 1),
  }));
  for (const { isDone, commits } of atNight(all, three))
    for (const commit of commits) {
      const next = 1 - which;
      const code = await restore(next, { commit, isDone });
      // The database takes a moment to find out.
      const now = await state();
      expect(states, `${commit} ${String(isDone)}`).toContain(now);
      expect([null, 0]).toContain(code);
      which = states.indexOf(now);
      changes += which === next ? 1 : 0;
      if (code === 0) break;
    }
  expect(changes).toBeGreaterThan(0);
  expect(await restore(1 - which)).toBe(0);
  const { rows: left } = await database.query(
    "SELECT name FROM footbridge_partition WHERE name LIKE '%/%' AND name NOT LIKE '%/replaced-%'",
  );
  expect(left).toEqual([]);
  expect((await runBuilt(['tidy'], { env })).stdout).toContain('restores had replaced is removed');
  const { rows: parts } = await database.query('SELECT name FROM footbridge_partition');
  expect(parts.length).toBeLessThan(5);
}, 300_000);
