import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
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
  startRelay,
  untilInvitesCarry,
} from '../support/network/towns.ts';

const reason = whyNoNetworks();
if (reason !== undefined) console.error(`\n*** NETWORK TESTS DO NOT RUN: ${reason} ***\n`);

let lab: Lab;
let folder: string;
beforeEach(async () => {
  lab = await Lab.create();
  folder = await mkdtemp(join(tmpdir(), 'footbridge-network-'));
});
afterEach(async () => {
  await lab.close();
  await rm(folder, { recursive: true, force: true });
});

describe.skipIf(reason !== undefined)('two offices in two towns', () => {
  it('pair by an invite in reply where the one that nobody can call invited', async () => {
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
  });

  it.skipIf(!hasUpnp())('exchange rows both ways through a port that a router opens', async () => {
    const [kiel, lyon] = await Promise.all([
      openOffice(lab, 'kiel', join(folder, 'kiel'), { router: 'upnp' }),
      openOffice(lab, 'lyon', join(folder, 'lyon'), { router: 'symmetric' }),
    ]);
    await kiel.app('PATCH', '/app/settings', { mapPort: true });
    await untilInvitesCarry('mapped', kiel);
    const later = await shareBothWays(await pair(kiel, lyon));
    await later();
  });

  it('that let out nothing but web pages exchange rows through a relay, and find each other again', async () => {
    const relay = await startRelay(lab, join(folder, 'relay'));
    const [kiel, lyon] = await Promise.all([
      openOffice(lab, 'kiel', join(folder, 'kiel'), {
        router: 'symmetric',
        firewall: 'web-only',
        subnet: 11,
      }),
      openOffice(lab, 'lyon', join(folder, 'lyon'), { router: 'carrier', firewall: 'web-only', subnet: 11 }),
    ]);
    await kiel.app('PATCH', '/app/settings', { relay: relay.address });
    await untilInvitesCarry('relay', kiel);
    const both = await pair(kiel, lyon);
    const later = await shareBothWays(both);
    await later();
    const screens = await watchScreens(both);
    await relay.program.stop();
    await new Promise((done) => setTimeout(done, 10_000));
    await relay.restart();
    await later();
    lab.changeAddress('kiel');
    await later();
    const { untruths, story } = await screens.end();
    expect(untruths, story.join('\n')).toEqual([]);
  });
});
