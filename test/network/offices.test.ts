import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { csvOf, customers } from '../support/data/office-lists.ts';
import { hasUpnp, Lab, whyNoNetworks } from '../support/network/lab.ts';
import { watchScreens } from '../support/network/screens.ts';
import {
  acceptInvite,
  detailOf,
  makeInvite,
  openOffice,
  pair,
  pairBy,
  shareBothWays,
  startPull,
  startRelay,
  untilInvitesCarry,
  untilRows,
  type Pair,
} from '../support/network/towns.ts';

const reason = whyNoNetworks();
if (reason !== undefined) console.error(`\n*** NETWORK TESTS DO NOT RUN: ${reason} ***\n`);

/** A test in networks of its own: most of its time goes by waiting, so that several run at once. */
const inLab = (run: (lab: Lab, folder: string) => Promise<void>) => async (): Promise<void> => {
  const lab = await Lab.create();
  const folder = await mkdtemp(join(tmpdir(), 'footbridge-network-'));
  try {
    await run(lab, folder);
  } finally {
    await lab.close();
    await rm(folder, { recursive: true, force: true });
  }
};

interface ThroughRelay {
  readonly both: Pair;
  readonly relay: Awaited<ReturnType<typeof startRelay>>;
  readonly later: Awaited<ReturnType<typeof shareBothWays>>;
}

/** Two offices behind routers that let out web pages only, paired through a relay, with rows both ways. */
async function pairThroughRelay(lab: Lab, folder: string): Promise<ThroughRelay> {
  const relay = await startRelay(lab, join(folder, 'relay'));
  const web = { firewall: 'web-only', subnet: 11 } as const;
  const [kiel, lyon] = await Promise.all([
    openOffice(lab, 'kiel', join(folder, 'kiel'), { router: 'symmetric', ...web }),
    openOffice(lab, 'lyon', join(folder, 'lyon'), { router: 'carrier', ...web }),
  ]);
  await kiel.app('PATCH', '/app/settings', { relay: relay.address });
  await untilInvitesCarry('relay', kiel);
  const both = await pair(kiel, lyon);
  const later = await shareBothWays(both);
  await later();
  return { both, relay, later };
}

describe.skipIf(reason !== undefined).concurrent('two offices in two towns', () => {
  it(
    'renew their connection through the relay by an invite that was made for another record',
    inLab(async (lab, folder) => {
      const { both, later } = await pairThroughRelay(lab, folder);
      const { nodeID, uri } = await makeInvite(both.a.office, { name: 'Lyon again' });
      expect(await acceptInvite(both.b.office, uri, false)).toBe(both.b.partner);
      await both.a.office.app('POST', `/app/partners/${nodeID}/approve`);
      await later();
      for (const { office, partner } of [both.a, both.b]) {
        const partners = z
          .array(z.object({ nodeID: z.string() }))
          .parse(await office.app('GET', '/app/partners'));
        expect(partners).toEqual([{ nodeID: partner }]);
      }
    }),
  );

  it(
    'pair by an invite in reply where the one that nobody can call invited',
    inLab(async (lab, folder) => {
      const [kiel, oslo] = await Promise.all([
        openOffice(lab, 'kiel', join(folder, 'kiel'), { router: 'cone' }),
        openOffice(lab, 'oslo', join(folder, 'oslo'), { router: 'public' }),
      ]);
      const { uri, onlyNearby } = await makeInvite(kiel, { name: 'Oslo' });
      expect(onlyNearby).toBe(true);
      await expect(acceptInvite(oslo, uri, true)).rejects.toThrow();
      const there = await pairBy(oslo, kiel, await makeInvite(oslo, { name: 'Kiel', replyTo: uri }));
      const later = await shareBothWays(there);
      await later();
      expect((await detailOf(there.a)).route?.kind).toBe('reverse');
      for (const each of [kiel, oslo])
        expect(z.array(z.unknown()).parse(await each.app('GET', '/app/partners'))).toHaveLength(1);
    }),
  );

  it.skipIf(!hasUpnp())(
    'exchange rows both ways through a port that a router opens',
    { tags: 'nightly-orders' },
    inLab(async (lab, folder) => {
      const [kiel, lyon] = await Promise.all([
        openOffice(lab, 'kiel', join(folder, 'kiel'), { router: 'upnp' }),
        openOffice(lab, 'lyon', join(folder, 'lyon'), { router: 'symmetric' }),
      ]);
      await kiel.app('PATCH', '/app/settings', { mapPort: true });
      await untilInvitesCarry('mapped', kiel);
      const later = await shareBothWays(await pair(kiel, lyon));
      await later();
    }),
  );

  it(
    'pull on over new connections within 40 s where a router forgets the old ones',
    { tags: 'nightly-waits' },
    inLab(async (lab, folder) => {
      const [oslo, kiel] = await Promise.all([
        openOffice(lab, 'oslo', join(folder, 'oslo'), { router: 'public' }),
        openOffice(lab, 'kiel', join(folder, 'kiel'), { router: 'cone' }),
      ]);
      const { a, b } = await pair(oslo, kiel);
      const list = customers({ rows: 60_000, seed: 7 });
      const named = { name: 'Customers', columns: list.columns, csv: csvOf(list) };
      const { received } = await startPull(a, b, named);
      await untilRows(kiel, received, 2_000);
      lab.forgetConnections('kiel');
      const startedAt = performance.now();
      await untilRows(kiel, received, 60_000);
      expect(performance.now() - startedAt).toBeLessThan(40_000);
    }),
  );

  it(
    'that let out nothing but web pages find the relay again after ten seconds without it',
    { tags: 'nightly-waits' },
    inLab(async (lab, folder) => {
      const { both, relay, later } = await pairThroughRelay(lab, folder);
      const screens = await watchScreens(both);
      await relay.program.stop();
      await new Promise((done) => setTimeout(done, 10_000));
      await relay.restart();
      await later();
      const { untruths, story } = await screens.end();
      expect(untruths, story.join('\n')).toEqual([]);
    }),
  );

  it(
    'that let out nothing but web pages find each other again at a new address',
    inLab(async (lab, folder) => {
      const { both, later } = await pairThroughRelay(lab, folder);
      const screens = await watchScreens(both);
      lab.changeAddress('kiel');
      await later();
      const { untruths, story } = await screens.end();
      expect(untruths, story.join('\n')).toEqual([]);
    }),
  );
});
