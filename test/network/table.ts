import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { Lab, obtain, whyNoNetworks, type OfficeOptions, type ProxyOptions } from '../support/network/lab.ts';
import { reload, type ReverseProxyKind } from '../support/network/reverse-proxy.ts';
import type { LabOffice } from '../support/network/office.ts';
import { watchScreens, type Watched } from '../support/network/screens.ts';
import {
  detailOf,
  openOffice,
  pair,
  shareBothWays,
  startOffice,
  startPull,
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
  /** The software before the relay. */
  readonly behind?: ReverseProxyKind;
  /** A asks its router for a port. */
  readonly mapped?: boolean;
  /** B cannot use A's invite, and sends one back. */
  readonly isInReply?: boolean;
  /** What happens once they are paired. */
  readonly then?:
    | 'new-address'
    | 'moved-laptop'
    | 'relay-down'
    | 'direct-cut'
    | 'restart'
    | 'reverse-proxy-reload'
    | 'rows'
    | 'idle';
}

const WEB_ONLY = { firewall: 'web-only' } as const;

/** Both ways with an office whose only way out is its HTTP proxy: it invites, and it is invited. */
function proxied(name: string, proxy: ProxyOptions): Net[] {
  const [inside, outside] = [
    { router: 'cone', firewall: 'proxy-only', proxy },
    { router: 'symmetric' },
  ] as const;
  return [
    { name: `proxy–cone, ${name}`, a: inside, b: outside, relay: 'ipv4', then: 'rows' },
    { name: `cone–proxy, ${name}`, a: outside, b: inside, relay: 'ipv4' },
  ];
}

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
  {
    name: 'direct route cut',
    a: { router: 'public' },
    b: { router: 'cone' },
    relay: 'ipv4',
    then: 'direct-cut',
  },
  ...proxied('tinyproxy, HTTPS_PROXY', { software: 'tinyproxy', variable: 'HTTPS_PROXY' }),
  ...proxied('tinyproxy, password', {
    software: 'tinyproxy',
    variable: 'https_proxy',
    login: 'till:Sesam4711',
  }),
  ...proxied('squid, ALL_PROXY', { software: 'squid', variable: 'ALL_PROXY' }),
  ...proxied('squid, password', { software: 'squid', variable: 'HTTPS_PROXY', login: 'till:Sesam4711' }),
  ...(['nginx', 'haproxy'] as const).flatMap((behind) =>
    (['rows', 'reverse-proxy-reload', 'relay-down', 'idle'] as const).map((then) => ({
      name: `relay behind ${behind}, ${then}`,
      a: { router: 'cone', ...WEB_ONLY } as const,
      b: { router: 'symmetric', ...WEB_ONLY } as const,
      relay: 'ipv4' as const,
      behind,
      then,
    })),
  ),
  { name: 'both restarted', a: { router: 'public' }, b: { router: 'cone' }, then: 'restart' },
];

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const secondsSince = (start: number): string => ((performance.now() - start) / 1_000).toFixed(1);

async function measure(net: Net, lab: Lab, folder: string): Promise<string> {
  const relay = net.relay
    ? await startRelay(lab, join(folder, 'relay'), {
        family: net.relay === 'ipv4' ? 4 : 6,
        ...(net.behind && { behind: net.behind }),
      })
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
  const recovered = net.then ? await recover(net.then, lab, [a, b], both, relay, later) : '';
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
  both: Pair,
  relay: Awaited<ReturnType<typeof startRelay>> | undefined,
  later: () => Promise<Delays>,
): Promise<string> {
  if (what === 'rows') return timePulls(both);
  // A program that is restarted has no screens meanwhile.
  const watched = what === 'restart' ? undefined : await watchScreens(both);
  await new Promise((done) => setTimeout(done, 5_000));
  if (what === 'new-address') lab.changeAddress('a');
  if (what === 'direct-cut') lab.cut('a', 'b');
  if (what === 'moved-laptop') lab.move('b', { router: 'cone' });
  if (what === 'idle') await new Promise((done) => setTimeout(done, IDLE_BEHIND_MS));
  if (what === 'reverse-proxy-reload' && relay?.reverseProxy) reload(relay.reverseProxy);
  if (what === 'restart') for (const office of offices) await office.restart();
  if (what === 'relay-down') {
    await relay?.program.stop();
    await new Promise((done) => setTimeout(done, 10_000));
    await relay?.restart();
  }
  const startedAt = performance.now();
  const { there, back } = await later();
  const recovered = `; then rows both ways after ${secondsSince(startedAt)} s (${there}/${back} ms)`;
  await new Promise((done) => setTimeout(done, 10_000));
  return watched === undefined ? recovered : `${recovered}; ${await saidBy(watched)}`;
}

