import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Lab, whyNoNetworks, type OfficeOptions } from '../support/network/lab.ts';
import type { LabOffice } from '../support/network/office.ts';
import {
  detailOf,
  openOffice,
  pair,
  shareBothWays,
  startOffice,
  startRelay,
  timeRows,
  untilInvitesCarry,
  type Delays,
  type Pair,
} from '../support/network/towns.ts';
import { csvOf, customers } from '../support/data/office-lists.ts';

/**
 * `npm run networks [part of a name]`: pairs two offices of the built program in each kind of network, as root or in
 * user namespaces, and prints how long pairing, a later change each way and recovery took.
 */
interface Net {
  readonly name: string;
  /** The one that invites. */
  readonly a: OfficeOptions;
  /** Undefined: a colleague on A's own network. */
  readonly b?: OfficeOptions;
  readonly relay?: 'ipv4' | 'ipv6';
  /** A asks its router for a port. */
  readonly mapped?: boolean;
  /** B cannot use A's invite, and sends one back. */
  readonly isInReply?: boolean;
  /** What happens once they are paired. */
  readonly then?: 'new-address' | 'moved-laptop' | 'relay-down' | 'restart';
}

const WEB_ONLY = { firewall: 'web-only' } as const;
const NETS: readonly Net[] = [
  { name: 'one LAN', a: { router: 'cone' } },
  { name: 'public–cone', a: { router: 'public' }, b: { router: 'cone' } },
  { name: 'cone–public', a: { router: 'cone' }, b: { router: 'public' }, isInReply: true },
  { name: 'cone–cone', a: { router: 'cone' }, b: { router: 'cone' }, relay: 'ipv4' },
  { name: 'symmetric–carrier', a: { router: 'symmetric' }, b: { router: 'carrier' }, relay: 'ipv4' },
  { name: 'UPnP–UPnP', a: { router: 'upnp' }, b: { router: 'upnp' }, mapped: true },
  {
    name: 'same private range',
    a: { router: 'cone', subnet: 11 },
    b: { router: 'cone', subnet: 11 },
    relay: 'ipv4',
  },
  {
    name: 'only 80 and 443 out',
    a: { router: 'symmetric', ...WEB_ONLY },
    b: { router: 'carrier', ...WEB_ONLY },
    relay: 'ipv4',
  },
  { name: 'IPv6 only', a: { router: 'ipv6' }, b: { router: 'ipv6-firewall' } },
  {
    name: 'IPv6 only, two firewalls',
    a: { router: 'ipv6-firewall' },
    b: { router: 'ipv6-firewall' },
    relay: 'ipv6',
  },
  {
    name: 'new lease, relay',
    a: { router: 'cone' },
    b: { router: 'symmetric' },
    relay: 'ipv4',
    then: 'new-address',
  },
  {
    name: 'new lease, mapped',
    a: { router: 'upnp' },
    b: { router: 'cone' },
    relay: 'ipv4',
    mapped: true,
    then: 'new-address',
  },
  {
    name: 'new lease, public',
    a: { router: 'public' },
    b: { router: 'cone' },
    relay: 'ipv4',
    then: 'new-address',
  },
  { name: 'laptop taken home', a: { router: 'cone' }, relay: 'ipv4', then: 'moved-laptop' },
  {
    name: 'relay down for 10 s',
    a: { router: 'cone' },
    b: { router: 'symmetric' },
    relay: 'ipv4',
    then: 'relay-down',
  },
  { name: 'both restarted', a: { router: 'public' }, b: { router: 'cone' }, then: 'restart' },
];

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const secondsSince = (start: number): string => ((performance.now() - start) / 1_000).toFixed(1);

async function measure(net: Net, lab: Lab, folder: string): Promise<string> {
  const relay = net.relay
    ? await startRelay(lab, join(folder, 'relay'), { family: net.relay === 'ipv4' ? 4 : 6 })
    : undefined;
  const a = await openOffice(lab, 'a', join(folder, 'a'), net.a);
  const b = net.b
    ? await openOffice(lab, 'b', join(folder, 'b'), net.b)
    : await colleague(lab, join(folder, 'b'));
  if (relay) {
    await a.app('PATCH', '/app/settings', { relay: relay.address });
    await untilInvitesCarry('relay', a);
  }
  if (net.mapped) {
    await a.app('PATCH', '/app/settings', { mapPort: true });
    await untilInvitesCarry('mapped', a);
  }
  const startedAt = performance.now();
  const both = await pair(a, b, { ownNetwork: net.b === undefined, isInReply: net.isInReply ?? false });
  const paired = secondsSince(startedAt);
  const later = await shareBothWays(both);
  const shared = secondsSince(startedAt);
  const delays: Delays[] = [];
  for (let round = 0; round < 3; round++) delays.push(await later());
  const state = await stateOf(both);
  const recovered = net.then ? await recover(net.then, lab, [a, b], relay, later) : '';
  return [
    `paired ${paired} s, first rows both ways ${shared} s`,
    `later ${delays.map(({ there, back }) => `${there}/${back}`).join(' ')} ms`,
    `${state}${recovered}`,
  ].join('; ');
}

