import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { PartnerDetail } from '../../server/contract/app/overview.ts';
import { openStore } from '../../server/store/engine/open-store.ts';
import { loadOrCreateInstallation } from '../../server/store/files/installation.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';
import { manualClock } from '../support/harness/manual-clock.ts';
import { pairNodes, shareAndReceive, startNode, type NodeOffice } from '../support/harness/node.ts';

const says = async (office: NodeOffice, partner: string): Promise<string> =>
  (await office.app<PartnerDetail>('GET', `/app/partners/${partner}`)).reason;

it('R10: a copied data folder that is in use on two computers is told to both and to the partner', async () => {
  const folder = await temporaryFolder();
  // Partners are asked at least that often, so that it shows soon.
  const often = { syncIntervalMs: 1000 };
  const original = join(folder.path, 'original');
  const copy = join(folder.path, 'copy');
  const oslo = await startNode('Oslo', often);
  let bergen = await startNode('Bergen', { ...often, dataDir: original });
  const pair = await pairNodes(oslo, bergen);
  const list = await oslo.list('Customers', ['Name'], [{ Name: 'Ada Lovelace' }]);
  await shareAndReceive({ office: oslo, partner: pair.atInviter, list }, ['Name'], {
    office: bergen,
    partner: pair.atInvited,
  });
  await bergen.stop();
  await cp(original, copy, { recursive: true });
  bergen = await startNode('Bergen', { ...often, dataDir: original, port: bergen.port });
  const atOslo = (): Promise<string> => says(oslo, pair.atInviter);
  await expect.poll(atOslo, { timeout: 30_000 }).toMatch(/has everything/);

  const other = await startNode('Bergen', { ...often, dataDir: copy });
  await expect.poll(atOslo, { timeout: 60_000 }).toMatch(/one data folder on two computers/);
  for (const one of [bergen, other])
    await expect
      .poll(() => says(one, pair.atInvited), { timeout: 30_000 })
      .toMatch(/This office’s data folder is in use on two computers/);

  await Promise.all([bergen.stop(), other.stop(), oslo.stop()]);
  await folder.remove();
});

it('refuses to pair a copied data folder with the one that it was copied from, and says why', async () => {
  const folder = await temporaryFolder();
  const [original, copy] = [join(folder.path, 'original'), join(folder.path, 'copy')];
  await (await startNode('Bergen', { dataDir: original })).stop();
  await cp(original, copy, { recursive: true });
  const bergen = await startNode('Bergen', { dataDir: original });
  const stavanger = await startNode('Stavanger', { dataDir: copy });
  await expect(pairNodes(bergen, stavanger)).rejects.toThrow(
    /Both computers have the data folder of one office: one was copied from the other\./,
  );
  await Promise.all([bergen.stop(), stavanger.stop()]);
  await folder.remove();
});

it('names each data folder at random, so that two that are made at one moment are two', async () => {
  const names = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const folder = await temporaryFolder();
      const clock = manualClock('2026-11-22T12:00:00Z');
      const store = await openStore({ dataDir: folder.path, clock });
      const made = await loadOrCreateInstallation(await store.partition('system'));
      expect(await loadOrCreateInstallation(await store.partition('system'))).toEqual(made);
      await store.close();
      await folder.remove();
      return made.id;
    }),
  );
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^k[0-9a-f]{32}$/);
});
