import { resolve } from 'node:path';
import { z } from 'zod';
import type { Lab, LabProgram, OfficeOptions } from './lab.ts';
import { LabOffice } from './office.ts';
import { startReverseProxy, type ReverseProxyKind } from './reverse-proxy.ts';
import { until } from './until.ts';

const COLUMNS = ['Name', 'City'];
const invite = z.object({ nodeID: z.string(), uri: z.string(), onlyNearby: z.boolean().optional() });
const partner = z.object({ nodeID: z.string() });
const offers = z.array(z.object({ sharedModuleID: z.string(), state: z.string() }));
const list = z.object({ moduleID: z.string() });
const rows = z.object({ rows: z.array(z.unknown()) });
export const partnerDetail = z.object({
  status: z.string(),
  state: z.string(),
  route: z.object({ kind: z.string() }).optional(),
});

/** Starts an office that keeps connections open, uses the relays of partners, and is told of changes at once or late. */
export async function startOffice(lab: Lab, name: string, folder: string): Promise<LabOffice> {
  const office = await LabOffice.start(lab, name, folder);
  await office.app('PATCH', '/app/settings', {
    ...{ reverse: true, partnerRelays: true },
    // Changes that arrive sooner were pushed.
    syncIntervalSeconds: 3_600,
  });
  return office;
}

/** Adds an office to a lab and starts it. */
export async function openOffice(
  lab: Lab,
  name: string,
  folder: string,
  options: OfficeOptions,
): Promise<LabOffice> {
  lab.addOffice(name, options);
  if (options.router.startsWith('upnp')) await lab.startUpnp(name);
  if (options.proxy) await lab.startProxy(name, options.proxy);
  return startOffice(lab, name, folder);
}

/** One end of a connection. */
export interface End {
  readonly office: LabOffice;
  readonly partner: string;
}
export interface Pair {
  readonly a: End;
  readonly b: End;
}

/** Makes an invite. */
export const makeInvite = async (
  at: LabOffice,
  body: { readonly name: string; readonly replyTo?: string },
): Promise<z.infer<typeof invite>> => invite.parse(await at.app('POST', '/app/invites', body));

/** Takes an invite in, as the person does who reads it. */
export const acceptInvite = async (at: LabOffice, uri: string, ownNetwork = false): Promise<string> =>
  partner.parse(await at.app('POST', '/app/invites/accept', { uri, ownNetwork })).nodeID;

/** Pairs by an invite, and by one in reply where the inviter cannot be called. */
export async function pair(
  inviter: LabOffice,
  invited: LabOffice,
  { ownNetwork = false, isInReply = false } = {},
): Promise<Pair> {
  const first = await makeInvite(inviter, { name: 'Partner' });
  if (isInReply) {
    const answer = await makeInvite(invited, { name: 'Partner', replyTo: first.uri });
    return pairBy(invited, inviter, answer, ownNetwork);
  }
  return pairBy(inviter, invited, first, ownNetwork);
}

/** Pairs by this invite. */
export async function pairBy(
  inviter: LabOffice,
  invited: LabOffice,
  { nodeID, uri }: z.infer<typeof invite>,
  ownNetwork = false,
): Promise<Pair> {
  // The inviter may still be registering at its relay.
  const there = await until('the invite is accepted', () => acceptInvite(invited, uri, ownNetwork));
  await inviter.app('POST', `/federation/nodes/${nodeID}/handshake-confirm`);
  const [a, b] = [
    { office: inviter, partner: nodeID },
    { office: invited, partner: there },
  ];
  await until('they are paired', async () => (await detailOf(b)).status === 'paired');
  return { a, b };
}

export const detailOf = async ({ office, partner: nodeID }: End): Promise<z.infer<typeof partnerDetail>> =>
  partnerDetail.parse(await office.app('GET', `/app/partners/${nodeID}`));

export async function addRow(at: LabOffice, moduleID: string, name: string): Promise<void> {
  await at.app('POST', `/app/lists/${moduleID}/rows`, { values: { Name: [name], City: ['Kiel'] } });
}

/** Makes a list, shares it and takes it in at the other office. */
export async function share(
  from: End,
  to: End,
  name: string,
): Promise<{ readonly own: string; readonly received: string }> {
  const fields = COLUMNS.map((label) => ({ label, name: label, kind: 'String', isMulti: false }));
  const { moduleID: own } = list.parse(await from.office.app('POST', '/app/lists', { name, fields }));
  for (const row of ['Nordvik Timber AS', 'Café Lumière']) await addRow(from.office, own, row);
  await from.office.app('PUT', `/app/partners/${from.partner}/shares/${own}`, { fields: COLUMNS });
  return { own, received: (await takeIn(to, name)).received };
}

