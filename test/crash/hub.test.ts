import { afterAll, describe, expect, it } from 'vitest';
import { randomBytes } from 'node:crypto';
import { HubProcesses } from '../support/harness/hub.ts';
import { pairNodes, rowsOf, shareAndReceive, startNode, type NodeOffice } from '../support/harness/node.ts';
import { NO_POSTGRES, postgresServer } from '../support/harness/postgres-server.ts';
import { customers } from '../support/data/office-lists.ts';

/** Set to 50 for the long run of docs/hub.md. */
const PARTNERS = Number(process.env.FOOTBRIDGE_HUB_PARTNERS ?? 6);
const KILLS = Number(process.env.FOOTBRIDGE_HUB_KILLS ?? 4);
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

describe('an office in a database that two processes serve', () => {
  afterAll(() => server?.stop());

  it(
    `serves and pulls for ${PARTNERS} partners while one process after the other is killed: in the end all is equal, nothing twice`,
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
        await hub.kill(serving);
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

  it('answers at each process alike: calls, sign-ins, events and what is counted, and goes on at the other within 15 seconds of a kill', async ({
    skip,
    onTestFinished,
  }) => {
    if (!server) return skip(NO_POSTGRES);
    const hub = await HubProcesses.over(await server.newDatabase(), randomBytes(24).toString('hex'), 2);
    onTestFinished(() => hub.end());
    hub.start(0);
    await hub.serving();
    hub.start(1);
    const list = await listOf(hub.office, [{ Name: 'Øyvind & Sønner', City: 'Tromsø' }]);
    const names = async (which: number): Promise<unknown> =>
      (await hub.at(which, `/app/lists/${list}/rows`)).json();
    expect(await names(1)).toEqual(await names(0));

    // Who signs in at one is signed in at the other.
    const link = await hub.windowOf(1);
    const cookie = (await fetch(link, { redirect: 'manual' })).headers.get('set-cookie')?.split(';')[0] ?? '';
    for (const which of [0, 1])
      expect(
        (await fetch(new URL('/app/session', await hub.windowOf(which)), { headers: { cookie } })).status,
      ).toBe(200);

    // A window at one hears of what is done at the other.
    const stream = await fetch(new URL('/app/events', link), { headers: { cookie } });
    const heard = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    await hub.at(0, `/app/lists/${list}/rows`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ values: { Name: ['Łukasz i Synowie'] } }),
    });
    let events = '';
    while (!events.includes(list)) events += (await heard?.read())?.value ?? '';

    // Wrong tokens are counted together.
    const guess = async (which: number): Promise<number> =>
      (
        await fetch(new URL('/app/overview', await hub.windowOf(which)), {
          headers: { authorization: 'Bearer guessed' },
        })
      ).status;
    const guesses = [];
    for (let at = 0; at < 24; at++) guesses.push(await guess(at % 2));
    expect(guesses.slice(0, 20)).toEqual(Array<number>(20).fill(401));
    expect(guesses.slice(20)).toEqual(Array<number>(4).fill(429));

    const killed = Date.now();
    void hub.kill(0);
    const answers = await Promise.all(Array.from({ length: 20 }, () => names(1)));
    expect(Date.now() - killed).toBeLessThan(15_000);
    expect(answers.every((answer) => JSON.stringify(answer).includes('Łukasz'))).toBe(true);
    // And the one that comes back answers for the one that went on.
    hub.start(0);
    expect(await names(0)).toEqual(await names(1));
    expect(
      (await fetch(new URL('/app/session', await hub.windowOf(0)), { headers: { cookie } })).status,
    ).toBe(200);
  });

  it('waits for its database where nobody calls meanwhile, and goes on once it is back', async ({
    skip,
    onTestFinished,
  }) => {
    if (!server?.kill || !server.restart) return skip(NO_POSTGRES);
    const hub = await HubProcesses.over(await server.newDatabase(), randomBytes(24).toString('hex'), 1);
    onTestFinished(() => hub.end());
    hub.start(0);
    const list = await listOf(hub.office, [{ Name: 'Øyvind & Sønner' }]);
    await server.kill();
    await new Promise((resolve) => setTimeout(resolve, 25_000));
    expect(hub.hasEnded(0)).toBe(false);
    await server.restart();
    await expect.poll(() => rowsOf(hub.office, list), { timeout: 30_000 }).toHaveLength(1);
  });

  it('goes on at another process that has the port, where one takes over that cannot have it', async ({
    skip,
    onTestFinished,
  }) => {
    if (!server) return skip(NO_POSTGRES);
    const hub = await HubProcesses.over(await server.newDatabase(), randomBytes(24).toString('hex'), 3, {
      onePort: true,
    });
    onTestFinished(() => hub.end());
    hub.start(0);
    await hub.serving();
    for (const which of [1, 2]) {
      hub.start(which);
      await hub.standingBy(which);
    }
    for (let kill = 0; kill < 3; kill++) {
      const serving = await hub.serving();
      await hub.kill(serving);
      await hub.serving();
      hub.start(serving);
      await hub.standingBy(serving);
      expect([0, 1, 2].map((which) => hub.hasEnded(which))).toEqual([false, false, false]);
    }
  });

  it('takes changes again, and gives them on, once its database is back that was gone for a minute in the middle of it', async ({
    skip,
    onTestFinished,
  }) => {
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
    await new Promise((resolve) => setTimeout(resolve, 60_000));
    await restart();
    await addRow(hub.office, shared, 'Made after it was back');
    await expect
      .poll(() => rowsOf(hub.office, one.atHub), { timeout: 120_000, interval: 500 })
      .toHaveLength(16);
    await expect
      .poll(() => rowsOf(one.office, one.fromHub), { timeout: 120_000, interval: 500 })
      .toHaveLength(16);
  });
});

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
