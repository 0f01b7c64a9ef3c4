import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isOfLedger } from '../../server/federation/sharing/ledger-parts.ts';
import { systemClock, type Clock } from '../../server/base/clock.ts';
import { restoreBackup } from '../../server/store/recovery/restore-backup.ts';
import {
  backupOf,
  type NodeOffice,
  pairNodes,
  rowsOf,
  shareAndReceive,
  startNode,
} from '../support/harness/node.ts';

/** Two offices that share with each other, one of which goes back to a backup of before their tokens were renewed. */
const DAY = 86_400_000;
let days = 0;
const clock: Clock = { ...systemClock, now: () => Date.now() + days * DAY };

let folder: string;
let oslo: NodeOffice;
let bergen: NodeOffice;
let bergenAtOslo: string;
let osloAtBergen: string;
let customers: string;
let suppliers: string;
let there: { readonly customers: string; readonly suppliers: string };

const startOslo = (port = 0): Promise<NodeOffice> =>
  startNode('Oslo', { dataDir: join(folder, 'oslo'), clock, port });

beforeEach(async () => {
  days = 0;
  folder = await mkdtemp(join(tmpdir(), 'footbridge-renewed-'));
  [oslo, bergen] = await Promise.all([startOslo(), startNode('Bergen', { clock })]);
  ({ atInviter: bergenAtOslo, atInvited: osloAtBergen } = await pairNodes(oslo, bergen));
  customers = await oslo.list('Customers', ['Name'], [{ Name: 'Fjellheim & Sønn' }]);
  suppliers = await bergen.list('Suppliers', ['Name'], [{ Name: 'Askøy Stål' }]);
  const [out, back] = [
    await shareAndReceive({ office: oslo, partner: bergenAtOslo, list: customers }, ['Name'], {
      office: bergen,
      partner: osloAtBergen,
    }),
    await shareAndReceive({ office: bergen, partner: osloAtBergen, list: suppliers }, ['Name'], {
      office: oslo,
      partner: bergenAtOslo,
    }),
  ];
  there = { customers: out.list, suppliers: back.list };
});
afterEach(async () => {
  await Promise.all([oslo.stop(), bergen.stop()]);
  await rm(folder, { recursive: true, force: true });
});

async function tokenEnds(office: NodeOffice, nodeID: string): Promise<string> {
  const { expiresAt } = await office.app<{ expiresAt: string }>('GET', `/app/partners/${nodeID}`);
  return expiresAt;
}

/** A backup of now; what gives it back puts it in place of everything that Oslo has. */
async function backup(name: string): Promise<() => Promise<void>> {
  const file = join(folder, name);
  await writeFile(file, await backupOf(oslo));
  return async () => {
    await oslo.stop();
    await restoreBackup(file, oslo.dataDir, { clock: systemClock, keeps: isOfLedger });
    oslo = await startOslo(oslo.port);
  };
}

async function renewed(): Promise<void> {
  const before = [await tokenEnds(oslo, bergenAtOslo), await tokenEnds(bergen, osloAtBergen)];
  days += 70;
  // The first look tells what time it is there.
  await bothSync();
  await bothSync();
  const after = [await tokenEnds(oslo, bergenAtOslo), await tokenEnds(bergen, osloAtBergen)];
  after.forEach((end, side) => expect(Date.parse(end)).toBeGreaterThan(Date.parse(before[side] ?? '')));
}

async function bothSync(): Promise<void> {
  await bergen.app('POST', `/app/partners/${osloAtBergen}/sync`);
  await oslo.app('POST', `/app/partners/${bergenAtOslo}/sync`);
}

it('R9: a backup of before both tokens were renewed locks neither side out', async () => {
  const putBack = await backup('before');
  await renewed();
  await bothSync();
  await putBack();
  await oslo.app('POST', `/app/lists/${customers}/rows`, { values: { Name: ['Lyngen Fisk'] } });
  await bergen.app('POST', `/app/lists/${suppliers}/rows`, { values: { Name: ['Sotra Kran'] } });
  await bothSync();
  expect((await rowsOf(bergen, there.customers)).map(({ Name }) => Name)).toContain('Lyngen Fisk');
  expect((await rowsOf(oslo, there.suppliers)).map(({ Name }) => Name)).toContain('Sotra Kran');
  const { inbox } = await oslo.app<{ inbox: { kind: string; itemID: string }[] }>('GET', '/app/overview');
  // That the lists went back is told by an item of its own.
  const told = inbox.filter(({ itemID }) => !itemID.startsWith('kept-withdrawn-lists-'));
  expect(told.filter(({ kind }) => /connection|kept/.test(kind))).toEqual([]);
});