/** Makes a list like the one that is offered. */
async function takeIn(
  to: End,
  name: string,
): Promise<{ readonly received: string; readonly askedAt: number }> {
  const path = `/app/partners/${to.partner}`;
  const offered = await until(`${name} is offered`, async () =>
    offers.parse(await to.office.app('GET', `${path}/offers`)).find(({ state }) => state === 'new'),
  );
  const askedAt = performance.now();
  const made = await to.office.app('POST', `${path}/offers/${offered.sharedModuleID}/list`, {});
  return { received: list.parse(made).moduleID, askedAt };
}

const lists = z.array(z.object({ moduleID: z.string(), name: z.string() }));

/** Imports a CSV file, shares it, and takes it in at the other office, where rows begin to arrive. */
export async function startPull(
  from: End,
  to: End,
  list: {
    readonly name: string;
    readonly csv: string;
    readonly columns: readonly string[];
  },
): ReturnType<typeof takeIn> {
  const { name, csv, columns: fields } = list;
  await from.office.import(name, csv);
  const all = lists.parse(await from.office.app('GET', '/app/lists'));
  const own = all.find((each) => each.name === name)?.moduleID ?? '';
  await from.office.app('PUT', `/app/partners/${from.partner}/shares/${own}`, { fields });
  return takeIn(to, name);
}

/** Waits until so many rows are in a list. */
export async function untilRows(at: LabOffice, moduleID: string, count: number): Promise<void> {
  const last = `/app/lists/${moduleID}/rows?offset=${count - 1}&limit=1`;
  await until(`${count} rows arrive`, async () => rows.parse(await at.app('GET', last)).rows.length > 0);
}

/** Times {@link startPull} until all rows are there, in milliseconds. */
export async function timeRows(
  from: End,
  to: End,
  list: Parameters<typeof startPull>[2] & { readonly rows: number },
): Promise<number> {
  const { received, askedAt } = await startPull(from, to, list);
  await untilRows(to.office, received, list.rows);
  return performance.now() - askedAt;
}
const hasRows = async (at: LabOffice, moduleID: string, count: number): Promise<boolean> =>
  rows.parse(await at.app('GET', `/app/lists/${moduleID}/rows?offset=0&limit=500`)).rows.length === count;

/** Milliseconds that a new row took to the other office: from the inviter, and to it. */
export interface Delays {
  readonly there: number;
  readonly back: number;
}

/** Shares a list each way. Returns a function that adds a row to each and waits until both have arrived. */
export async function shareBothWays({ a, b }: Pair): Promise<() => Promise<Delays>> {
  const [there, back] = [await share(a, b, 'Suppliers'), await share(b, a, 'Customers')];
  await until('their rows arrive', () => hasRows(b.office, there.received, 2));
  await until('our rows arrive', () => hasRows(a.office, back.received, 2));
  let expected = 2;
  const add = async (from: End, to: End, { own, received }: typeof there): Promise<number> => {
    const startedAt = performance.now();
    await addRow(from.office, own, `Later ${expected} Ltd`);
    await until('a later row arrives', () => hasRows(to.office, received, expected));
    return Math.round(performance.now() - startedAt);
  };
  return async () => {
    expected++;
    return { there: await add(a, b, there), back: await add(b, a, back) };
  };
}

export interface LabRelay {
  readonly address: string;
  readonly program: LabProgram;
  /** The reverse proxy before it. */
  readonly reverseProxy: LabProgram | undefined;
  restart(): Promise<LabProgram>;
}

/** Starts a relay on a computer of the internet; on port 443, unless told otherwise. */
export async function startRelay(
  lab: Lab,
  folder: string,
  {
    name = 'relay',
    port = 443,
    family = 4,
    behind,
  }: { name?: string; port?: number; family?: 4 | 6; behind?: ReverseProxyKind } = {},
): Promise<LabRelay> {
  const host = lab.addServer(name, family);
  const listens = behind
    ? ['--behind-proxy', '--name', `${host}/relay`]
    : ['--port', String(port), '--name', host];
  const args = ['relay', '--data', folder, ...listens, '--json'];
  const start = (): LabProgram => lab.start(name, process.execPath, [resolve('dist/cli.js'), ...args]);
  const program = start();
  const ready = await program.next();
  const before = behind && (await startReverseProxy(lab, behind, { place: name, host, folder }));
  const restart = async (): Promise<LabProgram> => {
    const again = start();
    await again.next();
    return again;
  };
  const address = `${String(ready.address)}${before?.pin === undefined ? '' : `&pin=${before.pin}`}`;
  return { address, program, reverseProxy: before?.program, restart };
}

/** Waits until an invite of this office carries a route of this kind. */
export async function untilInvitesCarry(kind: 'mapped' | 'relay', at: LabOffice): Promise<void> {
  const { nodeID } = await makeInvite(at, { name: 'Somebody' });
  await until(`an invite carries a ${kind} route`, async () =>
    invite.parse(await at.app('POST', `/app/partners/${nodeID}/reinvite`)).uri.includes(`r=${kind}`),
  );
  await at.app('DELETE', `/federation/nodes/${nodeID}`);
}
