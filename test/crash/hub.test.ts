import { afterAll, describe, expect, it } from 'vitest';
import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { HubProcesses } from '../support/harness/hub.ts';
import { pairNodes, rowsOf, shareAndReceive, startNode, type NodeOffice } from '../support/harness/node.ts';
import { runBuilt } from '../support/harness/program.ts';
import { NO_POSTGRES, postgresServer } from '../support/harness/postgres-server.ts';
import { atNight } from '../support/data/luck.ts';
import { customers } from '../support/data/office-lists.ts';

/** Set to 50 for the long run of docs/hub.md. */
const PARTNERS = Number(process.env.FOOTBRIDGE_HUB_PARTNERS ?? atNight(8, 1));
const KILLS = Number(process.env.FOOTBRIDGE_HUB_KILLS ?? atNight(8, 1));
const COLUMNS = ['Name', 'City'];

interface Branch {
  readonly office: NodeOffice;
  /** Its own list, and where that arrives at the hub. */
  readonly own: string;
  readonly atHub: string;
  /** Where the hub's list arrives. */
  readonly fromHub: string;
}

const server = await postgresServer();

describe('an office in a database', () => {
  afterAll(() => server?.stop());

  it(
    `serves and pulls for ${PARTNERS} partners while one process after the other is killed or stopped: in the end all is equal, nothing twice`,
    async ({ skip, onTestFinished }) => {
      if (!server) return skip(NO_POSTGRES);
      const hub = await HubProcesses.over(await server.newDatabase(), randomBytes(24).toString('hex'), 2);
      const branches: Branch[] = [];
      onTestFinished(async () => {
        await Promise.all(branches.map(({ office }) => office.stop()));
        await hub.end();
      });
      hub.start(0);
      await hub.serving();
      hub.start(1);
      const rows = customers({ rows: 40 * (PARTNERS + 1), seed: 19 }).rows.map(
        ({ CompanyName: Name = '', City = '' }) => ({
          Name,
          City,
        }),
      );
      const shared = await listOf(hub.office, rows.slice(0, 40));
      for (let at = 1; at <= PARTNERS; at++)
        branches.push(await branch(hub, shared, `Branch ${at}`, rows.slice(40 * at, 40 * at + 40)));

      for (let kill = 0; kill < KILLS; kill++) {
        const changes = branches.flatMap(({ office, own }, at) => [
          addRow(office, own, `Branch ${at} in round ${kill}`),
          addRow(hub.office, shared, `For ${at} in round ${kill}`),
        ]);
        const serving = await hub.serving();
        await Promise.race(changes);
        await (kill % 2 === 0 ? hub.kill(serving) : hub.stop(serving));
        hub.start(serving);
        await Promise.all(changes);
      }

      const namesIn = async (office: { app: NodeOffice['app'] }, list: string): Promise<string[]> =>
        (await rowsOf(office, list)).map(({ Name = '', City = '' }) => `${Name}, ${City}`).sort();
      for (const { office, own, atHub, fromHub } of branches) {
        await expect
          .poll(() => namesIn(hub.office, atHub), { timeout: 120_000, interval: 500 })
          .toEqual(await namesIn(office, own));
        await expect
          .poll(() => namesIn(office, fromHub), { timeout: 120_000, interval: 500 })
          .toEqual(await namesIn(hub.office, shared));
      }
    },
    60_000 * PARTNERS,
  );

  it('is served by one process: the other one answers 503, and takes over with windows and tokens within 15 seconds of a kill', async ({
    skip,
    onTestFinished,
  }) => {
    if (!server) return skip(NO_POSTGRES);
    const hub = await HubProcesses.over(await server.newDatabase(), randomBytes(24).toString('hex'), 2);
    onTestFinished(() => hub.end());
    hub.start(0);
    await hub.serving();
    hub.start(1);
    await hub.onStandby(1);
    expect(await healthOf(hub, 0)).toEqual([200, { status: 'ok' }]);
    expect(await healthOf(hub, 1)).toEqual([503, { status: 'standby' }]);
    const refused = await hub.direct(1, '/api/federation/footbridge/hello');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await refused.json()).toMatchObject({ error: { code: 'node.standby' } });
    await expect(hub.window(1)).rejects.toThrow(/is on standby and has no window/);

    const list = await listOf(hub.office, [{ Name: 'Øyvind & Sønner', City: 'Tromsø' }]);
    const signIn = await fetch(await hub.windowOf(0), { redirect: 'manual' });
    const cookie = signIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    const sessionAt = async (which: number): Promise<number> =>
      (await fetch(new URL('/app/session', await hub.windowOf(which)), { headers: { cookie } })).status;
    expect(await sessionAt(0)).toBe(200);
    const names = async (which: number): Promise<unknown> =>
      (await hub.at(which, `/app/lists/${list}/rows`)).json();
    const before = await names(0);

    const killed = Date.now();
    void hub.kill(0);
    expect(await names(1)).toEqual(before);
    expect(Date.now() - killed).toBeLessThan(15_000);
    expect(await sessionAt(1)).toBe(200);
    expect(await healthOf(hub, 1)).toEqual([200, { status: 'ok' }]);

    hub.start(0);
    await hub.onStandby(0);
    expect(await healthOf(hub, 0)).toEqual([503, { status: 'standby' }]);
    await hub.stop(1);
    expect(await names(0)).toEqual(before);
    expect(await sessionAt(0)).toBe(200);
  });

  it('takes no lease that is too short to be renewed in time', async () => {
    await expect(runBuilt(['serve', '--data', tmpdir(), '--lease', '2s'])).rejects.toThrow(/from 3s to 60s/);
  });

  it(
    'waits for its database where nobody calls meanwhile, and goes on once it is back',
    { tags: 'nightly-kills' },
    async ({ skip, onTestFinished }) => {
      if (!server?.kill || !server.restart) return skip(NO_POSTGRES);
      const hub = await HubProcesses.over(await server.newDatabase(), randomBytes(24).toString('hex'), 1);
      onTestFinished(() => hub.end());
      hub.start(0);
      const list = await listOf(hub.office, [{ Name: 'Øyvind & Sønner' }]);
      await server.kill();
      await expect.poll(() => healthOf(hub, 0), IN_TIME).toEqual([503, { status: 'standby' }]);
      await new Promise((resolve) => setTimeout(resolve, 2_000));
      expect(hub.hasEnded(0)).toBe(false);
      await server.restart();
      await expect.poll(() => rowsOf(hub.office, list), { timeout: 30_000 }).toHaveLength(1);
    },
  );

  it(
    'goes on at another process that has the port, where one takes over that cannot have it',
    { tags: 'nightly-kills' },
    async ({ skip, onTestFinished }) => {
      if (!server) return skip(NO_POSTGRES);
      const hub = await HubProcesses.over(await server.newDatabase(), randomBytes(24).toString('hex'), 3, {
        onePort: true,
      });
      onTestFinished(() => hub.end());
      hub.start(0);
      await hub.serving();
      for (const which of [1, 2]) {
        hub.start(which);
        await hub.onStandby(which);
      }
      for (let kill = 0; kill < 2; kill++) {
        const serving = await hub.serving();
        await hub.kill(serving);
        await hub.serving();
        hub.start(serving);
        await hub.onStandby(serving);
        expect([0, 1, 2].map((which) => hub.hasEnded(which))).toEqual([false, false, false]);
      }
    },
  );

  it(
    'takes changes again, and gives them on, once its database is back that was gone for longer than a lease',
    { tags: 'nightly-kills' },
    async ({ skip, onTestFinished }) => {
      if (!server) return skip(NO_POSTGRES);
      const { kill, restart } = server;
      if (!kill || !restart) return skip('the PostgreSQL server is not this test’s own to stop');
      const hub = await HubProcesses.over(await server.newDatabase(), randomBytes(24).toString('hex'), 1);
      const branches: Branch[] = [];
      onTestFinished(async () => {
        await Promise.all(branches.map(({ office }) => office.stop()));
        await hub.end();
      });
      hub.start(0);
      const rows = customers({ rows: 30, seed: 4 }).rows.map(({ CompanyName: Name = '', City = '' }) => ({
        Name,
        City,
      }));
      const shared = await listOf(hub.office, rows.slice(0, 15));
      const one = await branch(hub, shared, 'Branch', rows.slice(15));
      branches.push(one);
      await kill();
      await addRow(one.office, one.own, 'Told while the database was away');
      await expect.poll(() => healthOf(hub, 0), IN_TIME).toEqual([503, { status: 'standby' }]);
      await restart();
      await addRow(hub.office, shared, 'Made after it was back');
      await expect
        .poll(() => rowsOf(hub.office, one.atHub), { timeout: 120_000, interval: 500 })
        .toHaveLength(16);
      await expect
        .poll(() => rowsOf(one.office, one.fromHub), { timeout: 120_000, interval: 500 })
        .toHaveLength(16);
    },
  );
});