/** Pulls 1,000 and 10,000 rows. */
async function timePulls({ a, b }: Pair): Promise<string> {
  const took: string[] = [];
  for (const count of [1_000, 10_000]) {
    const list = customers({ rows: count, seed: count });
    const named = { name: `Customers ${count}`, columns: list.columns, csv: csvOf(list), rows: count };
    took.push(`${count} rows ${((await timeRows(a, b, named)) / 1_000).toFixed(1)} s`);
  }
  return `; ${took.join(', ')}`;
}

/** Two offices that a partner of both carries: what their screens say when it stops, and when it begins again. */
async function stopCarrying(lab: Lab, folder: string): Promise<string> {
  const carrier = await openOffice(lab, 'c', join(folder, 'c'), { router: 'public' });
  await carrier.app('PATCH', '/app/settings', { carry: true });
  const a = await openOffice(lab, 'a', join(folder, 'a'), { router: 'cone' });
  const b = await openOffice(lab, 'b', join(folder, 'b'), { router: 'symmetric' });
  for (const each of [a, b]) await pair(carrier, each);
  await untilInvitesCarry('relay', a);
  const both = await pair(a, b);
  const later = await shareBothWays(both);
  await later();
  const watched = await watchScreens(both);
  await carrier.app('PATCH', '/app/settings', { carry: false });
  await new Promise((done) => setTimeout(done, 60_000));
  const off = await stateOf(both);
  await carrier.app('PATCH', '/app/settings', { carry: true });
  const startedAt = performance.now();
  await later();
  const recovered = secondsSince(startedAt);
  await new Promise((done) => setTimeout(done, 10_000));
  return `off for 60 s: ${off}; on again: rows both ways after ${recovered} s; ${await saidBy(watched)}`;
}