function colleague(lab: Lab, folder: string): Promise<LabOffice> {
  lab.addColleague('b', 'a');
  return startOffice(lab, 'b', folder);
}

async function stateOf({ a, b }: Pair): Promise<string> {
  const [one, other] = await Promise.all([detailOf(a), detailOf(b)]);
  return `A ${one.route?.kind ?? 'none'} ${one.state}, B ${other.route?.kind ?? 'none'} ${other.state}`;
}

async function recover(
  what: NonNullable<Net['then']>,
  lab: Lab,
  offices: readonly LabOffice[],
  relay: Awaited<ReturnType<typeof startRelay>> | undefined,
  later: () => Promise<Delays>,
): Promise<string> {
  if (what === 'new-address') lab.changeAddress('a');
  if (what === 'moved-laptop') lab.move('b', { router: 'cone' });
  if (what === 'restart') for (const office of offices) await office.restart();
  if (what === 'relay-down') {
    await relay?.program.stop();
    await new Promise((done) => setTimeout(done, 10_000));
    await relay?.restart();
  }
  const startedAt = performance.now();
  const { there, back } = await later();
  return `; then rows both ways after ${secondsSince(startedAt)} s (${there}/${back} ms)`;
}

const ROWS = 10_000;
const ROUNDS = 5;

/** Compares what 10,000 rows take directly and through a relay, in turns. */
async function compareRows(lab: Lab, folder: string): Promise<string> {
  const relay = await startRelay(lab, join(folder, 'relay'));
  const open = (name: string, router: OfficeOptions['router']): Promise<LabOffice> =>
    openOffice(lab, name, join(folder, name), { router });
  const [a, b] = [await open('a', 'cone'), await open('b', 'symmetric')];
  const [c, d] = [await open('c', 'public'), await open('d', 'cone')];
  await a.app('PATCH', '/app/settings', { relay: relay.address });
  await untilInvitesCarry('relay', a);
  const ends = { direct: await pair(c, d), relay: await pair(a, b) };
  const took = { direct: [] as number[], relay: [] as number[] };
  for (let round = 0; round < ROUNDS; round++)
    for (const way of ['direct', 'relay'] as const) {
      const list = customers({ rows: ROWS, seed: 100 + round });
      const named = { name: `Customers ${round}`, columns: list.columns, csv: csvOf(list), rows: ROWS };
      took[way].push(await timeRows(ends[way].a, ends[way].b, named));
    }
  const shown = (times: readonly number[]): string => times.map((ms) => (ms / 1_000).toFixed(2)).join(' ');
  const middle = (times: readonly number[]): number =>
    [...times].sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? NaN;
  const ratio = middle(took.relay) / middle(took.direct);
  return `direct ${shown(took.direct)} s; relay ${shown(took.relay)} s; middle ones 1 : ${ratio.toFixed(2)}`;
}

const reason = whyNoNetworks();
if (reason !== undefined) {
  process.stderr.write(`${reason}\n`);
  process.exit(1);
}
const [wanted = ''] = process.argv.slice(2);
let failed = 0;
const tasks: readonly {
  readonly name: string;
  readonly run: (lab: Lab, folder: string) => Promise<string>;
}[] = [
  ...NETS.map((net) => ({
    name: net.name,
    run: (lab: Lab, folder: string) => measure(net, lab, folder),
  })),
  { name: `${ROWS} rows`, run: compareRows },
];
for (const { name, run } of tasks.filter((task) => task.name.includes(wanted))) {
  const lab = await Lab.create();
  const folder = await mkdtemp(join(tmpdir(), 'footbridge-networks-'));
  try {
    say(`${name}: ${await run(lab, folder)} (load ${loadavg()[0]?.toFixed(1) ?? ''})`);
  } catch (error) {
    failed++;
    say(`${name}: FAILED: ${String(error)}`);
  } finally {
    await lab.close();
    await rm(folder, { recursive: true, force: true });
  }
}
process.exit(failed === 0 ? 0 : 1);
