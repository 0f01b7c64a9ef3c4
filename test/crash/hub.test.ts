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

  it(`serves and pulls for ${PARTNERS} partners while one process after the other is killed: in the end all is equal, nothing twice`, async ({
    skip,
    onTestFinished,
  }) => {
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
  });

  it('takes changes again, and gives them on, once its database is back that was gone in the middle of it', async ({
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
    await new Promise((resolve) => setTimeout(resolve, 15_000));
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
