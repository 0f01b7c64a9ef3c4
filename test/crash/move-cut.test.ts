import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, it } from 'vitest';
import { officeOf, serveBuilt, userTokenOf } from '../support/harness/program.ts';
import { atNight } from '../support/data/luck.ts';
import { customers } from '../support/data/office-lists.ts';
import { HubProcesses } from '../support/harness/hub.ts';
import { NO_POSTGRES, postgresServer } from '../support/harness/postgres-server.ts';

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const ROWS = 6_000;
/** Each call is let run so much longer than the one before; shorter steps meet more places. */
const LONGER_MS = atNight(350, 1_000);

const server = await postgresServer();
afterAll(() => server?.stop());

interface Ended {
  readonly code: number | null;
  readonly said: string;
}

/** One call of the built app, killed after a while. */
function call(args: readonly string[], env: NodeJS.ProcessEnv, killedAfter = Infinity): Promise<Ended> {
  const child = spawn(process.execPath, [CLI, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => said.push(data.toString()));
  const timer = Number.isFinite(killedAfter)
    ? setTimeout(() => child.kill('SIGKILL'), killedAfter)
    : undefined;
  return new Promise((resolve) => {
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code, said: said.join('') });
    });
  });
}

it(
  'a move that is killed again and again arrives in the end with every row, into a database and back',
  { timeout: 300_000, tags: 'nightly-kills' },
  async ({ skip, onTestFinished }) => {
    if (!server) return skip(NO_POSTGRES);
    const folder = await mkdtemp(join(tmpdir(), 'footbridge-move-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const [store, secret] = [await server.newDatabase(), randomBytes(24).toString('hex')];
    const env = { ...process.env, FOOTBRIDGE_STORE: store, FOOTBRIDGE_SECRET: secret };
    const alone = { ...process.env, FOOTBRIDGE_SECRET: secret };
    const [first, second] = [join(folder, 'first'), join(folder, 'second')];
    const before = await serveBuilt({ dataDir: first });
    const office = await officeOf(before, 'Head office', userTokenOf(before));
    const { rows } = customers({ rows: ROWS, seed: 6 });
    const columns = Object.keys(rows[0] ?? {});
    const lines = rows.map((row) =>
      columns.map((column) => JSON.stringify(row[column] ?? '').replaceAll('\\"', '""')),
    );
    const list = await office.importCsv(
      'Customers',
      [columns, ...lines].map((cells) => cells.join(',')).join('\n'),
    );
    const all = await office.allRows(list);
    expect(all).toHaveLength(ROWS);
    await before.stop();

    const untilItArrives = async (args: readonly string[]): Promise<number> => {
      for (let kills = 0; ; kills++) {
        const { code, said } = await call(['move', ...args], env, 1_000 + kills * LONGER_MS);
        if (code === 0) {
          expect(said).toMatch(/each compared with what it was|had arrived/);
          return kills;
        }
        expect({ code, said }).toEqual({ code: null, said: expect.not.stringContaining('Error') as unknown });
      }
    };
    expect(await untilItArrives(['--data', first, '--to'])).toBeGreaterThan(0);
    for (const command of ['doctor', 'token', 'backup'])
      expect(
        await call(
          [command, '--data', first, ...(command === 'backup' ? [join(folder, 'file')] : [])],
          alone,
        ),
      ).toMatchObject({
        code: 1,
        said: expect.stringContaining('This office has moved to') as unknown,
      });
    await expect(serveBuilt({ dataDir: first })).rejects.toThrow('This office has moved to postgres://');

    const hub = await HubProcesses.over(store, secret, 1);
    hub.start(0);
    const page = `/app/lists/${list.moduleID}/rows?limit=1`;
    expect(await hub.office.app('GET', page)).toMatchObject({ total: ROWS });
    await hub.end();

    expect(await untilItArrives(['--data', second, '--from'])).toBeGreaterThan(0);
    const after = await serveBuilt({ dataDir: second });
    const back = await officeOf(after, 'Head office', userTokenOf(after));
    expect(await back.allRows(list)).toEqual(all);
    await after.remove();
  },
);
