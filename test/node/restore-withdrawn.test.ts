import { copyFile, cp, mkdir, open, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isOfLedger } from '../../server/federation/sharing/ledger-parts.ts';
import { systemClock } from '../../server/base/clock.ts';
import { restoreBackup } from '../../server/store/recovery/restore-backup.ts';
import { sampleOf } from '../support/data/luck.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';
import {
  backupOf,
  type NodeOffice,
  pairNodes,
  putBack,
  rowsOf,
  shareAndReceive,
  startNode,
} from '../support/harness/node.ts';

interface InboxItem {
  readonly kind: string;
  readonly partner?: string;
  readonly message: string;
}
interface Partner {
  readonly nodeID: string;
  readonly name: string;
  readonly status: string;
}

let home: { path: string; remove: () => Promise<void> };
let oslo: NodeOffice;
let bergen: NodeOffice;
let turku: NodeOffice;
const partner = { bergen: '', turku: '' };
const lists = { customers: '', orders: '' };
const there = { customers: '', orders: '' };
let osloAtBergen: string;
let osloAtTurku: string;

const CUSTOMERS = [
  { Name: 'Fjellheim & Sønn', City: 'Voss', Iban: 'NO93 8601 1117 947' },
  { Name: 'Ødegård Bygg', City: 'Ålesund', Iban: 'NO83 3000 1234 567' },
];

const ledgerLines = async (): Promise<number> =>
  (await oslo.app<{ total: number }>('GET', `/app/partners/${partner.bergen}/ledger`)).total;

async function backup(): Promise<string> {
  const file = join(home.path, 'old.backup');
  await writeFile(file, await backupOf(oslo));
  return file;
}

/** All that a user can take back, after the backup was made. */
async function takeBack(): Promise<void> {
  await oslo.app('PUT', `/app/partners/${partner.bergen}/shares/${lists.customers}`, {
    fields: ['Name', 'City'],
  });
  await oslo.app('DELETE', `/app/partners/${partner.bergen}/shares/${lists.orders}`);
  await oslo.app('POST', `/federation/nodes/${partner.turku}/revoke`);
}

async function startOslo(): Promise<NodeOffice> {
  return startNode('Oslo', { dataDir: join(home.path, 'oslo') });
}

async function restart(between: (dataDir: string) => Promise<unknown>): Promise<void> {
  await oslo.stop();
  await between(oslo.dataDir);
  oslo = await startNode('Oslo', { dataDir: oslo.dataDir, port: oslo.port });
}

/** Every way in which older data comes to take the place of newer. */
const WAYS: readonly (readonly [string, { ledger: boolean; put: (file: string) => Promise<void> }])[] = [
  [
    'the window',
    {
      ledger: true,
      put: async (file) => putBack(oslo, await readFile(file)),
    },
  ],
  [
    'the command',
    {
      ledger: true,
      put: (file) =>
        restart((dataDir) => restoreBackup(file, dataDir, { clock: systemClock, keeps: isOfLedger })),
    },
  ],
  [
    'the store itself, whose folder had vanished',
    {
      ledger: false,
      put: (file) =>
        restart(async (dataDir) => {
          await asDailyBackup(file, dataDir);
          await rename(join(dataDir, 'store'), join(dataDir, 'lost'));
        }),
    },
  ],
  [
    'the store itself, whose main part was damaged',
    {
      ledger: false,
      put: (file) =>
        restart(async (dataDir) => {
          await asDailyBackup(file, dataDir);
          const system = join(dataDir, 'store', 'system');
          for (const name of await readdir(system)) {
            const handle = await open(join(system, name), 'r+');
            await handle.write(Buffer.from('###damaged###'), 0, 13, 0);
            await handle.close();
          }
        }),
    },
  ],
];

async function asDailyBackup(file: string, dataDir: string): Promise<void> {
  await mkdir(join(dataDir, 'backups'), { recursive: true });
  await copyFile(file, join(dataDir, 'backups', 'footbridge-2026-01-05T070000Z.backup'));
}