/** Ends the watching; tells what was untrue, and with STORY all that was shown. */
async function saidBy(watched: Watched): Promise<string> {
  const { untruths, story } = await watched.end();
  if (process.env.STORY !== undefined) for (const line of story) say(`    ${line}`);
  const found = untruths.map(
    ({ office, shown, seconds }) => `${office} ${shown} for ${seconds.toFixed(1)} s`,
  );
  return `screens untrue: ${found.join(', ') || 'never'}`;
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

const PULLED_ROWS = 100_000;
/** The route changes once so many have arrived. */
const ROWS_BEFORE = 20_000;
const pullSample = z.object({
  answers: z.tuple([
    z.object({ state: z.string(), reason: z.string(), route: z.object({ kind: z.string() }).optional() }),
    z.object({ total: z.number() }),
  ]),
});

/** Pulls 100,000 rows, and once more while the route changes; tells what the second pull took and showed. */
async function changeRoute(to: 'relay' | 'direct', lab: Lab, folder: string): Promise<string> {
  const relay = await startRelay(lab, join(folder, 'relay'));
  const a = await openOffice(lab, 'a', join(folder, 'a'), { router: 'public' });
  const b = await openOffice(lab, 'b', join(folder, 'b'), { router: 'cone' });
  await a.app('PATCH', '/app/settings', { relay: relay.address });
  await untilInvitesCarry('relay', a);
  const mend = to === 'direct' ? lab.cut('a', 'b') : undefined;
  const both = await pair(a, b);
  await shareBothWays(both);
  const alone = await watchPull(lab, both, 'Undisturbed');
  const changed = await watchPull(lab, both, 'Disturbed', () => {
    if (!mend) return void lab.cut('a', 'b');
    mend();
    lab.changeNetwork('b');
  });
  return [
    `${PULLED_ROWS} rows ${alone.seconds} s alone, ${changed.seconds} s with the change`,
    `bytes 1 : ${(changed.bytes / alone.bytes).toFixed(2)}, routes ${changed.routes.join(' ')}`,
    `longest time without new rows ${changed.silence} s, rows that went ${changed.gone}`,
    `screen ${changed.shown.join(', ')}`,
    await stateOf(both),
  ].join('; ');
}

/** Pulls a list, reads the puller's screen meanwhile, and calls `change` when a part has arrived. */
async function watchPull(
  lab: Lab,
  { a, b }: Pair,
  name: string,
  change?: () => void,
): Promise<{
  readonly seconds: string;
  readonly silence: string;
  readonly bytes: number;
  readonly gone: number;
  readonly shown: readonly string[];
  readonly routes: readonly string[];
}> {
  const list = customers({ rows: PULLED_ROWS, seed: name.length });
  const before = lab.bytesOf('b');
  const { received, askedAt } = await startPull(a, b, { name, columns: list.columns, csv: csvOf(list) });
  const program = b.office.sample(
    100,
    `/app/partners/${b.partner}`,
    `/app/lists/${received}/rows?offset=0&limit=1`,
  );
  const [shown, routes] = [new Set<string>(), new Set<string>()];
  let [total, gone, lastAt, silentMs] = [0, 0, askedAt, 0];
  while (total < PULLED_ROWS) {
    const line = pullSample.safeParse(await program.next());
    if (!line.success) continue;
    const [{ state, reason, route }, now] = line.data.answers;
    shown.add(state === 'offline' ? `${state} (${reason.replace(/\d+/, 'n')})` : state);
    routes.add(route?.kind ?? 'none');
    if (now.total !== total) lastAt = performance.now();
    silentMs = Math.max(silentMs, performance.now() - lastAt);
    gone += Math.max(0, total - now.total);
    if (total < ROWS_BEFORE && now.total >= ROWS_BEFORE) change?.();
    total = now.total;
  }
  const seconds = secondsSince(askedAt);
  await program.stop();
  const bytes = lab.bytesOf('b') - before;
  return {
    seconds,
    silence: (silentMs / 1_000).toFixed(1),
    bytes,
    gone,
    shown: [...shown],
    routes: [...routes],
  };
}

const IDLE_MS = 660_000;
/** Longer than proxies let a connection be silent: 15 minutes by docs/relay.md. */
const IDLE_BEHIND_MS = 960_000;
const DEFAULT_INTERVAL_SECONDS = 60;

/** Counts what idle offices send and receive in eleven minutes, as better routes are looked for every ten. */
async function countIdle(lab: Lab, folder: string): Promise<string> {
  const relay = await startRelay(lab, join(folder, 'relay'));
  const open = (name: string, router: OfficeOptions['router']): Promise<LabOffice> =>
    openOffice(lab, name, join(folder, name), { router });
  const names = { direct: ['a', 'b'], reverse: ['c', 'd'], relay: ['e', 'f'] } as const;
  const routers = {
    direct: ['public', 'public'],
    reverse: ['public', 'cone'],
    relay: ['cone', 'symmetric'],
  } as const;
  for (const way of ['direct', 'reverse', 'relay'] as const) {
    const [one, other] = names[way];
    const ends = [await open(one, routers[way][0]), await open(other, routers[way][1])] as const;
    if (way === 'relay') {
      await ends[0].app('PATCH', '/app/settings', { relay: relay.address });
      await untilInvitesCarry('relay', ends[0]);
    }
    await (
      await shareBothWays(await pair(...ends))
    )();
    for (const each of ends)
      await each.app('PATCH', '/app/settings', { syncIntervalSeconds: DEFAULT_INTERVAL_SECONDS });
  }
  await new Promise((done) => setTimeout(done, 60_000));
  const places = Object.values(names).flat();
  const before = places.map((place) => lab.bytesOf(place));
  await new Promise((done) => setTimeout(done, IDLE_MS));
  const perHour = places.map((place, index) => {
    const bytes = lab.bytesOf(place) - (before[index] ?? 0);
    return ((bytes / 1_024) * (3_600_000 / IDLE_MS)).toFixed(1);
  });
  const shown = Object.keys(names).map((way, at) => `${way} ${perHour[2 * at]} and ${perHour[2 * at + 1]}`);
  return `KiB an hour: ${shown.join(', ')}`;
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
  /** Packages of software that is no part of Linux. */
  readonly needs?: readonly string[];
  readonly run: (lab: Lab, folder: string) => Promise<string>;
}[] = [
  ...NETS.map((net) => ({
    name: net.name,
    needs: [net.a.proxy?.software, net.b?.proxy?.software, net.behind].flatMap((each) => each ?? []),
    run: (lab: Lab, folder: string) => measure(net, lab, folder),
  })),
  { name: 'carrying switched off', run: stopCarrying },
  ...(['relay', 'direct'] as const).map((to) => ({
    name: `route to ${to} in a pull`,
    run: (lab: Lab, folder: string) => changeRoute(to, lab, folder),
  })),
  { name: `${ROWS} rows`, run: compareRows },
  { name: 'idle traffic', run: countIdle },
];
for (const { name, needs = [], run } of tasks.filter((task) => task.name.includes(wanted))) {
  const missing = needs.filter((each) => !obtain(each));
  if (missing.length > 0) {
    failed++;
    say(`*** ${name}: NOT RUN: apt-get install ${missing.join(' ')} ***`);
    continue;
  }
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
