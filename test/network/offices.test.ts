import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Lab, whyNoNetworks, type OfficeOptions } from '../support/network/lab.ts';
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

const COLUMNS = ['Name', 'City'];
const invite = z.object({ nodeID: z.string(), uri: z.string(), onlyNearby: z.boolean().optional() });
const partner = z.object({ nodeID: z.string() });
const offers = z.array(z.object({ sharedModuleID: z.string(), state: z.string() }));
const list = z.object({ moduleID: z.string() });
const rows = z.object({ rows: z.array(z.unknown()) });
const detail = z.object({ status: z.string(), route: z.object({ kind: z.string() }).optional() });

async function office(name: string, options: OfficeOptions): Promise<LabOffice> {
  lab.addOffice(name, options);
  const made = await LabOffice.start(lab, name, join(folder, name));
  await made.app('PATCH', '/app/settings', { reverse: true, partnerRelays: true });
  return made;
}

/** One end of a connection. */
interface End {
  readonly office: LabOffice;
  readonly partner: string;
}

async function pair(inviter: LabOffice, invited: LabOffice): Promise<{ readonly a: End; readonly b: End }> {
  const { nodeID, uri } = invite.parse(await inviter.app('POST', '/app/invites', { name: 'Partner' }));
  const accepted = await invited.app('POST', '/app/invites/accept', { uri, ownNetwork: false });
  const { nodeID: there } = partner.parse(accepted);
  await inviter.app('POST', `/federation/nodes/${nodeID}/handshake-confirm`);
  const status = async (): Promise<string> =>
    detail.parse(await invited.app('GET', `/app/partners/${there}`)).status;
  await expect.poll(status, { timeout: 30_000 }).toBe('paired');
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
  await expect.poll(offered, { timeout: 60_000 }).toBeDefined();
  const made = await to.office.app('POST', `${path}/offers/${await offered()}/list`, {});
  return { own, received: list.parse(made).moduleID };
}

const count = async (at: LabOffice, moduleID: string): Promise<number> =>
  rows.parse(await at.app('GET', `/app/lists/${moduleID}/rows?offset=0&limit=500`)).rows.length;

/** Shares a list each way. Returns what waits until a later row of each has arrived, for so many milliseconds at most. */
async function bothWays({
  a,
  b,
}: {
  readonly a: End;
  readonly b: End;
}): Promise<(ms: number) => Promise<void>> {
  const [there, back] = [await share(a, b, 'Suppliers'), await share(b, a, 'Customers')];
  await expect.poll(() => count(b.office, there.received), { timeout: 30_000 }).toBe(2);
  await expect.poll(() => count(a.office, back.received), { timeout: 30_000 }).toBe(2);
  let expected = 2;
  return async (timeout) => {
    expected++;
    await addRow(a.office, there.own, 'Later Ltd');
    await addRow(b.office, back.own, 'Later Ltd');
    await expect.poll(() => count(b.office, there.received), { timeout }).toBe(expected);
    await expect.poll(() => count(a.office, back.received), { timeout }).toBe(expected);
  };
}

async function startRelay(): Promise<string> {
  const address = lab.addServer('relay');
  const args = ['relay', '--data', join(folder, 'relay'), '--port', '443', '--name', address, '--json'];
  return String(
    (await lab.start('relay', process.execPath, [resolve('dist/cli.js'), ...args]).next()).address,
  );
}

describe.skipIf(reason !== undefined)('two offices in two towns', () => {
  it('of which one can be called exchange rows both ways', async () => {
    const [oslo, kiel] = [
      await office('oslo', { router: 'public' }),
      await office('kiel', { router: 'cone' }),
    ];
    const later = await bothWays(await pair(oslo, kiel));
    await later(5_000);
  });

  it('learn that an invite from behind a router leads nowhere, and pair by one of the other side', async () => {
    const [kiel, oslo] = [
      await office('kiel', { router: 'cone' }),
      await office('oslo', { router: 'public' }),
    ];
    const made = invite.parse(await kiel.app('POST', '/app/invites', { name: 'Oslo' }));
    expect(made.onlyNearby).toBe(true);
    const later = await bothWays(await pair(oslo, kiel));
    await later(5_000);
  });

  it('that let out nothing but web pages exchange rows both ways through a relay, and find each other again', async () => {
    const relay = await startRelay();
    const kiel = await office('kiel', { router: 'symmetric', firewall: 'web-only', subnet: 11 });
    const lyon = await office('lyon', { router: 'carrier', firewall: 'web-only', subnet: 11 });
    await kiel.app('PATCH', '/app/settings', { relay });
    await new Promise((ready) => setTimeout(ready, 2_000));
    const later = await bothWays(await pair(kiel, lyon));
    await later(5_000);
    lab.changeAddress('kiel');
    await later(60_000);
  });
});