beforeEach(async () => {
  home = await temporaryFolder();
  [oslo, bergen, turku] = [await startOslo(), await startNode('Bergen'), await startNode('Turku')];
  const first = await pairNodes(oslo, bergen);
  const second = await pairNodes(oslo, turku);
  [partner.bergen, partner.turku] = [first.atInviter, second.atInviter];
  [osloAtBergen, osloAtTurku] = [first.atInvited, second.atInvited];
  lists.customers = await oslo.list('Customers', ['Name', 'City', 'Iban'], CUSTOMERS);
  lists.orders = await oslo.list('Orders', ['Number'], [{ Number: '2026-0417' }]);
  const to = { office: bergen, partner: osloAtBergen };
  const from = { office: oslo, partner: partner.bergen };
  there.customers = (
    await shareAndReceive({ ...from, list: lists.customers }, ['Name', 'City', 'Iban'], to)
  ).list;
  there.orders = (await shareAndReceive({ ...from, list: lists.orders }, ['Number'], to)).list;
  await shareAndReceive({ office: oslo, partner: partner.turku, list: lists.customers }, ['Name'], {
    office: turku,
    partner: osloAtTurku,
  });
});
afterEach(async () => {
  await Promise.all([oslo.stop(), bergen.stop(), turku.stop()]);
  await home.remove();
});

describe.each(sampleOf(WAYS, 2))('R9: older data that is put in place by %s', (way, { ledger, put }) => {
  it('opens nothing again that was withdrawn since, and the inbox says so', async () => {
    const file = await backup();
    await takeBack();
    const before = await ledgerLines();
    for (const Name of ['Kaldhol Transport', 'Brekke & Co', 'Nordsjø Kran', 'Ytterøy Mølle']) {
      await oslo.app('POST', `/app/lists/${lists.customers}/rows`, { values: { Name: [Name] } });
      await bergen.app('POST', `/app/partners/${osloAtBergen}/sync`);
    }
    const lines = await ledgerLines();
    expect(lines).toBeGreaterThanOrEqual(before + 4);
    await put(file);
    if (ledger) expect(await ledgerLines()).toBeGreaterThanOrEqual(lines);

    await oslo.app('POST', `/app/lists/${lists.customers}/rows`, {
      values: { Name: ['Lyngen Fisk'], City: ['Lyngen'], Iban: ['NO11 2222 3333 444'] },
    });
    await oslo.app('POST', `/app/lists/${lists.orders}/rows`, { values: { Number: ['2026-0999'] } });
    if (way.includes('vanished')) {
      // With the store went what says how far the list of what was withdrawn had come.
      await expect(bergen.app('POST', `/app/partners/${osloAtBergen}/sync`)).rejects.toThrow(/paused/);
      await oslo.app('POST', `/app/partners/${partner.bergen}/shares-seen`);
    }
    await bergen.app('POST', `/app/partners/${osloAtBergen}/sync`);
    const received = await rowsOf(bergen, there.customers);
    expect(received.find(({ Name }) => Name === 'Lyngen Fisk')).toMatchObject({ City: 'Lyngen' });
    expect(JSON.stringify(received)).not.toContain('NO11 2222');
    expect(JSON.stringify(await rowsOf(bergen, there.orders))).not.toContain('2026-0999');
    await expect(turku.app('POST', `/app/partners/${osloAtTurku}/sync`)).rejects.toThrow();

    const partners = await oslo.app<Partner[]>('GET', '/federation/nodes');
    expect(JSON.stringify(partners)).toContain(partner.turku);
    const { inbox } = await oslo.app<{ inbox: InboxItem[] }>('GET', '/app/overview');
    const kept = inbox.filter(({ kind }) => kind === 'kept-withdrawn').map(({ message }) => message);
    // That the list of it cannot be relied on is told as well. That the lists went back knows who put a backup back.
    expect(kept).toHaveLength(way.includes('vanished') ? 4 : 3);
    expect(kept.join('\n')).not.toContain('Look through your lists');
    expect(kept.join('\n')).toMatch(/“Orders” was still shared/);
    expect(kept.join('\n')).toMatch(/saw more of “Customers”/);
    expect(kept.join('\n')).toMatch(/still connected/);
  });
});

it(
  'R9: where the folder with all lists is an older one, it is said of the lists too, not of the share alone',
  { tags: 'nightly-orders' },
  async () => {
    await restart((dataDir) => cp(join(dataDir, 'store'), join(home.path, 'older'), { recursive: true }));
    await oslo.app('POST', `/app/lists/${lists.customers}/rows`, { values: { Name: ['Kaldhol Transport'] } });
    await oslo.app('DELETE', `/app/partners/${partner.bergen}/shares/${lists.orders}`);
    await restart(async (dataDir) => {
      await rename(join(dataDir, 'store'), join(home.path, 'newer'));
      await rename(join(home.path, 'older'), join(dataDir, 'store'));
    });
    const told = async (): Promise<InboxItem[]> =>
      (await oslo.app<{ inbox: InboxItem[] }>('GET', '/app/overview')).inbox.filter(
        ({ kind }) => kind === 'kept-withdrawn',
      );
    expect((await told()).map(({ message }) => message).sort()).toEqual([
      expect.stringMatching(/“Orders” was still shared/),
      expect.stringMatching(/your lists with it: .* Look through your lists/),
    ]);
    await restart(() => Promise.resolve());
    expect(await told()).toHaveLength(2);
  },
);