it('R9: a token that was renewed and then revoked stays so, with that backup as well', async () => {
  const putBack = await backup('before');
  await renewed();
  await oslo.app('POST', `/federation/nodes/${bergenAtOslo}/revoke`);
  await putBack();
  await expect(bergen.app('POST', `/app/partners/${osloAtBergen}/sync`)).rejects.toThrow();
});

it(
  'R9: after a backup of before the two paired anew they go on by the new pairing',
  { tags: 'nightly-orders' },
  async () => {
    const putBack = await backup('before');
    const { uri } = await oslo
      .app<{ uri: string }>('POST', `/federation/nodes/${bergenAtOslo}/uri`)
      .then((answer) => (typeof answer === 'string' ? { uri: answer } : answer));
    await bergen.app('POST', '/app/invites/accept', { uri, ownNetwork: true });
    await oslo.app('POST', `/federation/nodes/${bergenAtOslo}/handshake-confirm`);
    await bothSync();
    const words = async (): Promise<unknown> =>
      (await oslo.app<{ words: unknown }>('GET', `/app/partners/${bergenAtOslo}`)).words;
    const shown = await words();
    await putBack();
    await bothSync();
    expect(await words()).toEqual(shown);
  },
);

it('R4: an older folder, of before the partner’s token was renewed, does not lock the partner out', async () => {
  const older = join(folder, 'older');
  await oslo.stop();
  await cp(oslo.dataDir, older, { recursive: true });
  oslo = await startOslo(oslo.port);
  const before = await tokenEnds(bergen, osloAtBergen);
  days += 70;
  // The first look tells what time it is there.
  for (let look = 0; look < 2; look++) await bergen.app('POST', `/app/partners/${osloAtBergen}/sync`);
  const renewedEnd = await tokenEnds(bergen, osloAtBergen);
  expect(Date.parse(renewedEnd)).toBeGreaterThan(Date.parse(before));
  await bergen.app('POST', `/app/partners/${osloAtBergen}/sync`);
  await oslo.stop();
  await rm(oslo.dataDir, { recursive: true });
  await cp(older, oslo.dataDir, { recursive: true });
  oslo = await startOslo(oslo.port);
  await oslo.app('POST', `/app/lists/${customers}/rows`, { values: { Name: ['Lyngen Fisk'] } });
  await bergen.app('POST', `/app/partners/${osloAtBergen}/sync`);
  expect((await rowsOf(bergen, there.customers)).map(({ Name }) => Name)).toContain('Lyngen Fisk');
  const { status } = await bergen.app<{ status: string }>('GET', `/app/partners/${osloAtBergen}`);
  expect(status).toBe('paired');
});

it(
  'R4: an older folder, of before the token that it holds was renewed, gets nothing by that, and pairs again',
  { tags: 'nightly-orders' },
  async () => {
    const older = join(folder, 'older');
    await oslo.stop();
    await cp(oslo.dataDir, older, { recursive: true });
    oslo = await startOslo(oslo.port);
    await renewed();
    await bothSync();
    await oslo.stop();
    await rm(oslo.dataDir, { recursive: true });
    await cp(older, oslo.dataDir, { recursive: true });
    oslo = await startOslo(oslo.port);
    await bergen.app('POST', `/app/lists/${suppliers}/rows`, { values: { Name: ['Sotra Kran'] } });
    await expect(oslo.app('POST', `/app/partners/${bergenAtOslo}/sync`)).rejects.toThrow();
    expect((await rowsOf(oslo, there.suppliers)).map(({ Name }) => Name)).toEqual(['Askøy Stål']);

    const uri = await bergen.app<string>('POST', `/federation/nodes/${osloAtBergen}/uri`);
    await oslo.app('POST', '/app/invites/accept', { uri, ownNetwork: true });
    await bergen.app('POST', `/federation/nodes/${osloAtBergen}/handshake-confirm`);
    await bothSync();
    expect((await rowsOf(oslo, there.suppliers)).map(({ Name }) => Name)).toEqual([
      'Askøy Stål',
      'Sotra Kran',
    ]);
  },
);
