import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { hasUpnp, Lab, whyNoNetworks, type OfficeOptions } from '../support/network/lab.ts';
import { LabOffice } from '../support/network/office.ts';

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

/** On a busy machine a program may take half a minute to start; what is waited for ends the wait at once. */
const PATIENCE = { timeout: 90_000, interval: 250 };
const COLUMNS = ['Name', 'City'];
const invite = z.object({ nodeID: z.string(), uri: z.string(), onlyNearby: z.boolean().optional() });
const partner = z.object({ nodeID: z.string() });
const offers = z.array(z.object({ sharedModuleID: z.string(), state: z.string() }));
const list = z.object({ moduleID: z.string() });
const rows = z.object({ rows: z.array(z.unknown()) });
const detail = z.object({ status: z.string(), route: z.object({ kind: z.string() }).optional() });

async function office(name: string, options: OfficeOptions): Promise<LabOffice> {
  lab.addOffice(name, options);
  if (options.router === 'upnp') await lab.startUpnp(name);
  const made = await LabOffice.start(lab, name, join(folder, name));
  await made.app('PATCH', '/app/settings', {
    ...{ reverse: true, partnerRelays: true },
    // Changes that arrive sooner were pushed.
    syncIntervalSeconds: 3_600,
  });
  return made;
}

/** One end of a connection. */
interface End {
  readonly office: LabOffice;
  readonly partner: string;
}

/** @param replyTo the invite of the other one that led nowhere */
async function pair(
  inviter: LabOffice,
  invited: LabOffice,
  replyTo?: string,
): Promise<{ readonly a: End; readonly b: End }> {
  const { nodeID, uri } = invite.parse(
    await inviter.app('POST', '/app/invites', { name: 'Partner', ...(replyTo ? { replyTo } : {}) }),
  );
  // The inviter may still be registering at its relay.
  const accept = (): Promise<unknown> =>
    invited.app('POST', '/app/invites/accept', { uri, ownNetwork: false });
  const { nodeID: there } = partner.parse(await vi.waitFor(accept, PATIENCE));
  await inviter.app('POST', `/federation/nodes/${nodeID}/handshake-confirm`);
  const status = async (): Promise<string> =>
    detail.parse(await invited.app('GET', `/app/partners/${there}`)).status;
  await expect.poll(status, PATIENCE).toBe('paired');
  return { a: { office: inviter, partner: nodeID }, b: { office: invited, partner: there } };
}

async function addRow(at: LabOffice, moduleID: string, name: string): Promise<void> {
  await at.app('POST', `/app/lists/${moduleID}/rows`, { values: { Name: [name], City: ['Kiel'] } });
}

async function share(
  from: End,
  to: End,
  name: string,
): Promise<{ readonly own: string; readonly received: string }> {
  const fields = COLUMNS.map((label) => ({ label, name: label, kind: 'String', isMulti: false }));
  const { moduleID: own } = list.parse(await from.office.app('POST', '/app/lists', { name, fields }));
  for (const row of ['Nordvik Timber AS', 'Café Lumière']) await addRow(from.office, own, row);
  await from.office.app('PUT', `/app/partners/${from.partner}/shares/${own}`, { fields: COLUMNS });
  const path = `/app/partners/${to.partner}`;
  const offered = async (): Promise<string | undefined> =>
    offers.parse(await to.office.app('GET', `${path}/offers`)).find(({ state }) => state === 'new')
      ?.sharedModuleID;
  await expect.poll(offered, PATIENCE).toBeDefined();
  const made = await to.office.app('POST', `${path}/offers/${await offered()}/list`, {});
  return { own, received: list.parse(made).moduleID };
}

const count = async (at: LabOffice, moduleID: string): Promise<number> =>
  rows.parse(await at.app('GET', `/app/lists/${moduleID}/rows?offset=0&limit=500`)).rows.length;

/** Shares a list each way. Returns a function that adds a row to each and waits until both have arrived. */
async function bothWays({ a, b }: { readonly a: End; readonly b: End }): Promise<() => Promise<void>> {
  const [there, back] = [await share(a, b, 'Suppliers'), await share(b, a, 'Customers')];
  await expect.poll(() => count(b.office, there.received), PATIENCE).toBe(2);
  await expect.poll(() => count(a.office, back.received), PATIENCE).toBe(2);
  let expected = 2;
  return async () => {
    expected++;
    await addRow(a.office, there.own, 'Later Ltd');
    await addRow(b.office, back.own, 'Later Ltd');
    await expect.poll(() => count(b.office, there.received), PATIENCE).toBe(expected);
    await expect.poll(() => count(a.office, back.received), PATIENCE).toBe(expected);
  };
}

async function startRelay(): Promise<string> {
  const address = lab.addServer('relay');
  const args = ['relay', '--data', join(folder, 'relay'), '--port', '443', '--name', address, '--json'];
  return String(
    (await lab.start('relay', process.execPath, [resolve('dist/cli.js'), ...args]).next()).address,
  );
}

/** Waits until an invite of this office carries a route of this kind. */
async function untilInvitesCarry(kind: 'mapped' | 'relay', at: LabOffice): Promise<void> {
  const { nodeID } = invite.parse(await at.app('POST', '/app/invites', { name: 'Somebody' }));
  const renewed = async (): Promise<string> =>
    invite.parse(await at.app('POST', `/app/partners/${nodeID}/reinvite`)).uri;
  await expect.poll(renewed, PATIENCE).toContain(`r=${kind}`);
}

describe.skipIf(reason !== undefined)('two offices in two towns', () => {
  it('of which one can be called exchange rows both ways', async () => {
    const [oslo, kiel] = [
      await office('oslo', { router: 'public' }),
      await office('kiel', { router: 'cone' }),
    ];
    const later = await bothWays(await pair(oslo, kiel));
    await later();
  });

  it('pair by an invite in reply where the one that nobody can call invited', async () => {
    const [kiel, oslo] = [
      await office('kiel', { router: 'cone' }),
      await office('oslo', { router: 'public' }),
    ];
    const { uri, onlyNearby } = invite.parse(await kiel.app('POST', '/app/invites', { name: 'Oslo' }));
    expect(onlyNearby).toBe(true);
    await expect(oslo.app('POST', '/app/invites/accept', { uri, ownNetwork: true })).rejects.toThrow();
    const later = await bothWays(await pair(oslo, kiel, uri));
    await later();
    for (const each of [kiel, oslo])
      expect(z.array(z.unknown()).parse(await each.app('GET', '/app/partners'))).toHaveLength(1);
  });

  it.skipIf(!hasUpnp())('exchange rows both ways through a port that a router opens', async () => {
    const kiel = await office('kiel', { router: 'upnp' });
    const lyon = await office('lyon', { router: 'symmetric' });
    await kiel.app('PATCH', '/app/settings', { mapPort: true });
    await untilInvitesCarry('mapped', kiel);
    const later = await bothWays(await pair(kiel, lyon));
    await later();
  });

  it('that let out nothing but web pages exchange rows both ways through a relay, and find each other again', async () => {
    const relay = await startRelay();
    const kiel = await office('kiel', { router: 'symmetric', firewall: 'web-only', subnet: 11 });
    const lyon = await office('lyon', { router: 'carrier', firewall: 'web-only', subnet: 11 });
    await kiel.app('PATCH', '/app/settings', { relay });
    await untilInvitesCarry('relay', kiel);
    const later = await bothWays(await pair(kiel, lyon));
    await later();
    lab.changeAddress('kiel');
    await later();
  });
});