it('R9: what was withdrawn and given again is open after a restore', { tags: 'nightly-orders' }, async () => {
  const file = await backup();
  await takeBack();
  await oslo.app('PUT', `/app/partners/${partner.bergen}/shares/${lists.orders}`, { fields: ['Number'] });
  await WAYS[1]?.[1].put(file);
  await oslo.app('POST', `/app/lists/${lists.orders}/rows`, { values: { Number: ['2026-1203'] } });
  await bergen.app('POST', `/app/partners/${osloAtBergen}/sync`);
  expect(JSON.stringify(await rowsOf(bergen, there.orders))).toContain('2026-1203');
});

it('R9: a window that was signed out stays so after a restore', { tags: 'nightly-orders' }, async () => {
  const base = new URL(oslo.ready.window).origin;
  const entered = await fetch(oslo.node.windowLink(), { redirect: 'manual' });
  const cookie = (entered.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const look = async (): Promise<number> =>
    (await fetch(`${base}/app/overview`, { headers: { cookie } })).status;
  expect(await look()).toBe(200);
  const file = await backup();
  const all = await oslo.app<{ sessionID: string }[]>('GET', '/app/sessions');
  await oslo.app('POST', '/app/sessions/end', { sessionIDs: all.map(({ sessionID }) => sessionID) });
  expect(await look()).toBe(401);
  await WAYS[0]?.[1].put(file);
  expect(await look()).toBe(401);
  const { inbox } = await oslo.app<{ inbox: InboxItem[] }>('GET', '/app/overview');
  expect(inbox.map(({ message }) => message).join()).toMatch(/stay signed out/);
});

it(
  'files that a list followed, and copies of it, are no more after a restore where they were ended',
  { tags: 'nightly-orders' },
  async () => {
    const path = `/app/lists/${lists.customers}`;
    const [source, copy] = [join(home.path, 'customers.csv'), join(home.path, 'copy.csv')];
    await writeFile(source, 'Name,City,Iban\nFjellheim & Sønn,Voss,NO93\n');
    await oslo.app('PUT', `${path}/watched`, { path: source, key: 'Name' });
    await oslo.app('PUT', `${path}/copy`, { path: copy, replace: false });
    const file = await backup();
    await oslo.app('DELETE', `${path}/watched`);
    await oslo.app('DELETE', `${path}/copy`);
    await writeFile(copy, 'mine by now');
    await restart((dataDir) => restoreBackup(file, dataDir, { clock: systemClock, keeps: isOfLedger }));
    expect(await oslo.app('GET', `${path}/files`)).toEqual({});
    expect(await readFile(copy, 'utf8')).toBe('mine by now');
  },
);

it('R9: a partner whose reading was paused stays paused after a restore', async () => {
  const file = await backup();
  await oslo.app('POST', `/federation/nodes/${partner.bergen}/pause`, { serve: true });
  await WAYS[1]?.[1].put(file);
  await expect(bergen.app('POST', `/app/partners/${osloAtBergen}/sync`)).rejects.toThrow(/partner.paused/);
  const { inbox } = await oslo.app<{ inbox: InboxItem[] }>('GET', '/app/overview');
  expect(inbox.map(({ message }) => message).join()).toMatch(/They stay paused/);
});

it(
  'R9: a pause without an end is not one with an end after a restore',
  { tags: 'nightly-orders' },
  async () => {
    const pause = (body: object): Promise<unknown> =>
      oslo.app('POST', `/federation/nodes/${partner.bergen}/pause`, body);
    await pause({ until: new Date(Date.now() + 3_600_000).toISOString() });
    const file = await backup();
    await pause({ serve: true });
    await WAYS[1]?.[1].put(file);
    const status = await oslo.app<object>('GET', `/app/partners/${partner.bergen}`);
    expect(status).toMatchObject({ paused: { fetch: true, serve: true } });
    expect(status).not.toHaveProperty('pausedUntil');
  },
);