const IN_TIME = { timeout: 30_000, interval: 200 };

async function healthOf(hub: HubProcesses, which: number): Promise<[number, unknown]> {
  const answer = await hub.direct(which, '/healthz');
  return [answer.status, await answer.json()];
}

async function branch(
  hub: HubProcesses,
  shared: string,
  name: string,
  rows: readonly Record<string, string>[],
): Promise<Branch> {
  const office = await startNode(name, { syncIntervalMs: 2_000 });
  const own = await office.list('Customers', COLUMNS, rows);
  const pair = await pairNodes(hub.office, office);
  const to = { office: hub.office, partner: pair.atInviter };
  const atHub = await shareAndReceive({ office, partner: pair.atInvited, list: own }, COLUMNS, to);
  const there = await shareAndReceive(
    { office: hub.office, partner: pair.atInviter, list: shared },
    COLUMNS,
    {
      office,
      partner: pair.atInvited,
    },
  );
  return { office, own, atHub: atHub.list, fromHub: there.list };
}

async function listOf(
  { app }: Pick<NodeOffice, 'app'>,
  rows: readonly Record<string, string>[],
): Promise<string> {
  const { moduleID } = await app<{ moduleID: string }>('POST', '/app/lists', {
    name: 'Suppliers',
    fields: COLUMNS.map((label) => ({ label, name: label, kind: 'String', isMulti: false })),
  });
  for (const { Name = '', City = '' } of rows)
    await app('POST', `/app/lists/${moduleID}/rows`, { values: { Name: [Name], City: [City] } });
  return moduleID;
}

/** Once: a call whose answer was lost with its process is looked after, not made again. */
async function addRow(office: Pick<NodeOffice, 'app'>, list: string, name: string): Promise<void> {
  await office.app('POST', `/app/lists/${list}/rows`, { values: { Name: [name] } }).catch(() => undefined);
}
